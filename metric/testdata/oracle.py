"""The scores of cases on standard input, by scikit-learn, as one line of JSON.

Without input it writes the fixed cases with their scores, metric/testdata/sklearn.json:

    python3 metric/testdata/oracle.py </dev/null > metric/testdata/sklearn.json
"""
import json
import random
import sys
import warnings

from sklearn import __version__, metrics

LEVELS = [0.025, 0.1, 0.5, 0.9]
warnings.simplefilter("ignore", metrics._regression.UndefinedMetricWarning)


def score(case):
    y, p = case["y"], case["predicted"]
    return dict(
        rmse=metrics.root_mean_squared_error(y, p),
        mae=metrics.mean_absolute_error(y, p),
        median=metrics.median_absolute_error(y, p),
        mape=metrics.mean_absolute_percentage_error(y, p),
        # Where it is defined; scikit-learn has 1 or 0 for it otherwise.
        r2=metrics.r2_score(y, p) if min(y) < max(y) else None,
        pinball=[metrics.mean_pinball_loss(y, p, alpha=level) for level in LEVELS],
    )


def fixed():
    draw = random.Random(19)
    n = lambda size, centre, sd: [centre + sd * draw.gauss(0, 1) for _ in range(size)]
    yield "one row", [3.0], [2.5]
    yield "two rows", [1.0, 2.0], [1.5, 1.0]
    yield "perfect", [1.0, 2.0, 4.0], [1.0, 2.0, 4.0]
    yield "the same target", [0.1] * 7, n(7, 0.1, 1)
    yield "zeros and numbers near to them", [0.0, 1e-17, -1e-17, 2.0, -3.0], [0.5, 0.0, 1.0, 2.5, -2.0]
    yield "far from zero", n(30, 1e9, 3), n(30, 1e9, 3)
    yield "a first target far from the others", [1e12] + n(25, 0, 1), [1e12 - 3] + n(25, 0, 1)
    yield "small", n(20, 0, 1e-100), n(20, 0, 1e-100)
    yield "of both signs", n(33, 1, 5), n(33, 1, 5)


given = sys.stdin.read()
cases = json.loads(given) if given else [dict(name=name, y=y, predicted=p) for name, y, p in fixed()]
for case in cases:
    case["scores"] = score(case)
json.dump(dict(version=__version__, levels=LEVELS, cases=cases), sys.stdout)
print()
