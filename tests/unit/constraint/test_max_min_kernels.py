"""The kernels of the max-min search against the tests they stand for and against the search in Python."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from numba import njit
from scipy.stats import chi2, norm

from arcwise._kernels.max_min import associations as kernels
from arcwise._kernels.max_min import state
from arcwise.constraint.max_min import all_targets, compiled_walk
from arcwise.constraint.max_min.compiled_walk import Associations, CompiledWalk
from arcwise.constraint.max_min.max_min import MMPC, PMMS
from arcwise.independence import ChiSquared, FisherZ, GSquared
from arcwise.parts.knowledge import Knowledge
from arcwise.stats import packing
from arcwise.stats.counts import Counts
from tests.oracle.counting import discrete_table
from tests.oracle.independence import continuous_table, numbers
from tests.oracle.max_min import only_plain_walks

LEARNERS = [MMPC, PMMS]
RNG = np.random.default_rng(0)  # nothing is drawn from it


# Only other kernels can call these, so each has a caller here.


@njit
def order_of(statistic, df, other, other_df):
    return kernels.order_of(statistic, df, other, other_df)


@njit
def critical_value(df, log_alpha):
    return kernels.critical_value(df, log_alpha)


@njit
def compiled_ask(target, size, n_asked, facts, asking):
    kernels.ask(target, size, n_asked, facts, asking)


def learn(learner, data, knowledge=None):
    return learner.learn(data, rng=RNG, knowledge=knowledge or Knowledge())


def ask(bound, target, asked, sets):
    """(statistics, degrees of freedom) of all columns asked, for each set, by one walk that keeps what sets share."""
    walk = CompiledWalk(Associations(bound.kernel_facts(), log(0.05), greedy=True, max_given=None, most_required=0))
    asking = walk._search.asking
    asking.cursor[state.N_LOADED] = -1
    for given in sets:
        asking.asked[: len(asked)] = asked
        asking.wanted[: len(given)] = given
        compiled_ask(target, len(given), len(asked), walk._shared.facts, asking)
        yield asking.statistics[: len(asked)].copy(), asking.dfs[: len(asked)].copy()


SETS = [(), (4,), (4, 5), (4, 5, 6), (4, 6), (7,), (4, 7), (4, 5), (9,), (9, 4), (2,), (2, 7, 4), (4, 5, 6, 3)]


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [60, 64, 1000])
@pytest.mark.parametrize(
    "test", [GSquared(), ChiSquared(min_per_cell=1), GSquared(df="full"), GSquared(df="effective", min_per_cell=0.25)]
)
def test_counts_in_the_strata_give_the_statistics_of_the_test(test, n_rows):
    """Column 9 is too wide for bit planes, column 8 is constant, and 7 makes tables too large for them."""
    rng = np.random.default_rng(n_rows)
    data = discrete_table(rng, [2, 3, 5, 2, 2, 3, 2, 12, 1, 20, 4], n_rows)
    bound = test.bind(data)
    tested = 0
    for target in (0, 1, 10):
        asked = np.array([x for x in range(11) if x != target])
        for given, (statistics, dfs) in zip(SETS, ask(bound, target, asked, SETS), strict=True):
            for x, statistic, df in zip(asked.tolist(), statistics, dfs, strict=True):
                if x not in given and target not in given:
                    right = bound.test(x, target, given)
                    if np.isnan(right.value):
                        assert df == kernels.UNTESTED
                    else:
                        assert statistic == pytest.approx(right.statistic, rel=1e-10, abs=1e-9)
                        assert df == right.details["df"]
                        tested += 1
    assert tested > 50


def test_planes_hold_the_rows_of_each_level():
    for n_rows in (130, packing.STRIP + 1):
        counts = Counts(discrete_table(np.random.default_rng(1), [17, 3], n_rows))
        planes, first = counts.here.packed.blocks[0].planes, counts.here.shape.plane_of
        assert first.tolist() == [-1, 0]
        for level in range(3):
            rows = [i for i in range(n_rows) if (int(planes[level, i // 64]) >> (i % 64)) & 1]
            assert rows == np.flatnonzero(counts.here.codes[1] == level).tolist()


def test_residuals_give_fishers_z():
    data = continuous_table(np.random.default_rng(2), 50, 10)
    bound = FisherZ().bind(data)
    asked = np.arange(1, 4)
    sets = [s for s in SETS if not set(s) & {1, 2, 3}]
    for given, (statistics, dfs) in zip(sets, ask(bound, 0, asked, sets), strict=True):
        assert not dfs.any()
        assert statistics == pytest.approx([bound.test(x, 0, given).statistic for x in asked.tolist()], rel=1e-9)


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-6, 1e-200])
def test_critical_values(alpha):
    for df in (1, 2, 3, 10, 100, 3000):
        assert critical_value(df, log(alpha)) == pytest.approx(chi2.isf(alpha, df), rel=1e-9)
    assert compiled_walk._critical_z(log(alpha)) == pytest.approx(norm.isf(alpha / 2), rel=1e-9)


def test_the_weaker_association_is_the_less_probable_one_by_chance():
    rng = np.random.default_rng(3)
    for _ in range(200):
        (a, b), (i, j) = rng.uniform(0, 60, 2), rng.integers(1, 20, 2)
        difference = chi2.logsf(a, i) - chi2.logsf(b, j)
        assert order_of(a, i, b, j) == np.sign(difference) or abs(difference) < 1e-6
    assert order_of(7.0, 3, 7.0 + 1e-12, 3) == 0


def tables():
    rng = np.random.default_rng(4)
    for n_rows in (20, 60, 200, 1000):
        cards = rng.integers(2, 5, 9).tolist()
        yield discrete_table(rng, [*cards, 18], n_rows), GSquared()
        yield discrete_table(rng, cards, n_rows), ChiSquared(min_per_cell=1)
        yield continuous_table(rng, n_rows, 10, strength=0.5), FisherZ()
    for n_rows in (2, 3, 4, 5):
        yield continuous_table(rng, n_rows, 5), FisherZ()
        yield discrete_table(rng, [2, 2, 3], n_rows), GSquared(min_per_cell=0.5)


@pytest.mark.parametrize("part", LEARNERS)
@pytest.mark.parametrize("max_given", [None, 0, 1, 2])
def test_kernel_and_python_search_make_the_same_tests(part, max_given, monkeypatch):
    cases = [(part(test=test, max_given=max_given), data) for data, test in tables()]
    compiled = [learn(*case) for case in cases]
    monkeypatch.setattr(all_targets, "_walks", only_plain_walks)
    for case, result in zip(cases, compiled, strict=True):
        assert learn(*case).to_dict() == result.to_dict()
    assert sum(result.counters.tests for result in compiled) > 400
    assert max(result.cpdag.n_edges for result in compiled) > 8


@pytest.mark.parametrize("part", LEARNERS)
def test_kernel_and_python_search_agree_on_knowledge_and_ties(part, monkeypatch):
    rng = np.random.default_rng(5)
    data = continuous_table(rng, 300, 8)
    copies = {f"{c.name}{twin}": c.values for c in data.columns for twin in ("", "'") if c.name < "x03" or not twin}
    known = Knowledge(
        required=[("x07", "x00"), ("x06", "x00"), ("x01'", "x04")],
        forbidden=[(a, b) for a in ("x01", "x02") for b in ("x03", "x05")] + [("x03", "x01"), ("x05", "x02")],
    )
    cases = [(part(test=FisherZ(), max_given=3), numbers(copies), known), (part(test=FisherZ()), data)]
    compiled = [learn(*case) for case in cases]
    monkeypatch.setattr(all_targets, "_walks", only_plain_walks)
    for case, result in zip(cases, compiled, strict=True):
        plain = learn(*case)
        assert plain.cpdag == result.cpdag
        assert plain.counters == result.counters
    assert compiled[0].counters.ties > 0


@pytest.mark.parametrize("part", LEARNERS)
def test_a_search_goes_on_where_it_was_interrupted(part, monkeypatch):
    data = [
        discrete_table(np.random.default_rng(6), [2, 3, 2, 2, 3, 2, 2, 2], 800),
        continuous_table(np.random.default_rng(7), 200, 9),
    ]
    whole = [learn(part(), one).to_dict() for one in data]
    monkeypatch.setattr(compiled_walk, "CALL_TESTS", 1)
    assert [learn(part(), one).to_dict() for one in data] == whole


def plain_and_compiled(learner, data, monkeypatch):
    compiled = learn(learner, data)
    monkeypatch.setattr(all_targets, "_walks", only_plain_walks)
    return learn(learner, data), compiled


@pytest.mark.parametrize(
    ("part", "cards", "n_rows", "min_per_cell", "seed"),
    [(MMPC, [2, 5, 3, 2], 24, 0.4, 14), (PMMS, [2, 5, 3, 2], 24, 0.4, 148), (PMMS, [2, 5, 3, 5], 165, 1.1, 88)],
)
def test_a_set_with_just_enough_rows_is_asked_about(part, cards, n_rows, min_per_cell, seed, monkeypatch):
    """60 cells of 0.4 rows are 24 rows, but ((2 2 3) 0.4) 5 is more than 24."""
    learner = part(test=GSquared(min_per_cell=min_per_cell), alpha=0.3)
    plain, compiled = plain_and_compiled(
        learner, discrete_table(np.random.default_rng(seed), cards, n_rows), monkeypatch
    )
    assert (compiled.cpdag, compiled.counters) == (plain.cpdag, plain.counters)


@pytest.mark.parametrize("part", LEARNERS)
def test_ties_of_nearly_equal_columns_are_judged_by_their_p_values(part, monkeypatch):
    rng = np.random.default_rng(160)
    t = rng.normal(size=50)
    b = t + 0.01 * rng.normal(size=50)
    a = b + 10.0 ** rng.uniform(-13, -4) * rng.normal(size=50)
    plain, compiled = plain_and_compiled(part(symmetric=False), numbers({"a": a, "b": b, "t": t}), monkeypatch)
    assert (compiled.cpdag, compiled.counters) == (plain.cpdag, plain.counters)
    assert compiled.counters.ties == 0


def test_the_order_of_a_nearly_collinear_set_does_not_matter(monkeypatch):
    rng = np.random.default_rng(81)
    n = int(rng.integers(6, 9))
    v = rng.normal(size=(n, 60))
    for i in range(1, n):
        v[i] += v[:i].sum(axis=0) * rng.normal()
    v[n - 1] = v[0] + 1e-5 * rng.normal(size=60)
    v[n - 2] = v[0] + v[1]
    data = numbers({f"v{k}": v[k] for k in range(n)})
    plain, compiled = plain_and_compiled(PMMS(alpha=0.9), data, monkeypatch)
    assert (compiled.cpdag, compiled.counters) == (plain.cpdag, plain.counters)
