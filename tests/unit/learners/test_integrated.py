"""The discretize-and-learn loop with each policy score."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.ordinal import as_numbers
from arcwise.discretize import Distinct, EqualFrequency, Friedman, Monti, Optimal, Steck, TopDown
from arcwise.discretize.loop.auto import Auto
from arcwise.discretize.loop.learn_policy import WorkingTable, learn_policy
from arcwise.discretize.thresholds.grow import GreedySearch, StepTables
from arcwise.discretize.thresholds.neighbourhood import Family
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.learners import Hybrid, Integrated, TwoStage
from arcwise.parts.monitor import SILENT
from arcwise.parts.spec import describe
from arcwise.scores import BIC, K2, MDL, BDeu, by_node, total
from arcwise.search import GES, Exhaustive, HillClimb, OptimalReinsertion, Tabu
from tests.contract.parts import continuous_data, mixed_data
from tests.oracle.thresholds import description_length

POLICIES = [Friedman(), Monti(), Steck()]


SCORE = BDeu()


@pytest.fixture(params=POLICIES, ids=lambda policy: policy.kind)
def policy(request):
    return request.param


def run(learner, data, **arguments):
    return learner.learn(data, rng=np.random.default_rng(0), **arguments)


def joint(policy, data, cuts, graph, score=SCORE):
    table = WorkingTable(data, cuts)
    network = total(policy.network_score(score), graph, cuts.apply(data))
    network += sum(policy.column_term(table.values[i], table.starts[i]) for i in table.continuous)
    return network + sum(policy.discrete_term(np.bincount(c.values)) for c in data.columns if c.levels)


def test_the_trace_tells_the_joint_score_of_every_round(policy):
    data = mixed_data(400)
    result = run(Integrated(policy=policy), data)
    rounds = [step.score for step in result.trace if step.phase == "round"]
    assert result.trace[-1].phase == "end"
    assert result.trace[-1].score == pytest.approx(max(rounds))
    assert joint(policy, data, result.discretization, result.graph) == pytest.approx(max(rounds))
    start = run(TwoStage(), data)
    assert rounds[0] == pytest.approx(joint(policy, data, start.discretization, start.graph))
    assert max(rounds) > rounds[0]
    assert result.counters.discretization_calls > 0


def test_every_round_is_recorded_with_thresholds_and_graph(policy):
    data = mixed_data(400)
    result = run(Integrated(policy=policy), data)
    assert [r.turn for r in result.rounds] == list(range(len(result.rounds)))
    for r in result.rounds:
        assert r.start == "equal-frequency, bins=3"
        assert r.network_score == pytest.approx(total(HillClimb().score, r.graph, r.discretization.apply(data)))
        assert r.joint_score == pytest.approx(joint(policy, data, r.discretization, r.graph))
    best = max(result.rounds, key=lambda r: r.joint_score)
    assert (result.graph, result.discretization) == (best.graph.reordered(data.names), best.discretization)


@pytest.mark.parametrize("score", [BDeu(), MDL()], ids=lambda score: score.kind)
@pytest.mark.parametrize("policy", [Friedman(), TopDown()], ids=lambda policy: policy.kind)
def test_the_joint_score_is_the_length_of_the_whole_description(policy, score):
    """Also of the discrete columns, worked out from scratch."""
    data = mixed_data(300)
    result = run(Integrated(policy=policy, search=HillClimb(score=score)), data)
    columns = {c.name: c.values for c in data.columns}
    for r in result.rounds:
        parents = {name: r.graph.parents(name) for name in r.graph.names}
        length = description_length(columns, r.discretization.thresholds, parents)
        assert r.joint_score == pytest.approx(-length, abs=1e-8)


def test_a_discrete_column_counts_like_a_number_that_is_cut_between_any_two_values():
    data = mixed_data(200)
    names = [c.name for c in data.columns if c.levels]
    numbers = as_numbers(data, names)
    graph = Dag(data.names, [("alpha", "bravo"), ("delta", "bravo"), ("echo", "alpha")])
    cuts = EqualFrequency().fit(data)
    every = Discretization(dict(cuts.thresholds) | {name: Distinct().fit(numbers).thresholds[name] for name in names})
    assert joint(Friedman(), data, cuts, graph) == pytest.approx(joint(Friedman(), numbers, every, graph))


@pytest.mark.parametrize("policy", [Friedman(), TopDown()], ids=lambda policy: policy.kind)
def test_with_mdl_search_and_thresholds_share_one_score(policy):
    data = mixed_data(400)
    result = run(Integrated(policy=policy, search=HillClimb(score=MDL()), warm_start=True), data)
    for r in result.rounds:
        assert r.network_score == pytest.approx(total(MDL(), r.graph, r.discretization.apply(data)))
        assert r.joint_score == pytest.approx(joint(policy, data, r.discretization, r.graph, MDL()))
    scores = [r.joint_score for r in result.rounds]
    assert len(scores) > 1
    assert all(b >= a - 1e-6 for a, b in pairwise(scores))
    priced = run(Integrated(policy=policy, search=HillClimb(score=MDL(arc_prior=1e-20))), data)
    assert priced.cpdag.n_edges < result.cpdag.n_edges
    arcs = priced.rounds[0].graph.n_edges
    plain = joint(policy, data, priced.rounds[0].discretization, priced.rounds[0].graph, MDL())
    assert priced.rounds[0].joint_score == pytest.approx(plain + arcs * np.log(1e-20))


@pytest.mark.parametrize("score", [K2(), K2(alpha=0.2)], ids=["k2", "alpha"])
@pytest.mark.parametrize("policy", [Monti(), Steck(), Optimal()], ids=lambda policy: policy.kind)
def test_k2_and_free_pseudo_counts_reach_network_and_thresholds(policy, score):
    data = mixed_data(300)
    result = run(Integrated(policy=policy, search=HillClimb(score=score)), data)
    for r in result.rounds:
        assert r.network_score == pytest.approx(total(score, r.graph, r.discretization.apply(data)))
        assert r.joint_score == pytest.approx(joint(policy, data, r.discretization, r.graph, score))
    other = run(Integrated(policy=policy, search=HillClimb(score=K2(alpha=30.0))), data)
    assert other.discretization != result.discretization


def test_scores_by_name():
    data = mixed_data(120)
    assert arcwise.learn(data, "friedman", score="mdl").spec["search"]["score"]["kind"] == "mdl"
    found = arcwise.learn(data, "monti", score="k2", alpha=0.5)
    assert found.spec["search"]["score"] == {"kind": "k2", "alpha": 0.5, "arc_prior": 1.0}
    assert arcwise.learn(data, "chen", score="k2").spec["search"]["score"]["kind"] == "k2"
    for method, score, known in (("friedman", "k2", "'bdeu' or 'mdl'"), ("monti", "mdl", "'bdeu' or 'k2'")):
        with pytest.raises(OptionError, match=f"{method!r} needs a search with the score {known}, not {score!r}"):
            arcwise.learn(data, method, score=score)


def rounded_copies(n_rows=2000, noise=0.0):
    """Body mass index, and a weight that is 2.9 times as much, rounded; what depends on them."""
    rng = np.random.default_rng(3)
    age = rng.integers(20, 80, n_rows).astype(float)
    mass = rng.normal(24, 4, n_rows) + 0.06 * age
    pressure = np.round(90 + 0.4 * age + 0.8 * mass + rng.normal(0, 8, n_rows))
    weight = np.round(2.9 * (mass + noise * rng.normal(size=n_rows)))
    values = {"age": age, "pressure": pressure, "bmi": np.round(mass, 1), "weight": weight}
    return Dataset(tuple(Column(name, Kind.CONTINUOUS, v) for name, v in values.items()))


def test_near_copies_are_named_with_the_remedy(policy):
    (warning,) = run(Integrated(policy=policy), rounded_copies()).warnings
    assert warning.startswith("columns 'bmi', 'weight' are nearly the same but for rounding or a bend")
    assert warning.endswith("""keep 'bmi', the finest, and leave out the other with --drop weight (drop=["weight"])""")


def test_strong_relations_are_no_near_copies(policy):
    related = rounded_copies(noise=0.9)  # a fifth of the spread
    mass, weight = related.column("bmi").values, related.column("weight").values
    assert np.corrcoef(mass, weight)[0, 1] > 0.97
    assert run(Integrated(policy=policy), related).warnings == ()


@pytest.mark.parametrize("name", ["cars1", "abalone", "pima"])
def test_measurements_of_one_thing_are_no_near_copies(name):
    """Displacement and weight of cars, lengths and weights of abalones (rank correlations up to 0.98)."""
    assert not any("nearly the same" in warning for warning in arcwise.learn(arcwise.datasets.load(name)).warnings)


def test_auto_tries_several_starts_and_keeps_the_best(policy):
    data = mixed_data(400)
    result = arcwise.learn(data, policy.kind, initial="auto", arc_prior=1.0)
    single = {describe(start): run(Integrated(policy=policy, initial=start), data) for start in Auto.starts}
    reached = {name: max(r.joint_score for r in one.rounds) for name, one in single.items()}
    assert {r.start for r in result.rounds} == set(reached)
    assert len(result.rounds) == sum(len(one.rounds) for one in single.values())
    best = max(reached, key=lambda name: reached[name])
    assert result.graph == single[best].graph
    assert result.discretization == single[best].discretization
    assert (result.trace[-1].phase, result.trace[-1].action) == ("choice", f"best start: {best}")
    assert len(set(reached.values())) > 1
    told = result.summary(details=True)
    for name, score in reached.items():
        assert f"from {name}" in told
        assert f"{score:,.2f}{', kept' * (name == best)}" in told


def test_a_round_of_thresholds_raises_the_joint_score(policy):
    data = mixed_data(300).by_name()
    graph = run(TwoStage(), data).graph
    cuts = EqualFrequency().fit(data)
    table = WorkingTable(data, cuts)
    search = GreedySearch(policy.local(BDeu()), StepTables(300))
    changed, _ = learn_policy(table, graph.adjacency, search, SILENT, {})
    assert changed <= set(table.continuous)
    after = joint(policy, data, table.discretization(), graph)
    assert after > joint(policy, data, cuts, graph)
    again, _ = learn_policy(table, graph.adjacency, search, SILENT, {})
    assert not again


@pytest.mark.parametrize("place", [0, -1])
def test_one_column_changes_the_joint_score_by_its_local_score(policy, place):
    data = mixed_data(200).by_name()
    graph = run(TwoStage(), data).graph
    table = WorkingTable(data, EqualFrequency().fit(data))
    score = [BDeu(), MDL(arc_prior=0.5) if policy.kind == "friedman" else K2(alpha=0.4)][place]
    search = GreedySearch(policy.local(score), StepTables(200))
    adj = graph.adjacency
    for i in table.continuous:
        families = [Family(c, tuple(p for p in np.flatnonzero(adj[:, c]) if p != i)) for c in np.flatnonzero(adj[i])]
        around = table.around(i, np.flatnonzero(adj[:, i]).tolist(), families)
        before = joint(policy, data, table.discretization(), graph, score)
        old = search.evaluate(around, table.starts[i])
        new = search.evaluate(around, np.array([0, 50, 90, 170, 200]))
        table.cut(i, new.starts)
        after = joint(policy, data, table.discretization(), graph, score)
        assert after - before == pytest.approx(new.score - old.score)


def test_only_continuous_columns_are_cut(policy):
    data = mixed_data(300)
    result = run(Integrated(policy=policy), data)
    assert set(result.discretization.thresholds) == {c.name for c in data.columns if c.kind is Kind.CONTINUOUS}


def test_a_clear_threshold_is_found(policy):
    """Two clusters, and a child that nearly tells them apart: one cut, between the clusters or a row beside."""
    rng = np.random.default_rng(1)
    state = rng.integers(0, 2, 400)
    flips = rng.random(400) < 0.05
    columns = (
        Column("x", Kind.CONTINUOUS, 10.0 * state + rng.uniform(0, 4, 400)),
        Column("y", Kind.DISCRETE, (state ^ flips).astype(np.uint8), ("a", "b")),
    )
    result = run(Integrated(policy=policy, initial=EqualFrequency(bins=5)), Dataset(columns))
    cuts = result.discretization.thresholds["x"]
    assert any(3.9 < cut < 10.1 for cut in cuts)
    assert result.cpdag.n_edges == 1
    if policy.kind != "monti":  # its density term also cuts off the empty stretch between the clusters
        assert len(cuts) == 1


def fu_sum(data, cuts, graph, score):
    """The sum over continuous columns of S_c(i) + S_d(i) + sum over children S_d(c) (Fu 2005, III.2.2)."""
    table, families = WorkingTable(data, cuts), by_node(score, graph, cuts.apply(data))
    whole = 0.0
    for i in table.continuous:
        name = data.names[i]
        touched = [name, *(child for child in graph.names if name in graph.parents(child))]
        whole += Monti().column_term(table.values[i], table.starts[i]) + sum(families[node] for node in touched)
    return whole


@pytest.mark.parametrize("score", [BDeu(), K2(alpha=0.4)], ids=lambda score: score.kind)
def test_fus_rule_accepts_what_raises_the_sum_of_all_scores(score):
    data = mixed_data(150).by_name()
    cuts = EqualFrequency().fit(data)
    pairs = [(a, b) for a, b in zip(data.names, data.names[1:], strict=False)]
    graph = Dag(data.names, [*pairs, (data.names[0], data.names[2]), (data.names[1], data.names[3])])
    adj, table = graph.adjacency, WorkingTable(data, cuts)
    searches = [Monti(accept=rule).searcher(score, data.n_rows) for rule in ("sum", "joint")]
    rng, verdicts = np.random.default_rng(3), []
    for i in table.continuous:
        parents, children = np.flatnonzero(adj[:, i]).tolist(), np.flatnonzero(adj[i]).tolist()
        families = [Family(c, tuple(p for p in np.flatnonzero(adj[:, c]).tolist() if p != i)) for c in children]
        around = table.around(i, parents, families)
        for _ in range(25):
            inner = np.sort(rng.choice(np.arange(1, data.n_rows), rng.integers(1, 5), replace=False))
            new = searches[0].evaluate(around, np.array([0, *inner, data.n_rows], dtype=np.intp))
            other = WorkingTable(data, cuts)
            other.cut(i, new.starts)
            changed = other.discretization()
            verdicts.append([search.accepts(around, new, table.starts[i]) for search in searches])
            assert verdicts[-1][0] == (fu_sum(data, changed, graph, score) > fu_sum(data, cuts, graph, score))
            rises = joint(Monti(), data, changed, graph, score) > joint(Monti(), data, cuts, graph, score)
            assert verdicts[-1][1] == rises
    assert len({tuple(verdict) for verdict in verdicts}) >= 3  # the two rules do differ


def test_discrete_data_is_learned_as_it_is(policy):
    data = mixed_data(300)
    discrete = EqualFrequency().fit(data).apply(data)
    assert run(Integrated(policy=policy), discrete).graph == run(HillClimb(), discrete).graph


def test_warm_start_never_lowers_the_joint_score():
    data = mixed_data(400)
    rounds = [s.score for s in run(Integrated(warm_start=True), data).trace if s.phase == "round"]
    assert all(b >= a - 1e-6 for a, b in pairwise(rounds))


@pytest.mark.parametrize("search", [GES(), Tabu(), Hybrid(), OptimalReinsertion(restarts=0), Exhaustive()])
def test_any_search_with_bdeu_finds_the_network_of_a_round(search):
    data = continuous_data(300)
    result = arcwise.learn(data, Integrated(search=search))
    again = search.learn(result.discretization.apply(data), rng=np.random.default_rng(0))
    assert result.graph.n_edges >= 3
    assert result.rounds[-1].graph.names == data.by_name().names
    if search.kind != "optimal-reinsertion":  # its generator goes on from round to round
        assert result.cpdag == again.cpdag
        assert result.score == pytest.approx(again.score, rel=1e-9)


def test_options_are_checked():
    with pytest.raises(OptionError, match="rounds"):
        Integrated(rounds=0)
    with pytest.raises(OptionError, match=r"'steck' needs a search with the score 'bdeu' or 'k2', not 'bic'"):
        Integrated(search=HillClimb(score=BIC()))
    with pytest.raises(OptionError, match=r"a search that scores networks, such as .*, not 'two-stage'"):
        arcwise.learn(mixed_data(50), "steck", search="two-stage")
    with pytest.raises(OptionError, match="patience"):
        Friedman(patience=-1)
    with pytest.raises(OptionError, match="'accept' must be 'joint' or 'sum', not 'all'"):
        Monti(accept="all")
    with pytest.raises(OptionError, match="min_width"):
        Monti(min_width=0)


def test_rounds_limit_the_loop():
    result = run(Integrated(rounds=1), mixed_data(400))
    assert sum(step.phase == "round" for step in result.trace) == 2
    assert result.trace[-1].action in ("after 1 rounds", "the joint score no longer rises")


class StopInRound:
    """Stops when the thresholds of the first round are being learned."""

    def __init__(self):
        self.reached = False

    def report(self, progress):
        self.reached = self.reached or progress.phase == "thresholds"

    def should_stop(self):
        return self.reached


def test_stopping_in_the_middle_returns_the_best_pair_so_far(policy):
    data = mixed_data(300)
    result = run(Integrated(policy=policy), data, monitor=StopInRound())
    assert (result.status, result.trace[-1].action) == ("stopped", "stopped")
    start = run(TwoStage(), data)
    assert result.graph == start.graph
    assert result.discretization == start.discretization


def test_policies_can_be_swapped_by_their_kind():
    data = mixed_data(120)
    assert arcwise.learn(data, "steck", policy="friedman").spec["policy"]["kind"] == "friedman"
    swapped = arcwise.learn(data, "optimal", **{"policy.score": "friedman"})
    assert swapped.spec["policy"]["score"]["kind"] == "friedman"
    with pytest.raises(OptionError, match="policy"):
        arcwise.learn(data, "steck", policy="hill-climb")


def test_presets_take_short_options():
    result = arcwise.learn(mixed_data(300), "steck", ess=5, bins=2)
    assert result.spec["search"]["score"]["ess"] == 5.0
    assert result.spec["initial"]["bins"] == 2
