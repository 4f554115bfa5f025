"""Scores of classes, counts and amounts by scikit-learn, as one line of JSON:

    python3 metric/testdata/classes.py > metric/testdata/classes.json
"""
import json
import math
import random
import sys

import numpy as np
from sklearn import __version__, metrics


def classes(name, draw, rows, k, coarse=False):
    p, y = [], []
    for _ in range(rows):
        raw = [math.exp(1.5 * draw.gauss(0, 1)) for _ in range(k)]
        if coarse:
            raw = [round(v) + 0.5 for v in raw]  # many ties
        own = [v / sum(raw) for v in raw]
        p.append(own)
        y.append(draw.choices(range(k), own)[0] if draw.random() < 0.8 else draw.randrange(k))
    y[:k] = range(k)
    q = np.array(p)
    hot = np.eye(k)[y]
    return dict(
        name=name, p=p, y=y,
        logloss=metrics.log_loss(y, q, labels=range(k)),
        brier=float(np.mean((q[:, 1] - hot[:, 1]) ** 2) if k == 2 else np.mean(np.sum((q - hot) ** 2, axis=1))),
        brier_of_sklearn=metrics.brier_score_loss(y, q[:, 1]) if k == 2 else None,
        accuracy=metrics.accuracy_score(y, q.argmax(axis=1)),
        auc=metrics.roc_auc_score(y, q[:, 1]) if k == 2 else metrics.roc_auc_score(y, q, multi_class="ovr", average="weighted"),
        confusion=metrics.confusion_matrix(y, q.argmax(axis=1)).tolist(),
    )


def amounts(name, draw, rows, power):
    y, mean = [], []
    for _ in range(rows):
        m = math.exp(draw.gauss(0.5, 1))
        v = draw.gammavariate(2, m / 2)
        if power < 2 and draw.random() < 0.3:
            v = 0.0
        y.append(float(round(v)) if power == 1 else v)
        mean.append(m)
    exposure = [draw.uniform(0.1, 2) for _ in range(rows)]
    # The Gini coefficient as in scikit-learn's example of insurance claims.
    rate = np.array(mean) / np.array(exposure)
    order = np.argsort(rate)
    claims = np.concatenate([[0], np.cumsum(np.array(y)[order])])
    share = np.concatenate([[0], np.cumsum(np.array(exposure)[order])])
    gini = 1 - 2 * metrics.auc(share / share[-1], claims / claims[-1])
    return dict(name=name, power=power, y=y, mean=mean, exposure=exposure,
                deviance=metrics.mean_tweedie_deviance(y, mean, power=power), gini=float(gini))


draw = random.Random(23)
json.dump(dict(
    version=__version__,
    classes=[classes("two", draw, 60, 2), classes("two with ties", draw, 80, 2, True),
             classes("four", draw, 90, 4), classes("five with ties", draw, 70, 5, True)],
    amounts=[amounts("poisson", draw, 60, 1), amounts("gamma", draw, 60, 2), amounts("tweedie", draw, 60, 1.5), amounts("steep", draw, 30, 2.7)],
), sys.stdout)
print()
