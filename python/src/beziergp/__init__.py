"""Bézier Gaussian processes for tall and wide tables: regression and classification with calibrated uncertainty.

The methods are those of the program beziergp, which answers in a process of its own (Jørgensen & Osborne, Bézier Gaussian Processes for Tall and
Wide Data, NeurIPS 2022).
"""

from ._classifier import BezierGPClassifier
from ._distribution import Distribution
from ._regressor import BezierGPRegressor
from ._results import Effect, Effects, Integral, OutOfFold, OutOfFoldClasses, ShapleyValues, Sobol
from ._worker import WorkerError

__version__ = "0.1.0"

__all__ = [
    "BezierGPClassifier",
    "BezierGPRegressor",
    "Distribution",
    "Effect",
    "Effects",
    "Integral",
    "OutOfFold",
    "OutOfFoldClasses",
    "ShapleyValues",
    "Sobol",
    "WorkerError",
    "__version__",
]
