"""PC on data: against the plain algorithm, with every kind of column, knowledge, degenerate tables, and stopping."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.constraint import PC
from arcwise.constraint.pc import pc, skeleton
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, OptionError
from arcwise.graph.dag import Dag
from arcwise.independence import (
    ChiSquared,
    DSeparation,
    FisherZ,
    GSquared,
    LikelihoodRatio,
    MutualInformation,
    RecursiveMedian,
)
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.protocols import Learner
from tests.oracle.counting import discrete_table
from tests.oracle.independence import blank, continuous_table, levels, numbers, stable_skeleton

RNG = np.random.default_rng(0)  # PC draws nothing from it


class OnePairAtATime(GSquared):
    """G-squared without its quick way to all pairs."""

    def bind(self, data):
        bound = super().bind(data)

        class Bound:
            test, p_values, first_batch, warnings = bound.test, bound.p_values, 1, ()

        return Bound()


def learn(data, knowledge=None, monitor=None, **options):
    return PC(**options).learn(
        data, rng=RNG, knowledge=knowledge or Knowledge(), **({"monitor": monitor} if monitor else {})
    )


@pytest.mark.parametrize("test", [FisherZ(), GSquared(min_per_cell=1), ChiSquared(df="full"), MutualInformation()])
@pytest.mark.parametrize("max_given", [None, 1])
def test_the_skeleton_is_that_of_the_plain_algorithm(test, max_given):
    rng = np.random.default_rng(3)
    for _ in range(3):
        data = discrete_table(rng, [2, 3, 2, 2, 3, 2, 2, 3], 200)
        if isinstance(test, FisherZ):
            data = continuous_table(rng, 200, 9)
        adjacent, sets = stable_skeleton(test.bind(data), test.level, data.n_columns, max_given)
        result = learn(data, test=test, max_given=max_given)
        assert np.array_equal(result.cpdag.adjacency, adjacent)
        named = {tuple(data.names[i] for i in pair): tuple(data.names[u] for u in s) for pair, s in sets.items()}
        assert dict(result.separating_sets) == named


def test_the_result_tells_what_was_done():
    data = continuous_table(np.random.default_rng(1), 300, 6)
    result = learn(data)
    assert [step.step for step in result.trace] == list(range(len(result.trace)))
    assert result.trace[0].action.startswith("given 0: 15 tests, ")
    assert result.trace[-1].score == result.cpdag.n_edges
    said = [int(step.action.split(": ")[1].split(" ")[0]) for step in result.trace]
    assert result.counters.tests == sum(said)
    assert len(result.separating_sets) == 15 - result.cpdag.n_edges
    assert result.status == "converged"


@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("conflicts", ["bidirected", "first", "priority"])
def test_a_graph_comes_with_the_pattern_just_where_one_fits(stable, conflicts):
    rng = np.random.default_rng(2)
    with_graph = 0
    for _ in range(12):
        result = learn(continuous_table(rng, 100, 8), stable=stable, conflicts=conflicts)
        if result.graph is None:
            assert result.warnings, "the reason is told"
        else:
            assert result.graph.cpdag() == result.cpdag
            with_graph += 1
        assert conflicts == "bidirected" or not result.cpdag.bidirected
    assert with_graph > 0


@pytest.mark.parametrize("test", [FisherZ(), GSquared()])
def test_threads_and_orders_change_nothing(test, monkeypatch):
    rng = np.random.default_rng(4)
    data = continuous_table(rng, 150, 9) if test == FisherZ() else discrete_table(rng, [3, 2, 2, 3, 2, 2, 2], 400)
    first = learn(data, test=test)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    monkeypatch.setattr(skeleton, "WORTH_A_THREAD", -1.0)  # threads from the first chunk on
    shuffled = data.select(rng.permutation(data.names))
    second = learn(shuffled, test=test)
    assert second.names == shuffled.names
    assert second.cpdag == first.cpdag
    assert second.counters == first.counters
    assert second.separating_sets == first.separating_sets


def test_the_columns_choose_the_test():
    rng = np.random.default_rng(5)
    data = discrete_table(rng, [2, 3, 2, 3], 200)
    assert learn(data).to_dict() == learn(data, test=GSquared()).to_dict()
    first = data.columns[0]
    mixed = Dataset((*data.columns, Column("size", Kind.CONTINUOUS, first.values + rng.normal(0, 0.3, 200))))
    assert learn(mixed).to_dict() == learn(mixed, test=LikelihoodRatio()).to_dict()
    result = learn(mixed, test=FisherZ())
    assert ("size", "x00") in result.cpdag.skeleton
    assert any("'x01', 'x03'" in warning for warning in result.warnings)
    with pytest.raises(DataError, match="'size' is continuous"):
        learn(mixed, test=GSquared())


def test_alpha_is_the_tests_own_level_unless_given():
    data = continuous_table(np.random.default_rng(6), 60, 7, strength=0.35)
    sizes = [learn(data, alpha=alpha).cpdag.n_edges for alpha in (1e-6, None, 0.05, 0.5)]
    assert sizes[0] < sizes[1] == sizes[2] < sizes[3]


def test_required_edges_stay_and_forbidden_ones_do_not_come_back():
    data = continuous_table(np.random.default_rng(7), 400, 6)
    free = learn(data)
    a, b = next(pair for pair in free.separating_sets)
    c, d = free.cpdag.skeleton[0]
    known = Knowledge(required=[(b, a)], forbidden=[(c, d), (d, c)])
    result = learn(data, known)
    assert (b, a) in result.cpdag.directed
    assert (a, b) not in result.separating_sets
    assert not result.cpdag.adjacent(c, d)


def test_tiers_point_edges_forward():
    data = continuous_table(np.random.default_rng(8), 500, 6)
    tiers = [data.names[3:], data.names[:3]]  # against the order in which the data were made
    result = learn(data, Knowledge(tiers=tiers))
    later = set(tiers[1])
    assert all(not (a in later and b not in later) for a, b in result.cpdag.directed)
    assert all((a in later) == (b in later) for a, b in (*result.cpdag.undirected, *result.cpdag.bidirected))


def test_a_pair_kept_apart_by_knowledge_still_tells_about_what_lies_between():
    dag = Dag("abcd", [("a", "c"), ("b", "c"), ("c", "d")])
    known = Knowledge(forbidden=[("a", "b"), ("b", "a")])
    result = learn(blank("abcd"), known, test=DSeparation(dag))
    assert result.separating_sets["a", "b"] == ()
    assert result.cpdag == dag.cpdag()


def test_a_start_graph_is_refused():
    with pytest.raises(OptionError, match="cannot take a start graph"):
        PC().learn(continuous_table(RNG, 20, 3), rng=RNG, start=Dag(["x00", "x01", "x02"]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "'alpha' must lie between 0 and 1, not 0.0"),
        ({"alpha": float("nan")}, "'alpha' must be a number or none, not nan"),
        ({"max_given": -1}, "'max_given' must be at least 0, not -1"),
        ({"conflicts": "none"}, "'conflicts' must be 'bidirected' or 'first' or 'priority', not 'none'"),
        ({"untested": "drop"}, "'untested' must be 'keep' or 'remove', not 'drop'"),
    ],
)
def test_bad_options_are_one_sentence(options, message):
    with pytest.raises(OptionError, match=message):
        PC(**options)


def test_is_a_learner_for_arcwise_learn(tmp_path):
    assert isinstance(PC(), Learner)
    dag = Dag("abc", [("a", "b"), ("c", "b")])
    result = arcwise.learn(blank("abc"), PC(test=DSeparation(dag)))
    assert result.cpdag == dag.cpdag()
    assert result.spec["test"]["kind"] == "d-separation"
    result.save(tmp_path / "result.json")
    assert arcwise.LearnResult.load(tmp_path / "result.json").cpdag == result.cpdag


class StopAfter:
    """Asks to stop at the `times`-th question."""

    def __init__(self, times):
        self.left, self.phases = times, []

    def report(self, progress):
        self.phases.append(progress.phase)

    def should_stop(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("times", [0, 1, 2, 5, 20])
def test_a_stopped_run_gives_a_pattern_with_the_edges_left(stable, times):
    data = continuous_table(np.random.default_rng(9), 200, 8)
    whole = learn(data, stable=stable)
    monitor = StopAfter(times)
    result = learn(data, monitor=monitor, stable=stable)
    assert result.status == ("stopped" if times else "unanswered")  # all pairs are tested at once
    assert monitor.phases[0] == "preparing"
    assert result.counters.tests < whole.counters.tests
    assert set(result.cpdag.skeleton).isdisjoint(result.separating_sets)
    assert len(result.cpdag.skeleton) + len(result.separating_sets) == 28
    assert times or len(result.cpdag.undirected) == 28


def test_a_stopped_run_with_very_many_edges_left_directs_none(monkeypatch):
    monkeypatch.setattr(pc, "MOST_TRIPLES", 0)
    data = continuous_table(np.random.default_rng(9), 200, 8)
    result = learn(data, monitor=StopAfter(1))
    assert result.status == "stopped"
    assert not result.cpdag.directed
    assert result.graph is None
    edges = len(result.cpdag.undirected)
    assert result.warnings == (f"stopped with {edges} edges left, too many to direct",)
    assert learn(data).cpdag.directed, "a run that was not stopped does as ever"


def test_degenerate_columns_are_answered_and_named():
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
    for stable in (True, False):
        result = learn(data, stable=stable)
        assert not any("constant" in pair for pair in result.cpdag.skeleton)
        assert ("copy", "x") in result.cpdag.skeleton
        assert any("'x' is a linear function of 'copy'" in warning for warning in result.warnings)
        result.to_dict()


@pytest.mark.parametrize("stable", [True, False])
def test_few_rows_keep_the_edges_that_cannot_be_tested(stable):
    few = continuous_table(np.random.default_rng(11), 5, 20)
    result = learn(few, stable=stable)
    assert result.counters.tests < 100_000, "sets that are too large for the rows are not all tried"
    codes = np.random.default_rng(12).integers(0, 3, (12, 5)).tolist()
    result = learn(levels({f"c{i:02d}": row for i, row in enumerate(codes)}, {f"c{i:02d}": 3 for i in range(12)}))
    assert len(result.cpdag.undirected) == 66
    assert result.counters.tests == 66
    assert result.warnings[0].startswith("66 of 66 tests had too few rows")
    assert result.warnings[1].startswith("66 edges kept without any test that had an answer: c00 - c01, c00 - c02, ")


@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("test", [GSquared(), OnePairAtATime()], ids=["all pairs at once", "one by one"])
def test_edges_that_no_test_could_answer_about_are_kept_or_removed(stable, test):
    """40 x 40 levels want 8000 rows; all other pairs can be tested. wide0 and wide1 do not depend on anything."""
    rng = np.random.default_rng(13)
    a, b = rng.integers(0, 2, (2, 1000))
    codes = {"a": a, "b": a ^ (rng.random(1000) < 0.1), "c": b, "d": b ^ (rng.random(1000) < 0.1)}
    codes |= {f"wide{i}": rng.integers(0, 40, 1000) for i in range(2)}
    table = levels({k: v.tolist() for k, v in codes.items()}, {k: 40 if "w" in k else 2 for k in codes})
    kept = learn(table, test=test, stable=stable)
    assert kept.cpdag.skeleton == (("a", "b"), ("c", "d"), ("wide0", "wide1"))
    assert kept.warnings[1] == (
        "1 edge kept without any test that had an answer: wide0 - wide1; untested=remove leaves it out"
    )
    removed = learn(table, test=test, stable=stable, untested="remove")
    assert removed.cpdag.skeleton == (("a", "b"), ("c", "d"))
    assert ("wide0", "wide1") not in removed.separating_sets, "nothing separates them, so no collider follows"
    assert removed.warnings[1] == (
        "1 edge removed without any test that had an answer: wide0 - wide1; untested=keep keeps it"
    )
    required = learn(table, Knowledge(required=[("wide0", "wide1")]), test=test, stable=stable, untested="remove")
    assert required.cpdag.adjacent("wide0", "wide1")


@pytest.mark.parametrize("prior", [0.4, 0.5, 0.6])
def test_constants_and_tests_that_learn_nothing_with_any_prior(prior):
    """z determines y: given y or z nothing can be seen, so what was seen given nothing stays."""
    rng = np.random.default_rng(14)
    z = rng.normal(size=300)
    data = numbers({"constant": np.ones(300), "x": z + 0.5 * rng.normal(size=300), "y": z**3, "z": z})
    result = learn(data, test=RecursiveMedian(prior=prior))
    assert result.cpdag.skeleton == (("x", "y"), ("x", "z"), ("y", "z"))
    assert result.warnings[0].startswith("2 of 9 tests learned nothing (in every slice one of the two columns is")
    assert result.warnings[1] == "2 edges may be there only because some of their tests had no answer: x - y, x - z"


def test_columns_of_towns_are_not_cut_off():
    """In Housing RAD, TAX and ZN are the same all over a town, so given one another there is nothing to see."""
    housing = arcwise.datasets.load("housing")
    towns = ["ZN", "INDUS", "NOX", "RAD", "TAX", "PTRATIO"]
    result = learn(housing, test=RecursiveMedian(), max_given=2)
    for column in towns:
        assert any(result.cpdag.adjacent(column, other) for other in towns if other != column)
    assert not result.cpdag.adjacent("NOX", "MEDV")


def test_one_column_and_no_column_to_pair_it_with():
    result = learn(numbers({"only": [1.0, 2.0, 3.5]}))
    assert result.cpdag.n_edges == result.counters.tests == 0
