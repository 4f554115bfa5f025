"""Progress on standard error: one line that changes on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from typing import Any


class Line:
    """Tells of a fit."""

    def __init__(self) -> None:
        self._terminal, self._told, self._width = sys.stderr.isatty(), time.monotonic(), 0

    def __call__(self, event: dict[str, Any]) -> None:
        """Tell of an event."""
        now = time.monotonic()
        if not self._terminal and now - self._told < 10 and event["step"] < event["steps"]:
            return
        self._told = now
        text = f"beziergp: {event['phase']}, {100 * event['step'] // max(1, event['steps'])} %"
        if event["rmse"] is not None:
            text += f", held-out RMSE {event['rmse']:.4g}"
        if event["nlpd"] is not None:
            text += f", held-out NLPD {event['nlpd']:.4g}"
        if event["remaining"] is not None:
            text += f", {event['remaining']:.0f} s left"
        if self._terminal:
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def end(self) -> None:
        """End the line."""
        if self._terminal and self._width:
            sys.stderr.write("\n")
