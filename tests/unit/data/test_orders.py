"""Levels in an order: the order that is given or that their names tell, and thresholds between them."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.ordinal import as_numbers, in_order, named
from arcwise.data.scales import order_by_numbers
from arcwise.errors import DataError

SIZES = ["small", "medium", "large"]


@pytest.fixture
def data():
    return Dataset.from_frame(
        {
            "size": ["large", "small", "medium", "small", "large"],
            "age": ["5-9", "85+", "0-4", "10-14", "5-9"],
            "cloth": ["L", "S", "M", "S", "L"],
            "x": [0.5, 1.5, 2.5, 3.5, 4.25],
        },
        discrete=["size", "age", "cloth"],
        continuous=["x"],
    )


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        (["0-4", "10-14", "5-9", "85+"], ("0-4", "5-9", "10-14", "85+")),
        (["10+", "5-9", "<5"], ("<5", "5-9", "10+")),
        (["> 85", "2", "85"], ("2", "85", "> 85")),
        (["1,000-2,000", "500-999"], ("500-999", "1,000-2,000")),
        (["0 to 5", "-5 to 0", "-10 to -6"], ("-10 to -6", "-5 to 0", "0 to 5")),
        (["grade 2", "grade 10", "grade 1"], ("grade 1", "grade 2", "grade 10")),
        (["low", "high"], None),
        (["1", "b"], None),
        (["a1", "b1"], None),
        (["1-2", "1-3"], None),
        (["1,5", "2,5"], None),
        (["group 3: 10-14", "group 1: 20-30"], None),
        (["under 5", "5-9"], None),
    ],
)
def test_numbers_in_names_tell_an_order_or_leave_a_doubt(labels, wanted):
    assert order_by_numbers(labels) == wanted


def test_levels_stand_in_the_order_that_is_given(data):
    found = in_order(data, {"size": SIZES, "age": None})
    assert found.column("size").levels == ("small", "medium", "large")
    assert found.column("size").ordered
    assert found.column("size").values.tolist() == [2, 0, 1, 0, 2]
    assert found.column("age").levels == ("0-4", "5-9", "10-14", "85+")
    assert found.to_polars()["age"].to_list() == ["5-9", "85+", "0-4", "10-14", "5-9"]
    reasons = {decision.column: decision.reason for decision in found.decisions}
    assert reasons["size"] == "levels in this order: small, medium, large"
    assert reasons["age"] == "levels by their names: 0-4, 5-9, 10-14, 85+"
    assert found.column("x") is data.column("x")


def test_an_order_may_have_levels_that_do_not_occur(data):
    found = in_order(data, {"size": ["tiny", *SIZES]})
    assert as_numbers(found).column("size").values.tolist() == [3.0, 1.0, 2.0, 1.0, 3.0]


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        ({"size": ["small", "large"]}, "lacks its level 'medium'"),
        ({"size": ["small", "medium", "large", "small"]}, "'small' twice"),
        ({"cloth": None}, "do not tell their order"),
        ({"x": None}, "'x' is continuous"),
        ({"sise": None}, "did you mean 'size'"),
    ],
)
def test_orders_that_do_not_fit(data, orders, words):
    with pytest.raises(DataError, match=words):
        in_order(data, orders)


def test_missing_cells_stay_missing():
    data = Dataset.from_frame({"size": ["large", None, "small", "large"], "x": [1.5, 2.5, 3.5, 4.5]})
    cuts = named(Discretization({"size": [0.5]}), in_order(data, {"size": SIZES}))
    cut = cuts.apply(in_order(data, {"size": SIZES})).column("size")
    assert cut.missing.tolist() == [False, True, False, False]
    assert cut.recorded.tolist() == [1, 0, 1]


def test_thresholds_between_levels_have_their_names(data):
    ordered = in_order(data, {"size": SIZES, "age": None})
    cuts = named(Discretization({"size": [0.5], "age": [], "x": [2.0]}), ordered)
    assert cuts.levels("size") == ("small", "medium to large")
    assert cuts.levels("age") == ("0-4 to 85+",)
    assert cuts.words("size") == ("size small", "size medium to large")
    assert cuts.describe("size") == "small | medium to large"
    assert cuts.groups("size") == (("small",), ("medium", "large"))
    assert cuts.describe("x") == "low < 2 ≤ high"
    with pytest.raises(DataError, match="'x'"):
        cuts.groups("x")


def test_text_and_numbers_are_cut_alike(data):
    """The text itself, in whatever order its levels were read, and the numbers that stand for it."""
    ordered = in_order(data, {"size": SIZES})
    cuts = named(Discretization({"size": [0.5]}), ordered)
    wanted = [1, 0, 1, 0, 1]
    for table in (data, ordered, as_numbers(ordered, ["size"])):
        column = cuts.apply(table).column("size")
        assert column.values.tolist() == wanted
        assert (column.levels, column.kind, column.ordered) == (("small", "medium to large"), Kind.DISCRETE, True)


def test_new_rows_need_not_have_all_levels_but_no_others():
    cuts = Discretization({"size": [1.5]}, {"size": SIZES})
    assert cuts.apply({"size": ["medium"], "y": ["a"]}).column("size").levels == ("small to medium", "large")
    with pytest.raises(DataError, match=r"'size', row 2: unknown level 'huge'"):
        cuts.apply({"size": ["medium", "huge"]})
    data = Dataset.from_frame({"size": ["small", "huge", "small", "huge"]})
    with pytest.raises(DataError, match="unknown level 'huge'"):
        cuts.apply(data)


def test_round_trips():
    cuts = Discretization({"x": [1.5, 2.5], "size": [0.5], "one": [], "all": []}, {"size": SIZES, "all": ("a", "b")})
    content = cuts.to_dict()
    assert content == {"x": [1.5, 2.5], "size": [["small"], ["medium", "large"]], "one": [], "all": [["a", "b"]]}
    for other in (Discretization.from_dict(json.loads(json.dumps(content))), pickle.loads(pickle.dumps(cuts))):
        assert other == cuts
        assert hash(other) == hash(cuts)
        assert other.orders == {"size": tuple(SIZES), "all": ("a", "b")}
    assert Discretization({"size": [0.5]}) != Discretization({"size": [0.5]}, {"size": SIZES})


@pytest.mark.parametrize(
    ("thresholds", "orders", "words"),
    [
        ({}, {"size": SIZES}, "order for column 'size' but no thresholds"),
        ({"size": [0.5]}, {"size": []}, "must be a list of its levels"),
        ({"size": [0.5]}, {"size": ["a", "a"]}, "'a' twice"),
        ({"size": [2.5]}, {"size": SIZES}, "none of its 3 levels on one side"),
        ({"size": [-0.5]}, {"size": SIZES}, "none of its 3 levels on one side"),
        ({"size": [0.2, 0.7]}, {"size": SIZES}, "none of its 3 levels on one side"),
    ],
)
def test_orders_and_thresholds_that_do_not_fit(thresholds, orders, words):
    with pytest.raises(DataError, match=words):
        Discretization(thresholds, orders)


@pytest.mark.parametrize("groups", [[["a"], []], [["a"], ["b", 1]], [["a"], 2.0], [["a"], "b"]])
def test_groups_that_are_none(groups):
    with pytest.raises(DataError, match="column 'size'"):
        Discretization.from_dict({"size": groups})


def test_two_levels_never_have_one_name():
    cuts = Discretization({"x": [1.5]}, {"x": ["a", "b", "a to b"]})
    assert len(set(cuts.levels("x"))) == 2


def test_levels_that_do_not_matter_are_joined_by_top_down():
    """Six age groups, of which the first three and the last three behave alike."""
    rng = np.random.default_rng(1)
    group = rng.integers(0, 6, 600)
    labels = np.array(["0-4", "5-9", "10-14", "15-19", "20-24", "25+"])
    ill = np.where(rng.random(600) < np.where(group < 3, 0.8, 0.2), "yes", "no")
    data = in_order(Dataset.from_frame({"age": labels[group], "ill": ill}), {"age": None})
    found = arcwise.learn(as_numbers(data), "top-down").discretization
    assert named(found, data).levels("age") == ("0-4 to 10-14", "15-19 to 25+")
