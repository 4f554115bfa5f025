"""Tables as Arrow streams: what goes to a worker, and what comes back."""

from __future__ import annotations

import datetime
import decimal
import numbers
from collections.abc import Callable, Iterable
from typing import Any

import nanoarrow as na
import narwhals.stable.v1 as nw
import numpy as np
from nanoarrow.ipc import InputStream, StreamWriter
from numpy.typing import NDArray

_INTEGERS = {
    "int8": na.int8, "int16": na.int16, "int32": na.int32, "int64": na.int64,
    "uint8": na.uint8, "uint16": na.uint16, "uint32": na.uint32, "uint64": na.uint64,
}  # fmt: skip


class Frame:
    """Columns that have become Arrow arrays."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.categories: list[str] = []  # columns that are categories whatever their levels look like
        self.rows = 0
        self._arrays: list[Any] = []
        self._types: dict[str, Any] = {}

    def add(self, name: str, array: Any, kind: Any) -> None:
        """Add an array under a name of its own."""
        self.names.append(name)
        self._arrays.append(array)
        self._types[name] = kind
        self.rows = len(array)

    def numbers(self, name: str, values: NDArray[Any]) -> None:
        """Add numbers, of which NaN is a missing one."""
        make = _INTEGERS.get(values.dtype.name)
        if make is None:
            make, values = na.float64, values.astype(np.float64, copy=False)
        self.add(name, _plain(make(), np.ascontiguousarray(values)), make())

    def values(self, name: str, series: Any) -> None:
        """Add what numpy makes of a sequence: numbers, truth values, times or texts."""
        array = np.asarray(series)
        if array.dtype.kind in "iuf":
            self.numbers(name, array)
        elif array.dtype.kind == "M":
            self._times(name, array)
        elif array.dtype.kind == "b":
            self._truths(name, array, None)
        else:
            self._texts(name, array.tolist(), None)

    def matrix(self, names: Iterable[str], values: NDArray[np.float64]) -> None:
        """Add the columns of a matrix, [n, d]."""
        values = np.asfortranarray(values)
        for j, name in enumerate(names):
            self.numbers(name, values[:, j])

    def column(self, series: nw.Series[Any]) -> None:
        """Add a column of a data frame."""
        kind, name = series.dtype, series.name
        if isinstance(kind, nw.Unknown) and series.null_count() == len(series):  # the type of a column of polars or pyarrow without any value
            self._texts(name, [None] * len(series), None)
            return
        missing = series.is_null() if series.null_count() > 0 else None
        mask = None if missing is None else np.asarray(missing.to_numpy(), dtype=bool)
        if kind.is_numeric() and not isinstance(kind, nw.Decimal):
            if (mask is not None and not kind.is_float()) or isinstance(kind, nw.Int128 | nw.UInt128):  # of which numpy has none
                series = series.cast(nw.Float64)
            self.numbers(name, _numeric(series, mask))
        elif kind == nw.Boolean:
            self._truths(name, np.array([v is True for v in series.to_list()]) if mask is not None else series.to_numpy(), mask)
        elif kind == nw.Datetime:
            if kind.time_zone is not None:  # type: ignore[attr-defined]
                series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
            self._times(name, series.to_numpy())
        elif kind == nw.Date:
            self._times(name, series.cast(nw.Datetime("us")).to_numpy())
        elif kind in (nw.Categorical, nw.Enum):
            self.categories.append(name)
            self._texts(name, _levels(series), mask)
        elif kind in (nw.String, nw.Object, nw.Decimal):
            self._texts(name, series.to_list(), mask)
        else:
            native = series.to_native()
            held = getattr(native, "dtype", getattr(native, "type", kind)) if isinstance(kind, nw.Unknown) else kind
            raise TypeError(f"column {name!r} holds {held}, which no column of a table can: convert it to numbers, dates or text, or leave it out")

    def _truths(self, name: str, values: NDArray[Any], missing: NDArray[np.bool_] | None) -> None:
        bits = np.packbits(values.astype(bool), bitorder="little")
        self.add(name, _plain(na.bool_(), bits, len(values), missing), na.bool_())

    def _times(self, name: str, values: NDArray[Any]) -> None:
        unit = np.datetime_data(values.dtype)[0]
        if unit not in ("s", "ms", "us", "ns"):
            values, unit = values.astype("datetime64[s]"), "s"
        make = na.timestamp(unit)
        self.add(name, _plain(make, values.view(np.int64), len(values), np.isnat(values)), make)

    def _texts(self, name: str, values: list[Any], missing: NDArray[np.bool_] | None) -> None:
        texts = [None if v is None or (missing is not None and missing[i]) else _text(name, i, v) for i, v in enumerate(values)]
        try:
            array = na.c_array(texts, na.string())
        except ValueError:  # which has no place
            row = next(i for i, text in enumerate(texts) if text is not None and not _storable(text))
            raise ValueError(f"column {name!r}, row {row + 1}: {texts[row]!r} has a surrogate, which UTF-8 has not: mend the text") from None
        self.add(name, array, na.string())

    def stream(self) -> Stream:
        """Return an Arrow IPC stream of the columns."""
        schema = na.struct(self._types)
        return Stream(na.c_array_from_buffers(schema, length=self.rows, buffers=[None], null_count=0, children=self._arrays))


class Stream:
    """An Arrow IPC stream of a batch. It is made while it is written, for a copy of it would take longer than a pipe does."""

    def __init__(self, batch: Any) -> None:
        self._batch = batch
        self.size = self._write(len)

    def write(self, out: Callable[[Any], int]) -> None:
        """Give the bytes to a function, which returns how many of them it took."""
        self._write(out)

    def _write(self, out: Callable[[Any], int]) -> int:
        to = _Out(out)
        try:
            with StreamWriter.from_writable(to) as writer:
                writer.write_array(self._batch)
        except RuntimeError:  # of nanoarrow
            if to.error is None:
                raise
            raise to.error from None
        return to.size


class _Out:
    """A file whose bytes go to a function; it keeps an error of that, of which the writer of streams tells the text alone."""

    def __init__(self, out: Callable[[Any], int]) -> None:
        self._out, self.size = out, 0
        self.error: BaseException | None = None

    def write(self, data: Any) -> int:
        try:
            taken = self._out(data)
        except BaseException as error:
            self.error = error
            raise
        self.size += taken
        return taken


def _plain(kind: Any, data: NDArray[Any], length: int | None = None, missing: NDArray[np.bool_] | None = None) -> Any:
    """Make an array of values side by side."""
    validity = None
    if missing is not None and missing.any():
        validity = np.packbits(~missing, bitorder="little")
    n = len(data) if length is None else length
    return na.c_array_from_buffers(kind, length=n, buffers=[validity, data], null_count=0 if validity is None else int(missing.sum()))  # type: ignore[union-attr]


def _numeric(series: nw.Series[Any], missing: NDArray[np.bool_] | None) -> NDArray[Any]:
    values = np.asarray(series.to_numpy())
    if values.dtype.kind not in "iuf":  # objects
        values = np.array([np.nan if v is None or v is not v else v for v in series.to_list()], dtype=np.float64)
    if missing is not None:
        values = np.where(missing, np.nan, values.astype(np.float64))
    return values


def _levels(series: nw.Series[Any]) -> list[Any]:
    """Return a category's values, such as are no texts by what they are shown as."""
    values = series.to_list()
    return [v if v is None or isinstance(v, str) else str(v) for v in values]


