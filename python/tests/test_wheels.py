"""The build makes wheels that the check of wheels finds right, and the check finds what is wrong with others."""

from __future__ import annotations

import importlib.util
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location("check_wheels", PACKAGE / "check_wheels.py")
check_wheels = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_wheels)

ARM = b"\xcf\xfa\xed\xfe" + struct.pack("<I", 0x0100000C) + b"\0" * 64


def wheel(folder, *, tag="macosx_12_0_arm64", program=ARM, mode=0o755, inside=None, pure="false"):
    path = folder / f"beziergp-0.1.0-py3-none-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("beziergp/_bin/beziergp")
        info.external_attr = mode << 16
        archive.writestr(info, program)
        for name in ("beziergp/_bin/LICENSE", "beziergp/_bin/NOTICE", "beziergp/py.typed"):
            archive.writestr(name, "")
        archive.writestr("beziergp-0.1.0.dist-info/WHEEL", f"Root-Is-Purelib: {pure}\nTag: py3-none-{inside or tag}\n")
    return path


def test_what_is_right_and_what_is_wrong(tmp_path):
    assert check_wheels.check(wheel(tmp_path)) == "macosx_12_0_arm64"
    for wrong in ({"tag": "macosx_12_0_x86_64"}, {"mode": 0o644}, {"inside": "any"}, {"pure": "true"}, {"tag": "solaris"}, {"program": b"#!/bin/sh"}):
        with pytest.raises(AssertionError):
            check_wheels.check(wheel(tmp_path, **wrong))


def test_programs_that_need_a_loader(tmp_path):
    def elf(kind):
        header = bytearray(64)
        header[:4] = b"\x7fELF"
        struct.pack_into("<H", header, 18, 62)
        struct.pack_into("<Q", header, 32, 64)
        struct.pack_into("<HH", header, 54, 56, 1)
        return bytes(header) + struct.pack("<I", kind) + b"\0" * 52

    assert check_wheels.built_for(elf(1)) == ("ELF", 62)
    assert not check_wheels.interpreter(elf(1))
    assert check_wheels.interpreter(elf(3))


GO = """#!{python}
import os, sys
if sys.argv[1] == "env":
    print(os.environ["GOOS"], os.environ["GOARCH"], sep="\\n")
else:
    assert os.environ["CGO_ENABLED"] == "0" and "-trimpath" in sys.argv and os.path.isfile("go.mod") and os.path.isdir(sys.argv[-1])
    open(sys.argv[sys.argv.index("-o") + 1], "wb").write({program!r})
    os.chmod(sys.argv[sys.argv.index("-o") + 1], 0o755)
"""


def built(package, out, kind, path, **more):
    """Build by what stands for Go on a path, and return how it went."""
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    return subprocess.run(command, cwd=package, env={**os.environ, "PATH": path, **more}, capture_output=True, text=True, timeout=250)


@pytest.mark.skipif(sys.platform == "win32", reason="what stands for Go is a script")
def test_what_is_built_is_what_the_check_wants(tmp_path):
    """What stands for Go writes a program at once, where Go takes minutes."""
    (tmp_path / "bin").mkdir()
    go = tmp_path / "bin" / "go"
    go.write_text(GO.format(python=sys.executable, program=ARM))
    go.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = built(PACKAGE, tmp_path / "one", "wheel", path, GOOS="darwin", GOARCH="arm64")
    assert done.returncode == 0, done.stderr
    (made,) = (tmp_path / "one").glob("*.whl")
    assert check_wheels.check(made) == "macosx_12_0_arm64"
    done = built(PACKAGE, tmp_path / "none", "wheel", path, GOOS="plan9", GOARCH="arm")
    assert "no wheels for plan9/arm" in done.stderr
    done = built(PACKAGE, tmp_path / "none", "wheel", str(tmp_path))
    assert "needs Go" in done.stderr
    if shutil.which("git") is None or subprocess.run(["git", "rev-parse"], cwd=PACKAGE, capture_output=True).returncode:
        pytest.skip("the sources of an sdist are those that git knows")
    done = built(PACKAGE, tmp_path, "sdist", path)
    assert done.returncode == 0, done.stderr
    (made,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path / "sources")
    assert {"go/go.mod", "go/go.sum", "go/cmd/beziergp/main.go", "go/LICENSE", "go/NOTICE", "src/beziergp/torch.py", "hatch_build.py"} <= names
    assert not [name for name in names if name.endswith("_test.go") or "/testdata/" in name or name.startswith(("go/python", "src/beziergp/_bin"))]
    module = tmp_path / "sources" / made.name.removesuffix(".tar.gz")
    for source in (module / "go").rglob("*.go"):
        for line in source.read_text().splitlines():
            if line.startswith("//go:embed "):
                assert all(list(source.parent.glob(name.removeprefix("all:"))) for name in line.split()[1:]), f"{source}: {line}"
    done = built(module, tmp_path / "again", "wheel", path, GOOS="darwin", GOARCH="arm64")
    assert done.returncode == 0, done.stderr
    assert [check_wheels.check(wheel) for wheel in (tmp_path / "again").glob("*.whl")] == ["macosx_12_0_arm64"]
