"""K2: the example of Cooper and Herskovits, agreement with a plain twin, the order, knowledge, stopping."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import numpy as np
import pytest

from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.spec import to_spec, with_options
from arcwise.scores import BIC, K2, BDeu, Suited, total
from arcwise.search import HillClimb
from arcwise.search.k2 import K2Search
from tests.contract.parts import continuous_data, mixed_data, reorder_rows
from tests.oracle.counting import discrete_table

# Table 1 of Cooper and Herskovits 1992: ten cases of x1, x2, x3 (1: present).
CASES = ("100", "111", "001", "111", "000", "011", "111", "000", "111", "000")


@pytest.fixture(scope="module")
def example():
    rows = np.array([[int(value) for value in case] for case in CASES], dtype=np.uint8)
    names = ("x1", "x2", "x3")
    return Dataset(
        tuple(Column(n, Kind.DISCRETE, rows[:, i].copy(), ("absent", "present")) for i, n in enumerate(names))
    )


@pytest.fixture(scope="module")
def data():
    return discrete_table(np.random.default_rng(3), [3, 2, 4, 2, 3, 2], 400)


def run(learner, data, **arguments):
    return learner.learn(data, rng=np.random.default_rng(0), **arguments)


def test_the_worked_example(example):
    """g(i, parents) of the paper's example: x2 takes x1, x3 takes x2 and then not x1."""
    bound = K2().bind(example)
    for child, parents, value in [
        (0, (), 1 / 2772),
        (1, (), 1 / 2772),
        (1, (0,), 1 / 900),
        (2, (), 1 / 2310),
        (2, (0,), 1 / 1800),
        (2, (1,), 1 / 180),
        (2, (0, 1), 1 / 400),
    ]:
        assert exp(bound.local_score(child, parents)) == pytest.approx(value, rel=1e-12)
    result = run(K2Search(order=("x1", "x2", "x3"), max_parents=2), example)
    assert result.graph.edges == (("x1", "x2"), ("x2", "x3"))
    assert exp(result.score) == pytest.approx(2.23e-9, rel=2e-3)  # P(B_S1, D) / P(B_S1)
    other = Dag(example.names, [("x1", "x2"), ("x1", "x3")])
    assert exp(total(K2(), other, example)) == pytest.approx(2.23e-10, rel=2e-3)  # P(B_S2, D) / P(B_S2)
    assert [step.action for step in result.trace] == ["add x1 -> x2", "add x2 -> x3"]
    assert result.trace[-1].score == pytest.approx(result.score)
    assert result.counters.score_computed == 3 + 1 + 2 + 1  # three alone; x1 for x2; x1, x2 for x3, then x1 again


def plain_k2(score, data, order, most):
    """{child: parents}, one family at a time."""
    bound, found = score.bind(data), {}
    for position, name in enumerate(order):
        child, parents = data.index(name), []
        best = bound.local_score(child, parents)
        while len(parents) < most:
            offers = sorted(set(order[:position]) - set(parents))
            scored = [(bound.local_score(child, [data.index(p) for p in (*parents, u)]), u) for u in offers]
            if not scored or max(scored)[0] <= best + 1e-7:
                break
            best, chosen = max(scored)
            parents.append(chosen)
        found[name] = tuple(sorted(parents))
    return found


@pytest.mark.parametrize("score", [K2(), BDeu(ess=10), BIC()])
@pytest.mark.parametrize("most", [0, 1, 2, 5])
def test_the_same_as_one_family_at_a_time(data, score, most):
    for seed in range(3):
        order = tuple(np.random.default_rng(seed).permutation(data.names).tolist())
        result = run(K2Search(score=score, order=order, max_parents=most), data)
        assert {n: result.graph.parents(n) for n in data.names} == plain_k2(score, data, order, most)
        assert result.score == pytest.approx(total(score, result.graph, data), rel=1e-12)
        assert result.cpdag == result.graph.cpdag()


def test_order_of_rows_and_columns_is_immaterial(data):
    order = tuple(reversed(data.names))
    first = run(K2Search(order=order), data)
    shuffled = reorder_rows(data, np.random.default_rng(1).permutation(data.n_rows)).select(sorted(data.names)[::-1])
    other = run(K2Search(order=order), shuffled)
    assert (other.graph, other.score, other.names) == (first.graph, first.score, shuffled.names)


def test_without_an_order_a_first_search_gives_one(data):
    first = run(HillClimb(score=Suited()), data)
    result = run(K2Search(), data)
    same = run(K2Search(order=first.graph.topological_order), data)
    assert (result.graph, result.score) == (same.graph, same.score)
    assert result.counters.score_computed == first.counters.score_computed + same.counters.score_computed
    start = Dag(data.names, [(data.names[4], data.names[0])])
    assert run(K2Search(first=HillClimb(max_parents=0)), data, start=start).graph.n_edges > 0


def test_equal_columns_tie_by_name(data):
    """The columns after x00 and its copy would gain as much from either: the first name wins, wherever it stands."""
    twin = Column("a copy", Kind.DISCRETE, data.columns[0].values, data.columns[0].levels)
    table = Dataset((*data.columns[:2], twin, data.columns[2]))
    for order in (("x00", "a copy", "x01", "x02"), ("a copy", "x00", "x01", "x02")):
        result = run(K2Search(order=order), table)
        assert {"x01", "x02"} & set(result.graph.children("a copy"))
        assert not {"x01", "x02"} & set(result.graph.children("x00"))
        assert result.counters.ties > 0


def test_max_table_bounds_every_family(data):
    cards = dict(zip(data.names, data.cardinalities, strict=True))
    graph = run(K2Search(order=data.names, max_table=8), data).graph
    assert graph.n_edges > 0
    for name in graph.names:
        assert np.prod([cards[p] for p in graph.parents(name)]) * cards[name] <= 8 or not graph.parents(name)


