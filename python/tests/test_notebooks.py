"""The notebooks run, and show what their cells print."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"


@pytest.mark.parametrize("name", ["uncertainty", "insight", "surrogate"])
def test_notebooks_run(name):
    pytest.importorskip("matplotlib")
    notebook = FOLDER / f"{name}.ipynb"
    done = subprocess.run([sys.executable, FOLDER / "run.py", "--check", notebook], capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    cells = [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 4
    assert all(cell["outputs"] for cell in cells), "make notebooks writes what cells show"


def test_a_cell_that_fails_ends_the_run(tmp_path):
    bad = {"cells": [{"cell_type": "code", "source": ["1/0\n"], "outputs": []}]}
    (tmp_path / "bad.ipynb").write_text(json.dumps(bad))
    done = subprocess.run([sys.executable, FOLDER / "run.py", "--check", tmp_path / "bad.ipynb"], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "ZeroDivisionError" in done.stderr
