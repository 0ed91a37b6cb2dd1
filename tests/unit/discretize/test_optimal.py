"""The best partition against every partition, against a dynamic program without bounds, and against greed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize import EqualFrequency, Friedman, Monti, Steck
from arcwise.discretize.bins.cuts import midpoints
from arcwise.discretize.loop.learn_policy import WorkingTable, joined
from arcwise.discretize.loop.refine import refine
from arcwise.discretize.policies.chen import Chen
from arcwise.discretize.policies.optimal import Optimal
from arcwise.discretize.thresholds import interval_weights, level_bounds
from arcwise.discretize.thresholds.level_bounds import ColumnBounds, LevelRange
from arcwise.discretize.thresholds.neighbourhood import Family, neighbourhood
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.learners import Integrated
from arcwise.learners.integrated import histogram_bins
from arcwise.parts.protocols import tolerance
from arcwise.scores import K2, BDeu
from tests.contract.parts import mixed_data
from tests.oracle.partitions import best_by_levels, best_of_all
from tests.oracle.thresholds import Case

SCORES = {
    "friedman": (Friedman(), lambda case, ess: case.friedman),
    "monti": (Monti(min_width=0.01), lambda case, ess: lambda cuts: case.monti(cuts, ess)),
    "steck": (Steck(), lambda case, ess: lambda cuts: case.steck(cuts, ess)),
}
SHAPES = st.tuples(st.integers(0, 2), st.lists(st.integers(0, 2), max_size=2))


def make(seed, n_rows, n_distinct, shape=(1, [1])):
    """(neighbourhood, its slow twin) with up to n_distinct values; shape: parents, other parents of each child."""
    rng = np.random.default_rng(seed)
    n_parents, others = shape
    exact = rng.choice(np.sort(rng.normal(size=n_distinct)), n_rows)
    n_columns = 1 + n_parents + sum(1 + k for k in others)
    cards = np.array([1, *rng.integers(2, 4, n_columns - 1)])
    codes = np.zeros((n_columns, n_rows), dtype=np.uint8)
    for c in range(1, n_columns):
        noisy = exact * rng.choice([-1, 1]) + rng.normal(0, 0.4, n_rows)
        codes[c] = np.searchsorted(np.quantile(noisy, np.arange(1, cards[c]) / cards[c]), noisy)
    parents, families, following = list(range(1, 1 + n_parents)), [], 1 + n_parents
    for k in others:
        families.append(Family(following, tuple(range(following + 1, following + 1 + k))))
        following += 1 + k
    order = np.argsort(exact, kind="stable")
    around = neighbourhood(exact[order], order, codes, cards, parents, families)
    twin = Case(
        exact,
        [codes[p] for p in parents],
        [(codes[f.child], [codes[o] for o in f.others]) for f in families],
        ([cards[p] for p in parents], [(cards[f.child], [cards[o] for o in f.others]) for f in families]),
    )
    return around, twin


def search_for(score, ess, n_rows):
    return Optimal(score=score).searcher(BDeu(ess=ess), n_rows)


def cuts_of(around, partition):
    inner = partition.starts[1:-1]
    return midpoints(around.values[inner - 1], around.values[inner]).tolist()


def wide_enough(case, score):
    """A score of partitions that refuses intervals narrower than Monti's floor."""

    def limited(cuts):
        edges = np.array([min(case.values), *cuts, max(case.values)])
        return score(cuts) if np.all(np.diff(edges) >= 0.01 * (edges[-1] - edges[0])) else -np.inf

    return limited


