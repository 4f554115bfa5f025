"""A table is the same from a data frame of any kind as from a file."""

from __future__ import annotations

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from conftest import classifier, fit_csv, quick, run


def fit(X, y):
    return quick(random_state=3).fit(X, y)


def test_data_frames_give_the_model_of_their_csv(orders, tmp_path):
    path = tmp_path / "orders.csv"
    orders.to_csv(path, index=False)
    want = fit_csv(path, "minutes")
    X, y = orders.drop(columns="minutes"), orders["minutes"]
    model = fit(X, y)
    assert model.model_.file == want
    frames = {
        "polars": (pl.from_pandas(X), pl.from_pandas(y)),
        "pyarrow": (pa.Table.from_pandas(X, preserve_index=False), y),
        "nullable": (X.convert_dtypes(), y),
        "pyarrow-backed": (X.convert_dtypes(dtype_backend="pyarrow"), y),
    }
    for name, (frame, target) in frames.items():
        assert fit(frame, target).model_.file == want, name
        assert np.array_equal(model.predict(frame), model.predict(X)), name


def test_predictions_are_those_of_the_program(orders, tmp_path):
    path = tmp_path / "orders.csv"
    orders.to_csv(path, index=False)
    X, y = orders.drop(columns="minutes"), orders["minutes"]
    model = fit(X, y)
    model.save(tmp_path / "m.bgp")
    run("predict", tmp_path / "m.bgp", path, "--quiet", "--std-f", "--quantiles", "0.1,0.9", "--out", tmp_path / "p.csv")
    want = pd.read_csv(tmp_path / "p.csv", float_precision="round_trip")
    mean, std = model.predict(X, return_std=True)
    assert np.array_equal(mean, want["mean"])
    assert np.array_equal(model.predict(X), mean)
    assert np.array_equal(std, want["std"])
    assert np.array_equal(model.predict_interval(X), want[["lower", "upper"]])
    assert np.array_equal(model.predict_quantiles(X, [0.1, 0.9]), want[["q0.1", "q0.9"]])
    assert np.array_equal(model.in_box(X), want["in_box"])
    rows = [model.predict(X.iloc[[i]])[0] for i in range(5)]
    assert np.array_equal(rows, mean[:5])
    again = type(model).load(tmp_path / "m.bgp")
    assert np.array_equal(again.predict(X), mean)
    assert list(again.feature_names_in_) == list(X.columns)


def test_kinds_of_columns(tmp_path):
    rng = np.random.default_rng(5)
    n = 120
    y = rng.normal(size=n)
    X = pd.DataFrame(
        {
            "code": pd.Categorical(rng.integers(1, 4, n)),
            "price": [decimal.Decimal(int(v)) / 4 for v in rng.integers(0, 99, n)],
            "day": [datetime.date(2024, 1, 1) + datetime.timedelta(days=int(v)) for v in rng.integers(0, 300, n)],
            "at": pd.date_range("2024-03-01", periods=n, freq="7h", tz="Europe/Berlin"),
            "texts that are numbers": [str(v) for v in rng.integers(0, 9, n)],
            "truth": pd.array([None if v < 0.1 else bool(v < 0.5) for v in rng.random(n)], dtype="boolean"),
            "whole": pd.array([None if v < 0.1 else int(99 * v) for v in rng.random(n)], dtype="Int64"),
            "mixed": [["1", 2, "x", "y", "z", True, None][v] for v in rng.integers(0, 7, n)],
        }
    )
    model = fit(X, y)
    assert [c["kind"] for c in model.model_.about["columns"]] == [
        "category", "numeric", "datetime", "datetime", "numeric", "boolean", "numeric", "category",
    ]  # fmt: skip
    path = tmp_path / "t.csv"
    X.assign(y=y).to_csv(path, index=False)
    assert fit_csv(path, "y", "--column", "code=category") == model.model_.file
    assert fit(X, y).model_.file != fit(X.assign(code=X["code"].astype(int)), y).model_.file
    kinds = quick(kinds={"x0": "category"}).fit(np.column_stack([rng.integers(0, 3, n), y]), y)
    assert kinds.model_.about["columns"][0]["kind"] == "category"


