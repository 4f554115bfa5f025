"""What parameters may be."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state


def levels(quantiles: ArrayLike) -> list[float]:
    """Return probabilities of quantiles."""
    levels = np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
    if levels.ndim != 1 or not np.all((levels > 0) & (levels < 1)) or len(set(levels)) < len(levels):
        raise ValueError("quantiles must be different probabilities above 0 and below 1")
    return [float(q) for q in levels]


def number(name: str, value: Any) -> float:
    """Return a finite number."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not np.isfinite(float(value)):
        raise ValueError(f"{name}: {value!r} is no finite number")
    return float(value)


def positive(name: str, value: Any) -> float:
    """Return a number above 0."""
    if number(name, value) <= 0:
        raise ValueError(f"{name}: {value!r}; it must be above 0")
    return float(value)


def share(name: str, value: Any) -> float:
    """Return a number between 0 and 1."""
    if not 0 < number(name, value) < 1:
        raise ValueError(f"{name}: {value!r}; it must be above 0 and below 1")
    return float(value)


def count(name: str, value: Any) -> int | None:
    """Return a whole number from 1 on, or None."""
    if value is None:
        return None
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}: {value!r}; it must be a whole number from 1 on")
    return int(value)


def seed(random_state: Any) -> int:
    """Return the start of random numbers."""
    if random_state is None:
        return 0
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state: {random_state}; it must be from 0 on")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
