"""The estimator of numbers, counts and amounts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from ._classifier import LAWS as OF_CLASSES
from ._distribution import Distribution
from ._estimator import Array, Estimator, finish, one_each
from ._frame import columns, pairs
from ._inputs import inputs
from ._pool import Model
from ._results import OutOfFold
from ._targets import average_r2, names_of_targets, numbers_of
from ._values import count, levels, number, pair, seed, share


class BezierGPRegressor(MultiOutputMixin, RegressorMixin, Estimator):
    """A Bézier Gaussian process that learns a number, or several, from the columns of a table, with calibrated uncertainty.

    It is the default recipe of the program beziergp: the structure is chosen on held-out rows, an ensemble is trained by cross-fitting, and the
    distribution of the errors is learned from out-of-fold predictions. The same rows and the same ``random_state`` give the same model, to the
    bit, as ``beziergp fit`` of a CSV file of these rows.

    X is a data frame of pandas, polars or pyarrow, whose columns may be numbers, truth values, texts, categories, dates and times with missing
    values, or a matrix of numbers, in which NaN is a missing value. A text column is read as a column of a file is: one whose texts are all
    numbers is a column of numbers, unless it has the type of a category.

    Parameters
    ----------
    likelihood : str
        The law of the target given the inputs: "gaussian", a number with errors around it, whose distribution is learned; for counts "poisson",
        "negative-binomial" or "zero-inflated-poisson", for amounts "gamma", "log-normal", "exponential" or "tweedie"
        ("tweedie:power=1.5" does not learn the power), for shares "beta", for levels 0, 1, 2, … in an order "ordinal", for numbers with
        outliers "student".
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
        Where the target can lie, as in ``(0, None)``; predictions stay within. Like the transform it holds of all of several targets.
    share : {"auto", "all", "none"}
        Of several targets: whether they share a process, which learns of the inputs from all of them. "auto" learns a target alone where held-out
        rows gain by that.
    shapes, folds, members, steps_factor
        Structures to choose from, parts of the rows, cross-fitted members, and a factor of the steps of all fits, in place of what the effort
        says; as the flags of ``beziergp fit``.
    verbose : int or callable
        1 tells of progress on standard error; a function is called with a dict of phase, step, steps, part, parts, rmse, nlpd and remaining. Of
        several targets rmse is that of all, in deviations.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        Those of X in fit; names where X has them.
    oof_ : OutOfFold or None
        Predictions of training rows by members that were trained without them; None where fit was interrupted.
    outputs_ : dict
        A fitted estimator of every target by its name, for what is told of one target alone. Of a single target it is the estimator itself.
    interrupted_ : bool
        Whether Ctrl-C ended fit early, and this is the best model until then.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Shares of total Sobol indices, which add up to 1. Computed when first asked for.
    """

    def __init__(
        self,
        *,
        likelihood: str = "gaussian",
        effort: str = "default",
        budget: float | None = None,
        random_state: int | np.random.RandomState | None = None,
        workers: int | None = None,
        kinds: Mapping[str, str] | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        out_of_box: str = "clip",
        target_transform: str | None = None,
        target_range: tuple[float | None, float | None] | None = None,
        share: str = "auto",
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
        self.target_transform = target_transform
        self.target_range = target_range
        self.share = share

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, groups: ArrayLike | None = None, times: ArrayLike | None = None,
        exposure: ArrayLike | None = None, offset: ArrayLike | None = None,
    ) -> BezierGPRegressor:  # fmt: skip
        """Learn y, [n], or several targets, [n, T], from the rows of X, [n, d].

        Several targets are numbers with errors around them, and a model of each comes of them. NaN is one that the row lacks, and a row without any
        is left out. They have the names of a data frame's columns, or y0, y1 and so on.

        Weights are of rows, from 0 on. With groups, of customers or sites, whole groups are held out wherever the recipe chooses and calibrates,
        and with times stretches of time: give those of which new rows are others, or later. Counts and amounts are expected in proportion to an
        exposure above 0, of years or of persons, which predictions need then; an offset is added to the natural parameter f, which is a logarithm for
        them. Ctrl-C ends a fit; the best model so far is kept, if there is one, and KeyboardInterrupt is raised.
        """
        frame = inputs(self, X, fitting=True)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if self.likelihood in OF_CLASSES and self.likelihood != "auto":
            raise ValueError(f"likelihood {self.likelihood!r} is of classes: take BezierGPClassifier")

        observed = numbers_of(y, self)
        one_each(frame, observed, "y")
        table = observed.reshape(frame.rows, -1)
        targets = names_of_targets(y, table.shape[1], frame.names)
        low, high = (None, None) if self.target_range is None else pair("target_range", self.target_range)
        ends = ["" if end is None else str(number("target_range", end)) for end in (low, high)]
        own = {
            "share": None if self.share == "auto" else self.share,
            "target_transform": self.target_transform,
            "range": None if self.target_range is None else ":".join(ends),
        }
        unseen = self._learn(
            frame, targets, lambda frame: frame.matrix(targets, table), own, sample_weight, group=groups, time=times, exposure=exposure, offset=offset
        )
        self.oof_ = OutOfFold.of(unseen)
        finish(self)
        return self

    @property
    def outputs_(self) -> dict[str, BezierGPRegressor]:
        """A fitted estimator of every target by its name."""
        check_is_fitted(self)
        if len(self.model_.models) == 1:
            return {self.model_.models[0].about["target"]: self}
        if "_outputs" not in self.__dict__:
            self._outputs = {model.about["target"]: self._output(t, model) for t, model in enumerate(self.model_.models)}
        return self._outputs

    def _output(self, t: int, model: Model) -> BezierGPRegressor:
        own = type(self)(**self.get_params(deep=False)).set_params(share="auto")
        own.model_, own.interrupted_, own.n_features_in_ = model, self.interrupted_, self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            own.feature_names_in_ = self.feature_names_in_
        own.oof_ = None if self.oof_ is None else self.oof_.output(t)
        return own

    def _law(self) -> str:
        return self.model_.about.get("likelihood", "gaussian")

    def predict(
        self, X: Any, return_std: bool = False, return_cov: bool = False, quantiles: ArrayLike | None = None, *,
        exposure: ArrayLike | None = None, offset: ArrayLike | None = None,
    ) -> Array | tuple[Array, Array]:  # fmt: skip
        """Return the predicted means, [n], of several targets [n, T].

        With return_std their deviations, [n] or [n, T], stand beside them: those of a new observation, its noise included. With return_cov it is the
        covariance matrix of new observations, [n, n], with quantiles, probabilities [q], an array [n, q] or [n, T, q].
        A model that was fitted with exposures, or offsets, needs those of the rows, a number or [n].
        """
        wanted = sum([return_std, return_cov, quantiles is not None])
        if wanted > 1:
            raise RuntimeError("At most one of return_std, return_cov and quantiles can be requested.")
        stream = self._asked(X, exposure=exposure, offset=offset)
        if quantiles is not None:
            out = self._predict(stream, ["mean"], quantiles=levels(quantiles))
            return out.pop("mean"), np.stack(list(out.values()), axis=-1)
        if return_cov:
            if self._law() != "gaussian":
                raise ValueError(f"return_cov: the likelihood is {self._law()}, of which covariances of f are no covariances of y")
            if self.target_transform is not None:
                raise ValueError("return_cov: the model learned log(1 + y), of which covariances are no covariances of y")
            out = self._predict(stream, ["mean", "std"])
            flat = columns(self.model_.ask("covariance", {}, stream).body)["covariance"]
            covariance = flat.reshape(len(out["mean"]), -1).copy()
            np.fill_diagonal(covariance, out["std"] ** 2)
            return out["mean"], covariance
        out = self._predict(stream, ["mean", "std"] if return_std else ["mean"])
        return (out["mean"], out["std"]) if return_std else out["mean"]

    def predict_interval(self, X: Any, level: float = 0.95, *, exposure: ArrayLike | None = None, offset: ArrayLike | None = None) -> Array:
        """Return the ends of central intervals that hold new observations with a probability, [n, 2] or [n, T, 2]."""
        out = self._predict(self._asked(X, exposure=exposure, offset=offset), ["lower", "upper"], level=share("level", level))
        return np.stack([out["lower"], out["upper"]], axis=-1)

    def predict_quantiles(self, X: Any, quantiles: ArrayLike, *, exposure: ArrayLike | None = None, offset: ArrayLike | None = None) -> Array:
        """Return quantiles of the predicted distributions at probabilities [q], [n, q] or [n, T, q]."""
        out = self._predict(self._asked(X, exposure=exposure, offset=offset), [], quantiles=levels(quantiles))
        return np.stack(list(out.values()), axis=-1)

    def predict_distribution(self, X: Any, *, exposure: ArrayLike | None = None, offset: ArrayLike | None = None) -> Distribution:
        """Return the predicted distributions of new observations; of counts and levels ``pdf`` has the probabilities."""
        names = ["mean", "std", "location", "scale", "density"]
        answer = self.model_.ask("predict", self._running(columns=names), self._asked(X, exposure=exposure, offset=offset))
        parts = columns(answer.body)
        return Distribution(parts.pop("mean"), parts.pop("std"), parts, answer.result, self.model_.models[0] if answer.result.get("law") else None)

    def sample_y(self, X: Any, n_samples: int = 1, random_state: int | np.random.RandomState | None = 0) -> Array:
        """Draw functions from the posterior, each at all rows together, [n, n_samples].

        They are draws of f, without the noise of an observation: ``predict_distribution(X).sample`` has that, row by row.
        """
        answer = self.model_.ask("sample", self._running(draws=count("n_samples", n_samples), seed=seed(random_state)), self._frame(X))
        return np.column_stack(pairs(answer.body)[1])

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, exposure: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> float:
        """Return R², the share of the variance of y that the predicted means account for.

        Of several targets it is the average of theirs, each of the rows that have it.
        """
        means = np.asarray(self.predict(X, exposure=exposure, offset=offset))
        return float(r2_score(y, means, sample_weight=sample_weight)) if means.ndim == 1 else average_r2(y, means, self, sample_weight)

    def _loaded(self, path: str | os.PathLike[str]) -> None:
        if self.model_.about.get("classes"):
            raise ValueError(f"{path} holds a model of classes: take BezierGPClassifier.load")
        self.likelihood = self._law()
