"""Folds by scikit-learn: cases come as JSON, and so do the rows of their folds."""
import json, sys

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit, TimeSeriesSplit

out = []
for c in json.load(sys.stdin):
    x, values = np.zeros((c["n"], 1)), np.array(c["values"])
    if c["kind"] == "plain":
        folds = KFold(c["k"]).split(x)
    elif c["kind"] == "group":
        folds = GroupKFold(c["k"]).split(x, groups=values)
    elif c["kind"] == "fold":
        folds = PredefinedSplit(values).split()
    else:  # of rows in the order of time
        order = np.argsort(values)
        folds = ((order[a], order[b]) for a, b in TimeSeriesSplit(c["k"]).split(x))
    out.append([{"Train": sorted(map(int, a)), "Test": sorted(map(int, b))} for a, b in folds])
json.dump(out, sys.stdout)
