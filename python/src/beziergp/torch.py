"""A fitted model as a module of PyTorch, with gradients, and as a surrogate of BoTorch: ``pip install 'beziergp[torch]'``.

It computes the mean of f, its variance and covariances from the weights of a model file, in float64; what it says is what the program says, but
for rounding. Of a likelihood other than a Gaussian f is the natural parameter, without offsets and exposures: the logit of the second of two
classes, or the logarithm of an expected count. A model of three classes or more, of log(1 + y), with a range of the target, or with dates is refused.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ._modelfile import Basis, Buttress, ModelFile, Scaling


def _table(name: str, module: torch.nn.Module, values: Any) -> Tensor:
    module.register_buffer(name, torch.as_tensor(np.array(values, dtype=np.float64)))
    return getattr(module, name)


class Scale(torch.nn.Module):
    """The piecewise linear map of an input, [..., n] to [..., n]; what lies beyond goes to the nearer end, NaN stays."""

    def __init__(self, scaling: Scaling) -> None:
        super().__init__()
        self.knots: Tensor
        self.ranks: Tensor
        _table("knots", self, scaling.knots)
        _table("ranks", self, scaling.ranks)

    def forward(self, x: Tensor) -> Tensor:
        """Return coordinates."""
        knots, ranks = self.knots, self.ranks
        if len(knots) < 2 or knots[0] == knots[-1]:
            return torch.where(torch.isnan(x), x, torch.zeros_like(x))
        at = torch.searchsorted(knots, x.detach().contiguous(), right=True).clamp(1, len(knots) - 1)
        inside = torch.where(x < knots[0], knots[0], torch.where(x > knots[-1], knots[-1], x))  # clamp may have no slope at its ends
        share = (inside - knots[at - 1]) / (knots[at] - knots[at - 1])
        return ranks[at - 1] * (1 - share) + ranks[at] * share


def functions(basis: Basis, t: Tensor) -> Tensor:
    """Return the values of a basis at coordinates in its domain, [...] to [..., nodes]."""
    m = basis.nodes
    if basis.kind in ("indicator", "pooled"):
        first, end = basis.pool
        t = t - (t - first).clamp(0, end - first - 1)
        return (t.unsqueeze(-1) == torch.arange(m, dtype=t.dtype, device=t.device)).to(t.dtype)
    if basis.kind == "steps":
        interval = (t.detach().to(torch.float32).to(t.dtype) * m).floor().clamp(0, m - 1)  # as coordinates are: a jump must not be missed
        return (interval.unsqueeze(-1) == torch.arange(m, dtype=t.dtype, device=t.device)).to(t.dtype)
    if basis.kind == "known":
        return torch.stack([torch.ones_like(t), torch.zeros_like(t)], -1)
    if basis.kind == "bernstein":
        powers = torch.arange(m, dtype=t.dtype, device=t.device)
        choose = torch.tensor([math.comb(m - 1, i) for i in range(m)], dtype=t.dtype, device=t.device)
        return choose * t.unsqueeze(-1) ** powers * (1 - t.unsqueeze(-1)) ** (m - 1 - powers)
    if basis.kind != "spline":
        raise ValueError(f"a basis of kind {basis.kind!r}: this version knows bernstein, indicator, known, pooled, spline and steps")
    degree = min(3, m - 1)  # the recursion of Cox and de Boor over equal intervals with clamped ends
    intervals = m - degree
    knots = [float(min(max(i - degree, 0), intervals)) for i in range(m + degree + 1)]
    u = t * intervals
    cell = u.detach().floor().clamp(0, intervals - 1)
    b = [(cell == knots[i]).to(t.dtype) if knots[i] < knots[i + 1] else torch.zeros_like(t) for i in range(len(knots) - 1)]
    for k in range(1, degree + 1):
        for i in range(len(b) - k):
            left, right = knots[i + k] - knots[i], knots[i + k + 1] - knots[i + 1]
            rising = (u - knots[i]) / left * b[i] if left > 0 else 0.0
            falling = (knots[i + k + 1] - u) / right * b[i + 1] if right > 0 else 0.0
            b[i] = rising + falling + torch.zeros_like(t)
    return torch.stack(b[:m], -1)


def prior(basis: Basis) -> Tensor:
    """Return ς, [nodes]: the variances of control points for which Σ ς φ² is one where each function is near its top."""
    m = basis.nodes
    if basis.kind in ("indicator", "known", "pooled", "steps") or m == 1:
        return torch.ones(m, dtype=torch.float64)
    if basis.kind == "bernstein":
        tops = torch.arange(m, dtype=torch.float64) / (m - 1)
    else:
        degree = min(3, m - 1)
        inner = [sum(min(max(i + k - degree, 0), m - degree) for k in range(1, degree + 1)) for i in range(m)]
        tops = torch.tensor(inner, dtype=torch.float64) / (degree * (m - degree))
    return torch.linalg.solve(functions(basis, tops) ** 2, torch.ones(m, dtype=torch.float64))


class Surface(torch.nn.Module):
    """A sum of buttresses: products of weights along a chain of the inputs, those of equal widths multiplied at once."""

    def __init__(self, buttresses: list[Buttress], scalings: list[Scaling], variance: bool = False) -> None:
        super().__init__()
        self.scales = torch.nn.ModuleList(Scale(s) for s in scalings)
        self.categories = [s.category for s in scalings]
        self.levels = [(len(s.knots), s.missing_level, s.shared) for s in scalings]
        self.variance = variance
        batches = defaultdict(list)
        for b in buttresses:
            batches[tuple(layer.shape[1] for layer in b.weights)].append(b)
        self.batches = [
            [(tuple(b.inputs[g] for b in batch), tuple(b.bases[g] for b in batch)) for g in range(len(widths))] for widths, batch in batches.items()
        ]
        for k, batch in enumerate(batches.values()):
            for g in range(len(batch[0].weights)):
                weights = np.stack([b.weights[g] for b in batch])
                _table(f"w{k}_{g}", self, np.exp(weights) if variance else weights)
        self.share = 1 / max(1, len(buttresses))  # of the prior variance

    def _phi(self, x: Tensor) -> dict[tuple[int, Basis], Tensor]:
        """Return the values of all bases, [..., nodes], at X, [..., d]."""
        found, known = {}, {}
        for layers in self.batches:
            for inputs, bases in layers:
                for i, basis in zip(inputs, bases, strict=True):
                    if (i, basis) in found:
                        continue
                    v = x[..., i]
                    missing = torch.isnan(v)
                    if self.categories[i]:
                        v, missing = self._level(i, v)
                    key = i, basis.kind, basis.nodes, basis.pool
                    if key not in known:
                        t = torch.where(missing, torch.zeros_like(v), v)
                        known[key] = functions(basis, t if self.categories[i] else self.scales[i](t))
                    average = torch.tensor(basis.average, dtype=v.dtype, device=v.device)
                    found[i, basis] = torch.where(missing.unsqueeze(-1), average, known[key])
        return found

    def _level(self, i: int, v: Tensor) -> tuple[Tensor, Tensor]:
        """Return the coordinate of a level, and whether it has none: it is missing, or not known."""
        n, missing_level, shared = self.levels[i]
        absent = torch.isnan(v) | (v < 0)
        unknown = torch.zeros_like(absent) if shared else v > n - 1
        v = v.clamp(max=n - 1).round()
        if missing_level:  # the last of all
            return torch.where(absent, torch.full_like(v, n), v), unknown & ~absent
        return v, absent | unknown

    def forward(self, x: Tensor, z: Tensor | None = None) -> Tensor:
        """Return f or Var f at X, [..., n, d] to [..., n]; with Z, [..., k, d], covariances, [..., n, k]."""
        phi = self._phi(x)
        if self.variance:
            other = phi if z is None else self._phi(z)
            for key, own in phi.items():
                a, b = (own, other[key]) if z is None else (own.unsqueeze(-2), other[key].unsqueeze(-3))
                phi[key] = prior(key[1]).to(own) * a * b
        total: Any = 0.0
        for k, layers in enumerate(self.batches):
            state: Any = None
            for g, (inputs, bases) in enumerate(layers):
                values = torch.stack([phi[key] for key in zip(inputs, bases, strict=True)])  # [chains, ..., nodes]
                w = getattr(self, f"w{k}_{g}")
                arrived = w.reshape(len(w), *[1] * (values.dim() - 2), -1) if state is None else torch.einsum("r...i,rij->r...j", state, w)
                state = arrived * values
            total = total + state.sum((0, -1))
        return total * self.share if self.variance else total


class BezierGP(torch.nn.Module):
    """The process of a model: a fitted estimator, or the bytes of a model file.

    X is [..., n, d] in the columns' units and order, those of ``columns``; of a category the number of the level, as ``onnx_inputs`` has it. NaN
    is a missing value. Values beyond the bounds are moved to them, and have a gradient of 0.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        file = ModelFile(model if isinstance(model, bytes) else model.model_.file)
        head = file.head
        if head["target"].get("transform") or head["target"].get("range"):
            raise ValueError("a model of a transformed target, or of one with a range, is no Gaussian process in the target's units: fit without")
        self.likelihood = head.get("likelihood", "gaussian")
        base = (head.get("law") or {}).get("base") or []
        if len(base) > 1:
            raise ValueError(f"a model of {len(base)} classes has a function for each, where a module is one: fit whether it is a class or not")
        self.columns = [s.name for s in file.scalings]
        self.center: float = base[0] if base else head["target"]["mean"]
        self.unit: float = 1.0 if base else head["target"]["sd"]
        limits = head.get("limits") or {"lo": -math.inf, "hi": math.inf}
        self.limits = limits["lo"], limits["hi"]
        self.most = limits.get("variance") or math.inf
        self.variance_scale = head.get("variance_scale") or 1.0
        self.f = Surface(file.surface(head["groups"], "mean"), file.scalings)
        own = head.get("variance_process")
        groups, prefix = (own["groups"], "variance.") if own else (head["groups"], "")
        self.var_f = Surface(file.surface(groups, "log_variance", prefix), file.wider(), variance=True)
        tails = head.get("degrees_of_freedom") or math.inf
        self.sigma2 = head["noise"] * (1.0 if math.isinf(tails) else tails / (tails - 2))
        self.s, noise = None, head.get("noise_surface")
        if noise:
            self.s = Surface(file.surface(noise["groups"], "mean", "noise."), [*file.scalings, file.scaling(noise["predicted"])])
            self.noise_limits = noise.get("lo", -math.inf), noise.get("hi", math.inf)

    def _mu(self, x: Tensor) -> Tensor:
        return self.f(x).clamp(*self.limits)

    def forward(self, x: Tensor) -> Tensor:
        """Return the mean of f, [..., n], in the target's units where it is a number."""
        return self.center + self.unit * self._mu(x)

    def variance(self, x: Tensor) -> Tensor:
        """Return the variance of f, [..., n]."""
        return self.unit**2 * (self.variance_scale * self.var_f(x)).clamp(max=self.most)

    def covariance(self, x: Tensor, z: Tensor) -> Tensor:
        """Return the covariances of f between X, [..., n, d], and Z, [..., k, d]: [..., n, k]. They know no limit of the variance."""
        return self.unit**2 * self.variance_scale * self.var_f(x, z)

    def noise(self, x: Tensor) -> Tensor:
        """Return the variance of the noise, [..., n]; the shape of its distribution is left out.

        It raises ValueError of other likelihoods than a Gaussian, whose observations are no f with noise.
        """
        if self.likelihood != "gaussian":
            raise ValueError(f"the likelihood is {self.likelihood}, whose observations are no f with noise: ask for f alone")
        if self.s is None:
            return torch.full_like(x[..., 0], self.unit**2 * self.sigma2)
        s = self.s(torch.cat([x, self._mu(x).unsqueeze(-1)], -1)).clamp(*self.noise_limits)
        return self.unit**2 * self.sigma2 * torch.exp(s)


def surrogate(model: Any) -> Any:
    """Return a model of BoTorch with ``posterior()``: of f, or with observation_noise, of a number, of new observations."""
    from botorch.models.model import Model
    from botorch.posteriors.gpytorch import GPyTorchPosterior
    from gpytorch.distributions import MultivariateNormal

    class Surrogate(Model):
        num_outputs = 1
        batch_shape = torch.Size()

        def __init__(self) -> None:
            super().__init__()
            self.process = model if isinstance(model, BezierGP) else BezierGP(model)

        def posterior(self, X: Tensor, output_indices: Any = None, observation_noise: Any = False, posterior_transform: Any = None, **_: Any) -> Any:
            """Return the posterior at X, [..., q, d]."""
            jitter = 1e-8 * self.process.unit**2
            diagonal = jitter + (self.process.noise(X) if observation_noise else torch.zeros_like(X[..., 0]))
            found = GPyTorchPosterior(MultivariateNormal(self.process(X), self.process.covariance(X, X) + torch.diag_embed(diagonal)))
            return found if posterior_transform is None else posterior_transform(found)

    return Surrogate()
