"""Checks wheels: their sizes, contents and tags, and that the one of this platform runs where nothing else is.

python check_wheels.py FOLDER [--some]

With --some it need not be all platforms.
"""

from __future__ import annotations

import platform
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MOST = 25_000_000  # bytes

PLATFORMS = {
    "manylinux_2_17_x86_64": ("ELF", 62),
    "manylinux_2_17_aarch64": ("ELF", 183),
    "macosx_12_0_x86_64": ("Mach-O", 0x01000007),
    "macosx_12_0_arm64": ("Mach-O", 0x0100000C),
    "win_amd64": ("PE", 0x8664),
}
"""By tags of wheels, the format of the program in them and the processor that the format says it is for."""

OWN = {
    "linux x86_64": "manylinux_2_17_x86_64",
    "linux aarch64": "manylinux_2_17_aarch64",
    "darwin x86_64": "macosx_12_0_x86_64",
    "darwin arm64": "macosx_12_0_arm64",
    "win32 amd64": "win_amd64",
}
"""Which of them a machine runs."""

USE = """
import numpy as np
from beziergp import BezierGPRegressor
X = np.random.default_rng(0).normal(size=(100, 3))
model = BezierGPRegressor(effort="fast").fit(X, X[:, 0])
mean, std = model.predict(X, return_std=True)
assert abs(mean - X[:, 0]).mean() < 0.1 and std.min() > 0
"""


def built_for(program: bytes) -> tuple[str, int]:
    """Return the format of a program and its processor."""
    if program[:4] == b"\x7fELF":
        return "ELF", struct.unpack_from("<H", program, 18)[0]
    if program[:4] == b"\xcf\xfa\xed\xfe":
        return "Mach-O", struct.unpack_from("<I", program, 4)[0]
    if program[:2] == b"MZ":
        return "PE", struct.unpack_from("<H", program, struct.unpack_from("<I", program, 60)[0] + 4)[0]
    return "unknown", 0


def interpreter(program: bytes) -> bool:
    """Tell whether an ELF program of 64 bits asks for a loader, and so for libraries of the system (a header of type PT_INTERP)."""
    (at,) = struct.unpack_from("<Q", program, 32)
    size, n = struct.unpack_from("<HH", program, 54)
    return any(struct.unpack_from("<I", program, at + k * size)[0] == 3 for k in range(n))


def check(wheel: Path) -> str:
    """Check the contents of a wheel, and return its platform."""
    assert wheel.stat().st_size <= MOST, f"{wheel.name} has {wheel.stat().st_size} bytes, more than {MOST}"
    tag = next((tag for tag in PLATFORMS if tag in wheel.name), None)
    assert tag is not None, f"{wheel.name} is of none of {list(PLATFORMS)}"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        name = next(name for name in names if name.startswith("beziergp/_bin/beziergp"))
        assert archive.getinfo(name).external_attr >> 16 & 0o111, f"{wheel.name}: {name} cannot be run"
        assert {"beziergp/_bin/LICENSE", "beziergp/_bin/NOTICE", "beziergp/py.typed"} <= names, f"{wheel.name} lacks a file"
        about = archive.read(next(n for n in names if n.endswith(".dist-info/WHEEL"))).decode()
        program = archive.read(name)
    assert built_for(program) == PLATFORMS[tag], f"{wheel.name}: the program is {built_for(program)}"
    assert {line.split("-")[-1] for line in about.splitlines() if line.startswith("Tag:")} == set(wheel.stem.split("-")[-1].split(".")), about
    assert "Root-Is-Purelib: false" in about, about
    if tag.startswith("manylinux"):
        assert not interpreter(program), f"the program of {wheel.name} is not static"
        audit(wheel)
    return tag


def audit(wheel: Path) -> None:
    """Have auditwheel look at a wheel for Linux: nothing in it may need more of the system than its tag says."""
    said = subprocess.run([sys.executable, "-m", "auditwheel", "show", str(wheel)], capture_output=True, text=True)
    text = " ".join((said.stdout + said.stderr).split())
    assert "No module named" not in text, f"auditwheel is not installed: {text}"
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
    mine = OWN.get(f"{sys.platform} {platform.machine().lower()}", "none")
    missing = set(PLATFORMS) - {check(wheel) for wheel in wheels}
    assert not missing or "--some" in sys.argv, f"there are no wheels for {sorted(missing)}"
    for wheel in wheels:
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        if mine in wheel.name:
            run(wheel)
            print(f"{wheel.name} runs in an environment of its own")


if __name__ == "__main__":
    main()
