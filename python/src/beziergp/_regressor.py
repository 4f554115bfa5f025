"""The estimator."""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, _check_y, check_is_fitted, column_or_1d

from . import _pool
from ._distribution import Distribution
from ._frame import Frame, columns, pairs
from ._inputs import free, inputs, names_of
from ._progress import Line
from ._results import Effect, Effects, Integral, OutOfFold, ShapleyValues, Sobol

Array = NDArray[np.float64]


class BezierGPRegressor(RegressorMixin, BaseEstimator):
    """A Bézier Gaussian process that learns a number from the columns of a table, with calibrated uncertainty.

    It is the default recipe of the program beziergp: the structure is chosen on held-out rows, an ensemble is trained by cross-fitting, and the
    distribution of the errors is learned from out-of-fold predictions. The same rows and the same ``random_state`` give the same model, to the
    bit, as ``beziergp fit`` of a CSV file of these rows.

    X is a data frame of pandas, polars or pyarrow, whose columns may be numbers, truth values, texts, categories, dates and times with missing
    values, or a matrix of numbers, in which NaN is a missing value. A text column is read as a column of a file is: one whose texts are all
    numbers is a column of numbers, unless it has the type of a category.

    Parameters
    ----------
    effort : {"fast", "default", "best"}
        How much work the recipe does: seconds, about a minute for tens of thousands of rows, several times that.
    budget : float or None
        Seconds after which the best model so far is taken. With a budget the model depends on the speed of the machine.
    random_state : int, RandomState instance or None
        Start of the random numbers. None is 0: the same every time.
    workers : int or None
        Processors to use, by default all. Nothing depends on it but the time.
    kinds : dict or None
        Columns whose kind is not to be inferred, by name: "numeric", "boolean", "category" or "datetime". Columns of a matrix are x0, x1 and so
        on.
    bounds : dict or None
        Intervals of inputs, by name; by default what the rows span.
    out_of_box : {"clip", "error", "flag"}
        What becomes of rows beyond the bounds when predicting: they are moved to the nearest bound, refused, or predicted as NaN.
    target_transform : {None, "log1p"}
        "log1p" learns log(1 + y), for counts and sizes.
    target_range : tuple or None
        Where the target can lie, as in ``(0, None)``; predictions stay within.
    shapes, folds, members, steps_factor
        Structures to choose from, parts of the rows, cross-fitted members, and a factor of the steps of all fits, in place of what the effort
        says; as the flags of ``beziergp fit``.
    verbose : int or callable
        1 tells of progress on standard error; a function is called with a dict of phase, step, steps, part, parts, rmse and remaining.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        Those of X in fit; names where X has them.
    oof_ : OutOfFold or None
        Predictions of training rows by members that were trained without them; None where fit was interrupted.
    interrupted_ : bool
        Whether Ctrl-C ended fit early, and this is the best model until then.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Shares of total Sobol indices, which add up to 1. Computed when first asked for.
    """

    def __init__(
        self,
        *,
        effort: str = "default",
        budget: float | None = None,
        random_state: int | np.random.RandomState | None = None,
        workers: int | None = None,
        kinds: Mapping[str, str] | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        out_of_box: str = "clip",
        target_transform: str | None = None,
        target_range: tuple[float | None, float | None] | None = None,
        shapes: Sequence[str] | None = None,
        folds: int | None = None,
        members: int | None = None,
        steps_factor: float | None = None,
        verbose: int | Callable[[dict[str, Any]], None] = 0,
    ) -> None:
        self.effort = effort
        self.budget = budget
        self.random_state = random_state
        self.workers = workers
        self.kinds = kinds
        self.bounds = bounds
        self.out_of_box = out_of_box
        self.target_transform = target_transform
        self.target_range = target_range
        self.shapes = shapes
        self.folds = folds
        self.members = members
        self.steps_factor = steps_factor
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, groups: ArrayLike | None = None, times: ArrayLike | None = None
    ) -> BezierGPRegressor:
        """Learn y, [n], from the rows of X, [n, d].

        Weights are of rows, from 0 on. With groups, of customers or sites, whole groups are held out wherever the recipe chooses and calibrates,
        and with times stretches of time: give those of which new rows are others, or later. Ctrl-C ends a fit; the best model so far is kept,
        if there is one, and KeyboardInterrupt is raised.
        """
        frame = inputs(self, X, fitting=True)
        names = list(frame.names)
        categories = list(frame.categories)  # before columns that are none of X
        options = self._options(categories, names)
        target = getattr(y, "name", None)
        options["target"] = free(target if isinstance(target, str) and target and target not in names else "y", names)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        observed = _check_y(y, multi_output=False, y_numeric=True).astype(np.float64)
        self._one_each(frame, observed, "y")
        frame.numbers(options["target"], observed)
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, observed, dtype=np.float64, ensure_non_negative=True)
            options["weights"] = free("sample_weight", frame.names)
            frame.numbers(options["weights"], weights)
        for key, values in (("group", groups), ("time", times)):
            if values is not None:
                own = column_or_1d(np.asarray(values), dtype=None) if np.asarray(values).dtype.kind != "M" else np.asarray(values)
                self._one_each(frame, own, f"{key}s")
                options[key] = free(key, frame.names)
                frame.values(options[key], own)
        line = Line() if self.verbose and not callable(self.verbose) else None
        progress = self.verbose if callable(self.verbose) else line
        try:
            model, answer = _pool.fit({k: v for k, v in options.items() if v is not None}, frame.stream(), progress)
        finally:
            if line is not None:
                line.end()
        self.model_, self.interrupted_ = model, answer.interrupted
        self.oof_ = OutOfFold(**_renamed(columns(answer.further["oof"]))) if "oof" in answer.further else None
        self.__dict__.pop("_importances", None)
        if answer.interrupted:
            raise KeyboardInterrupt
        return self

    def _one_each(self, frame: Frame, values: NDArray[Any], what: str) -> None:
        if len(values) != frame.rows:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: X has {frame.rows} and {what} {len(values)}")

    def _options(self, categories: list[str], names: list[str]) -> dict[str, Any]:
        """Return what the worker is asked for."""
        kinds = dict.fromkeys(categories, "category") | dict(self.kinds or {})
        for which, given in (("kinds", self.kinds), ("bounds", self.bounds)):
            for name in given or {}:
                if name not in names:
                    raise ValueError(f"{which}: X has no column {name!r}; it has {names}")
        bounds = {name: [_number("bounds", end) for end in ends] for name, ends in (self.bounds or {}).items()}
        low, high = self.target_range or (None, None)
        if self.effort not in ("fast", "default", "best"):
            raise ValueError(f"effort {self.effort!r} is unknown; choose fast, default or best")
        if isinstance(self.shapes, str):
            raise TypeError("shapes is a list of structures, not one text")
        return {
            "effort": self.effort,
            "budget": None if self.budget is None else _number("budget", self.budget),
            "seed": _seed(self.random_state),
            "workers": _count("workers", self.workers),
            "kinds": kinds,
            "bounds": bounds,
            "out_of_box": self.out_of_box,
            "target_transform": self.target_transform,
            "range": None if self.target_range is None else f"{'' if low is None else low}:{'' if high is None else high}",
            "shapes": None if self.shapes is None else list(self.shapes),
            "folds": _count("folds", self.folds),
            "members": _count("members", self.members),
            "steps_factor": None if self.steps_factor is None else _positive("steps_factor", self.steps_factor),
            "oof": True,
        }

    def _frame(self, X: Any) -> list[bytes]:
        check_is_fitted(self)
        return inputs(self, X, fitting=False).stream()

    def _running(self, **options: Any) -> dict[str, Any]:
        return {"workers": _count("workers", self.workers) or 0, **options}

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False, quantiles: ArrayLike | None = None) -> Array | tuple[Array, Array]:
        """Return the predicted means, [n].

        With return_std their deviations, [n], stand beside them: those of a new observation, its noise included. With return_cov it is the
        covariance matrix of new observations, [n, n], with quantiles, probabilities [q], an array [n, q].
        """
        wanted = sum([return_std, return_cov, quantiles is not None])
        if wanted > 1:
            raise RuntimeError("At most one of return_std, return_cov and quantiles can be requested.")
        stream = self._frame(X)
        if quantiles is not None:
            out = self._predict(stream, ["mean"], quantiles=_levels(quantiles))
            return out.pop("mean"), np.column_stack(list(out.values()))
        if return_cov:
            if self.target_transform is not None:
                raise ValueError("return_cov: the model learned log(1 + y), of which covariances are no covariances of y")
            out = self._predict(stream, ["mean", "std"])
            flat = columns(self.model_.ask("covariance", {}, stream).body)["covariance"]
            covariance = flat.reshape(len(out["mean"]), -1).copy()
            np.fill_diagonal(covariance, out["std"] ** 2)
            return out["mean"], covariance
        out = self._predict(stream, ["mean", "std"] if return_std else ["mean"])
        return (out["mean"], out["std"]) if return_std else out["mean"]

    def _predict(self, stream: Iterable[bytes], names: list[str], **options: Any) -> dict[str, Array]:
        return columns(self.model_.ask("predict", self._running(columns=names, **options), stream).body)

    def predict_interval(self, X: Any, level: float = 0.95) -> Array:
        """Return the ends of central intervals that hold new observations with a probability, [n, 2]."""
        out = self._predict(self._frame(X), ["lower", "upper"], level=_share("level", level))
        return np.column_stack([out["lower"], out["upper"]])

    def predict_quantiles(self, X: Any, quantiles: ArrayLike) -> Array:
        """Return quantiles of the predicted distributions at probabilities [q], [n, q]."""
        out = self._predict(self._frame(X), [], quantiles=_levels(quantiles))
        return np.column_stack(list(out.values()))

    def predict_distribution(self, X: Any) -> Distribution:
        """Return the predicted distributions of new observations."""
        answer = self.model_.ask("predict", self._running(columns=["mean", "std", "location", "scale", "density"]), self._frame(X))
        parts = columns(answer.body)
        return Distribution(parts.pop("mean"), parts.pop("std"), parts, answer.result)

    def in_box(self, X: Any) -> NDArray[np.bool_]:
        """Tell of every row whether all its values lie where training rows were, [n]."""
        return self._predict(self._frame(X), ["in_box"])["in_box"].astype(bool)

    def sample_y(self, X: Any, n_samples: int = 1, random_state: int | np.random.RandomState | None = 0) -> Array:
        """Draw functions from the posterior, each at all rows together, [n, n_samples].

        They are draws of f, without the noise of an observation: ``predict_distribution(X).sample`` has that, row by row.
        """
        answer = self.model_.ask("sample", self._running(draws=_count("n_samples", n_samples), seed=_seed(random_state)), self._frame(X))
        return np.column_stack(pairs(answer.body)[1])

    def shapley_values(self, X: Any, background: Any = None, interactions: bool = False) -> ShapleyValues:
        """Return what every column adds to the prediction of every row: exact Shapley values.

        They are against the averages of the training rows, or against the rows of a table ``background``. Columns that the model has not
        learned from have zeros.
        """
        parts = [self._frame(X)] + ([] if background is None else [self._frame(background)])
        answer = self.model_.ask("explain", self._running(interactions=bool(interactions)), *parts)
        names = names_of(self)
        at = [names.index(column) for column in answer.result["columns"]]
        _, found = pairs(answer.body)
        values = np.zeros((len(found[0]), len(names)))
        values[:, at] = np.column_stack(found[1 : 1 + len(at)])
        matrix = None
        if interactions:
            matrix = np.zeros((len(found[0]), len(names), len(names)))
            rest = iter(found[1 + len(at) :])
            for i, p in enumerate(at):
                for q in at[i + 1 :]:
                    matrix[:, p, q] = matrix[:, q, p] = next(rest)
        return ShapleyValues(values, answer.result["base"], found[0], names, matrix)

    def gradient(self, X: Any) -> tuple[Array, Array]:
        """Return derivatives of the mean of f by the columns, and of its deviation, [n, d] each.

        They are NaN by categories and missing values, and 0 by columns that the model has not learned from.
        """
        answer = self.model_.ask("gradient", self._running(), self._frame(X))
        names = names_of(self)
        at = [names.index(column) for column in answer.result["columns"]]
        found = pairs(answer.body)[1]
        out = np.zeros((2, len(found[0]), len(names)))
        for k, part in enumerate((found[: len(at)], found[len(at) :])):
            out[k][:, at] = np.column_stack(part)
        return out[0], out[1]

    def effects(
        self, of: Iterable[str | tuple[str, str]] | None = None, *, points: int | None = None,
        laws: Mapping[str, str] | None = None, at: Mapping[str, Any] | None = None, truncate: bool = False,
    ) -> Effects:  # fmt: skip
        """Return effects of inputs, by default of all, of pairs where two names are given: averages of f over all other inputs.

        Inputs are independent, with the distributions of the training rows unless laws, as in ``{"x": "uniform(0,1)"}``, say another, or at,
        as in ``{"x": 3}``, a value.
        """
        check_is_fitted(self)
        asked = None if of is None else [[one] if isinstance(one, str) else list(one) for one in of]
        answer = self.model_.ask("effects", _laws(laws, at, truncate) | {"of": asked, "points": _count("points", points) or 0})
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
    ) -> Sobol:  # fmt: skip
        """Return Sobol indices of the mean of f: first and second order in closed form, total ones as estimates. Inputs are as in effects."""
        found = self._sobol(groups, samples, random_state, _laws(laws, at, truncate), pairs)
        return Sobol(
            found["inputs"], _array(found["first"]), _array([t["value"] for t in found["total"]]), _array([t["error"] for t in found["total"]]),
            found["mean"], found["variance"]["value"],
            {tuple(p["inputs"]): p["index"] for p in found["pairs"] or []},
            {tuple(g["inputs"]): (g["closed"]["value"], g["total"]["value"]) for g in found["groups"] or []},
        )  # fmt: skip

    def _sobol(self, groups: Any, samples: int | None, seed: Any, laws: dict[str, Any], pairs: bool) -> dict[str, Any]:
        check_is_fitted(self)
        options = laws | {"samples": _count("samples", samples) or 0, "seed": _seed(seed), "no_pairs": not pairs}
        return self.model_.ask("sensitivity", self._running(groups=None if groups is None else [list(g) for g in groups], **options)).result

    @property
    def feature_importances_(self) -> Array:
        """Shares of the columns' total Sobol indices, [d], which add up to 1."""
        check_is_fitted(self)
        if "_importances" not in self.__dict__:
            try:
                found = self._sobol(None, None, 0, {}, False)
            except ValueError as error:
                raise AttributeError(str(error)) from None
            names = names_of(self)
            totals = np.zeros(len(names))
            for column, total in zip(found["columns"], found["total"], strict=True):
                totals[names.index(column)] += max(0.0, total["value"] or 0.0)
            self._importances = totals / (totals.sum() or 1.0)
        return self._importances

    def integrate(
        self, X: Any = None, *, minus: Any = None, total: bool = False,
        laws: Mapping[str, str] | None = None, at: Mapping[str, Any] | None = None, truncate: bool = False, random_state: int | None = 0,
    ) -> Integral:  # fmt: skip
        """Return the average of f over its inputs, as in effects, or over the rows of X, with its deviation.

        With total it is the sum over the rows, with minus the difference from that of other rows.
        """
        check_is_fitted(self)
        if X is None and (minus is not None or total):
            raise ValueError("minus and total need rows X")
        parts = [self._frame(one) for one in (X, minus) if one is not None]
        found = self.model_.ask("integrate", self._running(total=bool(total), seed=_seed(random_state), **_laws(laws, at, truncate)), *parts).result
        return Integral(found["mean"], found["std"])

    def inspect(self) -> dict[str, Any]:
        """Return what ``beziergp inspect --json`` prints of the model."""
        check_is_fitted(self)
        return self.model_.ask("inspect", {}).result

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, which the program reads, too."""
        check_is_fitted(self)
        target = Path(path)
        aside = target.with_name(f".{target.name}.{os.getpid()}.beziergp-tmp")
        try:
            aside.write_bytes(self.model_.file)
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> BezierGPRegressor:
        """Read a model file, one that the program has written, too."""
        model = _pool.Model.load(Path(path).read_bytes())
        if model.about.get("rival"):
            raise ValueError(f"{path} holds a model of another method than bezier")
        estimator = cls()
        estimator.model_, estimator.interrupted_, estimator.oof_ = model, False, None
        names = [column["name"] for column in model.about["columns"]]
        estimator.n_features_in_, estimator.feature_names_in_ = len(names), np.array(names, dtype=object)
        return estimator


def _renamed(found: dict[str, Any]) -> dict[str, Any]:
    return {"rows" if name == "row" else name: values for name, values in found.items()}


def _array(values: Sequence[float | None]) -> Array:
    return np.array([np.nan if v is None else v for v in values], dtype=np.float64)


def _laws(laws: Mapping[str, str] | None, at: Mapping[str, Any] | None, truncate: bool) -> dict[str, Any]:
    return {"laws": dict(laws or {}), "at": {name: str(value) for name, value in (at or {}).items()}, "truncate": bool(truncate)}


def _levels(quantiles: ArrayLike) -> list[float]:
    levels = np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
    if levels.ndim != 1 or not np.all((levels > 0) & (levels < 1)) or len(set(levels)) < len(levels):
        raise ValueError("quantiles must be different probabilities above 0 and below 1")
    return [float(q) for q in levels]


def _number(name: str, value: Any) -> float:
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not np.isfinite(value):
        raise ValueError(f"{name}: {value!r} is no finite number")
    return float(value)


def _positive(name: str, value: Any) -> float:
    if _number(name, value) <= 0:
        raise ValueError(f"{name}: {value!r}; it must be above 0")
    return float(value)


def _share(name: str, value: Any) -> float:
    if not 0 < _number(name, value) < 1:
        raise ValueError(f"{name}: {value!r}; it must be above 0 and below 1")
    return float(value)


def _count(name: str, value: Any) -> int | None:
    if value is None:
        return None
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}: {value!r}; it must be a whole number from 1 on")
    return int(value)


def _seed(random_state: Any) -> int:
    if random_state is None:
        return 0
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state: {random_state}; it must be from 0 on")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
