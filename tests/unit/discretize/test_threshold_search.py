"""Sweeps against brute force: every cut of every interval, with ties, several parents and several children."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.thresholds.sweep import Parts, least_width, log_density, next_cut
from arcwise.discretize.bins.cuts import midpoints
from arcwise.discretize.policies.friedman import Friedman
from arcwise.discretize.policies.monti import Monti
from arcwise.discretize.policies.steck import Steck
from arcwise.discretize.thresholds import grow as engine
from arcwise.discretize.thresholds.grow import GreedySearch, StepTables
from arcwise.discretize.thresholds.neighbourhood import Family, neighbourhood
from arcwise.scores import K2, BDeu
from tests.oracle.thresholds import Case, greedy, greedy_evaluations

ESS = 3.0
POLICIES = {
    "friedman": (Friedman().local(BDeu(ess=ESS)), lambda case: case.friedman),
    "monti": (Monti().local(BDeu(ess=ESS)), lambda case: lambda cuts: case.monti(cuts, ESS)),
    "steck": (Steck().local(BDeu(ess=ESS)), lambda case: lambda cuts: case.steck(cuts, ESS)),
    "monti, k2": (Monti().local(K2()), lambda case: lambda cuts: case.monti(cuts, alpha=1.0)),
    "monti, alpha": (Monti().local(K2(alpha=0.3)), lambda case: lambda cuts: case.monti(cuts, alpha=0.3)),
    "steck, alpha": (Steck().local(K2(alpha=2.0)), lambda case: lambda cuts: case.steck(cuts, alpha=2.0)),
}


def make(seed, n_rows=60, n_parents=2, children=(1, 0), tied=False):
    """(neighbourhood, its slow twin): children lists the number of other parents of each child."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=n_rows)
    if tied:
        values = np.round(values, 1)
    n_columns = 1 + n_parents + sum(1 + others for others in children)
    cards = np.array([1, *rng.integers(2, 4, n_columns - 1)])
    codes = np.zeros((n_columns, n_rows), dtype=np.uint8)
    for c in range(1, n_columns):
        noisy = values + rng.normal(0, 1, n_rows)
        codes[c] = np.searchsorted(np.quantile(noisy, np.arange(1, cards[c]) / cards[c]), noisy)
    parents = list(range(1, 1 + n_parents))
    families, next_column = [], 1 + n_parents
    for others in children:
        family = range(next_column, next_column + 1 + others)
        families.append(Family(family[0], tuple(family[1:])))
        next_column += 1 + others
    order = np.argsort(values, kind="stable")
    around = neighbourhood(values[order], order, codes, cards, parents, families)
    twin = Case(
        values,
        [codes[p] for p in parents],
        [(codes[f.child], [codes[o] for o in f.others]) for f in families],
        ([cards[p] for p in parents], [(cards[f.child], [cards[o] for o in f.others]) for f in families]),
    )
    return around, twin


def starts_of(around, thresholds):
    return np.concatenate([[0], np.searchsorted(around.values, thresholds), [around.n_rows]]).astype(np.intp)


def cuts_of(around, partition):
    inner = partition.starts[1:-1]
    return midpoints(around.values[inner - 1], around.values[inner]).tolist()


SHAPES = [
    {"n_parents": 0, "children": ()},
    {"n_parents": 2, "children": ()},
    {"n_parents": 0, "children": (0,)},
    {"n_parents": 3, "children": (2, 0, 1)},
]


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tied", [False, True])
def test_every_cut_of_every_interval_equals_brute_force(name, shape, tied):
    score, twin_score = POLICIES[name]
    around, case = make(1, tied=tied, **shape)
    twin = twin_score(case)
    search = GreedySearch(score, StepTables(around.n_rows))
    candidates = case.candidates()
    chosen = sorted(np.random.default_rng(2).choice(candidates, 3, replace=False).tolist())
    starts = starts_of(around, chosen)
    now = search.evaluate(around, starts)
    gains, density = np.empty(around.n_rows), np.zeros((around.n_rows, 3))
    r = len(chosen) + 2
    slots, least = (
        search.tables.slots(score.pseudo_counts(around, r)),
        np.inf if score.density_floor is None else least_width(around.values, 1e-6),
    )
    tables = search.tables
    parts = Parts(around.codes, around.sizes, search._signs(around), slots, tables.steps, tables.pseudo)
    whole, _, _ = next_cut(parts, around.values, starts, 0, r - 1, False, least, 0.0, gains, density)
    dense = log_density(around.values, starts, 1e-6) if least < np.inf else 0.0
    base = whole + dense + score.constant(around, r)
    others = [t for t in candidates if t not in chosen]
    rows = np.searchsorted(around.values, others) - 1
    got = base + gains[rows] - now.score
    want = [twin(sorted([*chosen, t])) - twin(chosen) for t in others]
    assert got == pytest.approx(want, abs=1e-8)