def test_knowledge_is_obeyed(data):
    names = data.names
    free = run(K2Search(order=names), data).graph
    forbidden = list(free.edges[:2])
    required = [(names[0], names[5])]
    for learner in (K2Search(order=names), K2Search()):
        graph = run(learner, data, knowledge=Knowledge(forbidden=forbidden, required=required)).graph
        assert not set(forbidden) & set(graph.edges)
        assert set(required) <= set(graph.edges)
    tiered = run(K2Search(order=names), data, knowledge=Knowledge(tiers=[names[3:], names[:3]])).graph
    assert all(not (a in names[:3] and b in names[3:]) for a, b in tiered.edges)
    with pytest.raises(OptionError, match=f"{names[5]} -> {names[0]} is required, but '{names[0]}' comes first"):
        run(K2Search(order=names), data, knowledge=Knowledge(required=[(names[5], names[0])]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda names: names[:-1], "'x05' is missing"),
        (lambda names: (*names, names[0]), "'x00' stands twice"),
        (lambda names: (*names[:-1], "x055"), "did you mean 'x05'"),
    ],
)
def test_the_order_must_name_every_column_once(data, change, words):
    with pytest.raises(OptionError, match=words):
        run(K2Search(order=change(data.names)), data)


def test_options_out_of_range_are_refused(data):
    for option, value in [("max_parents", -1), ("max_table", 0), ("order", "x00,x01")]:
        with pytest.raises(OptionError, match=option):
            replace(K2Search(), **{option: value})
    with pytest.raises(OptionError, match="start graph"):
        run(K2Search(order=data.names), data, start=Dag(data.names))
    with pytest.raises(GraphError, match="'other'"):
        run(K2Search(), data, start=Dag([*data.names, "other"]))


def test_the_order_may_come_as_a_list_or_as_text():
    """As it does from a saved specification and from the command line."""
    assert K2Search(order=["b", "a"]) == K2Search(order=("b", "a"))
    assert with_options(K2Search(), {"order": "b,a"}) == K2Search(order=("b", "a"))
    assert to_spec(K2Search(order=("b", "a")))["order"] == ["b", "a"]
    assert with_options(K2Search(order=("b",)), {"order": "none"}) == K2Search()
    assert to_spec(K2Search())["score"] == to_spec(Suited(discrete=K2()))
    assert catalog.from_spec(to_spec(K2Search())["first"]) == K2Search().first


class Stops:
    def __init__(self, phase, after):
        self.phase, self.left = phase, after

    def report(self, progress):
        self.left -= progress.phase == self.phase

    def should_stop(self):
        return self.left <= 0


def test_stopping_keeps_what_there_is(data):
    full = run(K2Search(order=data.names), data).graph
    reached = []
    for reports in range(1, 8):  # one after each parent and after each column
        result = run(K2Search(order=data.names), data, monitor=Stops("parents", reports))
        assert (result.status, result.score) == ("stopped", None)
        assert set(result.graph.edges) <= set(full.edges)
        reached.append(result.graph.n_edges)
    assert reached == sorted(reached)
    assert 0 < reached[-1] < full.n_edges
    early = run(K2Search(), data, monitor=Stops("search", 2))
    assert (early.status, early.score, early.graph.n_edges) == ("stopped", None, 2)


@pytest.mark.parametrize("n_rows", [1, 2, 5])
def test_few_rows_and_constant_columns_get_a_sane_answer(n_rows):
    table = discrete_table(np.random.default_rng(0), [3, 2, 1], n_rows)
    for order in (None, table.names):
        result = run(K2Search(order=order), table)
        assert np.isfinite(result.score)
        assert not any(table.names[2] in edge for edge in result.graph.edges)
    assert run(K2Search(), table.select(table.names[:1])).graph.n_edges == 0


@pytest.mark.parametrize("table", [continuous_data(), mixed_data()])
def test_columns_of_any_kind(table):
    result = run(K2Search(), table)
    assert result.graph.n_edges > 0
    assert result.score == pytest.approx(total(K2Search().score, result.graph, table), rel=1e-12)
    assert len(result.warnings) == len(set(result.warnings))


def test_ln_of_the_smallest_case(example):
    """Ten rows of one binary column with five of each: 5! 5! / 11!."""
    assert K2().bind(example).local_score(0, ()) == pytest.approx(log(120 * 120 / 39916800))


def test_a_response_is_the_only_column_with_parents(data):
    name = data.names[2]
    result = run(K2Search(response=name), data)
    assert result.graph.edges
    assert {head for _, head in result.graph.edges} == {name}
    last = run(K2Search(order=(*(n for n in data.names if n != name), name)), data)
    assert result.graph.parents(name) == last.graph.parents(name)
    assert result.score == pytest.approx(total(K2(), result.graph, data), rel=1e-12)


def test_what_knowledge_puts_below_the_response_is_no_parent_of_it(data):
    name, below, far = data.names[2], data.names[0], data.names[1]
    free = run(K2Search(response=name, score=BDeu(ess=50)), data).graph.parents(name)
    assert far in free
    knowledge = Knowledge(required=[(name, below), (below, far)])
    result = run(K2Search(response=name, score=BDeu(ess=50)), data, knowledge=knowledge).graph
    assert far not in result.parents(name)
    assert {(name, below), (below, far)} <= set(result.edges)


def test_an_unknown_response_or_one_with_an_order_is_refused(data):
    with pytest.raises(OptionError, match="response"):
        run(K2Search(response="nobody"), data)
    with pytest.raises(OptionError, match="exclude each other"):
        K2Search(response=data.names[0], order=data.names)
