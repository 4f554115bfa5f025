"""Runs notebooks and writes what their cells show: python run.py [--check] NOTEBOOK…

Jupyter shows the same; this needs nothing but the standard library and what the cells import. With --check nothing is written.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import sys
import time
from pathlib import Path
from typing import Any


def shown(value: Any) -> dict[str, Any]:
    """Return a value as a notebook keeps it."""
    data: dict[str, Any] = {"text/plain": lines(repr(value))}
    if hasattr(value, "savefig"):
        png = io.BytesIO()
        value.savefig(png, dpi=72)
        data["image/png"] = base64.b64encode(png.getvalue()).decode()
    elif callable(getattr(value, "_repr_html_", None)):
        data["text/html"] = lines(value._repr_html_())
    return {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}


def lines(text: str) -> list[str]:
    """Return a text as notebooks have it."""
    return text.splitlines(keepends=True)


def run(cell: dict[str, Any], names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell among names, and return its outputs."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop().value if tree.body and isinstance(tree.body[-1], ast.Expr) else None  # type: ignore[attr-defined]
    said, found = io.StringIO(), None
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            found = eval(compile(ast.Expression(last), "cell", "eval"), names)
    outputs = [{"output_type": "stream", "name": "stdout", "text": lines(said.getvalue())}] if said.getvalue() else []
    return outputs if found is None else [*outputs, shown(found)]


def main() -> None:
    """Run the notebooks that arguments name."""
    check = "--check" in sys.argv
    for path in (Path(a) for a in sys.argv[1:] if a != "--check"):
        began, names = time.monotonic(), {"__name__": "__main__"}
        notebook = json.loads(path.read_text())
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = run(cell, names), None
        if not check:
            path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
        print(f"{path.name}: {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main()