@pytest.mark.parametrize("name", POLICIES)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_parents=st.integers(0, 2),
    children=st.lists(st.integers(0, 2), max_size=2),
    tied=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_greedy_search_equals_brute_force(name, seed, n_parents, children, tied):
    score, twin_score = POLICIES[name]
    around, case = make(seed, 40, n_parents, tuple(children), tied)

    def middle(threshold, chosen):
        edges = [0, *np.searchsorted(around.values, chosen).tolist(), around.n_rows]
        rank = int(np.searchsorted(around.values, threshold))
        lo, hi = next((a, b) for a, b in pairwise(edges) if a < rank < b or (a <= rank < b and rank > a))
        return abs((rank - lo) - 0.5 * (hi - lo))

    search = GreedySearch(score, StepTables(around.n_rows))
    partition, calls = search.find(around)
    chosen, best = greedy(twin_score(case), case.candidates(), middle)
    assert cuts_of(around, partition) == pytest.approx(chosen)
    empty = twin_score(case)([])
    start = search.evaluate(around, starts_of(around, []))
    assert partition.score - start.score == pytest.approx(best - empty, abs=1e-8)
    lasting = name not in ("monti", "steck")  # of BDeu the pseudo-counts change with every cut
    assert calls == greedy_evaluations(twin_score(case), case.candidates(), middle, lasting)
    assert search.improve(around, partition.starts) == (None, calls + 1)


def test_only_cuts_of_new_intervals_count_as_evaluated():
    """Four bands: the first sweep has 79 cuts, the next all others, the third only those of the interval just cut."""
    x = np.arange(80.0)
    codes = np.zeros((2, 80), dtype=np.uint8)
    codes[1] = np.arange(80) // 20
    around = neighbourhood(x, np.arange(80), codes, np.array([1, 4]), [], [Family(1, ())])
    partition, calls = GreedySearch(Friedman().local(BDeu()), StepTables(80)).find(around)
    assert partition.starts.tolist() == [0, 20, 40, 60, 80]
    assert calls == 1 + 79 + 78 + 38 + 38  # the middle, then 20 and 60, each in its half; then none pays


def test_counts_beyond_the_tables_change_nothing(monkeypatch):
    around, _ = make(5, 200)
    whole = [GreedySearch(s, StepTables(200)).find(around)[0] for s, _ in POLICIES.values()]
    monkeypatch.setattr(engine, "TABULATED", 4)
    for (score, _), want in zip(POLICIES.values(), whole, strict=True):
        got = GreedySearch(score, StepTables(200)).find(around)[0]
        assert got.starts.tolist() == want.starts.tolist()
        assert got.score == pytest.approx(want.score)


def test_steck_depends_on_ranks_only():
    around, _ = make(6, 150)
    order = np.arange(150)
    stretched = neighbourhood(np.exp(around.values), order, np.zeros((1, 150), np.uint8), np.array([1]), [], [])
    plain = neighbourhood(around.values, order, np.zeros((1, 150), np.uint8), np.array([1]), [], [])
    search = GreedySearch(Steck().local(BDeu(ess=40.0)), StepTables(150))
    assert search.find(stretched)[0].starts.tolist() == search.find(plain)[0].starts.tolist()


@pytest.mark.parametrize("name", ["friedman", "steck", "steck, alpha"])
def test_a_column_without_neighbours_keeps_one_level(name):
    around, _ = make(7, 100, 0, ())
    assert GreedySearch(POLICIES[name][0], StepTables(100)).find(around)[0].n_levels == 1


@pytest.mark.parametrize(("ess", "levels"), [(1.0, 1), (10.0, 1), (20.0, 1), (30.0, 2)])
def test_a_large_sample_size_cuts_even_a_column_without_neighbours(ess, levels):
    around, _ = make(7, 500, 0, ())
    assert Steck().searcher(BDeu(ess=ess), 500).find(around)[0].n_levels == levels


def about_a_stretch(width, noise, n_rows=500):
    """A binary child that is 1 within a stretch in the middle of the range, and even elsewhere in a share of rows."""
    rng = np.random.default_rng(2)
    x = np.sort(rng.uniform(0, 1, n_rows))
    codes = np.zeros((2, n_rows), dtype=np.uint8)
    codes[1] = np.where(rng.random(n_rows) < noise, rng.random(n_rows) < 0.5, np.abs(x - 0.5) < width / 2)
    return neighbourhood(x, np.arange(n_rows), codes, np.array([1, 2]), [], [Family(1, ())])


def test_patience_is_for_stretches_of_which_one_end_does_not_pay():
    around = about_a_stretch(width=0.15, noise=0.5)
    found = [Friedman(patience=p).searcher(BDeu(), 500).find(around)[0] for p in (0, 1)]
    assert found[0].n_levels == 1
    assert cuts_of(around, found[1]) == pytest.approx([0.425, 0.575], abs=0.06)


def test_a_symmetric_relation_needs_no_patience():
    around = about_a_stretch(width=0.5, noise=0.0)
    found, _ = Friedman().searcher(BDeu(), 500).find(around)
    assert cuts_of(around, found) == pytest.approx([0.25, 0.75], abs=0.02)


def test_large_tables_are_renumbered():
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 5, (9, 50)).astype(np.uint8)
    cards = np.full(9, 5)
    order = rng.permutation(50)
    around = neighbourhood(np.sort(rng.normal(size=50)), order, codes, cards, list(range(8)), [])
    joint = [tuple(codes[:8, row]) for row in order]
    assert around.q == 5.0**8
    assert around.sizes[0] == len(set(joint))
    assert all(
        (around.codes[0, i] == around.codes[0, j]) == (joint[i] == joint[j]) for i in range(50) for j in range(50)
    )
