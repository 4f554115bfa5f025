"""What a fitted estimator tells of what it has learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ._frame import Stream, pairs
from ._inputs import names_of
from ._results import Effect, Effects, Integral, ShapleyValues, Sobol
from ._values import count, seed

Array = NDArray[np.float64]


class Insight:
    """Why predictions are what they are, and what the columns are worth.

    What is told is of f: of a number the target, of other likelihoods their natural parameter, the logit of the second of two classes, or the
    logarithm of an expected count. Each of three classes or more has an f of its own, of which ``label`` chooses one.
    """

    model_: Any
    _frame: Callable[..., Stream]
    _running: Callable[..., dict[str, Any]]

    def _of(self, label: Any) -> dict[str, Any]:
        """Return what chooses a function."""
        check_is_fitted(self)
        return {} if label is None else {"class": self._class(label)}

    def _class(self, label: Any) -> str:
        """Return the name that a model has of a class."""
        return str(label)

    def shapley_values(self, X: Any, background: Any = None, interactions: bool = False, *, label: Any = None) -> ShapleyValues:
        """Return what every column adds to the prediction of every row: exact Shapley values.

        They are against the averages of the training rows, or against the rows of a table ``background``. Columns that the model has not
        learned from have zeros. Columns that the model reads as one, the parts of a date or one-hot columns, share its value equally.
        """
        parts = [self._frame(X)] + ([] if background is None else [self._frame(background)])
        answer = self.model_.ask("explain", self._running(interactions=bool(interactions)) | self._of(label), *parts)
        names, columns = names_of(self), self._features(answer.result["columns"])
        _, found = pairs(answer.body)
        values = np.zeros((len(found[0]), len(names)))
        for at, value in zip(columns, found[1:], strict=False):
            values[:, at] = value[:, None] / len(at)
        matrix = None
        if interactions:
            matrix = np.zeros((len(found[0]), len(names), len(names)))
            rest = iter(found[1 + len(columns) :])
            for i, p in enumerate(columns):
                for q in columns[i + 1 :]:
                    share = next(rest)[:, None, None] / (len(p) * len(q))
                    matrix[np.ix_(range(len(matrix)), p, q)] = matrix[np.ix_(range(len(matrix)), q, p)] = share
        return ShapleyValues(values, answer.result["base"], found[0], names, matrix)

    def _features(self, columns: Sequence[str]) -> list[list[int]]:
        """Return which features of X every column of the model is made of."""
        at = {name: j for j, name in enumerate(names_of(self))}
        known = {column["name"]: column.get("parts", [column["name"]]) for column in self.model_.about["columns"]}
        return [[at[part] for part in known[column]] for column in columns]

    def gradient(self, X: Any, *, label: Any = None) -> tuple[Array, Array]:
        """Return derivatives of the mean of f by the columns, and of its deviation, [n, d] each.

        They are NaN by categories, by columns that the model reads as one and by missing values, and 0 by columns that the model has not
        learned from.
        """
        answer = self.model_.ask("gradient", self._running() | self._of(label), self._frame(X))
        columns = self._features(answer.result["columns"])
        found = pairs(answer.body)[1]
        out = np.zeros((2, len(found[0]), len(names_of(self))))
        for k, part in enumerate((found[: len(columns)], found[len(columns) :])):
            for at, value in zip(columns, part, strict=True):
                out[k][:, at] = value[:, None] if len(at) == 1 else np.nan
        return out[0], out[1]

    def effects(
        self, of: Iterable[str | tuple[str, str]] | None = None, *, points: int | None = None,
        laws: Mapping[str, str] | None = None, at: Mapping[str, Any] | None = None, truncate: bool = False, label: Any = None,
    ) -> Effects:  # fmt: skip
        """Return effects of inputs, by default of all, of pairs where two names are given: averages of f over all other inputs.

        Inputs are independent, with the distributions of the training rows unless laws, as in ``{"x": "uniform(0,1)"}``, say another, or at,
        as in ``{"x": 3}``, a value.
        """
        options = self._of(label) | _laws(laws, at, truncate)
        asked = None if of is None else [[one] if isinstance(one, str) else list(one) for one in of]
        answer = self.model_.ask("effects", options | {"of": asked, "points": count("points", points) or 0})
        found = [
            Effect(
                tuple(e["inputs"]), [np.array(v) for v in e["values"]],
                _array(e["mean"]).reshape([len(v) for v in e["values"]]), _array(e["std"]).reshape([len(v) for v in e["values"]]),
            )
            for e in answer.result["effects"]
        ]  # fmt: skip
        return Effects(answer.result["base"]["mean"], answer.result["base"]["std"], found)

    def sobol(
        self, *, groups: Iterable[Sequence[str]] | None = None, samples: int | None = None, random_state: int | None = 0,
        laws: Mapping[str, str] | None = None, at: Mapping[str, Any] | None = None, truncate: bool = False, pairs: bool = True,
        label: Any = None,
    ) -> Sobol:  # fmt: skip
        """Return Sobol indices of the mean of f: first and second order in closed form, total ones as estimates. Inputs are as in effects."""
        found = self._sobol(groups, samples, random_state, self._of(label) | _laws(laws, at, truncate), pairs)
        return Sobol(
            found["inputs"], _array(found["first"]), _array([t["value"] for t in found["total"]]), _array([t["error"] for t in found["total"]]),
            found["mean"], found["variance"]["value"],
            {tuple(p["inputs"]): p["index"] for p in found["pairs"] or []},
            {tuple(g["inputs"]): (g["closed"]["value"], g["total"]["value"]) for g in found["groups"] or []},
        )  # fmt: skip

    def _sobol(self, groups: Any, samples: int | None, start: Any, options: dict[str, Any], pairs: bool) -> dict[str, Any]:
        options = options | {"samples": count("samples", samples) or 0, "seed": seed(start), "no_pairs": not pairs}
        return self.model_.ask("sensitivity", self._running(groups=None if groups is None else [list(g) for g in groups], **options)).result

    @property
    def feature_importances_(self) -> Array:
        """Shares of the columns' total Sobol indices, [d], which add up to 1.

        Of three classes or more the indices of the functions are weighted by the functions' variances. Columns that the model reads as one
        share its index equally.
        """
        check_is_fitted(self)
        if "_importances" not in self.__dict__:
            classes = self.model_.about.get("classes") or []
            functions = [{"class": name} for name in classes] if len(classes) > 2 else [{}]
            try:
                all_found = [self._sobol(None, None, 0, function, False) for function in functions]
            except (ValueError, RuntimeError) as error:
                raise AttributeError(str(error)) from None
            totals = np.zeros(len(names_of(self)))
            for found in all_found:
                weight = found["variance"]["value"] if len(functions) > 1 else 1.0
                for at, total in zip(self._features(found["columns"]), found["total"], strict=True):
                    totals[at] += weight * max(0.0, total["value"] or 0.0) / len(at)
            self._importances = totals / (totals.sum() or 1.0)
        return self._importances

    def integrate(
        self, X: Any = None, *, minus: Any = None, total: bool = False,
        laws: Mapping[str, str] | None = None, at: Mapping[str, Any] | None = None, truncate: bool = False, random_state: int | None = 0,
        label: Any = None,
    ) -> Integral:  # fmt: skip
        """Return the average of f over its inputs, as in effects, or over the rows of X, with its deviation.

        With total it is the sum over the rows, with minus the difference from that of other rows.
        """
        function = self._of(label)
        if X is None and (minus is not None or total):
            raise ValueError("minus and total need rows X")
        parts = [self._frame(one) for one in (X, minus) if one is not None]
        options = function | _laws(laws, at, truncate) | {"total": bool(total), "seed": seed(random_state)}
        found = self.model_.ask("integrate", self._running(**options), *parts).result
        return Integral(found["mean"], found["std"])

    def inspect(self) -> dict[str, Any]:
        """Return what ``beziergp inspect --json`` prints of the model."""
        check_is_fitted(self)
        return self.model_.ask("inspect", {}).result


def _array(values: Sequence[float | None]) -> Array:
    return np.array([np.nan if v is None else v for v in values], dtype=np.float64)


def _laws(laws: Mapping[str, str] | None, at: Mapping[str, Any] | None, truncate: bool) -> dict[str, Any]:
    return {"laws": dict(laws or {}), "at": {name: _place(value) for name, value in (at or {}).items()}, "truncate": bool(truncate)}


def _place(value: Any) -> str:
    """Return a value as the program reads one: truth values are 0 and 1."""
    return str(int(value)) if isinstance(value, bool | np.bool_) else str(value)
