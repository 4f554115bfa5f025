"""The check of wheels finds what is wrong with one."""

from __future__ import annotations

import importlib.util
import struct
import zipfile
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("check_wheels", Path(__file__).parents[1] / "check_wheels.py")
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
