"""All DAGs on a few nodes: their published numbers, and the classes they fall into."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from arcwise._kernels.graphs.all_graphs import with_node
from arcwise.errors import OptionError
from arcwise.graph.enumerate import all_dags, class_numbers, count_dags
from tests.oracle import graphs as slow

DAGS = [1, 1, 3, 25, 543, 29281, 3781503]
CLASSES = [1, 1, 2, 11, 185, 8782]


@pytest.mark.parametrize("n", range(6))
def test_published_numbers(n):
    dags = all_dags(n)
    assert dags.shape == (DAGS[n], n, n)
    assert len({dag.tobytes() for dag in dags}) == DAGS[n]
    assert class_numbers(n).max() + 1 == CLASSES[n]


def test_the_number_by_formula():
    assert [count_dags(n) for n in range(7)] == DAGS
    assert count_dags(7) == 1138779265
    assert count_dags(20) == 2344880451051088988152559855229099188899081192234291298795803236068491263


def test_six_nodes_by_enumeration():
    masks = np.packbits(all_dags(5)[:, ::-1, :], axis=1)[:, 0] >> 3  # bit i of an entry: i is a parent
    dags = np.zeros((DAGS[5], 6), dtype=np.uint8)
    dags[:, :5] = masks
    out = np.zeros((DAGS[6], 6), dtype=np.uint8)
    assert with_node(dags, 5, out) == DAGS[6]
    assert out[-1].any()


@pytest.mark.parametrize("n", range(5))
def test_the_same_graphs_and_classes_as_by_trying(n):
    dags = all_dags(n)
    assert {dag.tobytes() for dag in dags} == {dag.tobytes() for dag in slow.all_dags(n)}
    numbers: dict[object, set[int]] = {}
    for dag, number in zip(dags, class_numbers(n).tolist(), strict=True):
        numbers.setdefault(slow.class_key(dag), set()).add(number)
    assert all(len(found) == 1 for found in numbers.values())
    assert len(set.union(*numbers.values())) == len(numbers)


def test_classes_are_numbered_as_they_appear_and_have_the_published_sizes():
    numbers = class_numbers(3)
    first = [int(np.flatnonzero(numbers == number)[0]) for number in range(11)]
    assert first == sorted(first)
    assert sorted(Counter(numbers.tolist()).values()) == sorted([1, 2, 2, 2, 3, 3, 1, 1, 3, 1, 6])


@pytest.mark.parametrize("n", [-1, 7])
def test_too_many_nodes_are_refused(n):
    with pytest.raises(OptionError, match="0 to 6"):
        all_dags(n)
    with pytest.raises(OptionError, match="0 to 6"):
        class_numbers(n)
    if n < 0:
        with pytest.raises(OptionError, match="0 or more"):
            count_dags(n)
