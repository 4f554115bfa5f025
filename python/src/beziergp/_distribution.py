"""The distributions that predictions are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _pool
from ._frame import Frame, columns

Array = NDArray[np.float64]


class Distribution:
    """The predicted distributions of n rows, in the units of the target.

    A method takes a number, which is asked of every row, an array [n], a value a row, or an array [n, k]; what it returns has the shape [n],
    or [n, k]. The program computes it, with the numbers that its own commands print.
    """

    def __init__(self, mean: Array, std: Array, parts: dict[str, Array], family: dict[str, Any], model: _pool.Model | None = None) -> None:
        self._mean, self._std, self._parts, self._family = mean, std, parts, family
        self._model = model  # whose law the distributions are of; None of those of a number

    def __len__(self) -> int:
        return len(self._mean)

    def mean(self) -> Array:
        """Return the means, [n]."""
        return self._mean

    def std(self) -> Array:
        """Return the standard deviations, [n]."""
        return self._std

    def pdf(self, y: ArrayLike) -> Array:
        """Return the densities at y; of counts and levels their probabilities."""
        return np.exp(self.logpdf(y))

    def logpdf(self, y: ArrayLike) -> Array:
        """Return the logarithms of the densities at y."""
        return self._ask("logpdf", y)

    def cdf(self, y: ArrayLike) -> Array:
        """Return the probabilities of targets up to y."""
        return self._ask("cdf", y)

    def ppf(self, q: ArrayLike) -> Array:
        """Return the values below which targets lie with probabilities q, which are above 0 and below 1."""
        levels = np.asarray(q, dtype=np.float64)
        if not np.all((levels > 0) & (levels < 1)):
            raise ValueError("probabilities must be above 0 and below 1")
        return self._ask("ppf", levels)

    def crps(self, y: ArrayLike) -> Array:
        """Return the continuous ranked probability scores of observed targets y."""
        return self._ask("crps", y)

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """Return the ends of central intervals of a probability."""
        ends = self.ppf(np.broadcast_to([(1 - level) / 2, (1 + level) / 2], (len(self), 2)))
        return ends[:, 0], ends[:, 1]

    def sample(self, size: int = 1, random_state: int | np.random.Generator | None = None) -> Array:
        """Draw targets of every row, independently of those of other rows, [n, size]."""
        uniform = np.random.default_rng(random_state).uniform(2**-53, 1, (len(self), size))
        return self.ppf(np.minimum(uniform, 1 - 2**-53))

    def _ask(self, what: str, at: ArrayLike) -> Array:
        values = np.asarray(at, dtype=np.float64)
        n = len(self)
        flat = values.ndim < 2
        if values.ndim == 0:
            values = np.full(n, values)
        if values.ndim > 2 or len(values) != n:
            raise ValueError(f"values of shape {np.shape(at)} are none of {n} rows: give a number, an array [{n}] or an array [{n}, k]")
        if np.isinf(values).any():
            raise ValueError("values must be finite")
        table = values.reshape(n, -1)
        frame = Frame()
        for name, part in self._parts.items():
            frame.numbers(name, part)
        for k in range(table.shape[1]):
            frame.numbers(f"v{k}", table[:, k])
        ask = _pool.ask if self._model is None else self._model.ask
        answer = ask("distribution", {"of": what, "values": table.shape[1], "family": self._family}, frame.stream())
        out = columns(answer.body)
        result = np.column_stack([out[f"v{k}"] for k in range(table.shape[1])]) if table.shape[1] else np.empty((n, 0))
        return result[:, 0] if flat else result
