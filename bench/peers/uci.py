#!/usr/bin/env python3
"""Other libraries on the splits of `beziergp bench uci`, recorded beside it.

    python3 bench/peers/uci.py --data DIR --out docs/benchmarks [--sets energy,boston] [--methods xgboost,sgpr-500] [--splits 1]
    beziergp bench report --out docs/benchmarks

Every fit is a process of its own and appends a line to OUT/uci.jsonl in the form that
`beziergp bench` writes; a fit that is there is not repeated, so that a stopped run goes
on. Methods, and what they need:

    xgboost   XGBoost                               pip install numpy xgboost
    lightgbm  LightGBM                              pip install numpy lightgbm
    histgb    HistGradientBoosting of scikit-learn  pip install numpy scikit-learn
    sgpr-100, sgpr-500, svgp-500   of GPyTorch      pip install numpy torch gpytorch

Trees: a fifth of the training rows, drawn with the seed, chooses among the candidates
below, each with its best number of trees; that one is fitted again on all training rows.
The deviation of its errors on that fifth is that of all its predictions, which are
Gaussian. Gaussian processes: Matern 5/2 with a length scale an input, on standardised
columns; all parameters by the bound on the likelihood of the training rows.
"""
import argparse
import gzip
import importlib.util
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import time

RATE, ROUNDS, PATIENCE = 0.05, 3000, 50
SPLITS = dict(energy=10, concrete=10, boston=10, power=5, bike=5, elevators=5, protein=5, keggdirected=5)


# Tables.

def rows_of(path):
    import numpy
    for ending in ("", ".gz"):
        file = pathlib.Path(f"{path}{ending}")
        if file.exists():
            with (gzip.open if ending else open)(file, "rt") as text:
                names = text.readline().strip().split(",")
                return names, numpy.loadtxt(text, delimiter=",", ndmin=2)
    sys.exit(f"{path}.gz: there is no such table")


def read(data, name, split):
    names, rows = rows_of(f"{data}/{name}/data.csv")
    columns, masks = rows_of(f"{data}/{name}/test_mask.csv")
    test, target = masks[:, columns.index(f"split{split}")] == 1, names.index("y")
    y, x = rows[:, target], rows[:, [j for j in range(len(names)) if j != target]]
    return x[~test], y[~test], x[test], y[test]


# Trees: candidates, and one of them fitted with its best number of trees, or with a given one.

def xgboost_fit(c, x, y, held, rounds, o):
    import xgboost
    m = xgboost.XGBRegressor(n_estimators=rounds or ROUNDS, learning_rate=RATE, subsample=0.8, colsample_bytree=0.8, n_jobs=o.workers,
                             random_state=o.seed, early_stopping_rounds=PATIENCE if held else None, **c)
    m.fit(x, y, eval_set=[held] if held else None, verbose=False)
    return m, m.best_iteration + 1 if held else rounds


def lightgbm_fit(c, x, y, held, rounds, o):
    import lightgbm
    m = lightgbm.LGBMRegressor(n_estimators=rounds or ROUNDS, learning_rate=RATE, subsample=0.8, subsample_freq=1, colsample_bytree=0.8,
                               n_jobs=o.workers, random_state=o.seed, verbose=-1, **c)
    m.fit(x, y, eval_set=[held] if held else None, callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)] if held else None)
    return m, m.best_iteration_ if held else rounds


def histgb_fit(c, x, y, held, rounds, o):
    from sklearn.ensemble import HistGradientBoostingRegressor
    m = HistGradientBoostingRegressor(max_iter=rounds or 1000, learning_rate=RATE, early_stopping=False, random_state=o.seed, **c).fit(x, y)
    if not held:
        return m, rounds
    errors = [((p - held[1]) ** 2).mean() for p in m.staged_predict(held[0])]
    best = errors.index(min(errors)) + 1
    return histgb_fit(c, x, y, None, best, o)[0], best


def trees(fit, candidates):
    def predict(x, y, at, o):
        import numpy
        held = numpy.random.default_rng(o.seed).permutation(len(y)) < len(y) / 5
        best = None
        for c in candidates:
            model, rounds = fit(c, x[~held], y[~held], (x[held], y[held]), 0, o)
            error = float(numpy.sqrt(((model.predict(x[held]) - y[held]) ** 2).mean()))
            if best is None or error < best[0]:
                best = error, c, rounds
        error, c, rounds = best
        model, _ = fit(c, x, y, None, rounds, o)
        return lambda: (model.predict(at), numpy.full(len(at), error))
    return predict


