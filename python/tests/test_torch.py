"""The module of PyTorch says what the program says, and BoTorch takes it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import classifier, quick, run

from beziergp import BezierGPRegressor
from beziergp._frame import columns

torch = pytest.importorskip("torch")
from beziergp.torch import BezierGP, surrogate  # noqa: E402


def check(model, X, tensor):
    """Hold a module against the program to 1e-5 deviations of the target."""
    module = BezierGP(model)
    d = model.predict_distribution(X)
    unit = model.inspect()["target"]["deviation"]
    parts = model._predict(model._frame(X), ["mean", "std_f", "scale"])
    x = torch.tensor(tensor)
    with torch.no_grad():
        assert np.abs(module(x).numpy() - parts["mean"]).max() < 1e-5 * unit
        variance = module.variance(x).numpy()
        assert np.abs(np.sqrt(variance) - parts["std_f"]).max() < 1e-5 * unit
        tails = d._family.get("tails", 0)
        noise = module.noise(x).numpy() * ((tails - 2) / tails if tails else 1)
        assert np.abs(np.sqrt(variance + noise) - parts["scale"]).max() < 1e-5 * unit
        flat = model.model_.ask("covariance", {}, model._frame(X)).body
        want = columns(flat)["covariance"].reshape(len(variance), -1)
        assert np.abs(module.covariance(x, x).numpy() - want).max() < 1e-5 * unit**2
    return module


def test_numbers_and_gradients(numbers):
    X, y = numbers
    model = BezierGPRegressor(effort="fast", steps_factor=0.1, workers=1).fit(X, y)
    some = X[:30].copy()
    some[3, 1] = np.nan
    some[4, 2] = 50.0
    module = check(model, some, some)
    x = torch.tensor(X[5:25], requires_grad=True)
    module(x).sum().backward()
    want, _ = model.gradient(X[5:25])
    assert np.abs(x.grad.numpy() - want).max() < 1e-3 * np.abs(want).max()
    assert x.grad.abs().min() > 0


def test_values_that_many_rows_share():
    rng = np.random.default_rng(4)
    X = np.column_stack([rng.normal(size=400), np.repeat(np.arange(40.0), 10)])
    y = np.sin(X[:, 0]) + rng.normal(size=40)[X[:, 1].astype(int)]
    model = quick(shapes=["coarse+ties12@1"]).fit(X, y)
    some = np.vstack([X[::5], [[0.0, 7.5], [1.0, np.nan], [0.5, 99.0]]])
    check(model, some, some)


@pytest.mark.parametrize("missing", [0, 9])
def test_many_names(missing):
    rng = np.random.default_rng(5)
    names = np.repeat([f"name {i}" for i in range(90)], np.arange(90) % 3 * 2 + 3).astype(object)
    X = pd.DataFrame({"name": names, "x": rng.normal(size=len(names))})
    y = np.sin(X.x) + rng.normal(size=90)[X.name.str[5:].astype(int)]
    X.loc[:missing, "name"] = None
    model = quick(shapes=["coarse+ties12@1"]).fit(X, y)
    rows = pd.concat([X.iloc[::5], pd.DataFrame({"name": ["nobody", None], "x": [0.0, 1.0]})])
    tensors = model.onnx_inputs(rows)
    module = BezierGP(model)
    assert {b.kind for batch in module.f.batches for _, bases in batch for b in bases} >= {"pooled", "indicator"}
    assert tensors["name"].max() == X.name.nunique()  # that of an unknown level
    check(model, rows, np.column_stack([tensors[name][:, 0].astype(float) for name in module.columns]))


def test_what_is_not_known():
    rng = np.random.default_rng(6)
    shops = rng.integers(0, 20, 500)
    X = pd.DataFrame({"shop": [f"shop {i}" for i in shops], "x": rng.random(500)})
    model = BezierGPRegressor(effort="fast", workers=1).fit(X, rng.normal(size=20)[shops] + np.sin(6 * X.x) + 0.1 * rng.normal(size=500))
    rows = pd.concat([X.iloc[::25], pd.DataFrame({"shop": ["elsewhere", None, "shop 3"], "x": [0.2, 0.4, np.nan]})])
    tensors = model.onnx_inputs(rows)
    module = BezierGP(model)
    check(model, rows, np.column_stack([tensors[name][:, 0].astype(float) for name in module.columns]))
    _, std = model.predict(rows, return_std=True)
    assert std[-3:-1].min() > 2 * std[:-3].max()


def test_categories_and_splines(orders):
    table = orders.drop(columns=["ordered"])
    X, y = table.drop(columns="minutes"), table["minutes"]
    for shapes in (["coarse+fine12@1"], ["linear:fine21@1"]):
        model = quick(shapes=shapes).fit(X, y)
        rows = X.head(40)
        tensors = model.onnx_inputs(rows)
        module = BezierGP(model)
        check(model, rows, np.column_stack([tensors[name][:, 0].astype(float) for name in module.columns]))


def test_rows_without_a_level(orders):
    table = orders.drop(columns=["ordered"])
    X, y = table.drop(columns="minutes"), table["minutes"]
    texts = X.select_dtypes(exclude="number").columns
    assert len(texts) > 0
    X = X.astype({name: "object" for name in texts})
    X.loc[X.index[::7], texts[0]] = None
    model = quick(shapes=["coarse+fine12@1"]).fit(X, y)
    rows = X.head(40)
    tensors = model.onnx_inputs(rows)
    assert (tensors[texts[0]] == -1).sum() >= 6
    check(model, rows, np.column_stack([tensors[name][:, 0].astype(float) for name in BezierGP(model).columns]))


def test_models_of_the_paper(numbers, tmp_path):
    X, y = numbers
    pd.DataFrame(X, columns=list("abcd")).assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    run("fit", tmp_path / "t.csv", "--target", "y", "--recipe", "paper", "--order", "4", "--orderings", "5", "--steps", "60", "--quiet",
        "--out", tmp_path / "m.bgp")  # fmt: skip
    check(BezierGPRegressor.load(tmp_path / "m.bgp"), pd.DataFrame(X[:20], columns=list("abcd")), X[:20])


def test_natural_parameters(orders):
    table = orders.drop(columns=["ordered"])
    X = table.drop(columns="minutes")
    years = np.linspace(0.5, 3, len(X))
    counts = np.round(table["minutes"] / 5)
    models = [
        classifier(steps_factor=0.3).fit(X, table["minutes"] > 18),
        classifier(likelihood="bernoulli-probit").fit(X, table["minutes"] > 18),
        quick(likelihood="poisson").fit(X, counts, exposure=years),
        quick(likelihood="negative-binomial").fit(X, counts),
        quick(likelihood="gamma").fit(X, table["minutes"]),
        quick(likelihood="student").fit(X, table["minutes"]),
    ]
    for model in models:
        rows = X.head(40)
        tensors = model.onnx_inputs(rows)
        module = BezierGP(model)
        x = torch.tensor(np.column_stack([tensors[name][:, 0].astype(float) for name in module.columns]))
        with torch.no_grad():
            f = module(x).numpy()
            # What is explained is f without the limits in which predictions hold it.
            want = np.clip(model.shapley_values(rows).prediction, *(module.center + module.unit * end for end in module.limits))
            assert np.abs(f - want).max() < 1e-5 * max(1, f.std())
            flat = model.model_.ask("covariance", {}, model._frame(rows)).body
            want = columns(flat)["covariance"].reshape(40, 40)
            assert np.abs(module.covariance(x, x).numpy() - want).max() < 1e-5 * module.unit**2
            assert np.allclose(module.variance(x), np.minimum(np.diag(want), module.unit**2 * module.most), rtol=1e-4)
        with pytest.raises(ValueError, match="no f with noise"):
            module.noise(x)
    logit = models[0]
    rows = X.head(40)
    tensors = logit.onnx_inputs(rows)
    module = BezierGP(logit)
    f = module(torch.tensor(np.column_stack([tensors[name][:, 0].astype(float) for name in module.columns])))
    assert np.array_equal(f.numpy() > 0, logit.predict(rows))


def test_refusals(orders, numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="3 classes"):
        BezierGP(classifier().fit(X, np.digitize(y, [-1, 1])))
    with pytest.raises(ValueError, match="part of a date"):
        BezierGP(quick().fit(orders[["ordered", "distance"]], orders["minutes"]))
    with pytest.raises(ValueError, match="transformed"):
        BezierGP(quick(target_transform="log1p").fit(X, np.exp(y)))


def test_an_acquisition_of_botorch_finds_the_top():
    pytest.importorskip("botorch")
    from botorch.acquisition import ExpectedImprovement, qExpectedImprovement
    from botorch.optim import optimize_acqf

    rng = np.random.default_rng(3)
    X = rng.random((300, 2))
    y = -((X[:, 0] - 0.3) ** 2) - (X[:, 1] - 0.6) ** 2 + 0.01 * rng.normal(size=300)
    model = surrogate(BezierGPRegressor(effort="fast", steps_factor=0.2, workers=1).fit(X, y))
    box = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    at, _ = optimize_acqf(ExpectedImprovement(model, best_f=float(y.mean())), bounds=box, q=1, num_restarts=4, raw_samples=32)
    assert np.abs(at[0].numpy() - [0.3, 0.6]).max() < 0.15
    several = qExpectedImprovement(model, best_f=float(y.mean()))
    assert torch.isfinite(several(torch.tensor(X[:6]).reshape(2, 3, 2))).all()
    posterior = model.posterior(torch.tensor(X[:5]), observation_noise=True)
    assert posterior.mean.shape == posterior.variance.shape == (5, 1)