def compare_with_all(name, seed, n_rows, n_distinct, shape, ess):
    score, twin_score = SCORES[name]
    around, case = make(seed, n_rows, n_distinct, shape)
    twin = twin_score(case, ess)
    twin = wide_enough(case, twin) if name == "monti" else twin
    search = search_for(score, ess, n_rows)
    found, weighed = search.find(around)
    whole = search.evaluate(around, np.array([0, n_rows]))
    cuts, best = best_of_all(twin, case.candidates(), tolerance(whole.score))
    assert found.score - whole.score == pytest.approx(best - twin([]), abs=1e-7)
    assert cuts_of(around, found) == pytest.approx(cuts)
    assert found.score == pytest.approx(search.evaluate(around, found.starts).score)
    assert weighed > 0


@pytest.mark.parametrize("name", SCORES)
@given(st.integers(0, 2**32 - 1), st.integers(5, 40), st.integers(2, 7), SHAPES, st.sampled_from([0.5, 3.0, 40.0]))
@settings(max_examples=20)
def test_it_is_the_best_of_all_partitions(name, seed, n_rows, n_distinct, shape, ess):
    if len(set(make(seed, n_rows, n_distinct, shape)[0].values)) > 1:
        compare_with_all(name, seed, n_rows, n_distinct, shape, ess)


@pytest.mark.parametrize("name", SCORES)
def test_it_is_the_best_of_2048_partitions(name):
    compare_with_all(name, 3, 30, 13, (1, [0]), 2.0)


