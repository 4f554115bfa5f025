"""What the estimators share: parameters, fits, and model files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from . import _pool
from ._card import Cards
from ._export import Exports
from ._frame import Frame, Stream, columns
from ._inputs import free, inputs, masks_as_missing
from ._insight import Insight
from ._plots import Plots
from ._progress import Line
from ._values import count, moments, number, pair, positive, seed
from ._worker import Part

Array = NDArray[np.float64]
Own = TypeVar("Own", bound="Estimator")

KEPT = ("_importances", "_outputs")
"""What is computed of a model when it is first asked for."""


class Estimator(Cards, Plots, Exports, Insight, BaseEstimator):
    """A Bézier Gaussian process over the program, of a target of any kind."""

    likelihood: str
    model_: _pool.Model | _pool.Bundle
    interrupted_: bool

    def __init__(
        self, *, effort: str, budget: float | None, random_state: Any, workers: int | None, kinds: Any, bounds: Any, out_of_box: str,
        shapes: Any, folds: int | None, members: int | None, steps_factor: float | None, verbose: int | Callable[[dict[str, Any]], None],
    ) -> None:  # fmt: skip
        self.effort = effort
        self.budget = budget
        self.random_state = random_state
        self.workers = workers
        self.kinds = kinds
        self.bounds = bounds
        self.out_of_box = out_of_box
        self.shapes = shapes
        self.folds = folds
        self.members = members
        self.steps_factor = steps_factor
        self.verbose = verbose

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_outputs", None)  # whose models are in the file
        return state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _learn(
        self, frame: Frame, targets: list[str], add: Callable[[Frame], None], own: Mapping[str, Any],
        sample_weight: ArrayLike | None, **further: ArrayLike | None,
    ) -> list[dict[str, Array]]:  # fmt: skip
        """Fit to the columns of X and of the targets, which are added to them under these names; tell of predictions out of fold by target.

        Own are options of the worker, and further columns that it is told the roles of.
        """
        options = self._options(list(frame.categories), list(frame.names)) | dict(own) | {"targets": targets}
        add(frame)
        if frame.categories and frame.categories[-1] in targets:
            options["kinds"] = options["kinds"] | {frame.categories[-1]: "category"}
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, np.empty(frame.rows), dtype=np.float64, ensure_non_negative=True)
            options["weights"] = free("sample_weight", frame.names)
            frame.numbers(options["weights"], weights)
        for key, values in further.items():
            if values is not None:
                name = key if key in ("exposure", "offset") else f"{key}s"
                given = np.asarray(masks_as_missing(values))
                if given.ndim == 2 and given.shape[1] == 1:
                    given = given[:, 0]
                if given.ndim != 1:
                    raise ValueError(f"{name}: there is one for each row, [n], and the shape is {given.shape}")
                one_each(frame, given, name)
                if key == "time":
                    given = moments(given)
                options[key] = free(key, frame.names)
                frame.values(options[key], given)
        line = Line() if self.verbose and not callable(self.verbose) else None
        progress = self.verbose if callable(self.verbose) else line
        try:
            model, answer = _pool.fit({k: v for k, v in options.items() if v is not None}, frame.stream(), progress)
        finally:
            if line is not None:
                line.end()
        self.model_, self.interrupted_ = model, answer.interrupted
        for kept in KEPT:
            self.__dict__.pop(kept, None)
        return [columns(body) for body in answer.further.get("oof", [])]

    def _options(self, categories: list[str], names: list[str]) -> dict[str, Any]:
        """Return what the worker is asked for."""
        for which, given, like in (("kinds", self.kinds, '{"code": "category"}'), ("bounds", self.bounds, '{"x": (0, 1)}')):
            if given is not None and not isinstance(given, Mapping):
                raise TypeError(f"{which}: {given!r} is no dict by column, such as {like}")
        kinds = dict.fromkeys(categories, "category") | dict(self.kinds or {})
        for which, given in (("kinds", self.kinds), ("bounds", self.bounds)):
            for name in given or {}:
                if name not in names:
                    raise ValueError(f"{which}: X has no column {name!r}; it has {names}")
        bounds = {}
        for name, ends in (self.bounds or {}).items():
            what = f"bounds of {name!r}"
            bounds[name] = [number(what, end) for end in pair(what, ends)]
        if self.effort not in ("fast", "default", "best"):
            raise ValueError(f"effort {self.effort!r} is unknown; choose fast, default or best")
        if isinstance(self.shapes, str) or not all(isinstance(shape, str) for shape in self.shapes or ()):
            raise TypeError(f"shapes is a list of structures, which are texts, and {self.shapes!r} is none")
        return {
            "likelihood": self.likelihood,
            "effort": self.effort,
            "budget": None if self.budget is None else number("budget", self.budget),
            "seed": seed(self.random_state),
            "workers": count("workers", self.workers),
            "kinds": kinds,
            "bounds": bounds,
            "out_of_box": self.out_of_box,
            "shapes": None if self.shapes is None else list(self.shapes),
            "folds": count("folds", self.folds),
            "members": count("members", self.members),
            "steps_factor": None if self.steps_factor is None else positive("steps_factor", self.steps_factor),
            "oof": True,
        }

    def _frame(self, X: Any, offset: ArrayLike | None = None) -> Stream:
        """Return rows as the worker takes them. Without offsets, or exposures, they have those that add nothing."""
        check_is_fitted(self)
        frame = inputs(self, X, fitting=False)
        known = self._added()
        if known is not None:
            neutral = 1.0 if known == "exposure" else 0.0
            values = np.asarray(neutral if offset is None else offset, dtype=np.float64)
            values = np.full(frame.rows, values) if values.ndim == 0 else column_or_1d(values)
            one_each(frame, values, known)
            frame.numbers(self.model_.about["offset"]["column"], values)
        return frame.stream()

    def _added(self) -> str | None:
        """Return what predictions need beside X: "exposure", "offset" or nothing."""
        about = self.model_.about.get("offset")
        return None if about is None else "exposure" if about.get("exposure") else "offset"

    def _asked(self, X: Any, **given: ArrayLike | None) -> Stream:
        """Return rows that y is predicted of, with the exposures or offsets that they need."""
        check_is_fitted(self)
        needed = self._added()
        for name, values in given.items():
            if name == needed and values is None:
                nothing = "1 is of a unit each" if name == "exposure" else "0 adds nothing"
                raise ValueError(f"{name}: the model was fitted with {name}s, and needs those of the rows; {nothing}")
            if name != needed and values is not None:
                raise ValueError(f"{name}: the model was fitted without; give {name}s to fit, too")
        return self._frame(X, None if needed is None else given[needed])

    def _running(self, **options: Any) -> dict[str, Any]:
        return {"workers": count("workers", self.workers) or 0, **options}

    def _predict(self, stream: Part, names: list[str], **options: Any) -> dict[str, Array]:
        """Return columns of predictions, [n], of several targets [n, T]."""
        asked = self._running(columns=names, **options)
        found = [columns(model.ask("predict", asked, stream).body) for model in self.model_.models]
        return found[0] if len(found) == 1 else {name: np.stack([own[name] for own in found], axis=1) for name in found[0]}

    def in_box(self, X: Any) -> NDArray[np.bool_]:
        """Tell of every row whether all its values lie where training rows were, [n]."""
        found = self._predict(self._frame(X), ["in_box"])["in_box"].astype(bool)
        return np.asarray(found if found.ndim == 1 else found.all(axis=1))

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
    def load(cls: type[Own], path: str | os.PathLike[str]) -> Own:
        """Read a model file, one that the program has written, too."""
        model = _pool.Model.load(Path(path).read_bytes())
        about = model.models[0].about
        offset = about.get("offset")
        if about.get("rival"):
            raise ValueError(f"{path} holds a model of another method than bezier")
        estimator = cls()  # type: ignore[call-arg]  # which its children have defaults for
        estimator.model_, estimator.interrupted_, estimator.oof_ = model, False, None
        names = [name for column in about["columns"] for name in column.get("parts", [column["name"]])]  # one may be made of several
        if offset is not None:
            names.remove(offset["column"])
        estimator.n_features_in_, estimator.feature_names_in_ = len(names), np.array(names, dtype=object)
        estimator._loaded(path)
        return estimator

    def _loaded(self, path: str | os.PathLike[str]) -> None:
        """Take over what the model of a file is, or refuse it."""
        raise NotImplementedError


def one_each(frame: Frame, values: Any, what: str) -> None:
    """Raise ValueError unless there are as many values as rows."""
    if len(values) != frame.rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: X has {frame.rows} and {what} {len(values)}")


def finish(estimator: Estimator) -> None:
    """Raise KeyboardInterrupt where Ctrl-C has ended a fit, whose best model is kept."""
    if estimator.interrupted_:
        raise KeyboardInterrupt
