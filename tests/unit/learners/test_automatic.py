"""auto: the method that foretells rows best, what it says about it, and how it is repeated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.learners import Automatic
from arcwise.results.choice import Choice, Tried
from arcwise.search import Boss, HillClimb
from tests.contract.parts import continuous_data, discrete_data, mixed_data
from tests.contract.test_missing_cells import with_holes

QUICK = {"candidates": "gaussian,equal-frequency", "folds": 3}


def linear(n_rows=300, seed=3):
    net = arcwise.networks.random_gaussian_network(arcwise.networks.random_dag(6, n_edges=7, seed=seed), seed=seed)
    return net.sample(n_rows, seed)


def test_lines_are_learned_with_the_gaussian_method():
    data = linear()
    result = arcwise.learn(data, "auto", **QUICK)
    alone = arcwise.learn(data, "gaussian")
    assert result.choice.winner.name == "gaussian"
    assert (result.cpdag, result.score) == (alone.cpdag, alone.score)
    assert result.scored_with == alone.scored_with
    assert result.model == alone.model
    assert "equal-frequency" in result.choice.words()
    assert "auto chose gaussian" in str(result)
    assert "gaussian won by" in result.choice.words()


def test_the_result_says_how_to_repeat_it_and_the_winner(tmp_path):
    data = linear()
    result = arcwise.learn(data, "auto", **QUICK)
    again = arcwise.learn(data, result.spec)
    assert (again.cpdag, again.choice, again.method) == (
        result.cpdag,
        result.choice,
        "automatic",
    )  # other options than auto has
    alone = arcwise.learn(data, result.choice.winner.spec)
    assert (alone.cpdag, alone.method) == (result.cpdag, "gaussian")
    result.save(tmp_path / "r.json")
    loaded = arcwise.LearnResult.load(tmp_path / "r.json")
    assert loaded.choice == result.choice
    assert str(loaded) == str(result)
    assert loaded.fit(data).log_density(data) == pytest.approx(result.fit(data).log_density(data))


def test_the_winner_learns_as_it_does_alone():
    data = mixed_data(150)
    result = arcwise.learn(data, "auto", seed=7, candidates="hidden-states", folds=2)
    alone = arcwise.learn(data, "hidden-states", seed=7)
    assert (result.graph, result.score, dict(result.states)) == (alone.graph, alone.score, dict(alone.states))
    two = arcwise.learn(data, "auto", seed=7, candidates="hidden-states,pc", folds=2)
    same = arcwise.learn(data, two.choice.winner.spec, seed=7)
    assert (two.graph, two.score) == (same.graph, same.score)


def test_resamples_are_learned_from_by_the_one_that_all_rows_chose():
    data = linear()
    alone = arcwise.bootstrap(data, "gaussian", 5, workers=1)
    shares = arcwise.bootstrap(data, "auto", 5, workers=1, **QUICK)
    assert np.array_equal(shares.directed, alone.directed)
    assert "gaussian, chosen by" in shares.origin.method
    learned = arcwise.learn(data, "auto", bootstrap=5, **QUICK)
    assert np.array_equal(learned.bootstrap.adjacent, alone.adjacent)
    assert "gaussian, chosen by" in learned.bootstrap.origin.method


def test_learning_without_the_catalog_goes_by_kinds():
    result = Automatic(folds=2).learn(linear(), rng=np.random.default_rng(1))
    assert {one.name for one in result.choice.tried} == {"boss", "integrated"}
    assert result.model == "gaussian"


def test_orders_and_weights_change_nothing():
    data = mixed_data(90)
    first = arcwise.learn(data, "auto", **QUICK)
    rng = np.random.default_rng(2)
    other = arcwise.learn(data.select(list(rng.permutation(data.names))).take(rng.permutation(90)), "auto", **QUICK)
    assert other.cpdag == first.cpdag
    for one, two in zip(first.choice.tried, other.choice.tried, strict=True):
        assert (one.name, one.fate, one.folds) == (two.name, two.fate, two.folds)
        assert (one.density, one.gap) == pytest.approx((two.density, two.gap), rel=1e-9, abs=1e-9)
    weights = rng.integers(0, 4, 90)
    weighted = arcwise.learn(data.weighted(weights), "auto", **QUICK)
    repeated = arcwise.learn(data.take(np.repeat(np.arange(90), weights)), "auto", **QUICK)
    assert weighted.cpdag == repeated.cpdag
    assert [one.fate for one in weighted.choice.tried] == [one.fate for one in repeated.choice.tried]


def test_knowledge_is_obeyed_in_folds_and_after():
    data = linear()
    free = arcwise.learn(data, "auto", **QUICK)
    a, b = free.cpdag.skeleton[0]
    barred = arcwise.Knowledge(forbidden=[(a, b), (b, a)])
    bound = arcwise.learn(data, "auto", knowledge=barred, **QUICK)
    assert not bound.cpdag.adjacent(a, b)
    assert bound.choice.winner.density < free.choice.winner.density


def test_missing_cells_are_drawn_for_those_that_need_it():
    data = with_holes(continuous_data(150))
    result = arcwise.learn(data, "auto", draws__burn_in=1, draws__least=2, draws__most=2, **QUICK)
    assert result.completion is not None
    assert result.completion.n_cells == data.n_missing
    assert {one.name for one in result.choice.tried} == {"gaussian", "equal-frequency"}
    assert result.spec["draws"]["most"] == 2


def test_levels_have_candidates_of_their_own():
    result = arcwise.learn(discrete_data(200), "auto", folds=2)
    assert [one.name for one in result.choice.tried] == ["steck"]
    assert result.cpdag == arcwise.learn(discrete_data(200), "steck").cpdag
    raced = arcwise.learn(discrete_data(200), "auto", folds=2, levels="steck,boss")
    assert {one.name for one in raced.choice.tried} == {"steck", "boss"}
    alike = arcwise.learn(discrete_data(200), "auto", folds=2, levels=(Boss(max_parents=1), Boss(max_parents=2)))
    assert {one.name for one in alike.choice.tried} == {"boss", "boss-2"}


@pytest.mark.parametrize("n_rows", [2, 3, 5, 12])
def test_tiny_tables(n_rows):
    data = mixed_data(n_rows)
    result = arcwise.learn(data, "auto", **QUICK)
    assert result.names == data.names
    assert result.choice is not None


def test_constant_columns_change_no_choice():
    data = linear()
    flat = Dataset((*data.columns, Column("flat", Kind.CONTINUOUS, np.full(300, 2.0))))
    result = arcwise.learn(flat, "auto", **QUICK)
    assert result.choice.winner.name == "gaussian"
    assert result.choice.winner.density == pytest.approx(
        arcwise.learn(data, "auto", **QUICK).choice.winner.density, abs=1
    )


class StopWhenReported:
    """Stops when this phase was reported so many times."""

    def __init__(self, phase, times):
        self.phase, self.times = phase, times

    def report(self, progress):
        self.times -= progress.phase == self.phase

    def should_stop(self):
        return self.times <= 0


def test_stopped_in_the_race_it_has_the_best_so_far():
    near = {"candidates": "gaussian,hill-climb", "folds": 3, "errors": 100.0}  # so none is dropped
    result = arcwise.learn(linear(), "auto", monitor=StopWhenReported("judging", 4), **near)
    assert result.status == "stopped"
    assert result.choice.winner.folds == 1
    assert result.cpdag.n_edges > 0
    assert any("from a part of the rows" in warning for warning in result.warnings)


def test_stopped_at_once_it_has_no_answer():
    assert arcwise.learn(linear(), "auto", deadline=1e-9, **QUICK).status == "unanswered"


def test_a_budget_ends_the_race_but_not_the_learning():
    data = linear()
    result = arcwise.learn(data, "auto", budget=1e-9, **QUICK)
    assert result.status == "converged"
    assert result.cpdag == arcwise.learn(data, "gaussian").cpdag  # the first is taken
    assert "no time to judge any" in result.choice.words()


def test_where_none_can_be_judged_the_first_is_taken():
    result = arcwise.learn(linear(), "auto", candidates="mmpc,pmms", folds=2)
    assert result.cpdag == arcwise.learn(linear(), "mmpc").cpdag
    assert result.choice.winner.name == "mmpc"
    words = result.choice.words()
    assert "mmpc was taken, as none could be judged" in words
    assert "no directions" in words


def test_a_start_is_offered():
    data = linear()
    start = arcwise.learn(data, "gaussian").graph
    assert arcwise.learn(data, "auto", start=start, **QUICK).cpdag.n_edges > 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"candidates": ()}, "'candidates' must name at least one method"),
        ({"levels": ()}, "'levels' must name at least one method"),
        ({"folds": 1}, "'folds' must be at least 2"),
        ({"errors": 0.0}, "'errors' must be a number above 0"),
        ({"budget": -1.0}, "'budget' must be a number above 0"),
        ({"candidates": (Automatic(),)}, "cannot have 'auto' among its methods"),
    ],
)
def test_wrong_options_are_refused(options, words):
    with pytest.raises(OptionError, match=words):
        Automatic(**options)


def test_candidates_are_named_in_one_word_each():
    learner = catalog.method("auto", {"candidates": "pc,steck"}).learner
    assert [one.kind for one in learner.candidates] == ["pc", "integrated"]
    same = Automatic(candidates=(Boss(), HillClimb()))
    assert catalog.from_spec(arcwise.parts.spec.to_spec(same)) == same


def test_what_a_choice_says():
    won = Tried("a", "won", 5, -3.0, 0.1, 0.0, 0.0)
    near = Tried("b", "lost", 5, -3.1, 0.1, 0.1, 0.2)
    assert Choice((won, near)).words() == "tried a, b; a won by 0.10 ± 0.20 nats a row over b, within the noise"
    odd = Tried("c", "lost", 5, impossible=3)
    assert Choice((won, odd)).words() == "tried a, c; a won over c, which calls 3 held-out rows impossible"
    failed, late = Tried("d", "failed", reason="column 'x' is odd"), Tried("e", "untried")
    words = Choice((won, replace(near, fate="dropped"), late, failed)).words()
    assert words.endswith("dropped early: b; no time to judge e; d failed: column 'x' is odd")
    assert Choice((won, failed)).words().startswith("tried a, d; a is the only one that could be judged")


@pytest.mark.parametrize("name", ["boss", "ges", "hill-climb", "kgv", "mmhc"])
def test_candidates_are_the_presets_of_these_names(name):
    automatic = catalog.configure(catalog.method("auto").learner, {"candidates": name})
    assert automatic.candidates == (catalog.method(name).learner,)
    words = arcwise.learn(linear(60), "auto", candidates=name).choice.words()
    assert words == f"{name}, the only candidate for such a table"
