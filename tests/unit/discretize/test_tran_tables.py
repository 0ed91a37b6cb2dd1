"""Tran's table of all graphs on three nodes obeys the laws that our scores obey.

The score of a graph is a sum of terms for its families, and equivalent graphs score alike. So, with E the empty graph,
A, B, C the three single edges and K the complete graph:

    chain of A and B    = A + B - E        collider without the edge A    = K - A + E
"""

from __future__ import annotations

from itertools import permutations, product
from math import log
from pathlib import Path

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.graph.dag import Dag
from arcwise.scores import AIC, BIC, MDL, total

PRINTED = Path(__file__).parents[2] / "reference" / "tran_three_nodes.csv"
SCORES = ("aic", "bic", "mdl")
EDGES = ("12", "13", "23")
# Row of the printed table for each class; which edge is which does not matter here. The third collider is missing.
ROWS = {"E": 1, "12": 2, "13": 4, "23": 6, "12-13": 8, "12-23": 11, "13-23": 15, "not 12": 14, "not 23": 18, "K": 19}


def printed(score):
    """{graph number: printed score}, with the two misprinted numbers mended."""
    lines = [line for line in PRINTED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    column = lines[0].split(",").index(score)
    values = {int(row[0]): float(row[column]) for row in (line.split(",") for line in lines[1:])}
    mended = {"bic": {14: 993604.692}, "mdl": {1: 520433.714}}
    return values | mended.get(score, {})


def laws(score):
    """(what it is, what it should be) by class."""
    empty, complete = score["E"], score["K"]
    chains = {f"{a}-{b}": score[a] + score[b] - empty for a, b in (("12", "13"), ("12", "23"), ("13", "23"))}
    colliders = {f"not {a}": complete - score[a] + empty for a in EDGES}
    return {name: (score[name], want) for name, want in {**chains, **colliders}.items() if name in score}


@pytest.mark.parametrize("score", SCORES)
def test_the_printed_table_is_consistent(score):
    values = printed(score)
    assert len(values) == 25
    by_class = laws({name: values[row] for name, row in ROWS.items()})
    assert len(by_class) == 5
    for name, (got, want) in by_class.items():
        assert got == pytest.approx(want, abs=0.01), name
    for first, last in ((2, 3), (4, 5), (6, 7), (8, 10), (11, 13), (15, 17), (19, 25)):
        same = [values[row] for row in range(first, last + 1)]
        assert max(same) - min(same) < 0.05
    assert min(values, key=values.get) == 8


def test_the_printed_parameters():
    """(BIC - AIC) / (ln N - 2) counts six parameters for each configuration of the parents."""
    aic, bic = printed("aic"), printed("bic")
    counts = {row: (bic[row] - aic[row]) / (log(100_000) - 2) for row in (1, 2, 8, 14, 18, 20)}
    assert list(counts.values()) == pytest.approx([18, 48, 78, 228, 228, 258], abs=0.01)


@pytest.fixture(scope="module")
def data():
    """Graph 8: node 1 is the parent of 2 and 3."""
    rng = np.random.default_rng(3)
    one = rng.choice(6, 20_000, p=rng.dirichlet(np.full(6, 2.5)))
    columns = [one]
    for _ in range(2):
        given = np.cumsum(rng.dirichlet(np.full(6, 2.5), size=6), axis=1)
        columns.append(np.minimum((rng.random(20_000)[:, None] > given[one]).sum(axis=1), 5))
    levels = tuple("123456")
    return Dataset(
        tuple(Column(n, Kind.DISCRETE, c.astype(np.uint8), levels) for n, c in zip("123", columns, strict=True))
    )


def class_of(dag):
    """Our name for a graph's class: its edges, or the one that a collider lacks."""
    present = [edge for edge in EDGES if (edge[0], edge[1]) in dag.edges or (edge[1], edge[0]) in dag.edges]
    if len(present) == 2 and any(len(dag.parents(node)) == 2 for node in "123"):
        return next(f"not {edge}" for edge in EDGES if edge not in present)
    return {0: "E", 3: "K"}.get(len(present), "-".join(present))


def all_graphs():
    """The 25 graphs: every subset of the arcs that go up in some order of the nodes."""
    found = set()
    for a, b, c in permutations("123"):
        for chosen in product((False, True), repeat=3):
            found.add(Dag("123", [arc for arc, kept in zip([(a, b), (a, c), (b, c)], chosen, strict=True) if kept]))
    return found


@pytest.mark.parametrize("score", [AIC(), BIC(), MDL()], ids=lambda score: score.kind)
def test_our_scores_obey_the_same_laws_and_find_the_graph(score, data):
    graphs = all_graphs()
    assert len(graphs) == 25
    scores = {}
    for dag in graphs:
        scores.setdefault(class_of(dag), []).append(total(score, dag, data))
    assert sorted(map(len, scores.values())) == [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 6]
    for name, same in scores.items():
        assert same == pytest.approx([same[0]] * len(same)), name
    by_class = laws({name: same[0] for name, same in scores.items()})
    assert len(by_class) == 6
    for name, (got, want) in by_class.items():
        assert got == pytest.approx(want, abs=1e-6), name
    assert max(scores, key=lambda name: scores[name][0]) == "12-13"
