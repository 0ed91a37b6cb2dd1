"""What learners are handed and hand back: the order of columns, candidates, starts, and searches of other people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.constraint import MMPC, PC
from arcwise.data.dataset import Dataset, Kind
from arcwise.discretize import EqualFrequency
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.learners import Hybrid, Integrated, Refined, TwoStage
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.protocols import ALL_DISCRETE, Learner, Score, ScoredSearch, resolved
from arcwise.problem import Answer, Memory, Problem, learn_by_solving, result
from arcwise.scores import BDeu, BGe, Gaussian, Suited, total
from arcwise.search import GES, Boss, Exhaustive, HillClimb, K2Search, SparseCandidate, Tabu
from tests.contract.parts import mixed_data
from tests.oracle.counting import discrete_table

SEARCHES = [part() for part in catalog.LEARNERS.values() if part is not Refined and isinstance(part(), ScoredSearch)]
SEARCHES.append(Refined(of=(Boss(score=BDeu()), Tabu(score=BDeu())), search=HillClimb(score=BDeu())))


@pytest.fixture(scope="module")
def data():
    return discrete_table(np.random.default_rng(3), [3, 2, 4, 2, 3, 2], 400)


def problem_of(data, **arguments):
    return Problem.of(data, rng=np.random.default_rng(0), **arguments)


@dataclass(frozen=True, kw_only=True)
class OneArcEach:
    """Each column gets the one parent that helps most, if it comes before by name."""

    kind: ClassVar[str] = "one-arc-each"
    score: Score = BDeu()

    def solve(self, problem: Problem) -> Answer:
        bound, adj, score = problem.bind(self.score), problem.known.required.copy(), 0.0
        for child in range(len(adj)):
            options = [(), *((u,) for u in range(child) if problem.known.allowed[u, child])]
            best = max(options, key=lambda parents: bound.local_score(child, parents))
            adj[list(best), child] = True
            score += bound.local_score(child, adj[:, child].nonzero()[0])
        return Answer(graph=problem.dag(adj), score=score)


def test_a_search_of_ones_own_goes_everywhere(data):
    own = OneArcEach()
    assert isinstance(own, Learner)
    assert isinstance(own, ScoredSearch)
    alone = arcwise.learn(data, own)
    assert alone.graph.n_edges > 1
    assert (alone.method, alone.score) == ("one-arc-each", pytest.approx(total(BDeu(), alone.graph, data)))
    skeleton = arcwise.learn(data, MMPC())
    hybrid = arcwise.learn(data, Hybrid(search=own))
    assert hybrid.graph.n_edges > 0
    assert all(skeleton.cpdag.adjacency[data.index(a), data.index(b)] for a, b in hybrid.graph.edges)
    sparse = arcwise.learn(data, SparseCandidate(k=2, search=own))
    assert sparse.score == pytest.approx(total(BDeu(), sparse.graph, data))
    table = mixed_data(300)
    loop = arcwise.learn(table, Integrated(search=own, rounds=3))
    assert loop.rounds
    assert loop.score == pytest.approx(total(BDeu(), loop.graph, loop.discretization.apply(table)))
    assert arcwise.learn(table, TwoStage(search=own)).score is not None
    assert arcwise.learn(data, "k2", first=own).graph.n_edges > 0


def test_learn_is_made_of_solve(data):
    @dataclass(frozen=True, kw_only=True)
    class WithLearn(OneArcEach):
        learn = learn_by_solving

    shuffled = data.select(["x03", "x00", "x05", "x01", "x04", "x02"])
    found = WithLearn().learn(shuffled.to_pandas(), rng=np.random.default_rng(0))
    assert found.names == found.cpdag.names == found.graph.names == shuffled.names
    assert set(found.graph.edges) == set(arcwise.learn(data, OneArcEach()).graph.edges)


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.kind)
def test_every_search_can_be_restricted(data, search):
    """Only candidates are added, required edges are there, and the pattern knows of the knowledge alone."""
    rng, n = np.random.default_rng(8), data.n_columns
    candidates = rng.random((n, n)) < 0.4
    u, v = next((u, v) for u, v in np.argwhere(~candidates & ~candidates.T) if u != v)
    knowledge = Knowledge(required=[(data.names[u], data.names[v])])
    problem = problem_of(data, knowledge=knowledge).among(candidates)
    answer = search.solve(problem)
    assert answer.graph is not None
    adj = answer.graph.adjacency.copy()
    assert adj[u, v]
    adj[u, v] = False
    assert adj.any()
    assert np.all(candidates[adj])
    found = result(problem, answer, data.names)
    assert found.cpdag == knowledge.bind(data.names).pattern(found.graph)
    free = search.solve(problem_of(data, knowledge=knowledge))
    assert np.any(free.graph.adjacency & ~candidates & ~problem.known.required)


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.kind)
def test_every_search_goes_into_the_compositions(data, search):
    near = arcwise.learn(data, MMPC()).cpdag.adjacency
    hybrid = arcwise.learn(data, Hybrid(search=search))
    assert np.all(near[hybrid.graph.reordered(data.names).adjacency])
    sparse = arcwise.learn(data, SparseCandidate(k=2, search=search))
    assert sparse.score == pytest.approx(total(resolved(search.score, data), sparse.graph, data))
    policy = "monti" if "k2" in search.kind else "steck"
    loop = arcwise.learn(mixed_data(150), policy, search=search, rounds=2, warm_start=True)
    assert loop.rounds


@pytest.mark.parametrize("search", [HillClimb(), Tabu(patience=3), GES(score=BDeu()), GES(score=BDeu(), turning=True)])
def test_a_start_stands_whether_its_arcs_are_candidates_or_not(data, search):
    free = arcwise.learn(data, HillClimb())
    none = np.zeros((data.n_columns,) * 2, dtype=bool)
    answer = search.solve(problem_of(data, start=free.graph).among(none))
    assert answer.graph.n_edges == free.graph.n_edges
    assert answer.score == pytest.approx(free.score)


def test_a_start_that_is_offered_may_be_passed_over(data):
    start = arcwise.learn(data, HillClimb()).graph
    for learner in (Exhaustive(score=BDeu()), PC(), MMPC(), K2Search(order=data.names, score=BDeu())):
        with pytest.raises(OptionError, match="cannot take a start graph; leave `start` out"):
            learner.solve(problem_of(data, start=start))
        assert learner.solve(problem_of(data).starting(start)).status == "converged"


def test_starts_are_held_against_columns_and_knowledge(data):
    a, b = data.names[:2]
    start = Dag(data.names, [(a, b)])
    both = problem_of(data, start=start, knowledge=Knowledge(required=[(b, data.names[2])])).start_adjacency()
    assert np.argwhere(both).tolist() == [[0, 1], [1, 2]]
    with pytest.raises(GraphError, match=f"the edge {a} -> {b}, which the knowledge forbids"):
        problem_of(data, start=start, knowledge=Knowledge(forbidden=[(a, b)])).start_adjacency()
    with pytest.raises(GraphError, match="only one of them has 'other'"):
        problem_of(data, start=Dag(["other"], [])).start_adjacency()


def test_the_result_is_in_the_order_of_the_caller():
    table = Dataset.from_frame({"b": np.arange(9.0) % 4, "a": list("xyxyxyxyz"), "c": np.arange(9.0) ** 2})
    problem = problem_of(table)
    assert problem.names == ("a", "b", "c")
    pattern = Pdag("abc", [], [("a", "b")])
    cuts = EqualFrequency(bins=2).fit(problem.data)
    assert list(cuts.thresholds) == sorted(cuts.thresholds)
    found = result(problem, Answer(pattern=pattern, separations={(0, 2): (1,)}, discretization=cuts), table.names)
    assert found.names == ("b", "a", "c")
    assert found.separating_sets == {("a", "c"): ("b",)}
    assert list(found.discretization.thresholds) == [c.name for c in table.columns if c.kind is Kind.CONTINUOUS]


def test_a_bound_score_is_handed_on_but_not_to_other_scores_or_data(data):
    score = BDeu(ess=3)
    bound = score.bind(data.by_name())
    problem = problem_of(data).scored(score, bound)
    assert problem.bind(BDeu(ess=3)) is bound
    assert problem.among(np.ones((6, 6), dtype=bool)).bind(score) is bound
    assert problem.bind(BDeu(ess=4)) is not bound
    assert problem.on(problem.data).bind(score) is not bound


def test_memory_is_for_the_same_question_only(data):
    memory, first, second = Memory(), object(), object()
    columns = data.by_name()
    assert memory.exchange(("bdeu", 1), first, columns) is None
    recut = replace(columns, columns=(replace(columns.columns[0]), *columns.columns[1:]))
    assert memory.exchange(("bdeu", 1), second, recut) == (first, {0})
    assert memory.exchange(("bdeu", 2), first, recut) is None
    # Candidates are part of the question: what was forbidden then is not forbidden now.
    wide, kept = problem_of(data), Memory()
    narrow = wide.among(np.eye(data.n_columns, k=1, dtype=bool))
    for problem in (narrow, wide):
        again = HillClimb().solve(replace(problem, memory=kept))
        assert again.score == HillClimb().solve(problem).score


def test_kinds_are_checked_and_choose(data):
    numbers = mixed_data(60)
    with pytest.raises(DataError, match="is continuous, but the score 'bdeu' needs discrete columns"):
        problem_of(numbers).bind(BDeu())
    with pytest.raises(DataError, match="is discrete, but the score 'bge' needs continuous columns"):
        problem_of(data).bind(BGe())
    continuous = numbers.select([c.name for c in numbers.columns if c.kind is Kind.CONTINUOUS])
    assert resolved(Suited(), data) == resolved(Suited(), ALL_DISCRETE) == BDeu()
    assert resolved(Suited(), continuous) == resolved(Gaussian(), continuous) == Gaussian().continuous
    assert resolved(Suited(), numbers) == resolved(Gaussian(), numbers) == Gaussian().mixed
    assert resolved(BDeu(ess=2), data) == BDeu(ess=2)


def test_unknown_names_are_found_before_anything_is_compiled(data, monkeypatch):
    monkeypatch.setattr("arcwise.api._compile_ahead", lambda *rest: pytest.fail("compiles first"))
    with pytest.raises(GraphError, match="did you mean 'x00'"):
        arcwise.learn(data, "hill-climb", knowledge={"required": ["x000 -> x01"]})


def test_a_preset_with_options_is_a_method_too(data):
    method = catalog.method("hill-climb", {"ess": 7})
    found = arcwise.learn(data, method, max_parents=1)
    assert found.method == "hill-climb"
    assert found.spec["max_parents"] == 1
    assert found.scored_with == {"kind": "bdeu", "ess": 7.0, "arc_prior": 1.0}
