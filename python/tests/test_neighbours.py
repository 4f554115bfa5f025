"""Other libraries take the estimator: model selection, conformal prediction, explanation, notebooks, tracking."""

from __future__ import annotations

import inspect
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import classifier, quick
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from beziergp import BezierGPRegressor


def test_cross_validation_by_hand_gives_the_same(numbers):
    X, y = numbers
    want = np.empty_like(y)
    folds = KFold(3)
    for train, test in folds.split(X):
        want[test] = quick().fit(X[train], y[train]).predict(X[test])
    assert np.array_equal(cross_val_predict(quick(), X, y, cv=folds), want)


def test_shap_takes_the_values(numbers):
    shap = pytest.importorskip("shap")
    X, y = numbers
    model = quick().fit(X, y)
    own = model.shapley_values(X[:5], background=X[100:120])
    explained = shap.Explanation(own.values, own.base, X[:5], feature_names=own.feature_names)
    assert np.allclose(explained.values.sum(1) + explained.base_values, own.prediction)
    # An explainer that asks for predictions alone, with every coalition of four columns, is an oracle of the values.
    theirs = shap.explainers.Exact(model.predict, shap.maskers.Independent(X[100:120], max_samples=20))(X[:5])
    assert np.abs(theirs.values - own.values).max() < 1e-4 * y.std()


def test_mapie_takes_it(numbers):
    mapie = pytest.importorskip("mapie.regression")
    X, y = numbers
    if not hasattr(mapie, "CrossConformalRegressor"):
        pytest.skip("MAPIE is older than 1.0")
    conformal = mapie.CrossConformalRegressor(quick(), confidence_level=0.9, cv=4).fit_conformalize(X, y)
    point, interval = conformal.predict_interval(X)
    assert point.shape == y.shape
    assert np.mean((interval[:, 0, 0] <= y) & (y <= interval[:, 1, 0])) > 0.85


def test_classifiers_among_neighbours(numbers):
    X, y = numbers
    labels = np.array(["low", "mid", "high"])[np.digitize(y, [-1, 1])]
    model = classifier(steps_factor=0.2)
    folds = KFold(3)
    want = np.empty((len(y), 3))
    for train, test in folds.split(X):
        want[test] = model.fit(X[train], labels[train]).predict_proba(X[test])
    assert np.array_equal(cross_val_predict(model, X, labels, cv=folds, method="predict_proba"), want)
    grid = {"beziergpclassifier__steps_factor": [0.001, 0.2]}
    search = GridSearchCV(make_pipeline(StandardScaler(), classifier()), grid, cv=2, scoring="neg_log_loss")
    assert search.fit(X, labels).best_params_ == {"beziergpclassifier__steps_factor": 0.2}
    calibrated = CalibratedClassifierCV(model, cv=3).fit(X, labels)
    assert np.allclose(calibrated.predict_proba(X).sum(axis=1), 1)
    assert calibrated.score(X, labels) > 0.85


def test_mapie_takes_classifiers(numbers):
    mapie = pytest.importorskip("mapie.classification")
    if not hasattr(mapie, "SplitConformalClassifier"):
        pytest.skip("MAPIE is older than 1.0")
    X, y = numbers
    codes = np.digitize(y, [-1, 1])
    model = classifier(steps_factor=0.2).fit(X[:100], codes[:100])
    conformal = mapie.SplitConformalClassifier(model, confidence_level=0.9, prefit=True).conformalize(X[100:150], codes[100:150])
    _, sets = conformal.predict_set(X[150:])
    assert sets[np.arange(50), codes[150:], 0].mean() > 0.75


def test_shap_takes_values_of_a_class(numbers):
    shap = pytest.importorskip("shap")
    X, y = numbers
    model = classifier().fit(X, y > 0)
    own = model.shapley_values(X[:5], background=X[100:120])

    def logit(rows):
        p = model.predict_proba(rows)
        return np.log(p[:, 1] / p[:, 0])

    # The probability is averaged over what is not known of f, which draws the logit to 0: the order of columns is the same.
    theirs = shap.explainers.Exact(logit, shap.maskers.Independent(X[100:120], max_samples=20))(X[:5])
    assert np.corrcoef(theirs.values.ravel(), own.values.ravel())[0, 1] > 0.95


def test_cards(numbers, orders):
    X, y = numbers
    assert "bgp-card" not in quick()._repr_mimebundle_()["text/html"]
    model = quick().fit(X, y)
    text = model._repr_html_()
    assert model._repr_mimebundle_()["text/html"] == text
    scores = model.inspect()["training"]["out_of_fold"]
    assert f"{scores['rmse']:.4g}" in text
    assert f"{100 * model.feature_importances_[0]:.1f} %" in text
    assert "interrupted" not in text
    model.interrupted_ = True
    assert "interrupted" in model._repr_html_()
    named = orders[["distance", "items"]].rename(columns={"distance": "<script>"})
    assert "<script>" not in quick().fit(named, orders["minutes"])._repr_html_()


