"""Measures what a prediction costs above the prediction itself, beside a process of the program a call.

    python measure.py

The least of many runs is told, for what else runs on the machine only adds to it. Transport is what one and the same call takes beyond the seconds
that the worker predicted.
"""

from __future__ import annotations

import csv
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from beziergp import BezierGPRegressor, _pool
from beziergp._frame import columns
from beziergp._program import program


def least(do: Callable[[], object], runs: int) -> float:
    """Return the least time of some runs, in milliseconds."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        do()
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


def main() -> None:
    """Print a table."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 8))
    y = X[:2000, 0] + np.sin(X[:2000, 1])
    model = BezierGPRegressor(effort="fast", shapes=["coarse@1"], folds=2, members=1, steps_factor=0.05).fit(X[:2000], y)
    print("| rows × columns | call | frame made | answered | of which predicting | answer read | transport |\n|---|---|---|---|---|---|---|")
    for rows, runs in ((1, 2000), (100, 500), (100_000, 30)):
        part = X[:rows]
        stream = model._frame(part)
        options = {"columns": ["mean", "std"], "time": True}
        call = least(lambda: model.predict(part, return_std=True), runs)
        made = least(lambda: model._frame(part), runs)
        found, beyond = [], []

        def ask() -> None:
            found.append(model.model_.ask("predict", options, stream))

        answered = least(ask, runs)
        predicting = 1e3 * min(a.result["seconds"] for a in found)
        read = least(lambda: columns(found[-1].body), runs)
        for _ in range(runs):
            begin = time.perf_counter()
            answer = model.model_.ask("predict", options, model._frame(part))
            columns(answer.body)
            beyond.append(1e3 * (time.perf_counter() - begin - answer.result["seconds"]))
        figures = (call, made, answered, predicting, read, min(beyond))
        print(f"| {rows} × 8 | " + " | ".join(f"{v:.3f} ms" for v in figures) + " |")
    with tempfile.TemporaryDirectory() as folder:
        file, table = Path(folder) / "m.bgp", Path(folder) / "t.csv"
        model.save(file)
        with table.open("w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow([f"x{j}" for j in range(8)])
            writer.writerow(X[0])
        process = least(lambda: subprocess.run([program(), "predict", file, table], check=True, capture_output=True), 50)
    print(f"\na process a call: {process:.1f} ms for one row; {len(_pool._pool._all)} worker")


if __name__ == "__main__":
    main()