# Gaussian processes of GPyTorch.

def gaussian_process(inducing, stochastic):
    def predict(x, y, at, o):
        import gpytorch
        import torch
        from gpytorch import kernels, variational
        torch.manual_seed(o.seed)
        torch.set_num_threads(o.workers)
        mean, sd = x.mean(0), x.std(0)
        sd[sd == 0] = 1
        torch.set_default_dtype(torch.float64)  # in float32 variances of few bits come out as nothing
        inputs = lambda rows: torch.tensor((rows - mean) / sd)
        tx, ty, centre, scale = inputs(x), torch.tensor((y - y.mean()) / y.std()), y.mean(), y.std()
        start = tx[torch.randperm(len(tx))[:inducing]].clone()
        likelihood = gpytorch.likelihoods.GaussianLikelihood()
        matern = kernels.ScaleKernel(kernels.MaternKernel(nu=2.5, ard_num_dims=x.shape[1]))

        class Sparse(gpytorch.models.ExactGP):
            def __init__(self):
                super().__init__(tx, ty, likelihood)
                self.mean, self.kernel = gpytorch.means.ConstantMean(), kernels.InducingPointKernel(matern, start, likelihood)

            def forward(self, rows):
                return gpytorch.distributions.MultivariateNormal(self.mean(rows), self.kernel(rows))

        class Stochastic(gpytorch.models.ApproximateGP):
            def __init__(self):
                q = variational.CholeskyVariationalDistribution(len(start))
                super().__init__(variational.VariationalStrategy(self, start, q, learn_inducing_locations=True))
                self.mean, self.kernel = gpytorch.means.ConstantMean(), matern

            forward = Sparse.forward

        model = Stochastic() if stochastic else Sparse()
        bound = (gpytorch.mlls.VariationalELBO(likelihood, model, len(ty)) if stochastic
                 else gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model))
        parameters = list({id(p): p for p in [*model.parameters(), *likelihood.parameters()]}.values())
        adam = torch.optim.Adam(parameters, lr=0.01 if stochastic else 0.1)
        for _ in range(5000 if stochastic else 200):
            rows = torch.randint(len(ty), (min(1024, len(ty)),)) if stochastic else slice(None)
            adam.zero_grad()
            (-bound(model(tx[rows]), ty[rows])).backward()
            adam.step()
        model.eval(), likelihood.eval()

        def moments():
            with torch.no_grad():
                p = likelihood(model(inputs(at)))
            return p.mean.double().numpy() * scale + centre, p.stddev.double().numpy() * scale
        return moments
    return predict


METHODS = {  # key: name, what it needs, options as they are recorded, fit
    "xgboost": ("XGBoost", ["numpy", "xgboost"], ["max_depth=3,6,9"], trees(xgboost_fit, [dict(max_depth=d) for d in (3, 6, 9)])),
    "lightgbm": ("LightGBM", ["numpy", "lightgbm"], ["num_leaves=7,31,127", "min_child_samples=5,20"],
                 trees(lightgbm_fit, [dict(num_leaves=l, min_child_samples=s) for l in (7, 31, 127) for s in (5, 20)])),
    "histgb": ("HistGradientBoosting", ["numpy", "scikit-learn"], ["max_leaf_nodes=7,31,127"],
               trees(histgb_fit, [dict(max_leaf_nodes=l) for l in (7, 31, 127)])),
    "sgpr-100": ("SGPR m=100 (GPyTorch)", ["numpy", "torch", "gpytorch"], ["steps=200"], gaussian_process(100, False)),
    "sgpr-500": ("SGPR m=500 (GPyTorch)", ["numpy", "torch", "gpytorch"], ["steps=200"], gaussian_process(500, False)),
    "svgp-500": ("SVGP m=500 (GPyTorch)", ["numpy", "torch", "gpytorch"], ["steps=5000"], gaussian_process(500, True)),
}


# A fit, in a process of its own.

