"""A model as other programs take it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ._frame import columns


class Exports:
    """What an estimator has for other programs."""

    model_: Any

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """Return the model as an ONNX file, and write it to a path, if there is one.

        It takes a tensor a column, [n, 1], and has the outputs mean, std and in_box, [n, 1]. Its metadata say what is not exported.
        """
        check_is_fitted(self)
        file = bytes(self.model_.ask("export", {"to": "onnx"}).body)
        if path is not None:
            Path(path).write_bytes(file)
        return file

    def onnx_inputs(self, X: Any) -> dict[str, NDArray[Any]]:
        """Return the tensors of X, [n, 1] each by name, that ``to_onnx()`` takes: levels by their numbers, dates in seconds."""
        answer = self.model_.ask("numbers", {}, self._frame(X))  # type: ignore[attr-defined]
        tensors = {}
        offset = (self.model_.about.get("offset") or {}).get("column")
        for about, values in zip(answer.result["inputs"], columns(answer.body).values(), strict=True):
            if about["column"] == offset:
                continue
            if about["kind"] == "category":
                values = np.where(np.isnan(values), -1, values).astype(np.int64)
            tensors[about["tensor"]] = values.reshape(-1, 1)
        return tensors
