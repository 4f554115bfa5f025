"""What parameters may be."""

from __future__ import annotations

import datetime
import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
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


def pair(name: str, ends: Any) -> tuple[Any, Any]:
    """Return the lower and the upper end of an interval."""
    try:
        low, high = ends
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {ends!r} is no pair of a lower and an upper end") from None
    return low, high


def moments(times: NDArray[Any]) -> NDArray[Any]:
    """Return times as numbers, dates as microseconds: a column of dates would become inputs, which no prediction has.

    Raises ValueError of texts.
    """
    if times.dtype.kind == "O":
        times = times.copy()
        for i, time in enumerate(times):
            if isinstance(time, str):
                break
            if isinstance(time, datetime.datetime) and time.tzinfo is not None:
                times[i] = time.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        dates = [time for time in times if isinstance(time, datetime.date)]
        if dates:
            times = np.array([time if isinstance(time, datetime.date) and time == time else None for time in times], dtype="datetime64[us]")
    if times.dtype.kind in "OUST":
        for i, time in enumerate(times):
            if isinstance(time, str):
                raise ValueError(f"times: {str(time)!r} in row {i + 1} is a text; give dates, as pandas.to_datetime makes them, or numbers")
    if times.dtype.kind not in "mM":
        return times
    unit = "datetime64[us]" if times.dtype.kind == "M" else "timedelta64[us]"
    return np.where(np.isnat(times), np.nan, times.astype(unit).astype(np.int64))


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
        if not 0 <= int(random_state) < 2**64:
            raise ValueError(f"random_state: {random_state}; it must be from 0 on, and below 2**64")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
