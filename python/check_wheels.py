"""Checks wheels: their sizes and contents, and that the one of this platform runs where nothing else is.

python check_wheels.py FOLDER
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

MOST = 25_000_000  # bytes

USE = """
import numpy as np
from beziergp import BezierGPRegressor
X = np.random.default_rng(0).normal(size=(100, 3))
model = BezierGPRegressor(effort="fast").fit(X, X[:, 0])
mean, std = model.predict(X, return_std=True)
assert abs(mean - X[:, 0]).mean() < 0.1 and std.min() > 0
"""


def check(wheel: Path) -> None:
    """Check the contents of a wheel."""
    assert wheel.stat().st_size <= MOST, f"{wheel.name} has {wheel.stat().st_size} bytes, more than {MOST}"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        program = next(name for name in names if name.startswith("beziergp/_bin/beziergp"))
        assert archive.getinfo(program).external_attr >> 16 & 0o111, f"{wheel.name}: {program} cannot be run"
        assert {"beziergp/_bin/LICENSE", "beziergp/_bin/NOTICE", "beziergp/py.typed"} <= names, f"{wheel.name} lacks a file"
    if "manylinux" in wheel.name:
        said = subprocess.run([sys.executable, "-m", "auditwheel", "show", str(wheel)], capture_output=True, text=True)
        text = " ".join((said.stdout + said.stderr).split())
        least = re.search(r'platform tag: "manylinux_2_(\d+)_', text)
        assert "GLIBC" not in text and (least is None or int(least[1]) <= 17), f"the program of {wheel.name} is not static: {text}"
        print(f"auditwheel of {wheel.name}: {text}")


def run(wheel: Path) -> None:
    """Install a wheel into an environment of its own, and use it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.check_call([sys.executable, "-m", "venv", folder])
        python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python")
        subprocess.check_call([python, "-m", "pip", "install", "--quiet", str(wheel)])
        subprocess.check_call([python, "-c", USE], cwd=folder, env={"PATH": folder})


def main() -> None:
    """Check all wheels of a folder."""
    wheels = sorted(Path(sys.argv[1]).glob("*.whl"))
    assert wheels, f"there are no wheels in {sys.argv[1]}"
    own = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    mine = {"linux_x86_64": "manylinux2014_x86_64", "linux_aarch64": "manylinux2014_aarch64"}.get(own, own.split("_")[0])
    for wheel in wheels:
        check(wheel)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        if mine in wheel.name:
            run(wheel)
            print(f"{wheel.name} runs in an environment of its own")


if __name__ == "__main__":
    main()
