#!/usr/bin/env python3
"""Other libraries on the splits of `beziergp bench`, recorded beside it.

    python3 bench/peers/peers.py --data DIR --out docs/benchmarks [--sets energy,boston] [--methods xgboost,ngboost] [--splits 1]
    python3 bench/peers/peers.py --suite large --data DIR --work WORK --out docs/benchmarks
    beziergp bench report --out docs/benchmarks

Every fit is a process of its own and appends lines to OUT/SUITE.jsonl in the form that
`beziergp bench` writes; a fit that is there is not repeated, so that a stopped run goes
on. The sets of `large` without a mask are tested on the rows that `beziergp bench large
--work WORK` has drawn. Methods, and what they need (pip install numpy scipy pandas ...):

    xgboost, lightgbm, catboost   mean with one deviation, and with a variance of each row
    xgboost-50, lightgbm-50, catboost-50   the same of 50 draws of a random search, none begun after 10 minutes
    catboost-moments    RMSEWithUncertainty, a mean and a variance
    catboost-quantiles, lightgbm-quantiles
    ngboost             a mean and a variance; for few rows
    histgb              HistGradientBoosting of scikit-learn, mean with one deviation
    exact, sgpr-100, sgpr-500, svgp-500, svgp-1024   of GPyTorch (torch gpytorch), of the suites uci and quality

Trees: a fifth of the training rows, drawn with the seed, chooses among the candidates,
each with its best number of trees; that one is fitted again on all training rows. What
is predicted around the mean is told in trees.py. Gaussian processes: Matern 5/2 with a
length scale an input, on standardised columns; all parameters by the bound on the
likelihood of the training rows.
"""
import argparse
import importlib.util
import itertools
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import tables

METHODS = ["xgboost", "lightgbm", "catboost", "xgboost-50", "lightgbm-50", "catboost-50", "catboost-moments", "catboost-quantiles", "lightgbm-quantiles", "ngboost", "histgb",
           "exact", "sgpr-100", "sgpr-500", "svgp-500", "svgp-1024"]


