#!/usr/bin/env python3
"""What SALib and shap tell of a fitted model, which `go run ./bench/cmd/analysis` compares.

    python3 bench/peers/analysis.py indices PROGRAM MODEL POINTS INPUTS
    python3 bench/peers/analysis.py shapley PROGRAM MODEL DATA ROWS

The model answers by `PROGRAM predict` on files. Needs pip install SALib shap xgboost pandas. Prints JSON.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy
import pandas


def asked(program, model, folder):
    """Returns the mean that the model predicts, as a function of a frame."""
    def mean(frame):
        rows, out = os.path.join(folder, "rows.csv"), os.path.join(folder, "predicted.csv")
        frame.to_csv(rows, index=False)
        subprocess.run([program, "predict", model, rows, "--out", out, "--quiet"], check=True)
        return pandas.read_csv(out)["mean"].to_numpy()
    return mean


def borehole(frame):
    rw, r, tu, hu, tl, hl, length, kw = frame.to_numpy().T
    log = numpy.log(r / rw)
    return 2 * numpy.pi * tu * (hu - hl) / (log * (1 + 2 * length * tu / (log * rw * rw * kw) + tu / tl))


def quantile(u, lo, hi, law):
    """Values of an input below which shares u of its distribution within the bounds lie."""
    from scipy import stats
    name, _, rest = law.partition("(")
    numbers = [float(v) for v in rest.rstrip(")").split(",") if v]
    q = dict(uniform=lambda: stats.uniform(lo, hi - lo), normal=lambda: stats.norm(*numbers),
             lognormal=lambda: stats.lognorm(numbers[1], scale=numpy.exp(numbers[0])))[name]()
    below, above = q.cdf(lo), q.cdf(hi)
    return numpy.clip(q.ppf(below + u * (above - below)), lo, hi)


def indices(program, model, points, inputs):
    from SALib.analyze import sobol as analyse
    from SALib.sample import sobol as sample
    inputs = json.loads(inputs)
    names = [f"x{i + 1}" for i in range(len(inputs))]
    problem = dict(num_vars=len(names), names=names, bounds=[[0, 1]] * len(names))
    began = time.perf_counter()
    u = sample.sample(problem, int(points), calc_second_order=False, seed=1)
    frame = pandas.DataFrame({n: quantile(u[:, i], **inputs[i]) for i, n in enumerate(names)})
    with tempfile.TemporaryDirectory() as folder:
        y = borehole(frame) if model == "borehole" else asked(program, model, folder)(frame)
    s = analyse.analyze(problem, y, calc_second_order=False, seed=1)
    return dict(First=list(s["S1"]), FirstError=list(s["S1_conf"]), Total=list(s["ST"]), TotalError=list(s["ST_conf"]),
                Evaluations=len(frame), Seconds=time.perf_counter() - began)


def shapley(program, model, data, rows):
    import shap
    import xgboost
    table = pandas.read_csv(data)
    x, y = table.drop(columns="y"), table["y"]
    n, background = int(rows), x.sample(100, random_state=1)
    with tempfile.TemporaryDirectory() as folder:
        mean = asked(program, model, folder)
        explainer = shap.PermutationExplainer(lambda v: mean(pandas.DataFrame(v, columns=x.columns)), background)
        began = time.perf_counter()
        explainer(x.iloc[:n], silent=True)
        callback = n / (time.perf_counter() - began)
    boosted = xgboost.XGBRegressor(n_estimators=500, max_depth=6, learning_rate=0.05, n_jobs=2, random_state=1).fit(x, y)
    explainer = shap.TreeExplainer(boosted)
    began = time.perf_counter()
    explainer.shap_values(x)
    return dict(Permutation=callback, Tree=len(x) / (time.perf_counter() - began), Shap=shap.__version__, XGBoost=xgboost.__version__)


if __name__ == "__main__":
    json.dump(dict(indices=indices, shapley=shapley)[sys.argv[1]](*sys.argv[2:]), sys.stdout)
