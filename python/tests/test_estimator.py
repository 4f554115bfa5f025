"""What scikit-learn asks of an estimator."""

from __future__ import annotations

import copy
import pickle
from io import BytesIO

import joblib
import numpy as np
import pandas as pd
import pytest
from conftest import quick
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency, check_n_features_in, parametrize_with_checks

from beziergp import BezierGPRegressor

REASONS = {
    "check_sample_weight_equivalence_on_dense_data": "training is by mini-batches: a row of weight 2 is drawn once, two rows are drawn apart",
}


@parametrize_with_checks([quick()], expected_failed_checks=lambda _: REASONS)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("check", [check_dataframe_column_names_consistency, check_n_features_in])
def test_further_checks(check):
    check("BezierGPRegressor", quick())


def test_effort_fast_passes_spot_checks(numbers):
    X, y = numbers
    model = BezierGPRegressor(effort="fast", steps_factor=0.3).fit(X, y)
    mean, std = model.predict(X, return_std=True)
    assert model.score(X, y) > 0.99
    assert np.mean(np.abs(y - mean) < 1.96 * std) > 0.9
    again = BezierGPRegressor(effort="fast", steps_factor=0.3, workers=1).fit(X, y)
    assert again.model_.file == model.model_.file


def test_pickle_joblib_and_copies_predict_alike(numbers):
    X, y = numbers
    model = quick().fit(X, y)
    want = model.predict(X)
    file = BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    for other in (pickle.loads(pickle.dumps(model)), joblib.load(file), copy.deepcopy(model)):
        assert np.array_equal(other.predict(X), want)


