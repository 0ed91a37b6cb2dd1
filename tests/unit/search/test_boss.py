"""Best order score search: its kernels against slow twins, its answers, knowledge, stopping."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import arcwise
from arcwise._kernels.by_address import NOWHERE
from arcwise._kernels.orders.by_factor import NEVER, most_at_places
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.networks import load, random_dag, random_gaussian_network
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import SILENT, Calling, StopWhen
from arcwise.scores import BIC, K2, KGV, BDeu, BGe, DegenerateGaussian, GaussianBIC, total
from arcwise.search import Boss, Exhaustive
from arcwise.search.greedy.cache import ScoreCache
from arcwise.search.orders import walk as walks
from arcwise.search.orders.boss import prices
from arcwise.search.orders.walk import ByFactor, ByRows, OrderWalk, some_moves
from tests.oracle.counting import discrete_table
from tests.oracle.orders import best_places, grow_shrink, score_of_order, tucked


def run(learner, data, seed=0, **arguments):
    return learner.learn(data, rng=np.random.default_rng(seed), **arguments)


def numbers(n, rows, seed, degree=3.0):
    net = random_gaussian_network(random_dag(n, seed=seed, expected_degree=degree), seed=seed)
    return net.sample(rows, seed=seed).by_name()


def levels(n, rows, seed):
    rng = np.random.default_rng(seed)
    return discrete_table(rng, rng.integers(2, 4, n).tolist(), rows)


KNOWLEDGE = {
    "nothing": lambda names: Knowledge(),
    "required": lambda names: Knowledge(required=[(names[4], names[0]), (names[0], names[2]), (names[3], names[2])]),
    "forbidden": lambda names: Knowledge(forbidden=[(names[0], names[1]), (names[2], names[4]), (names[5], names[3])]),
    "tiers": lambda names: Knowledge(tiers=[names[3:], names[:3]]),
}
CASES = {
    "gaussian-bic": (GaussianBIC(), lambda seed: numbers(6, 300, seed)),
    "bge": (BGe(), lambda seed: numbers(6, 300, seed)),
    "bdeu": (BDeu(), lambda seed: levels(6, 200, seed)),
    "k2": (K2(), lambda seed: levels(6, 200, seed)),
}


def walk_of(score, data, knowledge, max_parents=None, by_rows=False, in_python=False):
    """(walk, bound score, masks) on a table; by_rows: also scores that a factor could give."""
    known, bound = knowledge.bind(data.names), score.bind(data)
    if isinstance(score, GaussianBIC | BGe) and not by_rows:
        scores = ByFactor(bound.correlated(), known.required, len(data.names) if max_parents is None else max_parents)
    else:
        cache = ScoreCache(bound, known.allowed | known.required, cards=data.cardinalities, max_parents=max_parents)
        if in_python:
            cache.address = NOWHERE
        scores = ByRows(cache)
    return OrderWalk(known, scores), bound, known


def going(_):
    return True


@pytest.mark.parametrize("knowledge", KNOWLEDGE)
@pytest.mark.parametrize("max_parents", [None, 2])
@pytest.mark.parametrize("case", CASES)
def test_the_parents_in_an_order_are_those_of_the_slow_twin(case, max_parents, knowledge):
    score, table = CASES[case]
    for seed in range(5):
        data = table(seed)
        walk, bound, known = walk_of(score, data, KNOWLEDGE[knowledge](data.names), max_parents)
        walk.begin(np.random.default_rng(seed).permutation(6), going)
        expected, adj = score_of_order(bound, walk.order.tolist(), known.allowed, known.required, max_parents)
        assert walk.score == pytest.approx(expected, rel=1e-10)
        np.testing.assert_array_equal(walk.adjacency, adj)


class Dearer:
    """A bound score with a price on arcs."""

    def __init__(self, bound, price):
        self._bound, self._price = bound, price

    def local_score(self, child, parents):
        return self._bound.local_score(child, parents) - self._price * len(parents)


@pytest.mark.parametrize("price", [3.0, 20.0])
@pytest.mark.parametrize("knowledge", ["nothing", "required"])
@pytest.mark.parametrize("case", CASES)
def test_a_price_on_arcs_is_paid_by_the_twin_too(case, knowledge, price):
    score, table = CASES[case]
    for seed in range(3):
        data = table(seed)
        walk, bound, known = walk_of(score, data, KNOWLEDGE[knowledge](data.names))
        walk.begin(np.random.default_rng(seed).permutation(6), going, price)
        for x in range(6):
            totals = best_places(Dearer(bound, price), walk.order.tolist(), x, known.allowed, known.required)
            now = walk.score
            walk.improve(x)
            assert walk.score == pytest.approx(max(now, *totals), rel=1e-10)
        dear, adj = score_of_order(Dearer(bound, price), walk.order.tolist(), known.allowed, known.required)
        assert walk.score == pytest.approx(dear, rel=1e-10)
        np.testing.assert_array_equal(walk.adjacency, adj)
        walk.begin(walk.order, going)  # and no more when it is gone
        expected, adj = score_of_order(bound, walk.order.tolist(), known.allowed, known.required)
        assert walk.score == pytest.approx(expected, rel=1e-10)
        np.testing.assert_array_equal(walk.adjacency, adj)


def test_prices_fall_to_that_of_the_score():
    falling = list(prices(10_000))
    assert falling[0] == pytest.approx(-5000 * np.log(0.5))
    assert all(a / b == 4.0 for a, b in itertools.pairwise(falling))
    assert falling[-1] > 0.5 * np.log(10_000) >= falling[-1] / 4
    assert len(list(prices(20))) == 2
    assert list(prices(2)) == [pytest.approx(np.log(2.0))]


@pytest.mark.parametrize("how", ["factor", "rows", "rows in Python"])
def test_turns_are_taken_in_a_kernel_as_one_by_one(how, monkeypatch):
    """Also where the kernel stops after few of them, or lacks something."""
    monkeypatch.setattr(walks, "TURNS", 5)
    monkeypatch.setattr(walks, "REPORTED", 3)
    data, told = numbers(12, 300, 8, degree=5.0), []
    for threaded in (1000, 0):
        for scores in ByRows, ByFactor:
            monkeypatch.setattr(scores, "one_by_one", threaded)
        monkeypatch.setattr(walks, "SHARED", threaded)
        walk, _, _ = walk_of(
            GaussianBIC(), data, KNOWLEDGE["required"](data.names), by_rows=how != "factor", in_python="Python" in how
        )
        walk.begin(np.arange(12), going)
        walk.rest()
        moved = list(itertools.chain.from_iterable(iter(walk.go_on, None)))
        assert walk.go_on() is None
        told.append((moved, walk.order.tolist(), walk.adjacency.tolist()))
        assert moved[-1][2] == pytest.approx(walk.score, rel=1e-12)
    assert len(told[0][0]) > 5
    assert [move[:2] for move in told[0][0]] == [move[:2] for move in told[1][0]]
    assert told[0][1:] == told[1][1:]


def test_the_factor_follows_every_move():
    rng, data = np.random.default_rng(2), numbers(15, 200, 4, degree=6.0)
    walk, bound, _ = walk_of(GaussianBIC(), data, Knowledge())
    walk.begin(rng.permutation(15), going)
    factored, bounds = bound.correlated(), walk._scores.bounds
    most_at_places(factored, bounds, walk._state.order, 0, np.empty(15))
    assert bounds.there[0]
    for _ in range(60):
        walk.stray(some_moves(rng, 15, 1))
        expected = np.linalg.cholesky(factored.correlations[np.ix_(walk.order, walk.order)])
        np.testing.assert_allclose(np.abs(bounds.factor), np.abs(expected), atol=1e-12)
        np.testing.assert_allclose(bounds.factor @ bounds.factor.T, expected @ expected.T, atol=1e-12)


@pytest.mark.parametrize("knowledge", KNOWLEDGE)
@pytest.mark.parametrize("case", CASES)
def test_a_column_goes_to_the_best_of_all_its_places(case, knowledge):
    score, table = CASES[case]
    moved = 0
    for seed in range(4):
        data = table(seed)
        walk, bound, known = walk_of(score, data, KNOWLEDGE[knowledge](data.names))
        walk.begin(np.random.default_rng(seed).permutation(6), going)
        for x in range(6):
            before = walk.score
            totals = best_places(bound, walk.order.tolist(), x, known.allowed, known.required)
            place = walk.improve(x)
            assert walk.score == pytest.approx(max(before, *totals), rel=1e-10)
            if place is not None:
                moved += 1
                assert walk.order[place] == x
                assert totals[place] == pytest.approx(max(totals), rel=1e-10)
            expected, adj = score_of_order(bound, walk.order.tolist(), known.allowed, known.required)
            assert walk.score == pytest.approx(expected, rel=1e-10)
            np.testing.assert_array_equal(walk.adjacency, adj)
    assert moved > 0


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("how", ["factor", "rows"])
def test_moves_one_after_the_other_lead_to_what_the_twin_finds(how, kept, monkeypatch):
    """What is kept from move to move is right, also after moves that lose and a return to an earlier order."""
    if not kept:
        monkeypatch.setattr(walks, "MOST_WORDS", 0)
    rng, data = np.random.default_rng(5), numbers(9, 300, 6, degree=4.0)
    walk, bound, known = walk_of(GaussianBIC(), data, KNOWLEDGE["required"](data.names), by_rows=how == "rows")
    walk.begin(rng.permutation(9), going)
    saved = walk.save()
    for turn in range(30):
        x = int(rng.integers(9))
        totals = best_places(bound, walk.order.tolist(), x, known.allowed, known.required)
        now = walk.score
        if turn % 3 == 2:
            walk.stray(np.array([[x, rng.integers(9)], [rng.integers(9), rng.integers(9)]]))
        else:
            walk.improve(x)
            assert walk.score == pytest.approx(max(now, *totals), rel=1e-10)
        if turn == 15:
            walk.restore(saved)
        expected, adj = score_of_order(bound, walk.order.tolist(), known.allowed, known.required)
        assert walk.score == pytest.approx(expected, rel=1e-10)
        np.testing.assert_array_equal(walk.adjacency, adj)


@pytest.mark.parametrize("knowledge", ["nothing", "required", "tiers"])
@pytest.mark.parametrize("case", CASES)
def test_tucks_are_found_where_the_twin_finds_them(case, knowledge):
    score, table = CASES[case]
    found = 0
    for seed in range(6):
        data = table(seed)
        walk, bound, known = walk_of(score, data, KNOWLEDGE[knowledge](data.names))
        walk.begin(np.random.default_rng(seed).permutation(6), going)
        place = {w: i for i, w in enumerate(walk.order.tolist())}
        for y in range(6):
            orders = []
            for x in sorted(walk.adjacency[:, y].nonzero()[0].tolist(), key=lambda u: -place[u]):
                order, size = tucked(walk.order.tolist(), walk.adjacency, x, y)
                legal = all(order.index(u) < order.index(v) for u, v in np.argwhere(known.required).tolist())
                after = score_of_order(bound, order, known.allowed, known.required)[0]
                if size > 1 and legal and after > walk.score + 1e-9 * (1 + abs(walk.score)):
                    orders.append(order)
            tuck = walk.tuck(y)
            assert (None if tuck is None else tuck.tolist()) == (orders[0] if orders else None)
            found += bool(orders)
    assert found > 0


def test_tucks_raise_the_score_where_restarts_end():
    table = load("alarm").shuffled(2)[0].sample(500, 2)
    trace = run(Boss(score=BDeu(arc_prior="sparse"), restarts=5), table).trace
    at = [step.phase for step in trace].index("tuck")
    assert trace[at].score > max(step.score for step in trace[:at] if not step.phase.startswith("price "))
    published = run(Boss(score=BDeu(arc_prior="sparse"), restarts=0), table)
    assert {step.phase for step in published.trace}.isdisjoint({"tuck", "restart 1"})


def test_no_place_has_more_than_its_bound():
    for seed in range(5):
        data = numbers(8, 60, seed, degree=5.0)
        walk, bound, known = walk_of(GaussianBIC(), data, Knowledge())
        walk.begin(np.random.default_rng(seed).permutation(8), going)
        most = np.empty(8)
        for x in range(8):
            at = walk._state.place.item(x)
            most_at_places(bound.correlated(), walk._scores.bounds, walk._state.order, at, most)
            rest = [w for w in walk.order.tolist() if w != x]
            for i in range(8):
                score, _ = grow_shrink(bound, x, set(rest[:i]), candidates=known.allowed[:, x])
                everything = bound.local_score(x, rest[:i])
                assert score <= most[i] + 1e-9
                fit = everything + i * 0.5 * np.log(60)  # without the price of the arcs it is the bound
                assert most[i] == pytest.approx(fit, abs=0.01)


@pytest.mark.parametrize("how", ["factor", "rows", "rows in Python"])
def test_who_is_not_near_does_not_matter(how):
    """A column whose place does not matter to another one changes nothing for it, at any place."""
    data = numbers(12, 500, 3, degree=5.0)
    walk, bound, known = walk_of(GaussianBIC(), data, Knowledge(), by_rows=how != "factor", in_python="Python" in how)
    walk.begin(np.random.default_rng(1).permutation(12), going)
    state, far = walk._state, 0
    for child, x in itertools.permutations(range(12), 2):
        if state.near[child, x] == NEVER:
            far += 1
            before = set(state.order[: state.place[child]].tolist()) ^ {x}
            _, parents = grow_shrink(bound, child, before, candidates=known.allowed[:, child])
            assert parents == set(state.parents[child].nonzero()[0].tolist())
    assert 20 < far < 120


def test_rows_and_factor_find_the_same():
    for seed in range(3):
        data = numbers(15, 400, seed, degree=6.0)
        orders, scores = [], []
        for by_rows in (False, True):
            walk, _, _ = walk_of(GaussianBIC(), data, Knowledge(), by_rows=by_rows)
            walk.begin(np.arange(15), going)
            for x in (*range(15), *range(15)):
                walk.improve(x)
            orders.append(walk.order.tolist())
            scores.append(walk.score)
        assert orders[0] == orders[1]
        assert scores[0] == pytest.approx(scores[1], rel=1e-11)


def optima(score, tables, orders_of):
    """(orders from which the exact optimum is reached, orders tried)."""
    reached = tried = 0
    for data in tables:
        best = run(Exhaustive(score=score, max_parents=None), data).score
        for order in orders_of(data.n_columns):
            names = [data.names[i] for i in order]
            start = arcwise.Dag(names, itertools.pairwise(names))
            found = run(Boss(score=score), data, start=start)
            assert found.score == pytest.approx(total(score, found.graph, data), rel=1e-11)
            assert found.score <= best + 1e-6
            reached += found.score >= best - 1e-6
            tried += 1
    return reached, tried


def some_orders(size):
    return lambda n: (np.random.default_rng(i).permutation(n) for i in range(size))


@pytest.mark.parametrize("knowledge", ["nothing", "required"])
@pytest.mark.parametrize(("columns", "better"), [(6, 0), (14, 1), (20, 2)])
def test_restarts_at_once_are_as_one_after_the_other(columns, better, knowledge, monkeypatch):
    """Whatever the number of threads: the graph, every step, what was counted, and the random numbers after it."""
    found_better = 0
    for seed in range(3):
        data, told = numbers(columns, 200, seed, 5.0), []
        for threads in "1", "2", "3":
            monkeypatch.setenv("ARCWISE_THREADS", threads)
            rng = np.random.default_rng(seed)
            found = Boss(score=GaussianBIC(), restarts=4).learn(
                data, rng=rng, knowledge=KNOWLEDGE[knowledge](data.names)
            )
            told.append((found.graph, found.score, found.trace, found.counters, rng.integers(1 << 40)))
        assert told[0] == told[1] == told[2]
        found_better += any(step.phase == "restart 5" for step in found.trace)  # all four in vain: there is none
    assert found_better >= better


def test_restarts_at_once_can_be_stopped(monkeypatch):
    """After any number of looks at whether to stop: the best graph so far, and its score."""
    data, scores = numbers(16, 200, 1, 6.0), set()
    monkeypatch.setenv("ARCWISE_THREADS", "2")
    whole = run(Boss(score=GaussianBIC()), data)
    for looks in range(1, 400, 7):
        left = iter(range(looks))
        stopping = StopWhen(SILENT, lambda left=left: next(left, None) is None)
        found = run(Boss(score=GaussianBIC()), data, monitor=stopping)
        if np.isfinite(found.score or -np.inf) and found.status == "stopped":
            assert found.score == pytest.approx(total(GaussianBIC(), found.graph, data), rel=1e-11)
            scores.add(found.score)
        elif found.status == "converged":
            assert (found.graph, found.score, found.counters) == (whole.graph, whole.score, whole.counters)
            break
    assert found.status == "converged"
    assert len(scores) > 1


def test_restarts_at_once_are_not_for_those_who_watch(monkeypatch):
    """They are told of every move when it is made, and may stop there."""
    monkeypatch.setenv("ARCWISE_THREADS", "2")
    data, steps = numbers(10, 200, 1, 4.0), []
    found = run(Boss(score=GaussianBIC()), data, monitor=Calling(steps.append))
    assert [one.message for one in steps if one.phase.startswith("restart")] == [
        step.action for step in found.trace if step.phase.startswith("restart")
    ]
    assert run(Boss(score=GaussianBIC()), data).trace == found.trace


def test_small_tables_are_solved_from_every_order():
    every = lambda n: itertools.permutations(range(n))  # noqa: E731
    reached, tried = optima(BDeu(), [levels(4, 150, seed) for seed in range(4)], every)
    assert reached == tried == 4 * 24
    reached, tried = optima(GaussianBIC(), [numbers(6, 200, seed, degree=4.5) for seed in range(6)], some_orders(6))
    assert reached == tried == 36


@pytest.mark.slow
def test_many_small_tables_are_solved():
    tables = [numbers(6, 200, seed, degree=degree) for seed in range(15) for degree in (2.5, 4.5)]
    reached, tried = optima(GaussianBIC(), tables, some_orders(10))
    assert reached >= 0.99 * tried


@pytest.mark.parametrize(
    ("score", "table"),
    [
        (BDeu(), load("alarm").sample(500, 1)),
        (BIC(), load("child").sample(500, 1)),
        (GaussianBIC(), numbers(20, 500, 1)),
        (DegenerateGaussian(), load("child").sample(300, 1)),
        (KGV(), numbers(8, 100, 3)),
    ],
    ids=["bdeu", "bic", "gaussian", "degenerate", "kgv"],
)
def test_the_trace_climbs_to_the_score_of_the_graph(score, table):
    result = run(Boss(score=score, restarts=2), table)
    assert result.status == "converged"
    assert result.score == pytest.approx(total(score, result.graph, table), rel=1e-11)
    assert result.trace[0].phase == "climb"
    for _, steps in itertools.groupby(result.trace, key=lambda step: step.phase):
        climbed = [step.score for step in steps]
        assert all(a < b for a, b in itertools.pairwise(climbed))
    free = [step for step in result.trace if not step.phase.startswith("price ")]
    assert result.score >= max(step.score for step in free) - 1e-9 * abs(result.score)
    assert len(result.trace) == result.counters.steps
    assert result.counters.score_asked >= result.counters.score_computed > 0
    assert all(step.action.startswith(("move ", "delete edges")) for step in result.trace if step.phase != "climb")


def test_dense_networks_are_found_where_greedy_walks_fail():
    net = random_gaussian_network(random_dag(30, seed=2, expected_degree=6), seed=2)
    table = net.sample(1000, seed=2)
    distance = {
        name: arcwise.metrics.shd(net.dag, run(learner, table).graph)
        for name, learner in {
            "boss": Boss(score=GaussianBIC()),
            "climb": arcwise.search.HillClimb(score=GaussianBIC()),
        }.items()
    }
    assert distance["boss"] <= 15
    assert distance["climb"] > 3 * distance["boss"]


@pytest.mark.parametrize("knowledge", ["required", "forbidden", "tiers"])
@pytest.mark.parametrize("case", ["gaussian-bic", "bdeu"])
def test_knowledge_is_obeyed(case, knowledge):
    score, table = CASES[case]
    data = table(7)
    known = KNOWLEDGE[knowledge](data.names)
    masks = known.bind(data.names)
    adj = run(Boss(score=score), data, knowledge=known).graph.reordered(data.names).adjacency
    assert not (adj & ~(masks.allowed | masks.required)).any()
    assert (adj | ~masks.required).all()


def test_limits_are_kept():
    alarm = load("alarm").sample(300, 1)
    few = run(Boss(max_parents=1), alarm).graph
    assert max(len(few.parents(name)) for name in few.names) == 1
    small = run(Boss(max_table=20), alarm)
    cards = dict(zip(alarm.names, alarm.cardinalities, strict=True))
    for name in small.graph.names:
        assert np.prod([cards[one] for one in (name, *small.graph.parents(name))]) <= 20
    dense = numbers(12, 300, 5, degree=6.0)
    for limit in (0, 1, 3):
        found = run(Boss(max_parents=limit), dense).graph
        assert max(len(found.parents(name)) for name in found.names) == limit


def test_the_way_to_the_first_order():
    table = numbers(20, 300, 2, degree=5.0)
    by_name = run(Boss(restarts=0, lead_in=False), table)
    assert all(step.phase == "search" for step in by_name.trace)
    led = run(Boss(restarts=0), table)
    assert list(dict.fromkeys(step.phase for step in led.trace))[:3] == ["climb", "price 104", "price 26"]
    hill = run(arcwise.search.HillClimb(score=Boss().score, max_parents=6), table)
    climbed = [step for step in led.trace if step.phase == "climb"]
    assert [step.action for step in climbed] == [step.action for step in hill.trace]
    started = run(Boss(restarts=0), table, start=by_name.graph)
    assert all(step.phase == "search" for step in started.trace)


@pytest.mark.parametrize("asked", [0, 1])
def test_stopped_while_climbing(asked):
    result = run(Boss(), load("alarm").sample(200, 1), monitor=StopAfter(asked))
    assert result.status == "stopped"


def test_a_start_graph_gives_the_first_order():
    table = load("child").sample(200, 2)
    start = run(arcwise.search.HillClimb(score=Boss().score), table).graph
    found = run(Boss(restarts=0), table, start=start)
    assert found.score >= total(Boss().score, start, table) - 1e-9


def test_deletions_lead_on():
    """Where they raise the score the walk goes on, and never ends lower."""
    deleted = 0
    for seed in range(4):
        table = load("insurance").sample(1000, seed)
        found = {backward: run(Boss(backward=backward, restarts=0), table) for backward in (False, True)}
        assert found[True].score >= found[False].score - 1e-9
        deleted += sum(step.action == "delete edges" for step in found[True].trace)
        assert run(Boss(restarts=0), table).to_dict() == found[True].to_dict()
    assert deleted > 0
    assert run(Boss(score=K2(), restarts=0), levels(5, 100, 1)).status == "converged"
    with pytest.raises(OptionError, match="equivalent"):
        run(Boss(score=K2(), backward=True), levels(5, 100, 1))


def test_threads_do_not_change_the_answer(monkeypatch):
    table = numbers(45, 300, 4, degree=5.0)
    answers = []
    for threads in ("1", "2"):
        monkeypatch.setenv("ARCWISE_THREADS", threads)
        answers.append(run(Boss(), table))
    assert answers[0].to_dict() == answers[1].to_dict()


class StopAfter:
    def __init__(self, asked):
        self.left = asked

    def report(self, progress):
        SILENT.report(progress)

    def should_stop(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("asked", [45, 65, 70, 75, 80, 90, 120])
def test_stopped_while_prices_fall(asked):
    table = load("alarm").sample(300, 1)
    result = run(Boss(), table, monitor=StopAfter(asked))
    assert result.status == "stopped"
    assert result.score == pytest.approx(total(Boss().score, result.graph, table), rel=1e-11)


@pytest.mark.parametrize("asked", [0, 3, 8, 30, 60])
def test_stopped_it_returns_the_best_so_far(asked):
    table = levels(6, 200, 1)
    result = run(Boss(restarts=500, lead_in=False), table, monitor=StopAfter(asked))
    assert result.status == "stopped"
    if asked == 0:
        assert result.score is None
    else:
        assert result.score == pytest.approx(total(Boss().score, result.graph, table), rel=1e-11)


def test_columns_that_others_determine_and_constants():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 80))
    columns = {"a": a, "b": b, "copy": a, "sum": a + b, "constant": np.ones(80), "c": a - b + rng.normal(size=80)}
    table = Dataset(tuple(Column(name, Kind.CONTINUOUS, values) for name, values in columns.items()))
    for data in (table, table.select([name for name in columns if name != "constant"])):
        result = run(Boss(score=GaussianBIC()), data)
        assert result.score == pytest.approx(total(GaussianBIC(), result.graph, data), rel=1e-11)
        assert result.score >= run(arcwise.search.HillClimb(score=GaussianBIC()), data).score - 1e-6


def test_fewer_rows_than_columns():
    table = numbers(20, 8, 1)
    result = run(Boss(score=GaussianBIC()), table)
    assert result.score == pytest.approx(total(GaussianBIC(), result.graph, table), rel=1e-11)


@pytest.mark.parametrize("n", [1, 2])
def test_tables_of_one_and_two_columns(n):
    table = levels(2, 50, 1).select(levels(2, 50, 1).names[:n])
    assert run(Boss(), table).graph.n_nodes == n


@pytest.mark.parametrize(("option", "value"), [("restarts", -1), ("perturbation", 0), ("max_table", 0)])
def test_options_out_of_range_are_refused(option, value):
    with pytest.raises(OptionError, match=option):
        Boss(**{option: value})
