"""Classes and counts: what the program's own verbs tell, and labels of every kind."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, fit_csv, quick, run
from sklearn.utils.estimator_checks import parametrize_with_checks
from test_estimator import REASONS

from beziergp import BezierGPClassifier, BezierGPRegressor


def classifier(**further):
    return BezierGPClassifier(**QUICK | further)


@parametrize_with_checks([classifier()], expected_failed_checks=lambda _: REASONS)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def speeds(orders):
    table = orders.drop(columns=["ordered", "minutes"])
    return table, np.array(["quick", "usual", "slow"], dtype=object)[np.digitize(orders["minutes"], [12, 20])]


def test_model_and_probabilities_are_those_of_the_program(speeds, tmp_path):
    X, y = speeds
    X.assign(speed=y).to_csv(tmp_path / "t.csv", index=False)
    model = classifier(random_state=3).fit(X, pd.Series(y, name="speed"))
    assert model.model_.file == fit_csv(tmp_path / "t.csv", "speed")
    model.save(tmp_path / "m.bgp")
    run("predict", tmp_path / "m.bgp", tmp_path / "t.csv", "--quiet", "--out", tmp_path / "p.csv")
    want = pd.read_csv(tmp_path / "p.csv", float_precision="round_trip")
    found = model.predict_proba(X)
    assert list(model.classes_) == ["quick", "slow", "usual"]
    assert np.array_equal(found, want[[f"p_{name}" for name in model.classes_]])
    assert np.array_equal(model.predict(X), want["class"])
    assert model.score(X, y) > 0.6
    observed = model.oof_.observed
    assert np.array_equal(observed, y[model.oof_.rows])
    assert np.allclose(model.oof_.probabilities.sum(axis=1), 1)
    assert "log loss" in model._repr_html_()
    for other in (BezierGPClassifier.load(tmp_path / "m.bgp"), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert np.array_equal(other.predict_proba(X), found)
        assert np.array_equal(other.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="BezierGPClassifier"):
        BezierGPRegressor.load(tmp_path / "m.bgp")


@pytest.mark.parametrize("labels", [[10, 9, -3], [2.0, 0.0, 1.0], ["b", "ä", "c"], [True, False], ["yes", "no"], ["True", "no"]])
def test_labels_of_every_kind(numbers, labels, tmp_path):
    X, y = numbers
    labels = np.array(labels)
    y = labels[np.digitize(y, [-1, 1][: len(labels) - 1])]
    model = classifier(steps_factor=0.2).fit(X, y)
    assert np.array_equal(model.classes_, np.unique(y))
    assert model.score(X, y) > 0.85
    assert model.predict(X).dtype == y.dtype
    if labels[0] != "True":
        model.save(tmp_path / "m.bgp")
        again = BezierGPClassifier.load(tmp_path / "m.bgp")
        assert np.array_equal(again.classes_, model.classes_)


def test_refused_classes(numbers):
    X, y = numbers
    third = np.digitize(y, [-1, 1])
    for labels in (["NA", "x", "y"], [" a", "b", "c"], ["", "b", "c"], [None, "b", "c"], ["a", "a", "a"]):
        with pytest.raises(ValueError, match="label|class"):
            classifier().fit(X, np.array(labels, dtype=object)[third])
    with pytest.raises(ValueError, match="likelihood"):
        classifier(likelihood="poisson").fit(X, third)
    with pytest.raises(ValueError, match="BezierGPClassifier"):
        quick(likelihood="bernoulli").fit(X, y > 0)
    flagged = classifier(out_of_box="flag").fit(X, third)
    assert np.isnan(flagged.predict_proba(np.full((1, 4), 1e6))).all()
    with pytest.raises(ValueError, match="row 1"):
        flagged.predict(np.full((1, 4), 1e6))


def test_counts_with_exposure(tmp_path):
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
    years = rng.uniform(0.5, 5, 300)
    y = pd.Series(rng.poisson(years * np.exp(X["a"])), name="claims")
    X.assign(claims=y, exposure=years).to_csv(tmp_path / "t.csv", index=False)
    model = quick(likelihood="poisson", random_state=3).fit(X, y, exposure=years)
    assert model.model_.file == fit_csv(tmp_path / "t.csv", "claims", "--likelihood", "poisson", "--exposure", "exposure")
    model.save(tmp_path / "m.bgp")
    run("predict", tmp_path / "m.bgp", tmp_path / "t.csv", "--probabilities", "0,2", "--quiet", "--out", tmp_path / "p.csv")
    want = pd.read_csv(tmp_path / "p.csv", float_precision="round_trip")
    loaded = BezierGPRegressor.load(tmp_path / "m.bgp")
    for one in (model, loaded):
        assert np.array_equal(one.predict(X, exposure=years), want["mean"])
        assert np.array_equal(one.predict_interval(X, exposure=years), want[["lower", "upper"]])
        density = one.predict_distribution(X, exposure=years).pdf(np.broadcast_to([0, 2], (300, 2)))
        assert np.allclose(density, want[["p0", "p2"]], rtol=1e-9)
    assert np.allclose(model.predict(X, exposure=2), 2 * model.predict(X, exposure=1))
    assert model.shapley_values(X.head(3)).values.shape == (3, 2)
    for wrong in ({}, {"exposure": years[:3]}, {"exposure": 0}):
        with pytest.raises(ValueError, match="exposure"):
            model.predict(X, **wrong)
    with pytest.raises(ValueError, match="exposure"):
        quick().fit(X, y).predict(X, exposure=1)
    with pytest.raises(ValueError, match="covariances of f"):
        model.predict(X, return_cov=True, exposure=1)
