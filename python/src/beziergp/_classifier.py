"""The estimator of classes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, column_or_1d

from ._estimator import Estimator, finish, one_each
from ._frame import Frame, absent
from ._inputs import inputs, masks_as_missing, whole
from ._results import OutOfFoldClasses
from ._targets import names_of_targets
from ._values import positive, share

Array = NDArray[np.float64]

LAWS = ("auto", "categorical", "bernoulli", "bernoulli-probit")
"""The likelihoods of classes."""


class BezierGPClassifier(ClassifierMixin, Estimator):
    """Bézier Gaussian processes that learn classes from the columns of a table, with calibrated probabilities.

    Of two classes a process is the logit of the probability of the second one, of more each has a process of its own. Tables X, and the recipe,
    are those of `BezierGPRegressor`, and so is what is told of models: the same rows and the same ``random_state`` give the same model, to the
    bit, as ``beziergp fit`` of a CSV file of these rows, in which whole numbers as classes need ``--column y=category``.

    Parameters
    ----------
    likelihood : {"auto", "categorical", "bernoulli", "bernoulli-probit"}
        "auto" is Bernoulli of two classes and categorical of more.
    class_weight : dict, "balanced" or None
        Factors of the weights of rows by label, 1 of labels that are not there; "balanced" gives all classes the same sum of weights.
        Probabilities are then those of a table in which classes count so many times as often.
    effort, budget, random_state, workers, kinds, bounds, out_of_box, shapes, folds, members, steps_factor, verbose
        As those of `BezierGPRegressor`.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The labels, in ascending order.
    n_features_in_, feature_names_in_, interrupted_, feature_importances_
        As those of `BezierGPRegressor`; of three classes and more importances are of all functions, weighted by their variances.
    oof_ : OutOfFoldClasses or None
        Probabilities of training rows by members that were trained without them; None where fit was interrupted.
    """

    def __init__(
        self,
        *,
        likelihood: str = "auto",
        class_weight: Mapping[Any, float] | str | None = None,
        effort: str = "default",
        budget: float | None = None,
        random_state: int | np.random.RandomState | None = None,
        workers: int | None = None,
        kinds: Mapping[str, str] | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        out_of_box: str = "clip",
        shapes: Sequence[str] | None = None,
        folds: int | None = None,
        members: int | None = None,
        steps_factor: float | None = None,
        verbose: int | Callable[[dict[str, Any]], None] = 0,
    ) -> None:
        super().__init__(
            effort=effort, budget=budget, random_state=random_state, workers=workers, kinds=kinds, bounds=bounds, out_of_box=out_of_box,
            shapes=shapes, folds=folds, members=members, steps_factor=steps_factor, verbose=verbose,
        )  # fmt: skip
        self.likelihood = likelihood
        self.class_weight = class_weight

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, groups: ArrayLike | None = None, times: ArrayLike | None = None,
        offset: ArrayLike | None = None,
    ) -> BezierGPClassifier:  # fmt: skip
        """Learn the labels y, [n], texts, whole numbers or truth values, from the rows of X, [n, d].

        An offset, [n], is added to the logit of the second of two classes, and predictions need it then. The rest is as of `BezierGPRegressor`.
        """
        frame = inputs(self, X, fitting=True)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if self.likelihood not in LAWS:
            raise ValueError(f"likelihood {self.likelihood!r} is none of classes; choose one of {', '.join(LAWS)}")
        labels = _labels(y)
        one_each(frame, labels, "y")
        known, first, codes = np.unique(labels, return_index=True, return_inverse=True)
        there = np.unique(codes if sample_weight is None else codes[_check_sample_weight(sample_weight, codes, dtype=np.float64) > 0])
        if len(there) < 2:
            raise ValueError(f"y has {len(there)} class of rows with a weight: there is nothing to learn; give rows of 2 classes or more")

        targets = names_of_targets(y, 1, frame.names)

        def add(frame: Frame) -> None:
            if known.dtype.kind == "b":
                frame.values(targets[0], labels)
            else:
                frame.values(targets[0], np.array(_names(known), dtype=object)[codes])
                frame.categories.append(targets[0])

        own = self._class_weights(known, there)
        if known.dtype.kind != "b":
            own["labels"] = first.tolist()
        unseen = self._learn(frame, targets, add, own, sample_weight, group=groups, time=times, offset=offset)
        self.classes_ = known
        self.oof_ = None
        for oof in unseen:
            observed = known[self._order()[oof["observed"].astype(int)]]
            self.oof_ = OutOfFoldClasses(oof["row"].astype(np.int64), observed, self._by_class(oof))
        finish(self)
        return self

    def _class_weights(self, known: NDArray[Any], there: NDArray[np.intp]) -> dict[str, Any]:
        """Return what the worker is told of the weights of classes, of which some have rows with a weight."""
        given = self.class_weight
        if given is None or given == "balanced":
            return {"balanced": given is not None}
        if not isinstance(given, Mapping):
            raise ValueError(f"class_weight: {given!r} is neither a dict by label, nor 'balanced', nor None")
        weights, labels = [1.0] * len(known), known.tolist()
        for label, weight in given.items():
            if label not in labels:
                raise ValueError(f"class_weight: y has no label {label!r}; it has {labels}")
            k = labels.index(label)
            if k in there:
                weights[k] = positive(f"class_weight of {label!r}", weight)
        return {"class_weights": weights}

    def _order(self) -> NDArray[np.intp]:
        """Return which of classes_ each class of the model is: it has them in the order of their names, and not those of rows without weight."""
        own = self._known_as()
        return np.array([own.index(name) for name in self.model_.about["classes"]])

    def _known_as(self) -> list[str]:
        """Return the names that the model has of classes_."""
        about = self.model_.about
        return list(about.get("labels") or [name for _, name in _labelled(about)])

    def _by_class(self, found: Mapping[str, Array], of: str = "p") -> Array:
        order = self._order()
        out = np.zeros((len(found[f"{of}0"]), len(self.classes_)))
        out[:, order] = np.column_stack([found[f"{of}{k}"] for k in range(len(order))])
        return out

    def predict_proba(self, X: Any, *, offset: ArrayLike | None = None) -> Array:
        """Return the probabilities of the classes, [n, K] in the order of ``classes_``; NaN of rows that ``out_of_box="flag"`` has none of.

        A model that was fitted with offsets needs those of the rows, a number or [n].
        """
        return self._by_class(self._predict(self._asked(X, offset=offset), ["classes"]))

    def predict_log_proba(self, X: Any, *, offset: ArrayLike | None = None) -> Array:
        """Return the logarithms of the probabilities of the classes, [n, K]."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, offset=offset))

    def predict(self, X: Any, *, offset: ArrayLike | None = None) -> NDArray[Any]:
        """Return the likeliest classes, [n]: labels as fit was given them."""
        probabilities = self.predict_proba(X, offset=offset)
        _refuse_lost(probabilities)
        return self.classes_[probabilities.argmax(axis=1)]

    def predict_sets(self, X: Any, level: float = 0.95, *, offset: ArrayLike | None = None) -> NDArray[np.bool_]:
        """Return which classes are in the set of each row, [n, K] in the order of ``classes_``.

        Sets hold the true class with a probability, on average over rows, whatever the calibration: they were found on rows that training had
        not seen. A row that tells little has several classes in its set, and one may have none where no class is likely enough.
        """
        found = self._predict(self._asked(X, offset=offset), ["classes", "sets"], level=share("level", level))
        _refuse_lost(self._by_class(found))
        return self._by_class(found, "s").astype(bool)

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, offset: ArrayLike | None = None) -> float:
        """Return the accuracy, the share of rows whose likeliest class is that of y."""
        return float(accuracy_score(y, self.predict(X, offset=offset), sample_weight=sample_weight))

    def _class(self, label: Any) -> str:
        known = self.classes_.tolist()
        if label not in known:
            raise ValueError(f"label {label!r} is none of the classes {known}")
        return self._known_as()[known.index(label)]

    def _loaded(self, path: str | os.PathLike[str]) -> None:
        about = self.model_.about
        if not about.get("classes"):  # as of several targets
            raise ValueError(f"{path} holds a model of numbers: take BezierGPRegressor.load")
        if self._added() == "exposure":  # a file that a former version wrote
            raise ValueError(f"{path} holds a model of classes with exposures, where only offsets are known here: predict by the program")
        self.classes_ = np.array([label for label, _ in _labelled(about)])
        self.likelihood = about["likelihood"]


