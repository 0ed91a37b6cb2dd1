from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import datasets
from arcwise.data.dataset import Dataset
from arcwise.graph import Dag, Pdag
from arcwise.stats.determined import determined

RNG = np.random.default_rng(0)
P, Q, Z = RNG.integers(4, size=(3, 1000))


def table(**codes: np.ndarray) -> Dataset:
    return Dataset.from_frame({name: [f"l{v}" for v in column] for name, column in codes.items()})


def said_of(data: Dataset, edges: list[str], **options: object) -> list[str]:
    graph = Dag(data.names, edges)
    return determined(data, Pdag.from_dag(graph), graph, **options)  # type: ignore[arg-type]


def test_a_function_of_two_columns_is_named_without_what_it_does_not_need() -> None:
    data = table(p=P, q=Q, s=(P * Q) % 4, z=Z)
    (said,) = said_of(data, ["ps", "qs", "zs"])
    assert said == (
        "column 's' follows from 'p', 'q' in all 1,000 rows, so its other edges may belong to those columns; leave it "
        "out if it was computed"
    )
    assert said_of(data, ["sp", "sq"]) == [said]  # also as their parent
    assert said_of(data, ["ps", "qs"], but=["s"]) == []
    assert said_of(data, ["ps", "pz"]) == []


def test_a_coarser_column_and_a_number_by_group() -> None:
    (said,) = said_of(table(p=P, s=P // 2), ["sp"])
    assert said.startswith(
        "column 's' follows from 'p' in all 1,000 rows, so its other edges may belong to that column"
    )
    rate = Dataset.from_frame(
        {"p": [f"l{v}" for v in P], "rate": np.array([0.1, 0.25, 0.7, 1.9])[P]}, continuous=["rate"]
    )
    assert len(said_of(rate, [("p", "rate")])) == 1


def test_copies_exceptions_and_too_few_rows_are_passed_over() -> None:
    assert said_of(table(p=P, s=P), ["ps"]) == []
    noisy = (P + Q) % 4
    noisy[987] = (noisy[987] + 1) % 4
    assert said_of(table(p=P, q=Q, s=noisy), ["ps", "qs"]) == []
    assert said_of(table(p=P[:60], q=Q[:60], s=((P + Q) % 4)[:60]), ["ps", "qs"]) == []


def test_order_of_rows_and_columns_changes_nothing() -> None:
    order = RNG.permutation(1000)
    one = said_of(table(p=P, q=Q, s=(P + Q) % 4, z=Z), ["ps", "qs"])
    assert one == said_of(table(z=Z[order], s=((P + Q) % 4)[order], q=Q[order], p=P[order]), ["ps", "qs"])
    assert len(one) == 1


@pytest.mark.parametrize("name", datasets.names())
def test_no_alarm_on_real_data(name: str) -> None:
    result = arcwise.learn(datasets.load(name), "hill-climb", seed=0)
    assert not any("follows from" in warning for warning in result.warnings)


@pytest.mark.parametrize("method", ["hill-climb", "steck", "pc", "mmpc"])
def test_learning_names_what_was_computed(method: str) -> None:
    result = arcwise.learn(table(p=P, q=Q, s=P + Q), method, seed=0)
    assert sum("'s' follows from 'p', 'q'" in warning for warning in result.warnings) == 1
