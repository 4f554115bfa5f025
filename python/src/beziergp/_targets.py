"""Targets: one, or several side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import r2_score
from sklearn.utils.validation import _check_sample_weight, _check_y, check_array

from ._frame import absent
from ._inputs import free, is_frame, masks_as_missing, table_of

Array = NDArray[np.float64]


def numbers_of(y: Any, of: Any) -> Array:
    """Return y as numbers, [n], or [n, T] where it has two columns or more, of which NaN is a target that the row lacks.

    Raises ValueError as scikit-learn does of an estimator, which of is. A y of one column is a vector, and a warning says so.
    """
    y = masks_as_missing(y)
    given: Any = table_of(y, "y") if is_frame(y) else np.asarray(y)
    times = any(kind.is_temporal() for kind in given.schema.values()) if is_frame(y) else given.dtype.kind in "mM"
    if times:  # which numpy would make numbers of
        raise ValueError("y holds dates or durations, and targets are numbers: give the time since a date, in days, say")
    values = np.asarray(y)
    if values.dtype.kind == "O" and any(absent(value) for value in values.flat):  # pandas' NA is no number
        y = values = np.array([np.nan if absent(value) else value for value in values.flat], dtype=object).reshape(values.shape)
    for i, value in enumerate(values.ravel()) if values.dtype.kind in "OUT" else ():  # numbers are not looked at one by one
        if isinstance(value, str) and not _is_number(value):
            row = i // int(np.prod(given.shape[1:])) + 1
            raise ValueError(f"y holds texts, such as {str(value)!r} in row {row}: take BezierGPClassifier, or give numbers")
    shape = given.shape
    if len(shape) < 2 or shape[1] == 1:
        return _check_y(y, multi_output=False, y_numeric=True).astype(np.float64)
    return check_array(y, dtype=np.float64, ensure_all_finite="allow-nan", input_name="y", estimator=of)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def names_of_targets(y: Any, count: int, taken: list[str]) -> list[str]:
    """Return the names of so many targets, none of them that of an input: those that y has, or y, or y0, y1 and so on."""
    given = table_of(y, "y").columns if is_frame(y) else [getattr(y, "name", None)]
    names = [name for name in given if isinstance(name, str) and name]
    if len(names) != count:
        return [free(name, taken) for name in ([f"y{t}" for t in range(count)] if count > 1 else ["y"])]
    for name in names:
        if name in taken and count == 1:
            return [free("y", taken)]
        if name in taken:
            raise ValueError(f"y has a column {name!r}, and so has X: leave it out of X, or rename it")
    return names


def average_r2(y: Any, means: Array, of: Any, sample_weight: ArrayLike | None) -> float:
    """Return the average of the R² of several targets, each of the rows that have it."""
    observed = numbers_of(y, of)
    if observed.shape != means.shape:
        raise ValueError(f"y has the shape {observed.shape}, and predictions have {means.shape}")
    weights = None if sample_weight is None else _check_sample_weight(sample_weight, means)
    scores = []
    for known, mean in zip(observed.T, means.T, strict=True):
        there = ~np.isnan(known)
        scores.append(r2_score(known[there], mean[there], sample_weight=None if weights is None else weights[there]))
    return float(np.mean(scores))