def _refuse_lost(probabilities: Array) -> None:
    """Raise ValueError of a row that has no probabilities."""
    lost = np.isnan(probabilities).any(axis=1)
    if lost.any():
        raise ValueError(f'row {lost.argmax() + 1} lies outside the box and has no class: see predict_proba, or fit with out_of_box="clip"')


def _labels(y: Any) -> NDArray[Any]:
    """Return labels, [n], none of them missing. Raises ValueError of what are none."""
    labels = column_or_1d(whole(masks_as_missing(y)), warn=True)
    if labels.dtype.kind in "mM":
        raise ValueError("y holds dates or durations, and labels are texts, whole numbers or truth values: make texts of them")
    if labels.dtype.kind == "O":
        for i, label in enumerate(labels):
            if absent(label):
                raise ValueError(f"Input y contains NaN: the label of row {i + 1} is missing")
    else:
        assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    for label in labels.tolist() if labels.dtype.kind in "OUT" else ():
        if isinstance(label, str) and (not label or label != label.strip()):
            raise ValueError(f"the label {label!r} is empty or has spaces at its ends, which a table has not: rename it")
    return labels


def _names(classes: NDArray[Any]) -> list[str]:
    """Return the names that classes have in a table and in a model file."""
    names = [str(int(label)) if isinstance(label, float) else str(label) for label in classes.tolist()]
    return [name.lower() if name.lower() in ("true", "false") else name for name in names]


def _labelled(about: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """Return labels, in ascending order, of the classes of a model, each with the name there: whole numbers where all names are such."""
    names = about["classes"]
    if about.get("truths"):
        return [(False, "false"), (True, "true")]
    numbers = [_whole(name) for name in names]
    return sorted(zip(names if None in numbers else numbers, names, strict=True))


def _whole(name: str) -> int | None:
    """Return the whole number that a name is of, as a table writes it: 1000000 is 1e+06."""
    if name.removeprefix("-").isdecimal():
        return int(name) if str(int(name)) == name else None
    if re.fullmatch(r"-?[1-9](\.\d+)?e\+\d\d", name) and abs(float(name)) < 2**53:
        return int(float(name)) if float(name).is_integer() else None
    return None
