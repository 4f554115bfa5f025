"""Several targets: what the program learns and predicts of them, and what is told of each."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import classifier, fit_csv, quick, run
from sklearn.exceptions import DataConversionWarning
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, cross_val_predict

from beziergp import BezierGPClassifier, BezierGPRegressor
from beziergp._modelfile import ModelFile


@pytest.fixture(scope="module")
def costs(orders):
    """A second target, which two of three orders have, and three orders without any."""
    rng = np.random.default_rng(9)
    Y = pd.DataFrame({"minutes": orders["minutes"], "cost": 0.5 * orders["minutes"] + orders["items"] + rng.normal(0, 0.4, len(orders))})
    Y.loc[rng.random(len(Y)) < 1 / 3, "cost"] = np.nan
    Y.loc[[5, 7, 11]] = np.nan
    return orders.drop(columns="minutes"), Y


@pytest.fixture(scope="module")
def fitted(costs, tmp_path_factory):
    X, Y = costs
    folder = tmp_path_factory.mktemp("targets")
    pd.concat([X, Y], axis=1).to_csv(folder / "t.csv", index=False)
    want = fit_csv(folder / "t.csv", "minutes,cost", "--oof", str(folder / "oof.csv"))
    model = quick(random_state=3).fit(X, Y)
    assert model.model_.file == want
    return model, X, Y, folder


def told(path):
    return pd.read_csv(path, float_precision="round_trip")


def test_predictions_are_those_of_the_program(fitted):
    model, X, _, folder = fitted
    run("predict", folder / "t.bgp", folder / "t.csv", "--quiet", "--quantiles", "0.1,0.9", "--out", folder / "p.csv")
    want = told(folder / "p.csv")
    names = ["minutes", "cost"]
    mean, std = model.predict(X, return_std=True)
    assert np.array_equal(mean, want[[f"{name}_mean" for name in names]])
    assert np.array_equal(std, want[[f"{name}_std" for name in names]])
    assert np.array_equal(model.predict(X), mean)
    assert np.array_equal(model.in_box(X), want["in_box"])
    interval, quantiles = model.predict_interval(X), model.predict_quantiles(X, [0.1, 0.9])
    again = model.predict(X, quantiles=[0.1, 0.9])
    assert interval.shape == quantiles.shape == (len(X), 2, 2)
    assert np.array_equal(again[0], mean) and np.array_equal(again[1], quantiles)
    for t, name in enumerate(names):
        assert np.array_equal(interval[:, t], want[[f"{name}_lower", f"{name}_upper"]])
        assert np.array_equal(quantiles[:, t], want[[f"{name}_q0.1", f"{name}_q0.9"]])
        run("predict", folder / "t.bgp", folder / "t.csv", "--output", name, "--quiet", "--out", folder / "one.csv")
        one = told(folder / "one.csv")
        assert np.array_equal(mean[:, t], one["mean"]) and np.array_equal(std[:, t], one["std"])


def test_a_file_a_pickle_and_copies_are_the_model(fitted):
    model, X, Y, folder = fitted
    want = model.predict(X)
    model.save(folder / "saved.bgp")
    assert (folder / "saved.bgp").read_bytes() == (folder / "t.bgp").read_bytes()
    loaded = BezierGPRegressor.load(folder / "saved.bgp")
    assert list(loaded.feature_names_in_) == list(X.columns)
    assert loaded.oof_ is None and loaded.outputs_["cost"].oof_ is None
    _ = model.outputs_  # which is no part of a pickle
    kept = pickle.dumps(model)
    assert len(kept) < 1.2 * len(model.model_.file) + 30_000
    for other in (loaded, pickle.loads(kept), copy.deepcopy(model)):
        assert np.array_equal(other.predict(X), want)
        assert list(other.outputs_) == ["minutes", "cost"]
    with pytest.raises(ValueError, match="BezierGPRegressor"):
        BezierGPClassifier.load(folder / "saved.bgp")
    again = quick().fit(X, Y)
    assert list(again.outputs_) == ["minutes", "cost"]
    assert list(again.fit(X, Y["minutes"].fillna(9)).outputs_) == ["minutes"]


def test_each_target_is_an_estimator_of_its_own(fitted):
    model, X, _, folder = fitted
    some = X.head(5)
    for t, (name, own) in enumerate(model.outputs_.items()):
        assert np.array_equal(own.predict(X), model.predict(X)[:, t])
        assert own is model.outputs_[name]
        assert list(own.feature_names_in_) == list(X.columns)
        shapley = own.shapley_values(some)
        assert np.allclose(shapley.values.sum(axis=1) + shapley.base, own.predict(some), atol=1e-3)
        sobol = json.loads(run("sensitivity", folder / "t.bgp", "--output", name, "--json", "--quiet"))
        assert own.sobol().variance == sobol["variance"]
        assert own.predict_distribution(some).ppf(0.5).shape == (5,)
        assert own.sample_y(some, 2).shape == (5, 2)
        own.save(folder / "one.bgp")
        run("predict", folder / "one.bgp", folder / "t.csv", "--quiet", "--out", folder / "one.csv")
        assert np.array_equal(own.predict(X), told(folder / "one.csv")["mean"])
        assert f"</b> of {name}<table>" in model._repr_html_()
    single = BezierGPRegressor.load(folder / "one.bgp")
    assert single.outputs_ == {"cost": single}


def test_what_is_told_of_one_target_names_the_others(fitted):
    model, X, _, _ = fitted
    some = X.head(3)
    for ask in (model.shapley_values, model.gradient, model.predict_distribution, model.sample_y, model.integrate, model.plot_shapley,
                model.onnx_inputs, lambda X: model.predict(X, return_cov=True), lambda X: model.effects(), lambda X: model.sobol(),
                lambda X: model.to_onnx(), lambda X: model.inspect(), lambda X: model.plot_effects(),
                lambda X: model.plot_calibration(X, [1, 2, 3])):  # fmt: skip
        with pytest.raises(ValueError, match=r"2 targets, .* ask outputs_\['minutes'\], or another of \['minutes', 'cost'\]"):
            ask(some)
    with pytest.raises(AttributeError, match="outputs_"):
        _ = model.feature_importances_
    with pytest.raises(ValueError, match="outputs_"):
        ModelFile(model.model_.file)


def test_predictions_out_of_fold_and_scores_are_those_of_the_program(fitted):
    model, X, Y, folder = fitted
    oof, want = model.oof_, told(folder / "oof.csv")
    assert np.array_equal(oof.rows + 1, want["row"])
    assert not set(oof.rows) & {5, 7, 11}
    for part in ("observed", "mean", "std", "lower", "upper"):
        found = getattr(oof, part)
        assert np.array_equal(found, want[[f"minutes_{part}", f"cost_{part}"]], equal_nan=True)
        own = model.outputs_["cost"].oof_
        there = ~np.isnan(oof.observed[:, 1])
        assert np.array_equal(getattr(own, part), found[there, 1]) and np.array_equal(own.rows, oof.rows[there])
    assert np.isnan(oof.observed[:, 1]).any() and np.array_equal(own.observed, Y["cost"][own.rows])
    scores = json.loads(run("eval", folder / "t.bgp", folder / "t.csv", "--json", "--quiet"))
    assert np.isclose(model.score(X, Y), scores["average"]["r2"], rtol=1e-9)
    whole = Y.fillna(Y.mean())
    weights = np.linspace(0.1, 1, len(X))
    for w in (None, weights):
        assert np.isclose(model.score(X, whole, sample_weight=w), r2_score(whole, model.predict(X), sample_weight=w))
    with pytest.raises(ValueError, match="shape"):
        model.score(X, Y["cost"].fillna(0))


def test_names_and_kinds_of_tables(numbers):
    X, y = numbers
    Y = np.column_stack([y, np.where(X[:, 3] > 0, X[:, 2] - y, np.nan)])
    model = quick().fit(X, Y)
    assert list(model.outputs_) == ["y0", "y1"]
    assert model.oof_.mean.shape[1] == 2
    frame = pd.DataFrame(Y, columns=["a", "b"])
    named = quick().fit(X, frame)
    assert list(named.outputs_) == ["a", "b"]
    polars = pl.from_pandas(frame)
    for other in (polars, polars.fill_nan(None), pa.Table.from_pandas(frame), frame.convert_dtypes(), frame.astype(object)):
        assert quick().fit(X, other).model_.file == named.model_.file
    assert list(quick().fit(X, frame.set_axis(["gas, total", '"'], axis=1)).outputs_) == ["gas, total", '"']
    assert list(quick().fit(X, pd.DataFrame(Y)).outputs_) == ["y0", "y1"]
    assert list(quick().fit(pd.DataFrame(X, columns=["y0", "y1", "c", "d"]), Y).outputs_) == ["y0_", "y1_"]
    assert np.array_equal(quick().fit(X, Y.tolist()).predict(X), model.predict(X))


def test_one_column_is_a_vector(numbers):
    X, y = numbers
    want = quick().fit(X, y).model_.file
    for one in (y[:, None], pd.DataFrame({"y": y}), pl.DataFrame({"y": y}), pa.table({"y": y})):
        with pytest.warns(DataConversionWarning, match="column-vector"):
            model = quick().fit(X, one)
        assert model.model_.file == want
        assert model.predict(X).shape == y.shape
    with pytest.raises(ValueError, match="should be a 1d array"):
        classifier().fit(X, np.column_stack([y > 0, y > 1]))


def test_what_reaches_the_fit(numbers):
    X, y = numbers
    Y = np.column_stack([y, y - X[:, 2]])
    files = {share: quick(share=share).fit(X, Y).model_.file for share in ("auto", "all", "none")}
    assert files["all"] != files["none"]
    alone = quick(share="none").fit(X, Y).outputs_["y1"]
    assert np.array_equal(alone.predict(X), quick().fit(X, Y[:, 1]).predict(X))
    assert alone.get_params()["share"] == "auto"
    assert quick().fit(X, Y, groups=np.arange(200) // 10).model_.file != files["auto"]
    assert quick().fit(X, Y, sample_weight=np.linspace(0.1, 1, 200)).model_.file != files["auto"]
    bounded = quick(target_range=(0, None)).fit(X, np.abs(Y))
    assert bounded.predict_interval(X).min() >= 0
    told = []
    assert quick(share="all", verbose=told.append).fit(X, Y).model_.file == files["all"]
    assert told[-1]["step"] == told[-1]["steps"]
    holes = np.where(X[:, [3, 2]] > 1, np.nan, Y)
    search = GridSearchCV(quick(), {"steps_factor": [0.02, 0.05]}, cv=2).fit(X, holes)
    assert search.best_score_ > 0.5
    assert cross_val_predict(quick(), X, holes, cv=2).shape == Y.shape


def test_refusals(numbers):
    X, y = numbers
    Y = np.column_stack([y, y - X[:, 2]])
    days = np.datetime64("2024-01-01") + np.arange(200)
    for wrong, y_, says in (
        ({"share": "all"}, y, "one target; leave it out"),
        ({"share": "some"}, Y, "choose auto, all or none"),
        ({"likelihood": "poisson"}, Y, "fit them one by one"),
        ({}, Y[:5], "inconsistent"),
        ({}, np.where(Y > 0, Y, np.inf), "infinity"),
        ({}, np.where([True, False], Y, np.nan), "y1.*0 of 200 rows"),
        ({}, np.where([True, False], Y, 1.0), "y1.*nothing to learn"),
        ({}, Y.reshape(200, 2, 1), "dim 3"),
        ({}, Y[:, :0], "0 feature"),
        ({}, pd.DataFrame({"a": y, "b": "x"}), "y holds texts, such as 'x' in row 1"),
        ({}, pd.DataFrame({"a": y, "b": days}), "dates"),
        ({}, pl.from_pandas(pd.DataFrame({"a": y, "b": pd.to_timedelta(range(200), unit="s")})), "dates"),
        ({}, np.column_stack([days, days]), "dates"),
        ({}, pd.Series(days), "dates"),
        ({}, pd.DataFrame(Y, columns=["a", "a"]), "unique column names"),
        ({}, pd.DataFrame(Y, columns=["a", "x1"]), "so has X"),
    ):
        with pytest.raises(ValueError, match=says):
            quick(**wrong).fit(X, y_)
    with pytest.raises(ValueError, match="neither an offset nor an exposure"):
        quick().fit(X, Y, exposure=np.ones(200))
