"""Estimators that predict one column from the others by a network of all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from arcwise.data.dataset import Dataset, FloatArray
from arcwise.networks.network import Network
from arcwise.results.result import LearnResult
from arcwise.sklearn.expecting import expected, fitted
from arcwise.sklearn.options import WithOptions, checked_options, learned
from arcwise.sklearn.refusals import as_value_errors
from arcwise.sklearn.tables import (
    Columns,
    Schema,
    as_list,
    kinds_said,
    known_columns,
    known_table,
    new_columns,
    schema_of,
    whole_table,
)


class _NetworkPredictor(WithOptions, BaseEstimator):
    """A network of X and y, fitted to the rows, that says what y is given what is recorded of X."""

    OPTIONS: ClassVar[tuple[str, ...]] = ("options", "model_options")
    result_: LearnResult
    network_: Network
    target_name_: str
    _schema: Schema

    def __init__(
        self,
        method: Any = "auto",
        *,
        options: Any = None,
        model: str | None = None,
        model_options: Any = None,
        continuous: Any = None,
        discrete: Any = None,
        ordered: Any = None,
        knowledge: Any = None,
        random_state: Any = 0,
    ) -> None:
        self.method = method
        self.options = options
        self.model = model
        self.model_options = model_options
        self.continuous = continuous
        self.discrete = discrete
        self.ordered = ordered
        self.knowledge = knowledge
        self.random_state = random_state

    def _read(self, columns: Columns, target: NDArray[Any], **kind: str) -> Dataset:
        """The table of the features and, last, the target, which is of this kind."""
        said = kinds_said(self)
        said |= {name: [*as_list(said[name]), target] for name, target in kind.items()}
        return whole_table({**columns, self.target_name_: target}, said)

    def _learn(self, table: Dataset) -> None:
        options = checked_options(self.model_options, "model_options")
        self._schema = schema_of(table.select(table.names[:-1]))
        self.result_ = learned(table, self.method, self.options, self.knowledge, self.random_state)
        self.network_ = fitted(self.result_, table, self.model, options)

    def _expected(self, X: Any) -> FloatArray:
        """What the network says of the target, NaN in rows that it takes for impossible."""
        check_is_fitted(self)
        with as_value_errors():
            return expected(self.network_, self.target_name_, known_table(known_columns(self, X), self._schema))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


class NetworkClassifier(ClassifierMixin, _NetworkPredictor):
    """Predicts classes by a network that is learned from X and y together.

    method, options, continuous, discrete, ordered, knowledge, random_state: as for `StructureLearner`. model: the
    conditional model that is fitted to the graph ("cpt", "gaussian", "conditional-gaussian", "smooth", "kernel",
    "neural" or "states"; None: that of the method), and model_options a dict of its options (`{"smoothing": 1}`, or
    `set_params(model_options__smoothing=1)`).
    The target is called as its series is, or y. Missing cells are summed over, also those of new rows: exactly for
    tables and linear regressions, else by samples, which takes a while for each row. Levels that `fit` has not seen
    count as missing. Rows that the network takes for impossible are given the shares that the classes have in y.

    After `fit`: classes_, result_, the LearnResult, network_, the fitted Network, and target_name_.
    """

    classes_: NDArray[Any]
    class_prior_: FloatArray

    def fit(self, X: Any, y: Any) -> Self:
        """Learn a network from the rows of X and their classes y, and fit it."""
        with as_value_errors():
            columns, labels = _checked(self, X, y)
            check_classification_targets(labels)
            self.classes_, codes = np.unique(labels, return_inverse=True)
            self.class_prior_ = np.bincount(codes) / len(codes)
            self.target_name_ = _target_name(y, columns)
            table = self._read(columns, codes, discrete=self.target_name_)
            named = replace(table.columns[-1], levels=tuple(map(str, self.classes_)), ordered=False)
            self._learn(replace(table, columns=(*table.columns[:-1], named)))
        return self

    def predict_proba(self, X: Any) -> FloatArray:
        """(rows, classes) the probability of each class given what is recorded of a row."""
        shares = self._expected(X)
        return np.where(np.isnan(shares), self.class_prior_, shares)

    def predict(self, X: Any) -> NDArray[Any]:
        """(rows,) the most probable class, the first of equal ones."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]


class NetworkRegressor(RegressorMixin, _NetworkPredictor):
    """Predicts numbers by a network that is learned from X and y together: their mean given what is recorded of X.

    The parameters are those of `NetworkClassifier`. Rows that the network takes for impossible are given the mean of y.

    After `fit`: result_, the LearnResult, network_, the fitted Network, and target_name_.
    """

    target_mean_: float

    def fit(self, X: Any, y: Any) -> Self:
        """Learn a network from the rows of X and their numbers y, and fit it."""
        with as_value_errors():
            columns, numbers = _checked(self, X, y, y_numeric=True)
            self.target_name_ = _target_name(y, columns)
            self.target_mean_ = float(np.mean(numbers, dtype=np.float64))
            self._learn(self._read(columns, numbers, continuous=self.target_name_))
        return self

    def predict(self, X: Any) -> FloatArray:
        """(rows,) the mean of y given what is recorded of a row."""
        found = self._expected(X)
        return np.where(np.isnan(found), self.target_mean_, found)


def _checked(estimator: Any, X: Any, y: Any, *, y_numeric: bool = False) -> tuple[Columns, NDArray[Any]]:
    """The features and the target of a table to learn from, of the same length."""
    target = validate_data(estimator, y=y, y_numeric=y_numeric)  # before X: it forgets the names of the features
    columns = new_columns(estimator, X)
    check_consistent_length(X, target)
    return columns, target


def _target_name(y: Any, columns: Columns) -> str:
    """The name of the series, else y; underscores behind it where a feature is called so."""
    own = getattr(y, "name", None)
    name = own if isinstance(own, str) and own else "y"
    while name in columns:
        name += "_"
    return name
