"""What a notebook shows of a fitted estimator."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from ._inputs import names_of

MOST = 12
"""How many columns the card names."""

STYLE = (
    "<style>.bgp-card{font:13px/1.4 system-ui,sans-serif;border:1px solid #8888;border-radius:6px;padding:.7em 1em;max-width:46em}"
    ".bgp-card table{border-collapse:collapse;margin:.4em 0}"
    ".bgp-card td,.bgp-card th{padding:.1em .9em .1em 0;text-align:left;font-weight:normal}"
    ".bgp-card td{font-variant-numeric:tabular-nums}"
    ".bgp-card i{display:inline-block;height:.8em;background:#3a78b5}"
    ".bgp-card .bgp-warn{color:#b3541e}</style>"
)


class Cards:
    """A card in the place of the diagram that other estimators have."""

    model_: Any
    oof_: Any
    interrupted_: bool
    outputs_: Any

    def _card(self) -> str:
        several = len(self.model_.models) > 1
        return "".join(card(own) for own in self.outputs_.values()) if several else card(self)

    def _repr_html_(self) -> str:
        if "model_" in self.__dict__:
            return self._card()
        return super()._repr_html_()  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        if "model_" in self.__dict__:
            return {"text/plain": repr(self), "text/html": self._card()}
        return super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]


def card(estimator: Any) -> str:
    """Return scores of rows that the predictions were made without, calibration, importances and warnings as HTML."""
    about = estimator.model_.ask("inspect", {}).result
    target, training = about["target"], about["training"]
    scores = training.get("out_of_fold") or {}
    rows = [("rows, columns", f"{training['rows']:,}, {len(names_of(estimator))}")]
    classes = training.get("out_of_fold_classes")
    if classes:
        rows.append(("log loss, Brier out of fold", f"{classes['log_loss']:.4g}, {classes['brier']:.4g}"))
        rows.append(("accuracy out of fold", f"{100 * classes['accuracy']:.1f} %"))
    elif scores and target.get("likelihood"):
        rows.append(("RMSE, NLPD out of fold", f"{scores['rmse']:.4g}, {scores['nlpd']:.4g}"))
        rows.append(("95 % intervals hold", f"{100 * scores['coverage95']:.1f} %"))
    elif scores:
        share = 1 - (scores["rmse"] / target["deviation"]) ** 2
        rows += [("RMSE out of fold", f"{scores['rmse']:.4g}"), ("R² out of fold", f"{share:.3f}")]
        rows.append(("CRPS, NLPD", f"{scores['crps']:.4g}, {scores['nlpd']:.4g}"))
        rows.append(("95 % intervals hold", f"{100 * scores['coverage95']:.1f} %"))
    if about.get("noise"):
        rows.append(("noise", f"{about['noise']:.4g}"))
    said = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    title = f"<b>{escape(type(estimator).__name__)}</b> of {escape(target['name'])}"
    below = _importances(estimator) + _warnings(estimator, scores, classes, target)
    return f'{STYLE}<div class="bgp-card">{title}<table>{said}</table>{below}</div>'


def _importances(estimator: Any) -> str:
    try:
        shares = estimator.feature_importances_
    except (AttributeError, ValueError, RuntimeError):  # as where predictions do not vary
        return ""
    names, order = names_of(estimator), np.argsort(-shares, kind="stable")
    lines = [
        f'<tr><th>{escape(names[i])}</th><td>{100 * shares[i]:.1f} %</td><td><i style="width:{150 * shares[i]:.0f}px"></i></td></tr>'
        for i in order[:MOST]
    ]
    if len(names) > MOST:
        lines.append(f"<tr><th>and {len(names) - MOST} more</th><td>{100 * shares[order[MOST:]].sum():.1f} %</td><td></td></tr>")
    return f"<div>shares of the columns (total Sobol indices)</div><table>{''.join(lines)}</table>"


def _warnings(estimator: Any, scores: dict[str, Any], classes: Any, target: dict[str, Any]) -> str:
    found = []
    if estimator.interrupted_:
        found.append("fit was interrupted: this is the best model until then")
    if not scores and not classes:
        found.append("no row was predicted out of fold: scores are not known")
    elif scores and not target.get("likelihood"):
        # Twice the deviation of a share of so many rows.
        off = 2 * np.sqrt(0.95 * 0.05 / scores["rows"])
        if abs(scores["coverage95"] - 0.95) > off + 0.01:
            found.append(f"95 % intervals hold {100 * scores['coverage95']:.1f} % of the rows")
        if scores["rmse"] >= target["deviation"]:
            found.append("predictions are no better than the mean of the target")
    return "".join(f'<div class="bgp-warn">⚠ {escape(text)}</div>' for text in found)
