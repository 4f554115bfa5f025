"""What scikit-learn asks of an estimator."""

from __future__ import annotations

import copy
import pickle
from io import BytesIO

import joblib
import numpy as np
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