def _storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def absent(value: Any) -> bool:
    """Tell whether a value is a missing one: None, NaN, NaT, or pandas' NA, which has no truth value."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, numbers.Number | datetime.date | np.datetime64) and bool(value != value)


def _text(name: str, row: int, value: Any) -> str | None:
    """Return a value as a file would have it, None of a missing one."""
    if isinstance(value, str):
        return value
    if absent(value):
        return None
    if isinstance(value, numbers.Real | np.bool_ | datetime.date | decimal.Decimal | np.datetime64) and not isinstance(value, np.timedelta64):
        return str(value)
    raise TypeError(f"column {name!r}, row {row + 1}: argument must be a string or a number, a date or a truth value, not {type(value).__name__}")


def columns(body: bytearray) -> dict[str, NDArray[Any]]:
    """Return the columns of an Arrow stream of numbers by name."""
    names, arrays = pairs(body)
    return dict(zip(names, arrays, strict=True))


def pairs(body: bytearray) -> tuple[list[str], list[NDArray[Any]]]:
    """Return the names and the columns of an Arrow stream of one batch of numbers; names may be alike."""
    stream = na.c_array_stream(InputStream.from_readable(body))
    names = [field.name for field in stream.get_schema().children]
    batch = stream.get_next()  # which owns the memory that the view shows
    view = batch.view()
    return names, [np.array(view.child(j).buffer(1)) for j in range(len(names))]
