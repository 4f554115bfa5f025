#!/usr/bin/env python3
"""Rows a second of `beziergp predict` beside those of XGBoost and LightGBM, in one run.

    python3 bench/peers/rates.py [--program beziergp] [--before OLD] [--threads 2] [--repeat 3] MODEL:TABLE:TARGET ...

MODEL is a model of `beziergp fit`, TABLE a CSV file whose rows are predicted, TARGET the
column that a tree is to learn from them (pip install pandas xgboost lightgbm). Trees are
fitted on the rows themselves, a fifth of which, drawn with the seed, says when to stop:
how fast they predict is asked, not how well. They tell a mean; an interval would take two
more models of each. All read the table from the file and write CSV; "predict" is the time
of the libraries' call alone. Programs take turns, and the least time of each counts, of the
clock and of the processors. --before is an older program, with which rates are compared.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

TREES = 1000
PATIENCE = 50


def processors():
    """Returns the seconds that processors have worked for this process and those it waited for."""
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def timed(call):
    clock, cpu = time.perf_counter(), processors()
    call()
    return time.perf_counter() - clock, processors() - cpu


def frame(table, target, categories=None):
    """Returns the inputs of a table and its target; texts are categories."""
    import pandas
    rows = pandas.read_csv(table)
    x = rows.drop(columns=target)
    for name in x.columns[x.dtypes.map(lambda kind: not pandas.api.types.is_numeric_dtype(kind))]:
        x[name] = pandas.Categorical(x[name], categories=categories[name] if categories else None)
    return x, rows[target]


def fitted(name, x, y, o):
    """Returns a library's model."""
    import numpy
    held = numpy.random.default_rng(o.seed).random(len(y)) < 0.2
    known = y.notna()
    parts = x[known & ~held], y[known & ~held], [(x[known & held], y[known & held])]
    if name == "XGBoost":
        import xgboost
        m = xgboost.XGBRegressor(n_estimators=TREES, learning_rate=0.05, max_depth=6, tree_method="hist", enable_categorical=True,
                                 n_jobs=o.threads, random_state=o.seed, early_stopping_rounds=PATIENCE)
        return m.fit(parts[0], parts[1], eval_set=parts[2], verbose=False)
    import lightgbm
    m = lightgbm.LGBMRegressor(n_estimators=TREES, learning_rate=0.05, num_leaves=63, n_jobs=o.threads, random_state=o.seed, verbose=-1)
    return m.fit(parts[0], parts[1], eval_set=parts[2], callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)])


def runs(model, table, target, out, o):
    """Returns what takes turns: a name and a call each. Calls of trees also note their time of prediction alone."""
    import pandas

    def program(path):
        command = [path, "predict", model, table, "--out", out, "--workers", str(o.threads), "--progress", "never", "--quiet"]
        return lambda: subprocess.run(command, check=True)

    def trees(m, categories, alone):
        def call():
            x, _ = frame(table, target, categories)
            took = []
            took += timed(lambda: took.append(m.predict(x)))
            pandas.DataFrame({"mean": took[0]}).to_csv(out, index=False)
            alone.append(took[1:])
        return call

    x, y = frame(table, target)
    categories = {name: x[name].cat.categories for name in x.columns if isinstance(x[name].dtype, pandas.CategoricalDtype)}
    all_runs = [("beziergp", program(o.program), None)]
    if o.before:
        all_runs.append(("beziergp before", program(o.before), None))
    for name in ("XGBoost", "LightGBM"):
        alone = []
        all_runs.append((name, trees(fitted(name, x, y, o), categories, alone), alone))
    return len(y), all_runs


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", default="beziergp")
    p.add_argument("--before", default="")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--repeat", type=int, default=3)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("what", nargs="+", metavar="MODEL:TABLE:TARGET")
    o = p.parse_args()
    print("| table | rows | program | rows/s | predict alone, rows/s | µs of a processor a row |\n|---|---|---|---|---|---|")
    for what in o.what:
        model, table, target = what.split(":")
        with tempfile.TemporaryDirectory() as folder:
            rows, all_runs = runs(model, table, target, os.path.join(folder, "out.csv"), o)
            times = {name: [] for name, _, _ in all_runs}
            for _ in range(o.repeat):
                for name, call, _ in all_runs:
                    times[name].append(timed(call))
        for name, _, alone in all_runs:
            clock, cpu = (min(t[k] for t in times[name]) for k in (0, 1))
            own = f"{rows / min(t[0] for t in alone):,.0f}" if alone else ""
            print(f"| {os.path.basename(table)} | {rows} | {name} | {rows / clock:,.0f} | {own} | {1e6 * cpu / rows:.2f} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
