"""What a model knows is what the program's verbs tell."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from conftest import quick, run
from scipy import integrate, stats


@pytest.fixture(scope="module")
def fitted(orders, tmp_path_factory):
    folder = tmp_path_factory.mktemp("insight")
    table = orders.drop(columns="ordered")
    X = table.drop(columns="minutes")
    model = quick(steps_factor=0.3, random_state=3).fit(X, table["minutes"])
    model.save(folder / "m.bgp")
    table.head(40).to_csv(folder / "t.csv", index=False)
    return model, X.head(40), folder


def test_shapley_values(fitted):
    model, X, folder = fitted
    run("explain", folder / "m.bgp", folder / "t.csv", "--quiet", "--out", folder / "s.csv")
    want = pd.read_csv(folder / "s.csv", float_precision="round_trip")
    found = model.shapley_values(X, interactions=True)
    for j, name in enumerate(X.columns):
        assert np.array_equal(found.values[:, j], want[name]), name
    assert np.allclose(found.values.sum(axis=1) + found.base, found.prediction, atol=1e-3)
    assert found.interactions.shape == (40, X.shape[1], X.shape[1])
    assert np.array_equal(found.interactions, found.interactions.transpose(0, 2, 1))
    against = model.shapley_values(X, background=X.head(3))
    assert np.isclose(against.base, np.mean(model.shapley_values(X.head(3)).prediction), atol=1e-3)


def test_effects_sobol_and_integrals(fitted):
    model, X, folder = fitted
    want = json.loads(run("effects", folder / "m.bgp", "--of", "distance", "--of", "zone,distance", "--json", "--quiet"))
    found = model.effects(["distance", ("zone", "distance")])
    assert found.base == want["base"]["mean"]
    for own, other in zip(found.effects, want["effects"], strict=True):
        assert np.array_equal(own.mean.ravel(), other["mean"])
        assert np.array_equal(own.std.ravel(), other["std"])
    assert found["zone", "distance"].mean.shape == (len(found["zone", "distance"].values[0]), 21)
    want = json.loads(run("sensitivity", folder / "m.bgp", "--json", "--quiet", "--group", "zone,items"))
    sobol = model.sobol(groups=[("zone", "items")])
    assert (sobol.mean, sobol.variance) == (want["mean"], want["variance"])
    order = [sobol.inputs.index(i["name"]) for i in want["inputs"]]
    assert np.array_equal(sobol.first[order], [i["first"] for i in want["inputs"]])
    assert np.array_equal(sobol.total[order], [i["total"] for i in want["inputs"]])
    assert list(sobol.pairs.items()) == [(tuple(p["inputs"]), p["second"]) for p in want["pairs"]]
    assert sobol.groups["zone", "items"] == (want["groups"][0]["closed"], want["groups"][0]["total"])
    assert np.isclose(model.feature_importances_.sum(), 1)
    assert X.columns[np.argmax(model.feature_importances_)] == "distance"
    for arguments, keywords in (
        ([], {}),
        (["--at", "zone=harbour"], {"at": {"zone": "harbour"}}),
        (["--input", "distance=uniform(1,4)"], {"laws": {"distance": "uniform(1,4)"}}),
    ):
        want = json.loads(run("integrate", folder / "m.bgp", "--json", "--quiet", *arguments))
        found = model.integrate(**keywords)
        assert (found.mean, found.std) == (want["mean"], want["std"])
    want = json.loads(run("integrate", folder / "m.bgp", folder / "t.csv", "--json", "--quiet", "--total"))
    assert model.integrate(X, total=True).mean == want["mean"]
    assert np.isclose(model.integrate(X.head(9), minus=X.tail(9)).mean, model.integrate(X.head(9)).mean - model.integrate(X.tail(9)).mean)


def test_draws_and_covariances(fitted):
    model, X, folder = fitted
    run("draw", folder / "m.bgp", folder / "t.csv", "--draws", "3", "--seed", "5", "--quiet", "--out", folder / "d.csv")
    want = pd.read_csv(folder / "d.csv", float_precision="round_trip")
    assert np.array_equal(model.sample_y(X, 3, random_state=5), want[["draw1", "draw2", "draw3"]])
    mean, covariance = model.predict(X, return_cov=True)
    assert np.array_equal(mean, model.predict(X))
    assert np.allclose(np.sqrt(np.diag(covariance)), model.predict(X, return_std=True)[1])
    assert np.linalg.eigvalsh(covariance).min() > 0


def test_gradients(fitted):
    model, X, folder = fitted
    run("predict", folder / "m.bgp", folder / "t.csv", "--gradient", "--quiet", "--out", folder / "g.csv")
    want = pd.read_csv(folder / "g.csv", float_precision="round_trip")
    slope, deviation = model.gradient(X)
    for j, name in enumerate(X.columns):
        if name in ("zone", "courier"):
            assert np.isnan(slope[:, j]).all()
        else:
            assert np.array_equal(slope[:, j], want[f"d_mean/d_{name}"], equal_nan=True), name
            assert np.array_equal(deviation[:, j], want[f"d_std_f/d_{name}"], equal_nan=True), name


def test_distributions(fitted):
    model, X, _ = fitted
    X = X.head(12)
    d = model.predict_distribution(X)
    assert len(d) == len(X)
    assert np.array_equal(d.mean(), model.predict(X))
    assert np.array_equal(d.ppf([[0.1, 0.9]] * len(X)), model.predict_quantiles(X, [0.1, 0.9]))
    assert np.allclose(d.cdf(d.ppf(0.3)), 0.3, atol=1e-6)
    lower, upper = d.interval()
    grid = np.linspace(d.ppf(1e-6).min(), d.ppf(1 - 1e-6).max(), 2001)
    density = d.pdf(np.broadcast_to(grid, (len(X), len(grid))))
    mass = integrate.trapezoid(density, grid, axis=1)
    assert np.allclose(mass, 1, atol=2e-3)
    assert (lower < d.mean()).all() and (d.mean() < upper).all()
    cdf = d.cdf(np.broadcast_to(grid, (len(X), len(grid))))
    y = d.ppf(0.7)
    want = integrate.trapezoid((cdf - (grid >= y[:, None])) ** 2, grid, axis=1)
    assert np.allclose(d.crps(y), want, rtol=0.02, atol=1e-3)
    draws = d.sample(4000, random_state=0)
    assert stats.kstest(d.cdf(draws)[0], "uniform").pvalue > 1e-4
    assert np.array_equal(draws[:, :10], d.sample(4000, random_state=0)[:, :10])
    with pytest.raises(ValueError, match="shape"):
        d.cdf([1.0, 2.0])
    with pytest.raises(ValueError, match="above 0"):
        d.ppf(1.0)


def test_out_of_fold_predictions(orders, tmp_path):
    table = orders.drop(columns="ordered")
    table.to_csv(tmp_path / "t.csv", index=False)
    model = quick(random_state=3).fit(table.drop(columns="minutes"), table["minutes"])
    run("fit", tmp_path / "t.csv", "--target", "minutes", "--effort", "fast", "--shapes", "coarse@1", "--folds", "2", "--members", "1",
        "--steps-factor", "0.05", "--seed", "3", "--quiet", "--out", tmp_path / "m.bgp", "--oof", tmp_path / "o.csv")  # fmt: skip
    want = pd.read_csv(tmp_path / "o.csv", float_precision="round_trip")
    assert np.array_equal(model.oof_.rows, want["row"] - 1)
    assert np.array_equal(model.oof_.mean, want["mean"])
    assert np.array_equal(model.oof_.observed, table["minutes"].to_numpy()[model.oof_.rows])


def test_inspect(fitted):
    model, _, folder = fitted
    want = json.loads(run("inspect", folder / "m.bgp", "--json"))
    found = model.inspect()
    del want["file"], want["bytes"], found["file"], found["bytes"]
    assert found == want
