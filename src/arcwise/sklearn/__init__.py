"""Estimators for scikit-learn: they learn networks, cut columns and predict inside pipelines and searches."""

try:
    from sklearn.utils.validation import validate_data as _validate_data  # noqa: F401  (there from version 1.6 on)
except ImportError:
    raise ImportError(
        "arcwise.sklearn needs scikit-learn 1.6 or newer; install it with pip install 'arcwise[sklearn]'"
    ) from None

from arcwise.sklearn.discretizer import Discretizer
from arcwise.sklearn.predictors import NetworkClassifier, NetworkRegressor
from arcwise.sklearn.structure import StructureLearner

__all__ = ["Discretizer", "NetworkClassifier", "NetworkRegressor", "StructureLearner"]