def test_pictures(numbers, orders):
    pytest.importorskip("matplotlib")
    X, y = numbers
    model = quick().fit(X, y)
    effects = model.effects()
    figure = model.plot_effects()
    assert [a.get_xlabel() for a in figure.axes] == ["x0", "x1", "x2", "x3"]
    assert np.array_equal(figure.axes[1].lines[0].get_ydata(), effects["x1"].mean)
    calibration = model.plot_calibration(X, y).axes[0].lines[1].get_xydata()
    places = model.predict_distribution(X).cdf(y)
    for level, share in calibration[[10, 50, 90]]:
        assert share == np.mean(places <= level)
    swarm = model.plot_shapley(X[:50]).axes[0]
    values = model.shapley_values(X[:50]).values
    top = np.abs(values).mean(0).argmax()
    assert swarm.get_yticklabels()[-1].get_text() == f"x{top}"
    assert np.array_equal(swarm.collections[-1].get_offsets()[:, 0], values[:, top])
    mixed = quick().fit(orders.drop(columns="minutes"), orders["minutes"])
    table = orders.drop(columns="minutes")
    effects = mixed.plot_effects(["zone", "distance", ("zone", "distance")])
    for drawn in (effects, mixed.plot_shapley(table.head(20)), mixed.plot_calibration(table, orders["minutes"])):
        drawn.canvas.draw()


def test_tracking_by_mlflow(numbers, tmp_path):
    mlflow = pytest.importorskip("mlflow")
    X, y = numbers
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = quick().fit(frame, y)
    model.save(tmp_path / "m.bgp")

    class Flavour(mlflow.pyfunc.PythonModel):
        def load_context(self, context):
            self.model = BezierGPRegressor.load(context.artifacts["model"])

        def predict(self, context, model_input, params=None):
            mean, std = self.model.predict(model_input, return_std=True)
            return pd.DataFrame({"mean": mean, "std": std})

    mlflow.pyfunc.save_model(str(tmp_path / "flavour"), python_model=Flavour(), artifacts={"model": str(tmp_path / "m.bgp")})
    got = mlflow.pyfunc.load_model(str(tmp_path / "flavour")).predict(frame)
    assert np.array_equal(got["mean"], model.predict(frame))


BACKENDS = """
    import sys, numpy as np
    from joblib import Parallel, delayed, parallel_config
    from beziergp import BezierGPRegressor
    def fit_and_predict(seed):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 2))
        model = BezierGPRegressor(effort="fast", shapes=["coarse@1"], folds=2, members=1, steps_factor=0.05, workers=1).fit(X, X[:, 0])
        return float(model.predict(X).sum()), model
    if __name__ == "__main__":
        here = [fit_and_predict(s)[0] for s in range(3)]  # the worker of this process runs by now
        backend, context = (sys.argv[1].split(":") + [None])[:2]
        if context:
            import multiprocessing
            with multiprocessing.get_context(context).Pool(2) as pool:
                there = pool.map(fit_and_predict, range(3))
        else:
            with parallel_config(backend, n_jobs=2):
                there = Parallel()(delayed(fit_and_predict)(s) for s in range(3))
        assert [v for v, _ in there] == here, (there, here)
        X = np.zeros((2, 2))
        assert len({m.predict(X).tobytes() for _, m in there}) == 3  # models of other processes predict here
        print("same")
"""


@pytest.mark.parametrize("backend", ["threading", "loky", "multiprocessing", "pool:fork", "pool:spawn"])
def test_backends(backend, tmp_path):
    if sys.platform == "win32" and "fork" in backend:
        pytest.skip("Windows has no fork")
    script = tmp_path / "work.py"
    script.write_text(textwrap.dedent(BACKENDS))
    done = subprocess.run([sys.executable, script, backend], capture_output=True, text=True, timeout=250)
    assert (done.returncode, done.stdout) == (0, "same\n"), done.stderr


PREFORK = """
    import os, sys, numpy as np
    from beziergp import BezierGPRegressor, _pool
    model = BezierGPRegressor.load(sys.argv[1])
    X = np.random.default_rng(0).normal(size=(5, 4))
    want = model.predict(X)  # before the fork, as a server with preload does
    reads, own = [], _pool._pool._all[0].pid
    for k in range(4):
        r, w = os.pipe()
        if os.fork() == 0:
            os.close(r)
            same = all(np.array_equal(model.predict(X), want) for _ in range(5)) and _pool._pool._all[0].pid != own
            os.write(w, b"y" if same else b"n")
            os._exit(0)
        os.close(w)
        reads.append(r)
    assert np.array_equal(model.predict(X), want)
    assert [os.read(r, 1) for r in reads] == [b"y"] * 4
    assert all(os.waitstatus_to_exitcode(os.wait()[1]) == 0 for _ in range(4))
    assert np.array_equal(model.predict(X), want) and _pool._pool._all[0].pid == own
    print("same")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_servers_that_load_before_they_fork(numbers, tmp_path):
    model = quick().fit(*numbers)
    model.save(tmp_path / "m.bgp")
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(PREFORK), tmp_path / "m.bgp"], capture_output=True, text=True, timeout=200)
    assert (done.returncode, done.stdout) == (0, "same\n"), done.stderr


def test_the_guide_shows_the_flavour():
    """The example of the guide is what test_tracking_by_mlflow runs."""
    guide = (Path(__file__).parents[2] / "docs/guide/python.md").read_text()
    lines = textwrap.dedent(inspect.getsource(test_tracking_by_mlflow)).splitlines()
    first = next(i for i, line in enumerate(lines) if "class Flavour" in line)
    last = next(i for i, line in enumerate(lines) if "save_model" in line)
    assert textwrap.dedent("\n".join(lines[first:last])).strip() in guide