def test_neighbours(numbers, orders):
    X, y = numbers
    search = GridSearchCV(make_pipeline(StandardScaler(), quick()), {"beziergpregressor__steps_factor": [0.02, 0.05]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.5
    assert cross_val_predict(quick(), X, y, cv=2).shape == y.shape
    mixed = make_column_transformer((StandardScaler(), make_column_selector(dtype_include=float)), remainder="passthrough")
    table = orders.drop(columns="minutes")
    piped = make_pipeline(mixed.set_output(transform="pandas"), quick()).fit(table, orders["minutes"])
    assert piped.score(table, orders["minutes"]) > 0.8


def test_refusals(numbers, orders):
    X, y = numbers
    with pytest.raises(NotFittedError):
        quick().predict(X)
    for wrong in ({"effort": "huge"}, {"workers": 0}, {"random_state": -1}, {"steps_factor": -1.0}, {"steps_factor": 1e9}, {"folds": 1},
                  {"out_of_box": "wish"}, {"target_transform": "sqrt"}, {"target_range": (3, 1)}, {"kinds": {"q": "category"}},
                  {"kinds": {"x0": "categories"}}, {"bounds": {"x0": (2, 1)}}, {"shapes": ["round"]}, {"budget": float("nan")}):  # fmt: skip
        with pytest.raises(ValueError, match=".{10}"):
            quick(**wrong).fit(X, y)
    with pytest.raises(TypeError, match="shapes"):
        quick(shapes="coarse@1").fit(X, y)
    with pytest.raises(TypeError, match="unexpected keyword"):
        BezierGPRegressor(colour="red")
    with pytest.raises(ValueError, match="nothing to learn"):
        quick().fit(X, np.ones(len(y)))
    model = quick().fit(X, y)
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match="infinity"):
        model.predict(np.full((1, 4), np.inf))
    with pytest.raises(RuntimeError, match="At most one"):
        model.predict(X, return_std=True, return_cov=True)
    for level in (0, 1, 2):
        with pytest.raises(ValueError, match="level|above 0"):
            model.predict_interval(X, level=level)
        with pytest.raises(ValueError, match="above 0 and below 1"):
            model.predict_quantiles(X, [level])
    with pytest.raises(ValueError, match="no input"):
        model.effects(["q"])
    with pytest.raises(ValueError, match="distribution"):
        model.integrate(laws={"x0": "wild(1)"})


def test_groups_times_and_weights_reach_the_fit(numbers):
    X, y = numbers
    plain = quick().fit(X, y).model_.file
    assert quick().fit(X, y, groups=np.arange(200) // 10).model_.file != plain
    assert quick().fit(X, y, groups=[f"g{i // 10}" for i in range(200)]).model_.file != plain
    assert quick().fit(X, y, times=np.datetime64("2024-01-01") + np.arange(200)).model_.file != plain
    assert quick().fit(X, y, sample_weight=np.linspace(0.1, 1, 200)).model_.file != plain
    with pytest.raises(ValueError, match="inconsistent"):
        quick().fit(X, y, groups=[1, 2])


def test_interval_of_the_target(numbers):
    X, y = numbers
    model = quick(target_range=(0, None)).fit(X, np.abs(y))
    assert model.predict(X).min() >= 0
    assert model.predict_interval(X).min() >= 0
    grown = quick(target_transform="log1p").fit(X, np.exp(y / 3))
    assert grown.predict(X).min() > 0
    with pytest.raises(ValueError, match="log"):
        grown.predict(X, return_cov=True)


def test_times_are_no_inputs(numbers):
    X, y = numbers
    days = pd.Series(pd.date_range("2024-01-01", periods=200, freq="7h"))
    model = quick().fit(X, y, times=days)
    want = model.predict(X)
    assert [c["name"] for c in model.model_.about["columns"]] == ["x0", "x1", "x2", "x3"]
    zoned = days.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    objects = np.array([*zoned], dtype=object)
    for times in (days.to_numpy(), zoned, objects, [day.to_pydatetime() for day in days], pd.DatetimeIndex(days), days - days[0], np.arange(200)):
        assert np.array_equal(quick().fit(X, y, times=times).predict(X), want)
    assert objects[0].tzinfo is not None  # and still what it was
    days[3] = pd.NaT
    for times in (days, days - days[0], days.astype(object)):
        with pytest.raises(ValueError, match="row 4.*missing"):
            quick().fit(X, y, times=times)
    with pytest.raises(ValueError, match="times: '2024' in row 1 is a text"):
        quick().fit(X, y, times=["2024"] * 200)
    with pytest.raises(ValueError, match=r"groups: .*\(200, 2\)"):
        quick().fit(X, y, groups=np.ones((200, 2)))
    with pytest.raises(ValueError, match="row 2.*missing"):
        quick().fit(X, y, groups=pd.Series(["a", pd.NA] * 100, dtype="string"))


def test_parameters_of_another_type_are_named(numbers):
    X, y = numbers
    for wrong in ({"kinds": ["x0"]}, {"kinds": "category"}, {"bounds": [0, 1]}, {"shapes": [1]}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            quick(**wrong).fit(X, y)
    for wrong in ({"bounds": {"x0": 3}}, {"bounds": {"x0": (-9, 0, 9)}}, {"target_range": 5}, {"target_range": (0,)},
                  {"target_range": ("a", 1)}, {"target_range": (float("nan"), 1)}, {"random_state": 2**64},
                  {"share": 3}, {"out_of_box": 3}):  # fmt: skip
        with pytest.raises(ValueError, match=next(iter(wrong))) as error:
            quick(**wrong).fit(X, y)
        assert "Go" not in str(error.value) and "json" not in str(error.value)
    assert quick(target_range=np.array([-99, 99])).fit(X, y).model_.file == quick(target_range=(-99, 99)).fit(X, y).model_.file


def test_a_missing_target_is_refused_whatever_stands_for_it(numbers):
    X, y = numbers
    for nothing in (None, pd.NA, np.nan):
        with pytest.raises(ValueError, match="NaN"):
            quick().fit(X, np.array([nothing, *y[1:]], dtype=object))
