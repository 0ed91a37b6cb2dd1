"""StructureLearner finds what `arcwise.learn` finds, in the manner of scikit-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import arcwise
from arcwise.errors import OptionError
from arcwise.sklearn import StructureLearner


def chain(n: int = 400, seed: int = 1) -> pd.DataFrame:
    """length -> width -> weight"""
    rng = np.random.default_rng(seed)
    length = rng.normal(size=n)
    width = length + 0.5 * rng.normal(size=n)
    return pd.DataFrame({"length": length, "width": width, "weight": width + 0.5 * rng.normal(size=n)})


def test_the_graph_is_that_of_learn() -> None:
    X = chain()
    learner, result = StructureLearner("gaussian").fit(X), arcwise.learn(X, "gaussian")
    assert learner.graph_ == result.dag()
    assert learner.cpdag_ == result.cpdag
    assert learner.result_.score == result.score
    assert {frozenset(edge) for edge in learner.cpdag_.undirected} == {
        frozenset(("length", "width")),
        frozenset(("width", "weight")),
    }
    assert learner.n_features_in_ == 3
    assert learner.feature_names_in_.tolist() == ["length", "width", "weight"]


def test_columns_of_arrays_have_numbers() -> None:
    learner = StructureLearner("gaussian").fit(chain().to_numpy())
    assert learner.graph_.names == ("x0", "x1", "x2")
    assert not hasattr(learner, "feature_names_in_")


def test_frames_of_other_libraries() -> None:
    X = chain().assign(kind=["a", "b"] * 200)
    graphs = [StructureLearner("gaussian").fit(table).graph_ for table in (X, pl.from_pandas(X))]
    assert graphs[0] == graphs[1]
    assert graphs[0].names == ("length", "width", "weight", "kind")


def test_kinds_and_knowledge() -> None:
    X = chain(60).assign(size=[1, 2, 3] * 20)
    read = {}
    for kind in ("continuous", "discrete"):
        learner = StructureLearner("gaussian", **{kind: ["size"]}, knowledge={"required": [["weight", "length"]]}).fit(
            X
        )
        read[kind] = {column.name: str(column.kind) for column in learner.result_.data.columns}["size"]
        assert ("weight", "length") in learner.graph_.edges
    assert read == {"continuous": "continuous", "discrete": "discrete"}


def test_missing_cells_are_learned_from() -> None:
    X = chain()
    X.iloc[::7, 0] = np.nan
    learner = StructureLearner("gaussian").fit(X)
    assert learner.result_.completion.n_cells == 58
    assert learner.cpdag_.n_edges == 2


def test_a_skeleton_has_no_graph() -> None:
    learner = StructureLearner("mmpc").fit(chain())
    assert learner.graph_ is None
    assert learner.cpdag_.n_edges == 2


def test_options_one_by_one() -> None:
    learner = StructureLearner("equal-frequency", options={"bins": 4})
    given = learner.options
    learner.set_params(options__ess=7.0, random_state=3)
    assert (learner.options, given) == ({"bins": 4, "ess": 7.0}, {"bins": 4})
    assert learner.get_params()["options__ess"] == 7.0
    assert "options__ess" not in learner.get_params(deep=False)
    copy = clone(learner)
    assert copy.get_params() == learner.get_params()
    result = copy.fit(chain()).result_
    assert (result.spec["discretizer"]["bins"], result.seed) == (4, 3)
    assert result.spec["search"]["score"]["ess"] == 7.0


def test_seeds() -> None:
    X, states = chain(50), [np.random.RandomState(seed) for seed in (5, 5, 6)]
    seeds = [StructureLearner("gaussian", random_state=state).fit(X).result_.seed for state in states]
    assert seeds[0] == seeds[1] != seeds[2]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"method": "gausian"}, "did you mean 'gaussian'"),
        ({"options": {"esss": 3}}, "unknown option 'esss'"),
        ({"options": {"seed": 3}}, "random_state"),
        ({"options": [3]}, "must be a dict"),
    ],
)
def test_wrong_options_are_errors_of_both_kinds(given: dict[str, object], words: str) -> None:
    learner = StructureLearner(**{"method": "equal-frequency", **given})
    with pytest.raises(ValueError, match=words) as caught:
        learner.fit(chain(50))
    assert isinstance(caught.value, OptionError)


def test_infinite_cells_are_refused() -> None:
    X = chain(50)
    X.iloc[3, 1] = np.inf
    with pytest.raises(ValueError, match="'width' has 1 infinite value, the first in row 4"):
        StructureLearner("gaussian").fit(X)
    with pytest.raises(ValueError, match="infinity"):
        StructureLearner("gaussian").fit(X.to_numpy())


def test_two_columns_of_one_name_are_refused() -> None:
    X = chain(50)
    X.columns = ["a", "b", "a"]
    with pytest.raises(ValueError, match="one name"):
        StructureLearner("gaussian").fit(X)


def test_features_are_kept_though_reading_would_leave_them_out() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(80.0), rng.normal(size=80), rng.integers(0, 2, 80)])
    assert len(StructureLearner("equal-frequency").fit(X).result_.names) == 3
    names = pd.DataFrame({"who": [f"p{i}" for i in range(80)], "x": rng.normal(size=80)})
    with pytest.raises(ValueError, match=r"'who' has 80 distinct text values .* which no feature can be"):
        StructureLearner("equal-frequency").fit(names)


def test_orders_of_levels_are_said():
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"size": rng.choice(["S", "M", "XXL"], 60), "grade": rng.integers(1, 4, 60)})
    found = StructureLearner("hill-climb", ordered={"size": ["S", "M", "XXL"]}, discrete=["grade"]).fit(table)
    kinds = {one.name: (one.ordered, one.levels) for one in found.result_.data.columns}
    assert kinds == {"size": (True, ("S", "M", "XXL")), "grade": (False, ("1", "2", "3"))}
    with pytest.raises(ValueError, match="no order of 'M', 'S', 'XXL' is known"):
        StructureLearner("hill-climb", ordered="size").fit(table)