@pytest.mark.parametrize("alpha", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("policy", [Monti(min_width=0.01), Steck()], ids=lambda policy: policy.kind)
def test_it_is_the_best_of_all_with_free_pseudo_counts(policy, alpha):
    for seed, shape in ((1, (1, [1])), (2, (2, [])), (3, (0, [0, 1]))):
        around, case = make(seed, 35, 9, shape)
        local = {"monti": case.monti, "steck": case.steck}[policy.kind]
        twin = wide_enough(case, lambda cuts, local=local: local(cuts, alpha=alpha))
        search = Optimal(score=policy).searcher(K2(alpha=alpha), 35)
        found, _ = search.find(around)
        whole = search.evaluate(around, np.array([0, 35]))
        cuts, best = best_of_all(twin if policy.kind == "monti" else local_of(local, alpha), case.candidates(), 1e-7)
        assert found.score - whole.score == pytest.approx(best - twin([]), abs=1e-7)
        assert cuts_of(around, found) == pytest.approx(cuts)


def local_of(local, alpha):
    return lambda cuts: local(cuts, alpha=alpha)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("ess", [1.0, 60.0])
@pytest.mark.parametrize("shape", [(0, []), (2, []), (0, [0]), (1, [1, 0])], ids=str)
def test_it_equals_a_dynamic_program_without_bounds(name, ess, shape, monkeypatch):
    monkeypatch.setattr(
        level_bounds, "ROUGH", 20
    )  # plan with few of the cuts, so that plans fail and ranges are parted
    most = 24
    for seed, n_rows, n_distinct in ((1, 150, 10000), (2, 400, 60)):
        around, _ = make(seed, n_rows, n_distinct, shape)
        score = SCORES[name][0]
        best = best_by_levels(around, score.local(BDeu(ess=ess)), most)
        found, _ = search_for(score, ess, n_rows).find(around)
        assert found.n_levels < most
        assert found.score == pytest.approx(best.max(), abs=1e-6)
        assert best[found.n_levels] == pytest.approx(best.max(), abs=1e-6)


@pytest.mark.parametrize("name", SCORES)
@given(st.integers(0, 2**32 - 1), SHAPES, st.sampled_from([0.3, 2.0, 30.0]), st.integers(2, 6), st.integers(0, 20))
@settings(max_examples=15)
def test_bounds_hold_for_every_number_of_levels_in_the_range(name, seed, shape, ess, low, more):
    around, _ = make(seed, 60, 25, shape)
    local = SCORES[name][0].local(BDeu(ess=ess))
    high = min(low + more, around.n_distinct)
    bounds = ColumnBounds(interval_weights.interval_weights(around, local), 1e-7)
    truth = best_by_levels(around, local, high)[low:].max()
    for penalty in (0.0, 1.0, 20.0):
        levels = LevelRange(low, high, penalty)
        (_, bound, _), *_ = bounds.run([levels])
        assert bound >= truth - 1e-7
    assert bounds.from_below(levels) >= truth - 1e-7
    if low == high:
        (starts,) = bounds.with_levels(low) or [None]
        assert (starts is None) == (truth == -np.inf)


@pytest.mark.parametrize("name", SCORES)
@given(st.integers(0, 2**32 - 1), st.sampled_from([80, 300]), SHAPES, st.booleans())
@settings(max_examples=25)
def test_it_is_never_below_the_greedy_search(name, seed, n_rows, shape, tied):
    around, _ = make(seed, n_rows, 20 if tied else 10000, shape)
    score = Monti() if name == "monti" else SCORES[name][0]
    greedy, _ = score.searcher(BDeu(), n_rows).find(around)
    found, _ = search_for(score, 1.0, n_rows).find(around)
    assert found.score >= greedy.score - 10 * tolerance(greedy.score)


def test_a_relation_that_no_single_cut_shows():
    """Stripes: a cut at the edge of any but the outer ones tells nothing about the parent."""
    codes = np.zeros((2, 112), dtype=np.uint8)
    codes[1] = np.arange(112) // 14 % 2
    around = neighbourhood(np.arange(112.0), np.arange(112), codes, np.array([1, 2]), [1], [])
    assert Friedman().searcher(BDeu(), 112).find(around)[0].n_levels == 1
    found, _ = search_for(Friedman(), 1.0, 112).find(around)
    assert found.starts.tolist() == list(range(0, 113, 14))


def test_of_equal_partitions_the_one_with_lower_cuts():
    flat = np.zeros((2, 40), dtype=np.uint8)
    flat[1, 10:30] = 1
    around = neighbourhood(np.arange(40.0), np.arange(40), flat, np.array([1, 2]), [1], [])
    bounds = ColumnBounds(interval_weights.interval_weights(around, Friedman().local(BDeu())), 1e-7)
    assert bounds.with_levels(2)[0].tolist() == [0, 10, 40]  # a cut at 30 is as good


@pytest.mark.parametrize("name", SCORES)
def test_the_order_of_tied_rows_is_immaterial(name):
    rng = np.random.default_rng(4)
    values = np.sort(rng.integers(0, 30, 300)).astype(float)
    codes = np.zeros((3, 300), dtype=np.uint8)
    codes[1], codes[2] = values > rng.normal(12, 4, 300), values > rng.normal(20, 4, 300)
    cards = np.array([1, 2, 2])
    found = []
    for seed in range(4):
        order = np.lexsort([np.random.default_rng(seed).permutation(300), values])
        around = neighbourhood(values[order], order, codes, cards, [1], [Family(2, ())])
        found.append(search_for(SCORES[name][0], 1.0, 300).find(around)[0].starts.tolist())
    assert len(found[0]) > 2
    assert all(starts == found[0] for starts in found)


def test_kernels_may_be_called_in_short_stretches(monkeypatch):
    around, _ = make(6, 200, 10000)
    whole = [search_for(score, 1.0, 200).find(around)[0].starts.tolist() for score, _ in SCORES.values()]
    monkeypatch.setattr(interval_weights, "LONGEST_CALL", 3000)
    weights = interval_weights.interval_weights(around, Steck().local(BDeu()))
    stretches = weights._stretches()
    assert len(stretches) > 10
    assert [first for first, _ in stretches[1:]] == [last for _, last in stretches[:-1]]
    again = [search_for(score, 1.0, 200).find(around)[0].starts.tolist() for score, _ in SCORES.values()]
    assert again == whole


def test_no_interval_is_narrower_than_monti_allows():
    values = np.sort(np.concatenate([np.repeat(0.5, 40), np.random.default_rng(0).uniform(size=60)]))
    around = neighbourhood(values, np.arange(100), np.zeros((1, 100), np.uint8), np.array([1]), [], [])
    for floor in (0.001, 0.2):
        found, _ = search_for(Monti(min_width=floor), 1.0, 100).find(around)
        edges = np.array([values[0], *cuts_of(around, found), values[-1]])
        assert found.n_levels > 1
        assert np.all(np.diff(edges) >= floor * (values[-1] - values[0]) * (1 - 1e-12))


def test_two_rows_two_values_and_constant_columns():
    for values in ([1.0, 2.0], [1.0, 1.0]):
        around = neighbourhood(np.array(values), np.arange(2), np.zeros((1, 2), np.uint8), np.array([1]), [], [])
        found, calls = search_for(Steck(), 1.0, 2).find(around)
        assert found.n_levels == 1
        assert calls >= 1


def test_it_is_the_joint_score_of_its_score():
    values, starts = np.arange(10.0), np.array([0, 4, 10])
    for score in (Steck(), Monti(), Friedman()):
        policy = Optimal(score=score)
        assert policy.network_score(BDeu(ess=2.0)) == score.network_score(BDeu(ess=2.0))
        assert policy.column_term(values, starts) == score.column_term(values, starts)
        assert policy.local(BDeu(ess=3.0)) == score.local(BDeu(ess=3.0))
        assert policy.stops_with == score.stops_with
    assert Optimal() == Optimal(score=Steck(), max_levels=None)


@pytest.mark.parametrize("name", SCORES)
def test_no_more_levels_than_allowed(name):
    around, _ = make(1, 200, 10000)
    score = SCORES[name][0]
    best = best_by_levels(around, score.local(BDeu()), 6)
    for most in (1, 2, 3, 6):
        found, _ = Optimal(score=score, max_levels=most).searcher(BDeu(), 200).find(around)
        assert found.n_levels <= most
        assert found.score == pytest.approx(best[: most + 1].max(), abs=1e-6)
    crowded, _ = make(2, 120, 10000, (0, []))  # with so large a sample size more levels than allowed would be best
    best = best_by_levels(crowded, score.local(BDeu(ess=60.0)), 8)
    for most in range(2, 9):
        found, _ = Optimal(score=score, max_levels=most).searcher(BDeu(ess=60.0), 120).find(crowded)
        assert found.score == pytest.approx(best[: most + 1].max(), abs=1e-6)
    with pytest.raises(OptionError, match="max_levels"):
        Optimal(max_levels=0)


def waves(n_rows=500):
    """Functions of x without noise: the score asks for ever more levels."""
    x = np.random.default_rng(0).normal(size=n_rows)
    values = {"x": x, "square": x**2, "cosine": np.cos(3 * x), "sine": np.sin(3 * x)}
    return Dataset(tuple(Column(name, Kind.CONTINUOUS, column) for name, column in values.items()))


def most(result):
    return max(len(cuts) + 1 for cuts in result.discretization.thresholds.values())


class StopAtOnce:
    def report(self, progress):
        pass

    def should_stop(self):
        return True


@pytest.mark.parametrize("levels", [1, 2])
def test_no_start_has_more_levels_than_allowed(levels):
    """Also where three bins of equal frequency would score higher, and in a run that is stopped at once."""
    data = waves(200)
    learner = Integrated(policy=Optimal(max_levels=levels))
    result = learner.learn(data, rng=np.random.default_rng(0))
    assert most(result) == levels
    assert all(len(cuts) < levels for r in result.rounds for cuts in r.discretization.thresholds.values())
    free = Integrated(policy=Optimal()).learn(data, rng=np.random.default_rng(0))
    assert most(free) > 2
    stopped = learner.learn(data, rng=np.random.default_rng(0), monitor=StopAtOnce())
    assert most(stopped) == levels
    dag = Dag(data.names, [("x", "square"), ("x", "cosine"), ("x", "sine")])
    cuts = refine(Optimal(max_levels=levels), data, dag, EqualFrequency(bins=6).fit(data))
    assert all(len(thresholds) < levels for thresholds in cuts.thresholds.values())


def test_the_start_is_joined_where_there_are_fewest_rows():
    starts = np.array([0, 10, 12, 15, 40])
    assert joined(starts, 4).tolist() == [0, 10, 12, 15, 40]
    assert joined(starts, 3).tolist() == [0, 10, 15, 40]
    assert joined(starts, 2).tolist() == [0, 15, 40]
    assert joined(starts, 1).tolist() == [0, 40]
    assert joined(np.array([0, 2, 4, 6]), 2).tolist() == [0, 4, 6]  # of equals the lowest


def test_more_levels_than_the_rows_fill_are_told():
    data, rng = waves(), np.random.default_rng(0)
    for policy in (Optimal(), Steck()):
        result = Integrated(policy=policy).learn(data, rng=rng)
        assert most(result) > 30
        (warning,) = result.warnings
        levels = {name: len(cuts) + 1 for name, cuts in result.discretization.thresholds.items()}
        assert warning.startswith("more levels than 500 rows fill: ")
        assert all((f"'{name}' ({r})" in warning) == (r > 15) for name, r in levels.items())
        assert warning.endswith("--method optimal --set max_levels=15")
    limited = Integrated(policy=Optimal(max_levels=15)).learn(data, rng=rng)
    assert (most(limited), limited.warnings) == (15, ())
    assert [histogram_bins(n) for n in (2, 8, 500, 1000, 5000)] == [2, 4, 15, 20, 34]


@pytest.mark.parametrize("score", [Optimal(), Chen()], ids=lambda score: score.kind)
def test_an_exact_score_is_refused(score):
    with pytest.raises(OptionError, match=f"cannot be '{score.kind}'"):
        Optimal(score=score)


def test_fu_s_acceptance_is_kept():
    around, _ = make(1, 100, 50)
    policy = Monti(accept="sum")
    greedy, exact = policy.searcher(BDeu(), 100), Optimal(score=policy).searcher(BDeu(), 100)
    found, _ = exact.find(around)
    for present in ([0, 100], [0, 30, 70, 100], found.starts.tolist()):
        starts = np.array(present)
        assert exact.accepts(around, found, starts) == greedy.accepts(around, found, starts)


def test_refined_thresholds_cannot_be_improved_one_column_at_a_time():
    data = mixed_data(200)
    dag = Dag(data.names, [("alpha", "bravo"), ("bravo", "charlie"), ("delta", "bravo")])
    policy = Optimal()
    cuts = refine(policy, data, dag)
    assert refine(policy, data, dag, cuts) == cuts
    table = WorkingTable(data, cuts)
    bravo = data.names.index("bravo")
    parents = [data.names.index("alpha"), data.names.index("delta")]
    around = table.around(bravo, parents, [Family(data.names.index("charlie"), ())])
    search = policy.searcher(BDeu(), data.n_rows)
    assert search.find(around)[0].score == pytest.approx(search.evaluate(around, table.starts[bravo]).score)


def test_it_learns():
    data = Dataset(tuple(c for c in mixed_data(300).columns if c.name in ("alpha", "bravo", "charlie", "delta")))
    result = Integrated(policy=Optimal()).learn(data, rng=np.random.default_rng(0))
    assert set(result.discretization.thresholds) == {c.name for c in data.columns if c.kind is Kind.CONTINUOUS}
    assert result.counters.discretization_calls > 0
    assert any(len(cuts) for cuts in result.discretization.thresholds.values())
    doubled = Dataset(tuple(Column(c.name, c.kind, c.values * 2) if not c.levels else c for c in data.columns))
    again = Integrated(policy=Optimal()).learn(doubled, rng=np.random.default_rng(0))
    assert again.graph == result.graph
