"""Tran's search: its three modes against brute force, and what his thesis says of them."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.thresholds.coarsening import single_losses
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize import EqualFrequency, Friedman
from arcwise.discretize.loop.refine import refine
from arcwise.discretize.policies.friedman import MODES, TopDown
from arcwise.discretize.thresholds import coarsen
from arcwise.discretize.thresholds.neighbourhood import Family, neighbourhood
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.learners import Integrated
from arcwise.parts.spec import to_spec
from arcwise.scores import BDeu
from tests.contract.parts import mixed_data
from tests.oracle import top_down as slow
from tests.oracle.thresholds import Case
from tests.unit.discretize.test_threshold_search import SHAPES, cuts_of, make

ESS = 1.0


def find(around, mode):
    return TopDown(mode=mode).searcher(BDeu(ess=ESS), around.n_rows).find(around)[0]


def every_value(around):
    return np.append(np.unique(around.values, return_index=True)[1], around.n_rows).astype(np.intp)


def losses_of(around):
    f = coarsen.x_log_x(np.arange(around.n_rows + 1.0))
    return single_losses(coarsen.levels_at(around, every_value(around), f))[1:]


def around_column(values, parents=(), children=()):
    """Neighbourhood of a column between discrete parents and children, given as codes."""
    codes = np.array([np.zeros(len(values)), *parents, *children]).astype(np.uint8)
    cards = codes.max(axis=1).astype(np.intp) + 1
    families = [Family(1 + len(parents) + c, ()) for c in range(len(children))]
    order = np.argsort(values, kind="stable")
    return neighbourhood(np.asarray(values)[order], order, codes, cards, list(range(1, 1 + len(parents))), families)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tied", [False, True])
def test_every_single_removal_equals_brute_force(shape, tied):
    around, case = make(3, 50, tied=tied, **shape)
    every = case.candidates()
    whole = case.friedman(every)
    want = [whole - case.friedman(slow.without(every, t)) for t in every]
    assert losses_of(around) - coarsen.allowance(around) == pytest.approx(want, abs=1e-8)


def coarse(seed, n_parents, children, n_rows=160, distinct=8):
    """(neighbourhood, its slow twin) of a column with few values, on which its neighbours depend strongly.

    children lists the number of other parents of each child.
    """
    rng = np.random.default_rng(seed)
    values = rng.integers(0, distinct, n_rows).astype(float)
    values[:2] = 0.0, 1.0  # the twin needs two different ones
    state = np.sort(rng.integers(0, 4, distinct))[values.astype(int)]
    cards, columns = [1], [np.zeros(n_rows, dtype=int)]
    for _ in range(n_parents + sum(1 + others for others in children)):
        cards.append(int(rng.integers(2, 4)))
        noise = rng.random(n_rows) < 0.15
        columns.append(np.where(noise, rng.integers(0, cards[-1], n_rows), (state + rng.integers(0, 3)) % cards[-1]))
    families, at = [], 1 + n_parents
    for others in children:
        families.append(Family(at, tuple(range(at + 1, at + 1 + others))))
        at += 1 + others
    parents, order = list(range(1, 1 + n_parents)), np.argsort(values, kind="stable")
    around = neighbourhood(values[order], order, np.array(columns, dtype=np.uint8), np.array(cards), parents, families)
    twin = Case(
        values,
        [columns[p] for p in parents],
        [(columns[f.child], [columns[o] for o in f.others]) for f in families],
        ([cards[p] for p in parents], [(cards[f.child], [cards[o] for o in f.others]) for f in families]),
    )
    return around, twin


TWINS = {
    "single-pass": lambda case: slow.single_pass(case.friedman, case.candidates()),
    "agglomerative": lambda case: slow.agglomerative(case.friedman, case.candidates(), case.values),
    "exhaustive": lambda case: slow.exhaustive(case.friedman, case.candidates()),
}


@pytest.mark.parametrize("mode", TWINS)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_parents=st.integers(0, 2),
    children=st.lists(st.integers(0, 1), max_size=2),
    n_rows=st.integers(5, 200),
)
@settings(max_examples=30, deadline=None)
def test_the_modes_equal_brute_force(mode, seed, n_parents, children, n_rows):
    around, case = coarse(seed, n_parents, children, n_rows, distinct=7)
    got, want = find(around, mode), TWINS[mode](case)
    assert got.n_levels == len(want) + 1
    if mode != "exhaustive":  # several sets of as many thresholds may be equally good
        assert cuts_of(around, got) == pytest.approx(want)
    one = find(around_column(around.values), "auto")
    start = TopDown().searcher(BDeu(ess=ESS), n_rows).evaluate(around, one.starts).score
    assert got.score - start == pytest.approx(case.friedman(want) - case.friedman([]), abs=1e-7)


def test_the_brute_force_tests_see_several_levels():
    for mode in TWINS:
        assert {find(coarse(seed, 1, [0])[0], mode).n_levels for seed in range(20)} >= {2, 3, 4}, mode


@pytest.mark.parametrize("seed", range(6))
def test_agglomerative_equals_brute_force_on_singletons(seed):
    """All values distinct: nearly every removal is a tie."""
    around, case = make(seed, 24, seed % 3, (0, 1)[: seed % 3])
    assert cuts_of(around, find(around, "agglomerative")) == pytest.approx(TWINS["agglomerative"](case))
    path, _ = coarsen._descent(
        coarsen.levels_at(around, every_value(around), coarsen.x_log_x(np.arange(25.0))), coarsen.constants(around)
    )
    want = slow.removals(case.friedman, case.candidates(), case.values)
    assert np.array(case.candidates())[path - 1] == pytest.approx(want)


@pytest.mark.parametrize("seed", range(8))
def test_no_search_is_better_than_the_exhaustive_one(seed):
    around, _ = make(seed, 300, seed % 3, (1, 0)[: 1 + seed % 2], tied=bool(seed % 2))
    best = find(around, "exhaustive").score
    greedy = Friedman(patience=2).searcher(BDeu(ess=ESS), 300).find(around)[0].score
    agglomerative, auto = find(around, "agglomerative").score, find(around, "auto").score
    assert best >= max(agglomerative, auto, greedy, find(around, "single-pass").score) - 1e-6
    assert auto >= agglomerative - 1e-6


def test_constants_are_those_of_the_local_score():
    around, _ = make(4, 60, 2, (1, 0), tied=True)
    local = Friedman().local(BDeu(ess=ESS))
    want = [local.constant(around, r) for r in range(1, around.n_distinct + 1)]
    assert coarsen.constants(around) == pytest.approx(want)


def entropy(p):
    return 0.0 if p in (0, 1) else -p * log(p) - (1 - p) * log(1 - p)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_allowance_is_what_a_removal_saves(shape):
    around, case = make(5, 80, tied=True, **shape)
    own, children = case.cards
    c = np.prod(own, initial=1) + sum(np.prod(others, initial=1) * (card - 1) for card, others in children)
    m = around.n_distinct
    tau = 0.5 * c * log(80) - (m - 1) * entropy(1 / (m - 1)) + log(m / (m - 1))
    assert coarsen.allowance(around) == pytest.approx(tau)


def test_the_allowance_of_the_two_node_example():
    """100,000 rows, 6 values, a ternary child; Tran counts no parameters for a node without parents."""
    values = np.repeat(np.arange(6.0), [20_000, 20_000, 20_000, 20_000, 10_000, 10_000])
    around = around_column(values, children=[np.arange(100_000) % 3])
    assert coarsen.allowance(replace(around, q=0.0)) == pytest.approx(9.193, abs=5e-4)
    assert coarsen.allowance(around) == pytest.approx(9.193 + 0.5 * log(100_000), abs=5e-4)


@pytest.mark.parametrize(("child_levels", "tau", "levels"), [(2, -1.0, 1000), (3, 2.46, 1)])
def test_single_pass_degenerates_on_continuous_data(child_levels, tau, levels):
    """All values distinct: a removal loses 0 or 2 ln 2, so either every threshold stays or none does."""
    rng = np.random.default_rng(0)
    around = around_column(rng.normal(size=1000), children=[rng.integers(0, child_levels, 1000)])
    assert np.unique(np.round(losses_of(around), 9)) == pytest.approx([0, 2 * log(2)])
    assert coarsen.allowance(around) == pytest.approx(tau, abs=0.01)
    assert find(around, "single-pass").n_levels == levels


GIVEN = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7]])  # P(X2 | original value of X1)
STATE = np.array([0, 0, 1, 1, 1, 2])  # truth: 12|345|6


def two_nodes(n_rows=100_000):
    """X1 of 1..6 that stands for three values, and its ternary child."""
    rng = np.random.default_rng(7)
    x = rng.choice(6, n_rows, p=np.array([1 / 9, 2 / 9, 2 / 21, 4 / 21, 1 / 21, 1 / 3]))
    y = (rng.random(n_rows)[:, None] > np.cumsum(GIVEN[STATE[x]], axis=1)).sum(axis=1)
    return x + 1.0, y


def test_removals_in_the_two_node_example_have_the_published_pattern():
    """Removing 2|3 or 5|6 is bad, removing another harmless, and 12|345|6 the best of all (Tran, table 5.1)."""
    x, y = two_nodes()
    around = around_column(x, children=[y])
    search = TopDown().searcher(BDeu(ess=ESS), around.n_rows)
    starts = every_value(around)
    full = search.evaluate(around, starts).score
    gains = [search.evaluate(around, np.delete(starts, j)).score - full for j in range(1, 6)]
    assert [gain > 0 for gain in gains] == [True, False, True, True, False]
    truth = search.evaluate(around, starts[[0, 2, 5, 6]]).score
    assert truth > full + max(gains)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("edge", [("x", "y"), ("y", "x")])
def test_the_two_node_example_is_solved(mode, edge):
    x, y = two_nodes(20_000)
    data = Dataset(
        (
            Column("x", Kind.CONTINUOUS, x),
            Column("y", Kind.DISCRETE, y.astype(np.uint8), ("1", "2", "3")),
        )
    )
    assert refine(TopDown(mode=mode), data, Dag("xy", [edge])).thresholds["x"].tolist() == [2.5, 5.5]


@pytest.mark.parametrize("mode", MODES)
def test_a_threshold_stays_when_one_of_two_children_needs_it(mode):
    """X2 does not tell 1 and 2 apart, X3 does (Tran 4.2.5)."""
    rng = np.random.default_rng(8)
    x = rng.integers(1, 4, 6000)
    second = (rng.random(6000) < np.array([0.3, 0.3, 0.8])[x - 1]).astype(np.uint8)
    third = (rng.random(6000) < np.array([0.2, 0.7, 0.7])[x - 1]).astype(np.uint8)
    alone = around_column(x.astype(float), children=[second])
    assert find(alone, mode).n_levels == 2
    both = around_column(x.astype(float), children=[second, third])
    assert cuts_of(both, find(both, mode)) == [1.5, 2.5]


@pytest.mark.parametrize("mode", ["agglomerative", "auto", "exhaustive"])
def test_alternating_bands_are_found_where_adding_cuts_gives_up(mode):
    """The child alternates in 24 bands, a twentieth of its values flipped: a single cut hardly pays."""
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 24, 1000)
    around = around_column(x, children=[(x.astype(int) % 2) ^ (rng.random(1000) < 0.05)])
    assert Friedman().searcher(BDeu(ess=ESS), 1000).find(around)[0].n_levels < 8
    assert cuts_of(around, find(around, mode)) == pytest.approx(np.arange(1.0, 24.0), abs=0.2)


@pytest.mark.parametrize("mode", MODES)
def test_the_order_of_rows_is_immaterial(mode):
    rng = np.random.default_rng(9)
    x = np.round(rng.normal(size=400), 1)
    y, z = np.round(x + rng.normal(size=400)).astype(int) % 3, rng.integers(0, 2, 400)
    first = find(around_column(x, [z], [y]), mode)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(400)
        other = find(around_column(x[order], [z[order]], [y[order]]), mode)
        assert other.starts.tolist() == first.starts.tolist()


def test_work_cut_into_many_calls_gives_the_same(monkeypatch):
    around, _ = make(6, 250, 1, (1, 0))
    whole = {mode: find(around, mode).starts.tolist() for mode in MODES}
    monkeypatch.setattr(coarsen, "WORK", 40)
    assert {mode: find(around, mode).starts.tolist() for mode in MODES} == whole


def test_auto_keeps_as_many_levels_as_pay(monkeypatch):
    """Every value decides the child, so all 40 levels pay, more than "auto" agglomerates to and may choose from."""
    x = np.repeat(np.arange(40.0), 60)
    around = around_column(x, children=[x % 2])
    assert find(around, "auto").n_levels == 40
    for limit in (30, 50):
        monkeypatch.setattr(coarsen, "AUTO_LEVELS", 20)
        monkeypatch.setattr(coarsen, "MOST_EXHAUSTIVE", limit)
        assert find(around, "auto").n_levels == 40


@pytest.mark.parametrize("mode", MODES)
def test_awkward_columns(mode):
    rng = np.random.default_rng(10)
    child = rng.integers(0, 2, 60)
    assert find(around_column(np.full(60, 2.5), children=[child]), mode).n_levels == 1
    same = around_column(child * 3.0, children=[child])
    assert cuts_of(same, find(same, mode)) == [1.5]
    assert find(around_column(rng.integers(0, 2, 60) * 3.0, children=[child]), mode).n_levels == 1
    far = np.where(child == 1, 1e300, -1e300)
    far[:3] = [1.7e308, -1.7e308, 0.0]
    assert 1 <= find(around_column(far, children=[child]), mode).n_levels <= 5


@pytest.mark.parametrize("mode", ["agglomerative", "auto", "exhaustive"])
def test_a_column_without_neighbours_keeps_one_level(mode):
    assert find(make(7, 100, 0, ())[0], mode).n_levels == 1


@pytest.mark.parametrize("mode", MODES)
def test_no_threshold_of_the_start_stays_that_does_not_pay(mode):
    """On continuous data the single pass would keep every threshold, and three bins are better than that."""
    rng = np.random.default_rng(11)
    x = rng.normal(size=300)
    alone, child = Column("alone", Kind.CONTINUOUS, x), (x + rng.normal(0, 0.5, 300) > 0).astype(np.uint8)
    parent = Column("parent", Kind.CONTINUOUS, x)
    data = Dataset((alone, parent, Column("child", Kind.DISCRETE, child, ("no", "yes"))))
    start = EqualFrequency(bins=5).fit(data)
    cuts = refine(TopDown(mode=mode), data, Dag(data.names, [("parent", "child")]), start).thresholds
    assert len(cuts["alone"]) == 0
    search = TopDown(mode=mode).searcher(BDeu(), 300)
    around = around_column(x, children=[child])
    at = np.concatenate([[0], np.searchsorted(around.values, cuts["parent"]), [300]]).astype(np.intp)
    assert len(at) > 2
    now = search.evaluate(around, at).score
    assert all(search.evaluate(around, np.delete(at, k)).score <= now for k in range(1, len(at) - 1))
    assert search.improve(around, at)[0] is None


@pytest.mark.parametrize(("states", "stays"), [((2,), "all"), ((3,), "none"), ((2, 2), "some")])
def test_what_the_single_pass_leaves_of_999_thresholds(states, stays):
    rng = np.random.default_rng(1)
    children = [rng.integers(0, k, 1000) for k in states]
    around = around_column(np.arange(1000.0), children=children)
    left = find(around, "single-pass").n_levels - 1
    apart = np.all([child[1:] != child[:-1] for child in children], axis=0)  # both sides differ in every child
    assert left == {"all": 999, "none": 0, "some": np.count_nonzero(apart)}[stays]
    assert stays != "some" or 200 < left < 300


@pytest.mark.parametrize("mode", MODES)
def test_in_the_loop(mode):
    data = mixed_data(400)
    result = Integrated(policy=TopDown(mode=mode), initial=EqualFrequency()).learn(data, rng=np.random.default_rng(0))
    assert result.status == "converged"
    continuous = {c.name for c in data.columns if c.kind is Kind.CONTINUOUS}
    assert set(result.discretization.thresholds) == continuous
    assert result.cpdag.n_edges >= 3
    assert result.counters.discretization_calls > 0


def test_options_are_checked():
    assert to_spec(TopDown()) == {"kind": "top-down", "mode": "auto"}
    with pytest.raises(OptionError, match=r"'single_pass'; did you mean 'single-pass'\?"):
        TopDown(mode="single_pass")


def test_too_many_values_for_the_exhaustive_search():
    around = around_column(np.arange(1001.0), children=[np.arange(1001) % 2])
    with pytest.raises(OptionError, match=r"at most 1000 distinct values, .* from 0 to 1000 has 1001; use mode 'auto'"):
        find(around, "exhaustive")


def test_of_equally_good_partitions_the_last_on_the_way_down_wins():
    assert coarsen._last_best(np.array([1.0, 3.0, 3.0 - 1e-12, 0.0])) == 2
    assert coarsen._last_best(np.array([1.0, 3.0, 3.0 - 1e-6, 0.0])) == 1
