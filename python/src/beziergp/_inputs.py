"""What scikit-learn, pandas, polars and pyarrow hand over, checked, as columns of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import numpy as np
from sklearn.utils.validation import _check_feature_names, _check_n_features, validate_data

from ._frame import Frame

if TYPE_CHECKING:
    from ._estimator import Estimator


def is_frame(X: Any) -> bool:
    """Tell whether X is a data frame, which has names and types of columns."""
    return bool(nw.dependencies.is_into_dataframe(X))


def masks_as_missing(values: Any) -> Any:
    """Return values with NaN, or None, where numpy masks them: what lies below a mask must not be learned from."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    numbers = values.dtype.kind in "iufb"
    filled = np.array(np.ma.getdata(values), dtype=np.float64 if numbers else object)
    filled[np.ma.getmaskarray(values)] = np.nan if numbers else None
    return filled


def whole(y: Any) -> Any:
    """Return a column of a data frame as numpy's array, nullable truth values and whole numbers as such where none is missing."""
    series = nw.from_native(y, series_only=True, pass_through=True)
    kept = isinstance(series, nw.Series) and (series.dtype == nw.Boolean or series.dtype.is_integer()) and not series.null_count()
    return series.to_numpy() if kept else y


def table_of(X: Any, name: str) -> Any:
    """Return a data frame. Raises ValueError where two columns have one name."""
    try:
        return nw.from_native(X, eager_only=True)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"{name}: {' '.join(str(error).split())}") from None


def inputs(estimator: Estimator, X: Any, *, fitting: bool) -> Frame:
    """Return the columns of X. Raises ValueError and TypeError as scikit-learn does."""
    if nw.dependencies.is_polars_lazyframe(X):
        raise TypeError("X is a lazy frame, whose rows are not there yet: collect it first")
    frame, X = Frame(), masks_as_missing(X)
    if nw.dependencies.get_pyarrow() is not None and isinstance(X, nw.dependencies.get_pyarrow().RecordBatch):  # which would lose names and types
        X = nw.dependencies.get_pyarrow().Table.from_batches([X])
    if getattr(getattr(X, "dtype", None), "kind", "") in ("m", "M") and not is_frame(X):  # of which numbers would be made
        raise TypeError("X is a matrix of dates or durations: give a data frame, in which dates are columns, or numbers")
    if not is_frame(X):
        matrix = validate_data(estimator, X, reset=fitting, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2 if fitting else 1)
        frame.matrix(names_of(estimator), matrix)
        return frame
    table = table_of(X, "X")
    _check_feature_names(estimator, X, reset=fitting)
    _check_n_features(estimator, X, reset=fitting)
    least = 2 if fitting else 1
    if len(table) < least:
        raise ValueError(f"Found array with {len(table)} sample(s) (shape={table.shape}) while a minimum of {least} is required.")
    if table.shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={table.shape}) while a minimum of 1 is required.")
    for name, series in zip(names_of(estimator), table.iter_columns(), strict=True):
        frame.column(series if series.name == name else series.alias(name))
    return frame


def names_of(estimator: Any) -> list[str]:
    """Return the names of the columns: those of the data frame that it was fitted to, or x0, x1 and so on."""
    named = getattr(estimator, "feature_names_in_", None)
    if named is not None:
        return [str(name) for name in named]
    return [f"x{j}" for j in range(estimator.n_features_in_)]


def free(name: str, taken: list[str]) -> str:
    """Return a name that is not taken."""
    while name in taken:
        name += "_"
    return name
