"""What tests share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from beziergp import BezierGPClassifier, BezierGPRegressor
from beziergp._program import program

QUICK: dict[str, Any] = {"effort": "fast", "shapes": ["coarse@1"], "folds": 2, "members": 1, "steps_factor": 0.05, "workers": 1}
"""A recipe that takes a tenth of a second."""


def quick(**further: Any) -> BezierGPRegressor:
    return BezierGPRegressor(**QUICK | further)


def classifier(**further: Any) -> BezierGPClassifier:
    return BezierGPClassifier(**QUICK | further)


def run(*args: str | Path) -> str:
    """Run the program, and return what it prints."""
    return subprocess.run([program(), *map(str, args)], check=True, capture_output=True, text=True).stdout


def fit_csv(path: Path, target: str, *more: str) -> bytes:
    """Have the program fit a CSV file by the quick recipe, and return its model file."""
    out = path.with_suffix(".bgp")
    run("fit", path, "--target", target, "--effort", "fast", "--shapes", "coarse@1", "--folds", "2", "--members", "1", "--steps-factor", "0.05",
        "--seed", "3", "--quiet", "--out", out, *more)  # fmt: skip
    return out.read_bytes()


def python(script: str, *args: str) -> subprocess.Popen[str]:
    """Run a script in an interpreter of its own."""
    return subprocess.Popen([sys.executable, "-c", script, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="session")
def orders() -> pd.DataFrame:
    """A table with columns of every kind, and gaps in them."""
    rng = np.random.default_rng(7)
    n = 400
    begin = pd.Timestamp("2024-01-01 06:00")
    zone = rng.choice(["centre", "harbour", "hills, far"], n)
    distance = rng.gamma(2.0, 1.5, n)
    table = pd.DataFrame(
        {
            "ordered": begin + pd.to_timedelta(rng.integers(0, 400 * 86400, n), unit="s"),
            "zone": pd.Categorical(zone),
            "courier": rng.choice(["Ada", "Bo", "Çem"], n),
            "distance": distance,
            "items": rng.integers(1, 9, n),
            "gift": rng.random(n) < 0.3,
            "weight": rng.normal(2.0, 1.0, n).round(3),
        }
    )
    table["minutes"] = 5 + 4 * distance + 3 * (zone == "harbour") + rng.normal(0, 1.5, n)
    for column, share in (("ordered", 0.02), ("zone", 0.03), ("courier", 0.03), ("weight", 0.1)):
        table.loc[rng.random(n) < share, column] = None
    return table


@pytest.fixture(scope="session")
def numbers() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 4))
    return X, 2 * X[:, 0] + np.sin(2 * X[:, 1]) + 0.1 * rng.normal(size=200)
