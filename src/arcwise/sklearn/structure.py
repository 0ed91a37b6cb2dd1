"""An estimator that learns the structure of a network."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator

from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.results.result import LearnResult
from arcwise.sklearn.options import WithOptions, learned
from arcwise.sklearn.refusals import as_value_errors
from arcwise.sklearn.tables import kinds_said, new_columns, whole_table


class StructureLearner(WithOptions, BaseEstimator):
    """Learns a network from the columns of X, as `arcwise.learn` does.

    method: a preset, see `arcwise.methods()`, or a learner. options: a dict of what else `arcwise.learn` takes: options
    of the method (`{"ess": 10}`, or `set_params(options__ess=10)`), also "deadline" and "bootstrap".
    continuous, discrete, ordered: columns of that kind, whatever they look like; ordered also names orders,
    {"size": ["small", "medium", "large"]}. knowledge: edges and tiers, see `learn`.
    random_state: a whole number is the seed itself; with None it is drawn from NumPy's generator.
    Columns of arrays are called x0, x1, ...

    After `fit`: graph_, a Dag (None for methods that find no directions, such as mmpc), cpdag_, the pattern that the
    data support, and result_, the whole LearnResult.
    """

    graph_: Dag | None
    cpdag_: Pdag
    result_: LearnResult

    def __init__(
        self,
        method: Any = "auto",
        *,
        options: Any = None,
        continuous: Any = None,
        discrete: Any = None,
        ordered: Any = None,
        knowledge: Any = None,
        random_state: Any = 0,
    ) -> None:
        self.method = method
        self.options = options
        self.continuous = continuous
        self.discrete = discrete
        self.ordered = ordered
        self.knowledge = knowledge
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from the rows of X, an array or a data frame; y takes no part."""
        with as_value_errors():
            table = whole_table(new_columns(self, X), kinds_said(self))
            self.result_ = learned(table, self.method, self.options, self.knowledge, self.random_state)
            self.graph_ = None if self.result_.only_skeleton else self.result_.dag()
            self.cpdag_ = self.result_.cpdag
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
