"""Which program answers: that of the wheel, or the one that BEZIERGP_PROGRAM names."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def program() -> str:
    """Return the path of the beziergp program that fits and predicts."""
    chosen = os.environ.get("BEZIERGP_PROGRAM")
    if chosen:
        return chosen
    name = "beziergp.exe" if sys.platform == "win32" else "beziergp"
    own = Path(__file__).parent / "_bin" / name
    if own.is_file():
        return str(own)
    raise FileNotFoundError(
        f"this installation of beziergp has no program at {own}: install a wheel of your platform, or name a program by the "
        "environment variable BEZIERGP_PROGRAM (go build ./cmd/beziergp makes one)"
    )
