#!/usr/bin/env python3
"""Boosted trees and generalised linear models on tables of classes, counts and amounts.

    python3 bench/peers/tasks.py --data DIR --out OUT [--suite classes] [--sets adult,letter] [--methods lightgbm] [--splits 1]

DIR has NAME/data.csv.gz and NAME/test_mask.csv.gz and sets.json, which names the targets, the
columns that are no inputs, and the offset. An empty field, and nothing else, is a missing value.
Lines of OUT/SUITE.jsonl are those of `beziergp bench`; a fit that is there is not repeated. Methods:

    xgboost, lightgbm, catboost   by the loss of the suite, tuned (laws.py says how)
    glm, glm-bins                 of scikit-learn; suites counts and amounts

Suites: classes (log loss), counts (Poisson deviance), amounts (gamma deviance; Tweedie of power
1.5 where there are zeros). A column of exposure enters as the logarithm that is added to the
prediction. Scores are of the test rows, deviances their mean a row. Rows of no exposure are left out.
"""
import argparse
import importlib
import json
import os
import pathlib
import time

import laws
import peers

METHODS = ["xgboost", "lightgbm", "catboost", "glm", "glm-bins"]
TITLES = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "catboost": "CatBoost", "glm": "GLM", "glm-bins": "GLM of bins"}
SUITES = {
    "classes": ["colon", "digits", "isolet", "madelon", "satimage", "telco", "dry_bean", "magic04", "letter", "electricity", "bank",
                "adult", "diabetes130", "credit_delinquency", "covertype"],
    "counts": ["nmes1988", "doctor_visits", "bike_hour", "fremtpl2freq"],
    "amounts": ["insurance", "ames", "california_housing", "fremtpl2sev", "diamonds", "motorcycle"],
}
SPLITS = 5


def read(o):
    """Returns inputs, targets and logarithms of exposure (or None) of training and of test rows, and the law's name."""
    import numpy
    import pandas
    told = json.loads((pathlib.Path(o.data) / "sets.json").read_text())[o.set]
    folder = pathlib.Path(o.data) / o.set
    table = pandas.read_csv(folder / "data.csv.gz", low_memory=False, keep_default_na=False, na_values=[""])
    test = pandas.read_csv(folder / "test_mask.csv.gz")[f"split{o.split}"].to_numpy() == 1
    target, offset = told["targets"][0], None
    x = table.drop(columns=[*told["targets"], *told["not_inputs"], *([told["offset"]] if told["offset"] else [])])
    kept = table[target].notna().to_numpy()
    if told["offset"]:
        exposure = table[told["offset"]].to_numpy(dtype=float)
        kept = kept & (exposure > 0)
        offset = numpy.log(numpy.where(exposure > 0, exposure, 1))
    if o.suite == "classes":
        y = pandas.factorize(table[target], sort=True)[0]
        law = "classes"
    else:
        y = table[target].to_numpy(dtype=float)
        law = "poisson" if o.suite == "counts" else "tweedie" if (y == 0).any() else "gamma"
    for name in x.columns:
        if pandas.api.types.is_numeric_dtype(x[name]):
            continue
        try:  # a date is a number of days
            days = pandas.to_datetime(x[name], format="%Y-%m-%d")
            x[name] = (days - days.min()).dt.days
        except ValueError:
            x[name] = x[name].fillna("").astype("category")
    part = lambda rows: (x[rows].reset_index(drop=True), y[rows], None if offset is None else offset[rows])
    return part(kept & ~test), part(kept & test), law


def packages(key):
    return ["scikit-learn"] if key.startswith("glm") else [key]


def fit(o):
    import resource
    train, test, law = read(o)
    version = " ".join(f"{p} {importlib.import_module(peers.module(p)).__version__}" for p in packages(o.method))
    predict, chosen = laws.learn(o.method, law, train, o)
    began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    told = laws.scores(law, test[1], predict(test))
    print(json.dumps(dict(rows=len(train[1]), test_rows=len(test[1]), inputs=train[0].shape[1], nlpd=None, crps=None, coverage95=None,
                          **dict(dict(rmse=None), **told), chosen=chosen, predict_seconds=time.perf_counter() - began, cpu_seconds=used.ru_utime + used.ru_stime,
                          peak_memory=used.ru_maxrss * 1024, version=version)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", choices=list(SUITES), default="classes")
    parser.add_argument("--data", required=True, help="folder of sets.json, NAME/data.csv.gz and NAME/test_mask.csv.gz")
    parser.add_argument("--work", default="", help=argparse.SUPPRESS)
    parser.add_argument("--out", default="beziergp-bench")
    parser.add_argument("--sets", help="default: all of the suite")
    parser.add_argument("--methods", default=None, help="default: all that the suite has")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--fit", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.fit:
        o.method, o.set, split = o.fit.split(":")
        o.split = int(split)
        return fit(o)
    methods = o.methods.split(",") if o.methods else [m for m in METHODS if o.suite != "classes" or not m.startswith("glm")]
    sets = o.sets.split(",") if o.sets else SUITES[o.suite]
    peers.known([("method", METHODS, methods), ("set", SUITES[o.suite], sets)])
    peers.installed({key: ["numpy", "pandas", *packages(key)] for key in methods})
    peers.run(o, sets, methods, lambda name: min(o.splits, SPLITS), lambda key, name: (packages(key), [(TITLES[key], [])]), program=__file__)


if __name__ == "__main__":
    main()
