"""Pictures by matplotlib, which is imported when one is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._frame import columns
from ._inputs import names_of

BLUE, GREY = "#3a78b5", "#666666"


class Plots:
    """Pictures of a fitted estimator. Each method returns the figure."""

    model_: Any

    def plot_effects(self, of: Iterable[str | tuple[str, str]] | None = None, *, width: int = 3, **options: Any) -> Any:
        """Draw effects of inputs, width of them beside each other, with bands of two deviations; of two inputs a map.

        Options are those of effects.
        """
        found = self.effects(of, **options).effects  # type: ignore[attr-defined]
        across = min(width, len(found))
        down = math.ceil(len(found) / across)
        figure, axes = _figure(down, across, 3.4, 2.6)
        for axis, effect in zip(axes, found, strict=False):
            if len(effect.inputs) == 2:
                _map(figure, axis, effect)
            elif effect.values[0].dtype.kind in "OU":
                axis.errorbar(range(len(effect.mean)), effect.mean, 2 * effect.std, fmt="o", color=BLUE, capsize=3)
                axis.set_xticks(range(len(effect.mean)), [str(v) for v in effect.values[0]], rotation=30, ha="right")
            else:
                axis.fill_between(effect.values[0], effect.mean - 2 * effect.std, effect.mean + 2 * effect.std, color=BLUE, alpha=0.2, linewidth=0)
                axis.plot(effect.values[0], effect.mean, color=BLUE)
            axis.set_xlabel(effect.inputs[0])
            axis.set_ylabel(effect.inputs[1] if len(effect.inputs) == 2 else "average of f")
        for axis in axes[len(found) :]:
            axis.remove()
        return figure

    def plot_calibration(self, X: Any, y: ArrayLike) -> Any:
        """Draw which share of y lies below predicted quantiles, at rows X that were not trained on; the band is what chance makes of right ones."""
        if self.model_.about.get("likelihood", "gaussian") != "gaussian":
            raise ValueError("plot_calibration: classes and counts lie at single places, which a curve of quantiles does not show")
        places = np.sort(self.predict_distribution(X).cdf(y))  # type: ignore[attr-defined]
        n = len(places)
        if n == 0:
            raise ValueError("X has no rows")
        figure, (axis,) = _figure(1, 1, 3.8, 3.6)
        level = np.linspace(0, 1, 101)
        spread = 2 * np.sqrt(level * (1 - level) / n)
        low, high = np.clip(level - spread, 0, 1), np.clip(level + spread, 0, 1)
        axis.fill_between(level, low, high, color=GREY, alpha=0.25, linewidth=0, label="right, by chance")
        axis.plot([0, 1], [0, 1], color=GREY, linewidth=1)
        axis.step(level, np.searchsorted(places, level, side="right") / n, where="post", color=BLUE, label=f"{n} rows")
        axis.set(xlabel="predicted probability", ylabel="share of rows below", xlim=(0, 1), ylim=(0, 1))
        axis.legend(frameon=False, loc="upper left")
        return figure

    def plot_shapley(self, X: Any, *, most: int = 12, background: Any = None, label: Any = None) -> Any:
        """Draw what the columns that matter most add to the predictions of X, a dot a row; the colour is the value's rank in its column."""
        shapley = self.shapley_values(X, background=background, label=label)  # type: ignore[attr-defined]
        numbers = columns(self.model_.ask("numbers", {}, self._frame(X)).body)  # type: ignore[attr-defined]
        names = names_of(self)
        order = np.argsort(-np.abs(shapley.values).mean(0), kind="stable")[:most]
        figure, (axis,) = _figure(1, 1, 6.0, 0.9 + 0.36 * len(order))
        for row, i in enumerate(reversed(order)):
            values = shapley.values[:, i]
            of = numbers.get(names[i], np.full(len(values), np.nan))
            rank = np.searchsorted(np.sort(of[~np.isnan(of)]), of) / max(1, len(of) - 1)
            colour = np.where(np.isnan(of), np.nan, rank)
            axis.scatter(values, row + _swarm(values), c=colour, cmap="coolwarm", vmin=0, vmax=1, s=8, plotnonfinite=True)
        axis.axvline(0, color=GREY, linewidth=0.8)
        axis.set_yticks(range(len(order)), [names[i] for i in reversed(order)])
        axis.set_xlabel("added to the prediction (low values blue, high ones red)")
        return figure


def _figure(down: int, across: int, width: float, height: float) -> tuple[Any, Any]:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install matplotlib") from None
    figure = Figure(figsize=(width * across, height * down), layout="constrained")  # no state of pyplot: notebooks show what is returned
    FigureCanvasAgg(figure)
    return figure, figure.subplots(down, across, squeeze=False).ravel()


def _map(figure: Any, axis: Any, effect: Any) -> None:
    at, ticks = [], []
    for values in effect.values:
        texts = values.dtype.kind in "OU"
        at.append(np.arange(len(values)) if texts else values)
        ticks.append([str(v) for v in values] if texts else None)
    drawn = axis.pcolormesh(at[0], at[1], effect.mean.T, shading="nearest", cmap="viridis")
    if ticks[0]:
        axis.set_xticks(at[0], ticks[0], rotation=30, ha="right")
    if ticks[1]:
        axis.set_yticks(at[1], ticks[1])
    figure.colorbar(drawn, ax=axis)


def _swarm(values: Any) -> Any:
    """Return places beside a line, so that dots of like values lie beside one another."""
    cells = np.round(40 * (values - values.min()) / (np.ptp(values) or 1.0)).astype(int)
    place = np.zeros(len(values))
    most = max(np.bincount(cells).max(), 1)
    for cell in np.unique(cells):
        own = np.flatnonzero(cells == cell)
        k = np.arange(len(own))
        place[own] = np.where(k % 2 == 0, k // 2, -(k + 1) // 2) * 0.8 / most
    return place
