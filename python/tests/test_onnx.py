"""Graphs of fitted models predict what the models do."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from conftest import quick, run

from beziergp import BezierGPRegressor

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def ran(model, X):
    """Return what ONNX Runtime makes of X by the graph of a model, by the names of outputs."""
    file = model.to_onnx()
    onnx.checker.check_model(onnx.load_from_string(file), full_check=True)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    found = dict(zip([o.name for o in session.get_outputs()], session.run(None, model.onnx_inputs(X)), strict=True))
    return {name: values[:, 0] for name, values in found.items()}


def check(model, X, deviation):
    got = ran(model, X)
    mean, std = model.predict(X, return_std=True)
    assert np.abs(got["mean"] - mean).max() <= 1e-5 * deviation
    assert np.abs(got["std"] - std).max() <= 1e-5 * deviation
    assert np.array_equal(got["in_box"], model.in_box(X))
    assert len(np.unique(mean)) > len(mean) / 2


def test_categories_dates_and_gaps(orders):
    X, y = orders.drop(columns="minutes"), orders["minutes"]
    model = BezierGPRegressor(effort="fast", workers=1).fit(X, y)
    new = X.copy()
    new.loc[new.index[:5], "zone"] = None
    new["courier"] = new["courier"].replace("Bo", "Zed")  # who was never seen
    new.loc[new.index[7:9], ["items", "distance"]] = np.nan
    new.loc[new.index[9], "distance"] = 1e6
    check(model, X, y.std())
    check(model, new, y.std())
    check(model, new.iloc[[3, 4]], y.std())


@pytest.mark.parametrize("options", [{"target_transform": "log1p"}, {"target_range": (-9, None)}, {"shapes": ["linear:fine12@0.1"]}])
def test_options(numbers, options):
    X, y = numbers
    y = np.exp(y) if "target_transform" in options else y
    check(quick(**options).fit(X, y), X, y.std())


def test_flagged_rows_have_no_prediction(numbers):
    X, y = numbers
    model = quick(out_of_box="flag").fit(X, y)
    far = X[:4].copy()
    far[1] *= 1e3
    got = ran(model, far)
    assert np.array_equal(np.isnan(got["mean"]), [False, True, False, False])
    assert np.array_equal(np.isnan(got["mean"]), np.isnan(model.predict(far)))


def test_models_of_the_paper(numbers, tmp_path):
    X, y = numbers
    table = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    table.to_csv(tmp_path / "t.csv", index=False)
    run("fit", tmp_path / "t.csv", "--target", "y", "--recipe", "paper", "--order", "4", "--orderings", "5", "--steps", "60", "--quiet",
        "--out", tmp_path / "m.bgp")  # fmt: skip
    check(BezierGPRegressor.load(tmp_path / "m.bgp"), table.drop(columns="y"), y.std())


def test_the_program_writes_the_same_file(numbers, tmp_path):
    model = quick().fit(*numbers)
    model.save(tmp_path / "m.bgp")
    run("export", tmp_path / "m.bgp", "--to", "onnx", "--out", tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").read_bytes() == model.to_onnx(tmp_path / "again.onnx") == (tmp_path / "again.onnx").read_bytes()
    about = json.loads({p.key: p.value for p in onnx.load(tmp_path / "m.onnx").metadata_props}["beziergp"])
    assert [i["tensor"] for i in about["inputs"]] == ["x0", "x1", "x2", "x3"]
    assert "quantiles" in " ".join(about["not_exported"])