def test_what_no_table_holds(orders, numbers):
    X, y = numbers
    with pytest.raises(TypeError, match="[Ss]parse"):
        quick().fit(scipy.sparse.csr_array(X), y)
    for column in ([{"a": 1}] * 9, [b"x"] * 9, pd.to_timedelta(range(9), unit="s"), [[1, 2]] * 9):
        with pytest.raises(TypeError, match="column 'bad'"):
            quick().fit(pd.DataFrame({"x": range(9), "bad": column}), np.arange(9.0))
    with pytest.raises(TypeError, match="collect"):
        quick().fit(pl.from_pandas(orders).lazy(), orders["minutes"])
    with pytest.raises(ValueError, match="not finite"):
        quick().fit(pd.DataFrame({"x": [1.0, np.inf, 2.0], "z": [1, 2, 3]}), [1.0, 2.0, 4.0])
    with pytest.raises(ValueError, match="column .x.*abc"):
        model = quick().fit(pd.DataFrame({"x": np.arange(9.0)}), np.arange(9.0) ** 2)
        model.predict(pd.DataFrame({"x": ["1", "abc"]}))
    with pytest.raises(ValueError, match=r"give kinds={'code': 'category'}, or None in its place"):
        quick().fit(pd.DataFrame({"code": ["1", "2", "abc"]}), [1.0, 2.0, 4.0])
    with pytest.raises(ValueError, match="NaN"):
        quick().fit(X, np.where(y > 0, y, np.nan))


def test_columns_that_are_not_learned_from(numbers):
    X, y = numbers
    X = np.column_stack([X[:, 0], np.full(len(X), np.nan), X[:, 1]])
    model = quick().fit(X, y)
    assert [c["name"] for c in model.model_.about["columns"]] == ["x0", "x2"]
    values = model.shapley_values(X).values
    assert values.shape == X.shape
    assert not values[:, 1].any()
    assert model.feature_importances_[1] == 0
    assert model.gradient(X)[0].shape == X.shape


def test_one_hot_columns_and_parts_of_dates(tmp_path):
    rng = np.random.default_rng(5)
    n = 200
    levels = pd.Categorical(rng.choice(["red", "green", "blue"], n))
    at = pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    x = rng.normal(size=n)
    y = x + levels.codes + np.sin(at.month)
    X = pd.get_dummies(pd.DataFrame({"x": x, "colour": levels, "year": at.year, "month": at.month, "day": at.day}))
    model = fit(X, y)
    assert [(c["name"], c["kind"]) for c in model.model_.about["columns"]] == [("x", "numeric"), ("date", "datetime"), ("colour", "category")]
    path = tmp_path / "t.csv"
    X.assign(y=y).to_csv(path, index=False)
    assert fit_csv(path, "y") == model.model_.file
    path.with_suffix(".bgp").write_bytes(model.model_.file)
    again = type(model).load(path.with_suffix(".bgp"))
    assert list(again.feature_names_in_) == list(X.columns)
    numbers = fit(X.to_numpy(dtype=float), y)  # of columns x0, x1 and so on
    assert [c.get("parts") for c in numbers.model_.about["columns"]] == [None, None, None, None, ["x4", "x5", "x6"]]

    found = model.shapley_values(X, interactions=True)
    assert np.allclose(found.values.sum(axis=1), found.prediction - found.base)
    assert np.array_equal(found.values[:, 4], found.values[:, 6])
    assert np.array_equal(found.interactions[:, 0, 4], found.interactions[:, 5, 0])
    assert not found.interactions[:, 4, 5].any()
    assert np.isclose(model.feature_importances_.sum(), 1)
    assert model.feature_importances_[1] == model.feature_importances_[3] > 0
    assert np.array_equal(np.isnan(model.gradient(X)[0][0]), [False, *[True] * 6])

    kept = quick(random_state=3, kinds={"colour_red": "boolean"}).fit(X, y)
    assert len(kept.model_.about["columns"]) == 5
    assert not model.in_box(X.assign(colour_red=True, colour_blue=True)).any()


