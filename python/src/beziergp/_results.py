"""What methods return that is more than an array."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class OutOfFold:
    """Predictions of training rows by members of the ensemble that were trained without them, in the target's units."""

    rows: NDArray[np.int64]
    """Which rows of X, [n], ascending."""
    observed: Array
    """The targets, [n]; of several [n, T], as all that follows, with NaN where a row lacks one."""
    mean: Array
    std: Array
    lower: Array
    """Lower end of the 95 % interval."""
    upper: Array

    @classmethod
    def of(cls, targets: list[dict[str, Array]]) -> OutOfFold | None:
        """Return what a worker tells of every target, side by side; None of nothing."""
        if not targets:
            return None
        rows = np.unique(np.concatenate([own["row"] for own in targets])).astype(np.int64)
        parts = {name: np.full((len(rows), len(targets)), np.nan) for name in ("observed", "mean", "std", "lower", "upper")}
        for t, own in enumerate(targets):
            at = np.searchsorted(rows, own["row"])
            for name, part in parts.items():
                part[at, t] = own[name]
        return cls(rows, **{name: part if len(targets) > 1 else part[:, 0] for name, part in parts.items()})

    def output(self, t: int) -> OutOfFold:
        """Return that of one of several targets."""
        there = ~np.isnan(self.observed[:, t])
        return OutOfFold(self.rows[there], *(part[there, t] for part in (self.observed, self.mean, self.std, self.lower, self.upper)))


@dataclass(frozen=True)
class OutOfFoldClasses:
    """Probabilities of the classes of training rows by members of the ensemble that were trained without them."""

    rows: NDArray[np.int64]
    """Which rows of X, [n], ascending."""
    observed: NDArray[Any]
    """The labels."""
    probabilities: Array
    """[n, K], in the order of classes_"""


@dataclass(frozen=True)
class ShapleyValues:
    """What the columns add to predictions: base + values.sum(axis=1) is the prediction of f.

    Values are in the units of the target, or of log(1 + target) where that was learned. They fit into ``shap.Explanation(values, base, X)``.
    """

    values: Array
    """[n, features]"""
    base: float
    prediction: Array
    """f at the rows, [n]"""
    feature_names: list[str]
    interactions: Array | None = None
    """Interaction indices of pairs of features, [n, features, features], symmetric with zeros on the diagonal; None unless asked for."""


@dataclass(frozen=True)
class Effect:
    """E[f | x] over values of one input or two, the others averaged over."""

    inputs: tuple[str, ...]
    values: list[NDArray[Any]]
    """The values of each input, levels of a category as texts."""
    mean: Array
    """By value or, of two inputs, [values of the first, values of the second]."""
    std: Array


@dataclass(frozen=True)
class Effects:
    """Effects of inputs, around the average of f over all of them."""

    base: float
    base_std: float
    effects: list[Effect]

    def __getitem__(self, inputs: str | tuple[str, ...]) -> Effect:
        """Return the effect of an input, or of two."""
        wanted = (inputs,) if isinstance(inputs, str) else tuple(inputs)
        for effect in self.effects:
            if effect.inputs == wanted:
                return effect
        raise KeyError(inputs)

    def __len__(self) -> int:
        return len(self.effects)


@dataclass(frozen=True)
class Sobol:
    """Shares of the variance of the mean of f over the inputs' distributions."""

    inputs: list[str]
    first: Array
    """V_i / V, in closed form."""
    total: Array
    """Share that ends where all other inputs are known, an estimate."""
    total_error: Array
    """Its standard error."""
    mean: float
    variance: float
    pairs: dict[tuple[str, str], float] = field(default_factory=dict)
    """V_ij / V, the largest first."""
    groups: dict[tuple[str, ...], tuple[float, float]] = field(default_factory=dict)
    """Closed and total index of each group that was asked for."""


@dataclass(frozen=True)
class Integral:
    """An average or a total of f, with the deviation that it has by the process."""

    mean: float
    std: float
