"""Classes and counts: what the program's own verbs tell, and labels of every kind."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from conftest import classifier, fit_csv, quick, run
from sklearn.utils.estimator_checks import parametrize_with_checks
from test_estimator import REASONS

from beziergp import BezierGPClassifier, BezierGPRegressor


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
    for labels in (["NA", "b", "b"], ["NA", "b", "c"], ["1.0", "1", "c"], ["True", "true", "c"]):
        with pytest.raises(ValueError, match=r"of its \d labels \d are told apart"):
            classifier().fit(X, np.array(labels, dtype=object)[third])
    names = np.array(["a", "b", "c"])[third]
    for texts in (names, pd.Series(names), pd.DataFrame({"one": y, "two": names})):
        with pytest.raises(ValueError, match="y holds texts, such as '[abc]' in row 1: take BezierGPClassifier"):
            quick().fit(X, texts)
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


@pytest.fixture(scope="module")
def three(speeds, tmp_path_factory):
    X, y = speeds
    folder = tmp_path_factory.mktemp("three")
    model = classifier(random_state=3, steps_factor=0.2).fit(X, y)
    model.save(folder / "m.bgp")
    X.head(40).to_csv(folder / "t.csv", index=False)
    return model, X, y, folder


def told(verb, folder, *arguments):
    return json.loads(run(verb, folder / "m.bgp", *arguments, "--class", "slow", "--json", "--quiet"))


def test_the_function_of_a_class_is_that_of_the_program(three):
    model, X, _, folder = three
    some = X.head(40)
    run("explain", folder / "m.bgp", folder / "t.csv", "--class", "slow", "--quiet", "--out", folder / "s.csv")
    want = pd.read_csv(folder / "s.csv", float_precision="round_trip")
    found = model.shapley_values(some, label="slow")
    assert np.array_equal(found.values, want[list(X.columns)])
    assert np.array_equal(found.prediction, want["prediction"])
    assert np.allclose(found.values.sum(axis=1) + found.base, found.prediction, atol=1e-3)
    effects = told("effects", folder, "--of", "distance")
    own = model.effects(["distance"], label="slow")
    assert own.base == effects["base"]["mean"]
    assert np.array_equal(own["distance"].mean, effects["effects"][0]["mean"])
    sobol = told("sensitivity", folder)
    own = model.sobol(label="slow")
    assert own.variance == sobol["variance"]
    order = [own.inputs.index(i["name"]) for i in sobol["inputs"]]
    assert np.array_equal(own.total[order], [i["total"] for i in sobol["inputs"]])
    assert model.integrate(label="slow").mean == told("integrate", folder)["mean"]
    assert model.integrate(some, label="slow").mean == told("integrate", folder, folder / "t.csv")["mean"]


def test_gradients_of_a_class():
    rng = np.random.default_rng(2)
    X = rng.random((300, 2))
    model = classifier(steps_factor=0.3).fit(X, np.digitize(X[:, 0] + 0.1 * rng.normal(size=300), [0.3, 0.7]))
    inner = rng.uniform(0.1, 0.9, (20, 2))
    for label in model.classes_:
        slope, deviation = model.gradient(inner, label=label)
        assert slope.shape == deviation.shape == (20, 2)
        high, low = (model.shapley_values(inner + [step, 0], label=label).prediction for step in (2e-4, -2e-4))
        # f has a kink where a training row lies: at some of the places between two differences.
        assert np.median(np.abs((high - low) / 4e-4 / slope[:, 0] - 1)) < 0.01


def test_importances_of_three_classes(three):
    model, X, _, _ = three
    assert np.isclose(model.feature_importances_.sum(), 1)
    assert X.columns[model.feature_importances_.argmax()] == "distance"
    found = [model.sobol(label=label, pairs=False) for label in model.classes_]
    weighted = sum(np.maximum(one.total, 0) * one.variance for one in found)
    by_column = [weighted[found[0].inputs.index(name)] for name in X.columns]
    assert np.allclose(model.feature_importances_, by_column / np.sum(by_column))
    assert f"{100 * model.feature_importances_.max():.1f} %" in model._repr_html_()


def test_which_class_is_said(three, numbers):
    model, X, _, _ = three
    row = X.head(1)
    for ask in (model.shapley_values, model.gradient, model.integrate):
        with pytest.raises(ValueError, match='give label, one of "quick", "slow", "usual"'):
            ask(row)
        with pytest.raises(ValueError, match="label 'fast' is none of the classes"):
            ask(row, label="fast")
    for ask in (model.effects, model.sobol):
        with pytest.raises(ValueError, match="give label"):
            ask()
    X, y = numbers
    for one in (quick().fit(X, y), classifier().fit(X, y > 0)):
        with pytest.raises(ValueError, match="one function; leave it out"):
            one.effects(label=True)
    whole = classifier().fit(X, np.array([7, -2, 10])[np.digitize(y, [-1, 1])])
    assert whole.effects(["x0"], label=10)["x0"].mean[-1] > whole.effects(["x0"], label=10)["x0"].mean[0]


def test_prediction_sets(three):
    model, X, y, folder = three
    for level, name in ((0.95, "set"), (0.8, "set80")):
        more = [] if level == 0.95 else ["--level", str(level)]
        run("predict", folder / "m.bgp", folder / "t.csv", "--sets", "--quiet", "--out", folder / "p.csv", *more)
        want = pd.read_csv(folder / "p.csv", keep_default_na=False)[name].str.split("|")
        found = model.predict_sets(X.head(40), level)
        assert [set(model.classes_[row]) for row in found] == [set(filter(None, one)) for one in want]
    observed = np.searchsorted(model.classes_, y)
    sets = model.predict_sets(X, 0.9)
    assert sets.dtype == bool and sets.shape == (len(X), 3)
    assert sets[np.arange(len(y)), observed].mean() > 0.85
    assert model.predict_sets(X, 0.5).sum() < sets.sum() < model.predict_sets(X, 0.99).sum()
    for level in (0, 1, 2, np.nan):
        with pytest.raises(ValueError, match="level"):
            model.predict_sets(X, level)
    flagged = classifier(out_of_box="flag").fit(X[["distance"]], y)
    with pytest.raises(ValueError, match="row 2"):
        flagged.predict_sets(pd.DataFrame({"distance": [1.0, 1e6]}))


def test_offsets(tmp_path):
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
    offset = rng.normal(size=300)
    f = 2 * X["a"] + 2 * offset
    counts = pd.Series(rng.poisson(np.exp(f / 2)), name="n")
    yes = pd.Series(np.where(rng.random(300) < 1 / (1 + np.exp(-f)), "up", "down"), name="n")
    poisson = quick(likelihood="poisson", random_state=3)
    for y, own, arguments in ((counts, poisson, ("--likelihood", "poisson")), (yes, classifier(random_state=3), ())):
        X.assign(n=y, offset=offset).to_csv(tmp_path / "t.csv", index=False)
        model = own.fit(X, y, offset=offset)
        assert model.model_.file == fit_csv(tmp_path / "t.csv", "n", "--offset", "offset", *arguments)
        run("predict", tmp_path / "t.bgp", tmp_path / "t.csv", "--quiet", "--out", tmp_path / "p.csv")
        want = pd.read_csv(tmp_path / "p.csv", float_precision="round_trip")
        for one in (model, type(model).load(tmp_path / "t.bgp")):
            found = one.predict_proba(X, offset=offset)[:, 1] if y is yes else one.predict(X, offset=offset)
            assert np.array_equal(found, want["p_up" if y is yes else "mean"])
            assert one.score(X, y, offset=offset) > one.score(X, y, offset=0)
            assert one.in_box(X.head(3)).all()
            assert one.effects(["a"])["a"].mean[-1] > one.effects(["a"])["a"].mean[0] + 0.5
        for wrong in ({}, {"offset": offset[:3]}, {"offset": np.nan}):
            with pytest.raises(ValueError, match="offset"):
                model.predict(X, **wrong)
    with pytest.raises(ValueError, match="exposure: the model was fitted without"):
        quick(likelihood="poisson").fit(X, counts, offset=offset).predict(X, offset=0, exposure=1)
    for wrong in (lambda: quick().fit(X, offset, offset=offset), lambda: classifier().fit(X, np.arange(300) % 3, offset=offset)):
        with pytest.raises(ValueError, match="offset: the likelihood"):
            wrong()
    with pytest.raises(ValueError, match="an exposure is given too"):
        quick(likelihood="poisson").fit(X, counts, offset=offset, exposure=np.ones(300))


@pytest.mark.parametrize("labels", [["1000000", "2345678"], ["1.0", "2.50"], ["1e5", "7"]])
def test_labels_that_a_table_writes_otherwise(numbers, labels, tmp_path):
    X, y = numbers
    y = np.array(labels)[(y > 0).astype(int)]
    for kind in (str, int) if labels[0].isdecimal() else (str,):
        model = classifier(steps_factor=0.2).fit(X, y.astype(kind))
        assert np.array_equal(model.classes_, np.unique(y.astype(kind)))
        assert model.score(X, y.astype(kind)) > 0.85
        assert np.array_equal(model.oof_.observed, y.astype(kind)[model.oof_.rows])
        assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
        if kind is int:
            model.save(tmp_path / "m.bgp")
            again = BezierGPClassifier.load(tmp_path / "m.bgp")
            assert np.array_equal(again.classes_, model.classes_)
            assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


def test_labels_of_three_classes_that_a_table_writes_otherwise(numbers):
    X, y = numbers
    y = np.array([1000000, 3, 200])[np.digitize(y, [-1, 1])]
    model = classifier(steps_factor=0.2).fit(X, y)
    assert model.score(X, y) > 0.8
    assert model.effects(["x0"], label=1000000)["x0"].mean[0] > model.effects(["x0"], label=1000000)["x0"].mean[-1]


def test_nullable_labels_are_whole_numbers_and_truth_values(numbers):
    X, y = numbers
    truths = pd.Series(y > 0)
    want = classifier().fit(X, truths)
    for dtype in ("boolean", "bool[pyarrow]"):
        model = classifier().fit(X, truths.astype(dtype))
        assert model.model_.file == want.model_.file
        assert model.predict(X).dtype == bool
    for dtype in ("Int64", "int64[pyarrow]"):
        assert classifier().fit(X, truths.astype(int).astype(dtype)).predict(X).dtype == np.int64
    for missing in (truths.astype("boolean"), truths.astype("Int64"), truths.astype(str).astype("string")):
        missing[3] = pd.NA
        with pytest.raises(ValueError, match="NaN"):
            classifier().fit(X, missing)
    for dates in (np.where(y > 0, np.datetime64("2024-01-01"), np.datetime64("2024-01-02")), (y > 0).astype("timedelta64[s]")):
        with pytest.raises(ValueError, match="labels are texts"):
            classifier().fit(X, dates)


def test_class_weights_are_those_of_the_program(speeds, tmp_path):
    X, y = speeds
    X.assign(speed=y).to_csv(tmp_path / "t.csv", index=False)
    plain = classifier(random_state=3).fit(X, y)
    for given, flags in (("balanced", ["balanced"]), ({"slow": 4, "quick": 1}, ["slow=4"])):
        model = classifier(random_state=3, class_weight=given).fit(X, pd.Series(y, name="speed"))
        assert model.model_.file == fit_csv(tmp_path / "t.csv", "speed", *[f"--class-weights={flag}" for flag in flags])
        weight = [len(y) / (3 * (y == name).sum()) if given == "balanced" else given.get(name, 1) for name in y]
        by_row = classifier(random_state=3).fit(X, y, sample_weight=weight)
        assert np.allclose(model.predict_proba(X), by_row.predict_proba(X), atol=1e-3)
        assert model.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean()
    for labels in (y == "slow", np.where(y == "slow", 1_000_000, 7)):
        many = classifier(random_state=3, class_weight={labels[y == "slow"][0]: 9}).fit(X, labels)
        assert many.predict_proba(X)[:, 1].mean() > classifier(random_state=3).fit(X, labels).predict_proba(X)[:, 1].mean()
    for wrong, says in (({"late": 2}, "no label 'late'"), ({"slow": 0}, "must be above 0"), ("even", "neither a dict"), ({"slow": "2"}, "no finite number")):
        with pytest.raises(ValueError, match=says):
            classifier(class_weight=wrong).fit(X, y)
