"""MMPC and PMMS: worked examples, every kind of test, knowledge, degenerate tables, threads, stopping."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.constraint.max_min import all_targets
from arcwise.constraint.max_min.max_min import MMPC, PMMS
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, OptionError
from arcwise.graph.dag import Dag
from arcwise.independence import ChiSquared, DSeparation, FisherZ, GSquared, MutualInformation, RecursiveMedian
from arcwise.independence.oracle import ExactInformation
from arcwise.networks import BayesianNetwork
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.protocols import Learner
from tests.oracle.counting import discrete_table
from tests.oracle.independence import blank, continuous_table, levels, numbers
from tests.oracle.max_min import least_one_by_one, least_over_all_sets, only_plain_walks, skeleton
from tests.unit.independence.test_exact import figure_1

RNG = np.random.default_rng(0)  # nothing is drawn from it
LEARNERS = [MMPC, PMMS]
LEAST = {MMPC: least_over_all_sets, PMMS: least_one_by_one}


def learn(part, data, knowledge=None, monitor=None, **options):
    return part(**options).learn(
        data, rng=RNG, knowledge=knowledge or Knowledge(), **({"monitor": monitor} if monitor else {})
    )


def neighbours(result, name):
    """What the search for this column found, before the other ends were asked."""
    told = next(step.action for step in result.trace if step.action.startswith(f"neighbours of {name} "))
    return told.split(": ")[1]


def test_the_worked_trace_of_a_false_positive():
    """T -> A -> C with A <- B -> C: T and C are only separated by {A, B}, and B is never a candidate for T."""
    dag = Dag("ABCT", [("T", "A"), ("A", "C"), ("B", "A"), ("B", "C")])
    result = learn(MMPC, blank("ABCT"), test=DSeparation(dag))
    assert neighbours(result, "T") == "A, C"
    assert neighbours(result, "C") == "A, B"
    assert result.cpdag.skeleton == (("A", "B"), ("A", "C"), ("A", "T"), ("B", "C"))
    assert result.trace[-1].action == "4 edges; 1 pair that only one end names left out"
    one_sided = learn(MMPC, blank("ABCT"), test=DSeparation(dag), symmetric=False)
    assert one_sided.cpdag.n_edges == 5
    assert one_sided.cpdag.adjacent("T", "C")
    assert one_sided.trace[-1].action == "5 edges; 1 pair that only one end names kept"


def test_a_greedy_search_needs_to_know_how_strong_associations_are():
    """Yes and no are not enough: no single member leaves less of T - C than nothing does, so the set never begins."""
    dag = Dag("ABCT", [("T", "A"), ("A", "C"), ("B", "A"), ("B", "C")])
    result = learn(PMMS, blank("ABCT"), test=DSeparation(dag))
    assert neighbours(result, "C") == "A, B, T"
    assert result.cpdag.adjacent("C", "T")


def cancelling(strength):
    """X -> A -> Y and X -> B -> Y, whose effects have opposite signs."""
    same = [[0.8, 0.2], [0.2, 0.8]]
    up = [[0.5 + 0.2 * (2 * a - 1) - strength * (2 * b - 1) for b in (0, 1)] for a in (0, 1)]
    table = [[[1 - p, p] for p in row] for row in up]
    return BayesianNetwork(
        names=tuple("ABXY"),
        states=(("0", "1"),) * 4,
        parents=(("X",), ("X",), (), ("A", "B")),
        cpts=tuple(np.array(cpt) for cpt in (same, same, [0.5, 0.5], table)),
    )


TRUE = (("A", "X"), ("A", "Y"), ("B", "X"), ("B", "Y"))


@pytest.mark.parametrize(
    ("part", "strength", "edges"),
    [(MMPC, 0.15, TRUE), (PMMS, 0.15, (*TRUE, ("X", "Y"))), (MMPC, 0.08, TRUE), (PMMS, 0.08, TRUE)],
)
def test_paths_that_cancel_mislead_the_greedy_search_only(part, strength, edges):
    """I(X; Y) is less than both I(X; Y | A) and I(X; Y | B), so that a greedy set never begins; with 0.08 it does."""
    test = ExactInformation(cancelling(strength), threshold=1e-9)
    assert learn(part, blank("ABXY"), test=test).cpdag.skeleton == edges


@pytest.mark.parametrize(
    ("part", "then", "edges"),
    [(MMPC, 0.95, TRUE), (PMMS, 0.95, (*TRUE, ("X", "Y"))), (MMPC, 0.9, TRUE), (PMMS, 0.9, TRUE)],
)
def test_the_published_example_of_a_greedy_search_misled(part, then, edges):
    test = ExactInformation(figure_1(then), threshold=1e-9)
    assert learn(part, blank("ABXY"), test=test).cpdag.skeleton == edges


@pytest.mark.parametrize("part", LEARNERS)
@pytest.mark.parametrize(
    "test",
    [GSquared(), ChiSquared(min_per_cell=2), FisherZ(), MutualInformation(), RecursiveMedian()],
    ids=lambda t: t.kind,
)
@pytest.mark.parametrize("options", [{}, {"max_given": 1, "symmetric": False}], ids=str)
def test_the_skeleton_is_that_of_the_definition(part, test, options):
    rng = np.random.default_rng(3)
    n = 5 if isinstance(test, RecursiveMedian) else 8
    for _ in range(2):
        data = discrete_table(rng, [2, 3, 2, 2, 3, 2, 2, 3][:n], 300)
        if isinstance(test, FisherZ | RecursiveMedian):
            data = continuous_table(rng, 150, n)
        expected = skeleton(test.bind(data), n, test.level, LEAST[part], **options)
        assert np.array_equal(learn(part, data, test=test, **options).cpdag.adjacency, expected)


@pytest.mark.parametrize("part", LEARNERS)
@pytest.mark.parametrize("test", [FisherZ(), GSquared(), MutualInformation()], ids=lambda t: t.kind)
def test_threads_and_orders_change_nothing(part, test, monkeypatch):
    rng = np.random.default_rng(4)
    data = continuous_table(rng, 150, 9) if test == FisherZ() else discrete_table(rng, [3, 2, 2, 3, 2, 2, 2], 400)
    monkeypatch.setenv("ARCWISE_THREADS", "1")
    first = learn(part, data, test=test)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    shuffled = data.select(rng.permutation(data.names))
    second = learn(part, shuffled, test=test)
    assert second.names == shuffled.names
    assert second.cpdag == first.cpdag
    assert second.counters == first.counters
    assert second.trace == first.trace


def test_the_columns_choose_the_test_and_five_rows_a_cell_are_wanted():
    data = discrete_table(np.random.default_rng(5), [4, 3, 4, 3, 4, 3], 200)
    assert learn(MMPC, data).to_dict() == learn(MMPC, data, test=GSquared(min_per_cell=5)).to_dict()
    assert learn(MMPC, data).counters != learn(MMPC, data, test=GSquared(min_per_cell=1)).counters


@pytest.mark.parametrize("part", LEARNERS)
def test_alpha_is_the_tests_own_level_unless_given(part):
    data = continuous_table(np.random.default_rng(6), 60, 7, strength=0.35)
    sizes = [learn(part, data, alpha=alpha).cpdag.n_edges for alpha in (1e-6, None, 0.05, 0.5)]
    assert sizes[0] < sizes[1] == sizes[2] < sizes[3]


@pytest.mark.parametrize("part", LEARNERS)
@pytest.mark.parametrize("compiled", [True, False])
def test_required_edges_stay_and_pairs_kept_apart_cost_no_test(part, compiled, monkeypatch):
    if not compiled:
        monkeypatch.setattr(all_targets, "_walks", only_plain_walks)
    data = continuous_table(np.random.default_rng(7), 400, 6)
    free = learn(part, data)
    a, b = next((a, b) for a in data.names for b in data.names if a < b and not free.cpdag.adjacent(a, b))
    c, d = free.cpdag.skeleton[0]
    assert learn(part, data, Knowledge(required=[(b, a)])).cpdag.adjacent(a, b)
    apart = learn(part, data, Knowledge(forbidden=[(c, d), (d, c)]), max_given=0)
    assert not apart.cpdag.adjacent(c, d)
    assert apart.counters.tests == 14
    one_way = learn(part, data, Knowledge(forbidden=[(c, d)]))
    assert one_way.to_dict() == free.to_dict(), "an edge that may point one way may be there"


@pytest.mark.parametrize("part", LEARNERS)
def test_a_required_neighbour_separates_others_from_the_beginning(part):
    """a - z - b, z required at a: without knowledge b, the first by name, is a neighbour of a for a while."""
    dag = Dag("abz", [("z", "a"), ("z", "b")])
    free = learn(part, blank("abz"), test=DSeparation(dag))
    told = learn(part, blank("abz"), Knowledge(required=[("z", "a")]), test=DSeparation(dag))
    assert free.cpdag.skeleton == told.cpdag.skeleton == (("a", "z"), ("b", "z"))
    assert neighbours(free, "a") == neighbours(told, "a") == "z"
    assert "a after 2 tests" in free.trace[0].action, "z given b, b given z"
    assert "a after 1 test:" in told.trace[0].action, "b given z"


@pytest.mark.parametrize("part", LEARNERS)
def test_a_start_graph_is_refused(part):
    with pytest.raises(OptionError, match=f"{part.kind} tests columns, not graphs"):
        part().learn(continuous_table(RNG, 20, 3), rng=RNG, start=Dag(["x00", "x01", "x02"]))


@pytest.mark.parametrize("part", LEARNERS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "'alpha' must lie between 0 and 1, not 0.0"),
        ({"alpha": float("nan")}, "'alpha' must be a number or none, not nan"),
        ({"max_given": -1}, "'max_given' must be at least 0, not -1"),
    ],
)
def test_bad_options_are_one_sentence(part, options, message):
    with pytest.raises(OptionError, match=message):
        part(**options)


def test_data_that_the_test_cannot_take_are_refused_by_name():
    with pytest.raises(DataError, match="'x00' is continuous"):
        learn(MMPC, continuous_table(RNG, 20, 3), test=GSquared())


@pytest.mark.parametrize("part", LEARNERS)
def test_is_a_learner_for_arcwise_learn(part, tmp_path):
    assert isinstance(part(), Learner)
    result = arcwise.learn(continuous_table(np.random.default_rng(1), 300, 6), part())
    assert result.graph is None
    assert not result.cpdag.directed
    assert result.counters.tests > 15
    result.save(tmp_path / "result.json")
    assert arcwise.LearnResult.load(tmp_path / "result.json").to_dict() == result.to_dict()


class StopAfter:
    """Asks to stop at the `times`-th question."""

    def __init__(self, times):
        self.left, self.phases = times, []

    def report(self, progress):
        self.phases.append(progress.phase)

    def should_stop(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("part", LEARNERS)
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("times", [0, 1, 5, 10, 13])
def test_a_stopped_run_has_the_edges_that_no_column_reached_denies(part, compiled, times, monkeypatch):
    monkeypatch.setenv("ARCWISE_THREADS", "1")
    monkeypatch.setattr(all_targets, "TRIED", 1)
    monkeypatch.setattr(all_targets, "AT_A_TIME", 0.0)  # one column at a time
    if not compiled:
        monkeypatch.setattr(all_targets, "_walks", only_plain_walks)
    data = continuous_table(np.random.default_rng(9), 200, 8)
    whole = learn(part, data)
    monitor = StopAfter(times)
    result = learn(part, data, monitor=monitor)
    assert monitor.phases[0] == "preparing"
    assert result.counters.tests < whole.counters.tests
    reached = [step for step in result.trace if step.action.startswith("neighbours")]
    assert result.status == ("stopped" if reached else "unanswered")
    assert reached == list(whole.trace[: len(reached)])
    assert len(reached) < 8
    for a, b in result.cpdag.skeleton:
        assert whole.cpdag.adjacent(a, b) or b not in [data.names[step.step] for step in reached]


def test_a_long_search_stops_in_the_middle_of_a_column(monkeypatch):
    """Twenty copies with noise: more sets than anyone can wait for."""
    rng = np.random.default_rng(10)
    x = rng.normal(size=20_000)
    data = numbers({f"x{i:02d}": x + rng.normal(size=20_000) for i in range(40)})
    monitor = StopAfter(10)
    result = learn(MMPC, data, monitor=monitor)
    assert (result.status, len(result.trace)) == ("unanswered", 1)  # no column was finished


@pytest.mark.parametrize("part", LEARNERS)
def test_degenerate_columns_are_answered_and_named(part):
    rng = np.random.default_rng(10)
    x, y = rng.normal(size=(2, 100))
    data = numbers(
        {
            "cauchy": rng.standard_cauchy(100),
            "constant": np.full(100, 7.0),
            "copy": x,
            "huge": 1e300 * y,
            "sum": x + y,
            "whole": rng.integers(0, 5, 100),
            "x": x,
            "y": y + rng.normal(size=100),
        }
    )
    result = learn(part, data)
    assert not any("constant" in pair for pair in result.cpdag.skeleton)
    assert ("copy", "x") in result.cpdag.skeleton
    assert any("'x' is a linear function of 'copy'" in warning for warning in result.warnings)
    result.to_dict()


@pytest.mark.parametrize("part", LEARNERS)
def test_pairs_with_too_few_rows_count_as_independent_and_are_told(part):
    codes = np.random.default_rng(12).integers(0, 3, (12, 5)).tolist()
    table = levels({f"c{i:02d}": row for i, row in enumerate(codes)}, {f"c{i:02d}": 3 for i in range(12)})
    result = learn(part, table)
    assert result.cpdag.n_edges == result.counters.tests == 0
    assert result.warnings[0].startswith("66 of 66 pairs of columns had too few rows for a test")
    assert "column 'c00' has 3" in result.warnings[0]
    assert "(c00 - c01, c00 - c02, c00 - c03, " in result.warnings[0]
    few = learn(part, continuous_table(np.random.default_rng(11), 3, 4))
    assert few.cpdag.n_edges == 0
    assert any(warning.startswith("6 of 6 pairs") for warning in few.warnings)


@pytest.mark.parametrize("part", LEARNERS)
@pytest.mark.parametrize("compiled", [True, False])
def test_pairs_that_cannot_be_tested_are_named(part, compiled, monkeypatch):
    if not compiled:
        monkeypatch.setattr(all_targets, "_walks", only_plain_walks)
    rng = np.random.default_rng(15)
    wide = {f"wide{i}": rng.integers(0, 40, 1000).tolist() for i in range(3)}
    table = levels(wide | {"a": rng.integers(0, 2, 1000).tolist()}, dict.fromkeys(wide, 40) | {"a": 2})
    result = learn(part, table, Knowledge(forbidden=[("wide0", "wide1"), ("wide1", "wide0")]))
    assert result.cpdag.n_edges == 0
    assert result.warnings[0].startswith("2 of 5 pairs of columns had too few rows for a test and count as independent")
    assert "(wide0 - wide2, wide1 - wide2)" in result.warnings[0]


@pytest.mark.parametrize("part", LEARNERS)
def test_names_do_not_decide_where_the_median_test_is_sure(part):
    """A chain of six: neighbours have probabilities below the smallest float, but not equal ones."""
    rng = np.random.default_rng(16)
    values = [rng.normal(size=5000)]
    for _ in range(5):
        values.append(values[-1] + 0.15 * rng.normal(size=5000))
    for order in (range(6), range(5, -1, -1)):
        data = numbers({f"x{i}": values[k] for i, k in enumerate(order)})
        result = learn(part, data, test=RecursiveMedian(), max_given=1)
        assert result.counters.ties == 0
        for i in range(6):
            strongest = neighbours(result, f"x{i}").split(", ")[0]
            assert strongest in (f"x{i - 1}", f"x{i + 1}")


@pytest.mark.parametrize("part", LEARNERS)
def test_sets_about_which_nothing_was_learned_separate_nothing(part):
    rng = np.random.default_rng(14)
    z = rng.normal(size=300)
    data = numbers({"constant": np.ones(300), "x": z + 0.5 * rng.normal(size=300), "y": z**3, "z": z})
    result = learn(part, data, test=RecursiveMedian(prior=0.4))
    assert result.cpdag.skeleton == (("x", "y"), ("x", "z"), ("y", "z"))
    assert result.warnings[0].startswith("4 tests given other columns learned nothing (in every slice one of the two")


@pytest.mark.parametrize("part", LEARNERS)
def test_one_column_copies_and_constants_of_levels(part):
    assert learn(part, numbers({"only": [1.0, 2.0, 3.5]})).cpdag.n_edges == 0
    a = np.random.default_rng(13).integers(0, 3, 100).tolist()
    table = levels(
        {"a": a, "copy": a, "same": [0] * 100, "unused": [1] * 100}, {"a": 3, "copy": 3, "same": 1, "unused": 4}
    )
    for test in (GSquared(), GSquared(df="full"), ChiSquared(df="effective")):
        assert learn(part, table, test=test).cpdag.skeleton == (("a", "copy"),)


def test_wide_columns_beside_narrow_ones():
    rng = np.random.default_rng(14)
    wide = rng.integers(0, 300, 20_000)
    data = Dataset(
        (
            Column("wide", Kind.DISCRETE, wide.astype(np.uint16), tuple(map(str, range(300)))),
            Column("low", Kind.DISCRETE, (wide < 150).astype(np.uint8), ("0", "1")),
            Column("odd", Kind.DISCRETE, (wide % 2).astype(np.uint8), ("0", "1")),
        )
    )
    for part in LEARNERS:
        assert learn(part, data).cpdag.skeleton == (("low", "wide"), ("odd", "wide"))