def method(key, suite, name="", seed=0):
    """Returns what a method needs, its names with their options as they are recorded, its function, and its candidates."""
    import gaussian
    import trees

    def boosted(package, titles, learn, grid):
        candidates = [dict(zip(grid, values)) for values in itertools.product(*grid.values())]
        options = [f"{name}={','.join(map(str, values))}" for name, values in grid.items()]
        return [package], [(title, [*options, *more]) for title, more in titles], learn, candidates

    if key.endswith(f"-{trees.DRAWS}"):
        library = key.removesuffix(f"-{trees.DRAWS}")
        packages, titles, learn, candidates = method(library, suite, name)
        many = trees.draws(library, candidates[len(candidates) // 2], seed)
        searched = lambda title: title.replace(" + ", " 50 draws + ") if " + " in title else title + " 50 draws"
        return packages, [(searched(title), [f"draws={trees.DRAWS}", *[o for o in options if o.startswith("variance")]]) for title, options in titles], learn, many

    large = suite == "large"
    rows = dict(num_leaves=(31, 127, 255)) if large else dict(num_leaves=(7, 31, 127), min_child_samples=(5, 20))
    depths = dict(max_depth=(6, 9, 12), max_leaves=(255,)) if large else dict(max_depth=(3, 6, 9))
    variance = ["variance=log,gamma"]
    if key == "xgboost":
        second = [(dict(max_depth=4, min_child_weight=10), "squares"), (dict(max_depth=4, min_child_weight=1), "gamma")]
        return boosted("xgboost", [("XGBoost", []), ("XGBoost + variance", variance)], trees.point_and_variance(trees.xgboost_fit, second), depths)
    if key == "lightgbm":
        second = [(dict(num_leaves=15, min_child_samples=20), "squares"), (dict(num_leaves=15, min_child_samples=20), "gamma")]
        return boosted("lightgbm", [("LightGBM", []), ("LightGBM + variance", variance)], trees.point_and_variance(trees.lightgbm_fit, second), rows)
    # Its trees are symmetric: of many rows they learn enough only where they are deep.
    depth = dict(depth=(6, 8, 10), learning_rate=(0.1,)) if tables.SPLITS[suite].get(name) != 10 else dict(depth=(4, 6, 8))
    if key == "catboost":
        second = [(dict(depth=4, learning_rate=0.05), "squares")]
        return boosted("catboost", [("CatBoost", []), ("CatBoost + variance", ["variance=log"])], trees.point_and_variance(trees.catboost_fit, second), depth)
    if key == "catboost-moments":
        return boosted("catboost", [("CatBoost RMSEWithUncertainty", [])], trees.catboost_moments, depth)
    if key == "catboost-quantiles":
        return boosted("catboost", [("CatBoost MultiQuantile", [])], trees.catboost_quantiles, dict(depth=(8,) if large else (6,), learning_rate=(0.1,)))
    if key == "lightgbm-quantiles":
        return boosted("lightgbm", [("LightGBM quantiles", [])], trees.lightgbm_quantiles, dict(num_leaves=(127,) if large else (7, 31, 127)))
    if key == "ngboost":
        return boosted("ngboost", [("NGBoost", [])], trees.ngboost, dict(max_depth=(3, 5)))
    if key == "histgb":
        return boosted("scikit-learn", [("HistGradientBoosting", [])], trees.point_and_variance(trees.histgb_fit, []), dict(max_leaf_nodes=(7, 31, 127)))
    kind, _, inducing = key.partition("-")
    quality = suite == "quality"
    steps = 3000 if quality else gaussian.STEPS[kind]
    title = f"{kind.upper()} m={inducing} (GPyTorch)" if inducing else "Exact GP (GPyTorch)"
    options = [f"steps={steps}", *(["float32"] if quality else [])]
    return ["torch", "gpytorch"], [(title, options)], gaussian.gaussian_process(kind, int(inducing or 0), steps, not quality), None


# A fit, in a process of its own.

def fit(o):
    import resource
    import numpy
    import gaussian
    x, y, at, truth = tables.read(o)
    tables.same_rows(o, y, truth, records(o))
    packages, _, learn, candidates = method(o.method, o.suite, o.set, o.seed)
    o.watch = gaussian.Watch(truth) if o.suite == "quality" else None
    version = " ".join(f"{p} {importlib.import_module(module(p)).__version__}" for p in packages)
    for predict in learn(candidates, x, y, at, o):
        began = time.perf_counter()
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        d = predict()
        scores = dict(rmse=float(numpy.sqrt(((truth - d.mean) ** 2).mean())), **d.scores(truth))
        if o.watch:
            scores.update(curve=o.watch.curve, watched=o.watch.away)
        print(json.dumps(dict(rows=len(y), test_rows=len(truth), inputs=x.shape[1], **scores, predict_seconds=time.perf_counter() - began,
                              cpu_seconds=sum(u.ru_utime + u.ru_stime for u in used),
                              peak_memory=used[0].ru_maxrss * (1 if sys.platform == "darwin" else 1024), version=version)), flush=True)


def busy():
    """Returns the seconds that all processors together have been busy, or None."""
    try:
        with open("/proc/stat") as text:
            user, nice, system, _, _, irq, softirq, steal = map(int, text.readline().split()[1:9])
        return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None


def measure(o, key, name, split, titles, program):
    """Runs a fit and yields what its records tell of it."""
    command = [sys.executable, program, "--suite", o.suite, "--data", o.data, "--work", o.work, "--out", o.out, "--seed", str(o.seed),
               "--workers", str(o.workers), "--fit", f"{key}:{name}:{split}"]
    began, before = time.perf_counter(), busy()
    # Threads that wait do not spin: this measures processors, and others need them.
    quiet = dict(os.environ, OMP_WAIT_POLICY="PASSIVE", OMP_NUM_THREADS=str(o.workers))
    with tempfile.TemporaryFile("w+") as errors:
        p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=quiet)
        for title, options in titles:
            line = p.stdout.readline()
            seconds = time.perf_counter() - began
            if not line:
                break
            result = json.loads(line)
            if before is not None:
                result["beside"] = round(max(0, busy() - before - result["cpu_seconds"]) / seconds, 2)
            seconds -= result["predict_seconds"] + result.pop("watched", 0)
            yield title, options, dict(result, fit_seconds=seconds)
        else:
            p.wait()
            return
        status = p.wait()
        errors.seek(0)
        why = (errors.read().strip().splitlines() or [f"it ended with status {status}"])[-1]
    yield title, options, dict(rmse=None, nlpd=None, crps=None, coverage95=None, fit_seconds=seconds, predict_seconds=0, error=why)


# All fits.

def processor():
    try:
        with open("/proc/cpuinfo") as text:
            return next(line.split(":", 1)[1].strip() for line in text if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def module(package):
    return {"scikit-learn": "sklearn"}.get(package, package)


def key_of(record):
    return json.dumps([record[k] for k in ("suite", "set", "split", "method", "options", "seed")])


def records(o):
    """Returns those of the suite, but for a line that is cut off."""
    path = pathlib.Path(o.out) / f"{o.suite}.jsonl"
    text = path.read_bytes() if path.exists() else b""
    return [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]


def mend(path):
    """Drops a last line that was cut off."""
    text = path.read_bytes() if path.exists() else b"\n"
    if text and not text.endswith(b"\n"):
        print(f"warning: the last line of {path} is cut off; it is dropped", file=sys.stderr)
        os.truncate(path, text.rfind(b"\n") + 1)


def known(asked):
    """Ends the program where a name is none of those that there are."""
    for what, names, some in asked:
        for name in some:
            if name not in names:
                sys.exit(f"there is no {what} {name}; there are {', '.join(names)}")


def installed(needs):
    for key, packages in needs.items():
        if lacking := [p for p in packages if importlib.util.find_spec(module(p)) is None]:
            sys.exit(f"{key}: {' and '.join(lacking)} not installed (pip install {' '.join(lacking)})")


SHOWN = dict(rmse="RMSE", nlpd="NLPD", log_loss="log loss", deviance="deviance", accuracy="accuracy", ece="ECE")


def run(o, sets, methods, splits, told_of, program):
    """Makes the fits that OUT/SUITE.jsonl lacks: told_of(key, name) returns the packages of a method and its (title, options)."""
    path = pathlib.Path(o.out) / f"{o.suite}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    mend(path)
    for name, split, key in ((name, split, key) for name in sets for split in range(splits(name)) for key in methods):
        packages, titles = told_of(key, name)
        done = {key_of(r) for r in records(o)}  # others may run beside this
        new = lambda title, options: dict(suite=o.suite, set=name, split=split, method=title, options=options, seed=o.seed)
        if all(key_of(new(*t)) in done for t in titles):
            continue
        for title, options, told in measure(o, key, name, split, titles, program):
            record = new(title, options)
            if key_of(record) in done:
                continue
            record.update(rows=0, test_rows=0, inputs=0, version=" ".join(packages), processor=processor(), workers=o.workers)
            record.update(told, time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
            with open(path, "a") as out:
                out.write(json.dumps(record) + "\n")
                out.flush()
                os.fsync(out.fileno())
            scores = ", ".join(f"{title} {record[key]:.4g}" for key, title in SHOWN.items() if record.get(key) is not None)
            print(f"{name} split {split}, {title}: {record.get('error') or scores}, {record['fit_seconds']:.1f} s", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="uci", choices=list(tables.SPLITS))
    parser.add_argument("--data", required=True, help="folder of NAME/data.csv.gz and NAME/test_mask.csv.gz")
    parser.add_argument("--work", default="", help="folder of NAME/test_mask.csv of sets without a mask, as of beziergp bench")
    parser.add_argument("--out", default="beziergp-bench")
    parser.add_argument("--sets", help="default: all of the suite")
    parser.add_argument("--methods", default="xgboost,lightgbm,catboost,catboost-moments")
    parser.add_argument("--splits", type=int, default=10, help="of a set, at most; of uci 10 of the small sets, 5 of the others")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--fit", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.fit:
        o.method, o.set, split = o.fit.split(":")
        o.split = int(split)
        return fit(o)
    methods, sets = o.methods.split(","), (o.sets or ",".join(tables.SPLITS[o.suite])).split(",")
    known([("method", METHODS, methods), ("set", tables.SPLITS[o.suite], sets)])
    installed({key: ["numpy", "scipy", "pandas", *method(key, o.suite)[0]] for key in methods})

    def told_of(key, name):
        packages, titles, _, _ = method(key, o.suite, name)
        return packages, [(title, [*options, *tables.OPTIONS.get(name, [])]) for title, options in titles]
    run(o, sets, methods, lambda name: min(o.splits, tables.SPLITS[o.suite][name]), told_of, __file__)


if __name__ == "__main__":
    main()
