"""A transformer that cuts continuous columns into levels."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.errors import OptionError, unknown_name
from arcwise.parts.protocols import Discretizer as DiscretizerPart
from arcwise.parts.protocols import Learner
from arcwise.sklearn.options import WithOptions, checked_options, learned
from arcwise.sklearn.refusals import as_value_errors
from arcwise.sklearn.tables import Schema, kinds_said, known_columns, known_table, new_columns, schema_of, whole_table

ENCODINGS = ("codes", "labels")
NO_CUTS = np.empty(0)


class Discretizer(WithOptions, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Cuts continuous columns at thresholds chosen from the rows of `fit`; new rows are cut at the same ones.

    method: a discretizer ("equal-frequency", "equal-width", "hartemink", ...), which looks at the columns alone, or a
    method that finds thresholds together with a network ("steck", "monti", "optimal", ...). options: a dict of its
    options (`{"bins": 3}`, or `set_params(options__bins=3)`).
    encode: "codes", whole numbers from 0 in the order of the levels, or "labels", such as "5.5 to 7".
    continuous, discrete, ordered, random_state: as for `StructureLearner`. Discrete columns keep their levels, numbered
    in order. Missing cells, and levels that `fit` has not seen, become NaN; codes are then floats.

    After `fit`: thresholds_, an array for each column that is cut, levels_, the labels of each column, and
    discretization_, the Discretization.
    """

    thresholds_: dict[str, NDArray[np.float64]]
    levels_: dict[str, tuple[str, ...]]
    discretization_: Discretization
    _schema: Schema

    def __init__(
        self,
        method: Any = "equal-frequency",
        *,
        options: Any = None,
        encode: str = "codes",
        continuous: Any = None,
        discrete: Any = None,
        ordered: Any = None,
        random_state: Any = 0,
    ) -> None:
        self.method = method
        self.options = options
        self.encode = encode
        self.continuous = continuous
        self.discrete = discrete
        self.ordered = ordered
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose thresholds from the rows of X, an array or a data frame; y takes no part."""
        with as_value_errors():
            if self.encode not in ENCODINGS:
                raise OptionError(unknown_name("encoding", self.encode, ENCODINGS))
            table = whole_table(new_columns(self, X), kinds_said(self))
            found = self._chosen(table)
            # A column that nothing is known to depend on may have no entry: it is one level.
            cuts = {c.name: found.thresholds.get(c.name, NO_CUTS) for c in table.columns if c.kind is Kind.CONTINUOUS}
            self.discretization_ = Discretization(cuts)
            self.thresholds_ = dict(self.discretization_.thresholds)
            self._schema = schema_of(table)
            self.levels_ = {name: levels or self.discretization_.levels(name) for name, levels in self._schema.items()}
        return self

    def transform(self, X: Any) -> NDArray[Any]:
        """(rows, columns) the level of each cell: its code, or its label."""
        check_is_fitted(self)
        with as_value_errors():
            table = self.discretization_.apply(known_table(known_columns(self, X), self._schema))
        if self.encode == "labels":
            return np.column_stack([_labels(column) for column in table.columns])
        codes = np.column_stack([column.values.astype(np.int64) for column in table.columns])
        if table.is_complete:
            return codes
        lost = np.column_stack([_missing(column) for column in table.columns])
        return np.where(lost, np.nan, codes)

    def _chosen(self, table: Dataset) -> Discretization:
        part = _part(self.method)
        if isinstance(part, DiscretizerPart):
            return catalog.configure(part, checked_options(self.options)).fit(table)
        found = learned(table, part, self.options, None, self.random_state).discretization
        return Discretization({}) if found is None else found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _part(method: Any) -> DiscretizerPart | Learner:
    """A discretizer, or a learner that finds thresholds, by its name or as it is."""
    if isinstance(method, DiscretizerPart | catalog.CUTTING):
        return method
    if not isinstance(method, str):
        raise OptionError(
            f"the method must be a discretizer, a learner that cuts columns or the name of one, not {method!r}"
        )
    return catalog.cutting(method)


def _missing(column: Column) -> NDArray[np.bool_]:
    return np.zeros(len(column.values), np.bool_) if column.missing is None else column.missing


def _labels(column: Column) -> NDArray[Any]:
    words = np.array([*column.levels, np.nan], dtype=object)
    return words[np.where(_missing(column), len(column.levels), column.values)]
