"""What the annotations say holds together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def test_annotations_are_strict(tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), "src/beziergp"]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