def test_columns_without_values_whatever_their_type(orders):
    X, y = orders.drop(columns="minutes"), orders["minutes"]
    model = fit(X, y)
    want = model.predict(pd.DataFrame({name: [None] for name in X}))
    nothing = {name: [None] for name in X}
    for frame in (pl.DataFrame(nothing), pa.table({name: pa.nulls(1) for name in X})):
        assert np.array_equal(model.predict(frame), want)
    assert len(fit(pl.from_pandas(X).with_columns(none=pl.lit(None)), y).model_.about["columns"]) == X.shape[1]


def test_a_record_batch_is_a_table(orders):
    X, y = orders.drop(columns="minutes"), orders["minutes"]
    batch = pa.RecordBatch.from_pandas(X, preserve_index=False)
    model = fit(batch, y)
    assert model.model_.file == fit(X, y).model_.file
    assert np.array_equal(model.predict(batch), model.predict(X))


def test_masked_values_are_missing(numbers):
    X, y = numbers
    mask = X > 1
    masked = np.ma.masked_array(np.where(mask, 1e6, X), mask=mask)
    missing = np.where(mask, np.nan, X)
    model = fit(masked, y)
    assert model.model_.file == fit(missing, y).model_.file
    assert np.array_equal(model.predict(masked), model.predict(missing))
    with pytest.raises(ValueError, match="NaN"):
        quick().fit(X, np.ma.masked_array(y, mask=y > 1))
    with pytest.raises(ValueError, match="NaN"):
        classifier().fit(X, np.ma.masked_array((y > 0).astype(int), mask=y > 1))
    Y = np.ma.masked_array(np.column_stack([y, y]), mask=np.column_stack([y > 9e9, y > 1]))
    assert fit(X, Y).model_.file == fit(X, Y.filled(np.nan)).model_.file


def test_values_that_are_none_of_a_table_are_named(numbers):
    x = numbers[0][:, 0]
    y = numbers[1]
    for matrix in (np.array([["2024-01-01", "NaT"]] * 200, dtype="datetime64[D]"), np.ones((200, 2), dtype="timedelta64[s]")):
        with pytest.raises(TypeError, match="dates or durations"):
            quick().fit(matrix, y)
    for values, says in (
        (x + 1j, "column 'bad' holds complex128"),
        (pd.arrays.SparseArray(x), "column 'bad' holds Sparse"),
        (pd.Series([1j, 2] * 100, dtype=object), "column 'bad', row 1: .*not complex"),
        (pd.Series([np.timedelta64(3, "s"), 2] * 100, dtype=object), "column 'bad', row 1: .*not timedelta64"),
    ):
        with pytest.raises(TypeError, match=says):
            quick().fit(pd.DataFrame({"x": x, "bad": values}), y)
    with pytest.raises(ValueError, match="column 'bad', row 2: .*surrogate"):
        quick().fit(pd.DataFrame({"x": x, "bad": ["a", "\udc80"] * 100}), y)


def test_what_is_written_as_a_file_has_it(numbers, tmp_path):
    x, y = numbers[0][:, 0], numbers[1]
    days = [np.datetime64("2024-01-01") + k for k in range(200)]
    prices = [decimal.Decimal("NaN"), decimal.Decimal(2), None, pd.NA] * 50
    X = pd.DataFrame({"cut": pd.cut(x, 4), "day": pd.Series(days, dtype=object), "price": prices})
    model = fit(X, y)
    X.assign(price=[None, 2, None, None] * 50, y=y).to_csv(tmp_path / "t.csv", index=False)
    assert model.model_.file == fit_csv(tmp_path / "t.csv", "y")
    assert [c["kind"] for c in model.model_.about["columns"]] == ["category", "datetime", "numeric"]
    wide = pl.DataFrame({"x": x, "n": (100 * x).astype(int)})
    assert fit(wide.with_columns(pl.col("n").cast(pl.Int128)), y).model_.file == fit(wide, y).model_.file