def fit(o):
    import numpy
    x, y, at, truth = read(o.data, o.set, o.split)
    _, packages, _, learn = METHODS[o.method]
    predict = learn(x, y, at, o)
    began = time.perf_counter()
    mean, std = (numpy.asarray(v, dtype=float) for v in predict())
    z = (truth - mean) / std
    density = numpy.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    below = numpy.array([math.erf(v / math.sqrt(2)) for v in z])
    print(json.dumps({
        "rows": len(y), "test_rows": len(truth), "inputs": x.shape[1], "rmse": float(numpy.sqrt(((truth - mean) ** 2).mean())),
        "nlpd": float((numpy.log(std) + z * z / 2).mean() + math.log(2 * math.pi) / 2),
        "crps": float((std * (z * below + 2 * density - 1 / math.sqrt(math.pi))).mean()),
        "coverage95": float((abs(z) <= 1.959964).mean()), "predict_seconds": time.perf_counter() - began,
        "version": " ".join(f"{p} {importlib.import_module(module(p)).__version__}" for p in packages[1:])}))


def measure(o, key, name, split):
    """Runs a fit and returns what its record tells of it."""
    command = [sys.executable, __file__, "--data", o.data, "--seed", str(o.seed), "--workers", str(o.workers), "--fit", f"{key}:{name}:{split}"]
    began = time.perf_counter()
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, errors = p.stdout.read(), p.stderr.read()
    _, status, usage = os.wait4(p.pid, 0)
    seconds = time.perf_counter() - began
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    if status != 0:
        why = (errors.strip().splitlines() or [f"it ended with status {status}"])[-1]
        return dict(rmse=None, nlpd=None, crps=None, coverage95=None, fit_seconds=seconds, predict_seconds=0, peak_memory=peak, error=why)
    result = json.loads(out)
    return dict(result, fit_seconds=seconds - result["predict_seconds"], peak_memory=peak)


# All fits.

def processor():
    try:
        with open("/proc/cpuinfo") as text:
            return next(line.split(":", 1)[1].strip() for line in text if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def module(package):
    return {"scikit-learn": "sklearn"}.get(package, package)


def missing(packages):
    return [p for p in packages if importlib.util.find_spec(module(p)) is None]


def key_of(record):
    return json.dumps([record[k] for k in ("suite", "set", "split", "method", "options", "seed")])


def finished(path):
    if not path.exists():
        return set()
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        print(f"warning: the last line of {path} is cut off; it is dropped", file=sys.stderr)
        os.truncate(path, len(whole))
    return {key_of(json.loads(line)) for line in whole.splitlines()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder of NAME/data.csv.gz and NAME/test_mask.csv.gz")
    parser.add_argument("--out", default="beziergp-bench")
    parser.add_argument("--sets", default=",".join(SPLITS))
    parser.add_argument("--methods", default="xgboost,lightgbm,histgb")
    parser.add_argument("--splits", type=int, default=10, help="of a set, at most; 10 of the small sets, 5 of the others")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--fit", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.fit:
        o.method, o.set, split = o.fit.split(":")
        o.split = int(split)
        return fit(o)
    methods = o.methods.split(",")
    for what, known, asked in (("method", METHODS, methods), ("set", SPLITS, o.sets.split(","))):
        for name in asked:
            if name not in known:
                sys.exit(f"there is no {what} {name}; there are {', '.join(known)}")
    for method in list(methods):
        if lacking := missing(METHODS[method][1]):
            print(f"{method} is left out: {' and '.join(lacking)} not installed (pip install {' '.join(lacking)})", file=sys.stderr)
            methods.remove(method)
    if not methods:
        sys.exit(1)
    path = pathlib.Path(o.out) / "uci.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    done = finished(path)
    for name in o.sets.split(","):
        for split in range(min(o.splits, SPLITS[name])):
            for method in methods:
                title, packages, options, _ = METHODS[method]
                record = dict(suite="uci", set=name, split=split, method=title, options=options, seed=o.seed)
                if key_of(record) in done:
                    continue
                record.update(rows=0, test_rows=0, inputs=0, version=" ".join(packages[1:]), processor=processor(), workers=o.workers)
                record.update(measure(o, method, name, split), time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
                with open(path, "a") as out:
                    out.write(json.dumps(record) + "\n")
                    out.flush()
                    os.fsync(out.fileno())
                what = record.get("error") or f"RMSE {record['rmse']:.4g}, NLPD {record['nlpd']:.4g}, {record['fit_seconds']:.1f} s"
                print(f"{name} split {split}, {title}: {what}", file=sys.stderr)


if __name__ == "__main__":
    main()
