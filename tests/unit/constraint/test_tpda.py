"""TPDA on exact distributions and on data: the phases, knowledge, degenerate tables, and stopping."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise.constraint.max_min.max_min import MMPC, PMMS
from arcwise.constraint.tpda.cuts import Evidence, find_cut
from arcwise.constraint.tpda.paths import Paths
from arcwise.constraint.tpda.tpda import TPDA
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.independence import FisherZ, MutualInformation
from arcwise.independence.information import GaussianInformation, Information
from arcwise.independence.oracle import ExactInformation
from arcwise.networks import BayesianNetwork, random_discrete_network
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.protocols import Learner
from tests.contract.parts import mixed_data
from tests.oracle.counting import discrete_table
from tests.oracle.graphs import random_dag
from tests.oracle.independence import blank, continuous_table, levels, numbers
from tests.oracle.tpda import PlainTPDA
from tests.unit.independence.test_exact import cancelling

RNG = np.random.default_rng(0)  # TPDA draws nothing from it
NETWORK = Path(__file__).parents[2] / "reference" / "tpda_network.json"


def learn(data, knowledge=None, monitor=None, unit="nats", **options):
    """Thresholds of these tests are in nats, but where they say otherwise."""
    return TPDA(unit=unit, **options).learn(
        data, rng=RNG, knowledge=knowledge or Knowledge(), **({"monitor": monitor} if monitor else {})
    )


def ask(network, eps, knowledge=None):
    return learn(blank(network.names), knowledge, test=ExactInformation(network, eps))


def skeleton(dag):
    return {tuple(sorted(edge)) for edge in dag.edges}


def test_paths_that_nearly_cancel_are_seen():
    """I(X; Y) = 0.0018 only, but both neighbours of Y are in the first set that is tried."""
    network = cancelling(0.15)
    result = ask(network, 0.001)
    assert set(result.cpdag.skeleton) == skeleton(network.dag)
    assert result.separating_sets["X", "Y"] == ("A", "B")
    assert result.cpdag == network.dag.cpdag()


def test_an_edge_that_another_path_hides_is_lost_and_a_false_one_kept():
    """I(B; Y) = 0.00013 < eps though B -> Y: Y then has A alone for a cut from X, which is not enough."""
    network = cancelling(0.08)
    result = ask(network, 0.001)
    assert set(result.cpdag.skeleton) == skeleton(network.dag) - {("B", "Y")} | {("X", "Y")}


@pytest.mark.parametrize("eps", [1e-6, 1e-5, 1e-4, 1e-3, 2e-3])
def test_a_distribution_that_is_not_monotone_gives_a_false_edge(eps):
    """I(B; C | A) = 0, but of A, D and E the search drops A first: that lowers the information most."""
    network = BayesianNetwork.load(NETWORK)
    bound = ExactInformation(network).bind(blank("ABCDE"))
    without = bound.information(1, 2, np.array([[0, 3, 4], [3, 4, -1], [0, 4, -1], [0, 3, -1], [0, -1, -1]]))
    assert without[1] < without[0]
    assert without[1] == without[:4].min()
    assert without[4] == pytest.approx(0, abs=1e-12)
    result = ask(network, eps)
    assert set(result.cpdag.skeleton) == skeleton(network.dag) | {("B", "C")}


@pytest.mark.parametrize("eps", [1e-6, 1e-5, 1e-4, 1e-3, 2e-3])
@pytest.mark.parametrize("rival", [MMPC, PMMS])
def test_searches_that_begin_with_small_sets_are_right_there(rival, eps):
    network = BayesianNetwork.load(NETWORK)
    result = rival(test=ExactInformation(network, eps)).learn(blank(network.names), rng=RNG)
    assert set(result.cpdag.skeleton) == skeleton(network.dag)


def test_of_the_polynomial_learners_each_errs_where_the_other_is_right():
    network = cancelling(0.15)
    test = ExactInformation(network, 0.001)
    found = [
        set(learner.learn(blank(network.names), rng=RNG).cpdag.skeleton)
        for learner in (TPDA(test=test, unit="nats"), MMPC(test=test), PMMS(test=test))
    ]
    truth = skeleton(network.dag)
    assert found == [truth, truth, truth | {("X", "Y")}]


@pytest.mark.parametrize(
    ("p", "printed", "extra"),
    [(0.95, (0.01422, 0.01510, 0.03249), {("X", "Y")}), (0.9, (0.01523, 0.01088, 0.02976), set())],
)
def test_the_two_networks_of_brown_tsamardinos_and_aliferis(p, printed, extra):
    """Figure 1 of 2005. The tables are ours: they give all six printed informations, in bits."""
    of_y = [[[0.75, 0.25], [p, 1 - p]], [[0.1, 0.9], [0.3, 0.7]]]
    tables = ([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.8, 0.2], [0.2, 0.8]], of_y)
    parents = ((), ("X",), ("X",), ("A", "B"))
    network = BayesianNetwork(tuple("XABY"), (("0", "1"),) * 4, parents, tuple(map(np.array, tables)))
    bound = ExactInformation(network).bind(blank(network.names))
    found = [bound.test(0, 3, given).statistic / np.log(2) for given in ([], [1], [2])]
    assert found == pytest.approx(printed, abs=5e-6)
    truth = skeleton(network.dag)
    for part, wrong in ((MMPC, set()), (PMMS, extra)):
        result = part(test=ExactInformation(network)).learn(blank(network.names), rng=RNG)
        assert set(result.cpdag.skeleton) == truth | wrong
    right, coarse = (
        set(learn(blank(network.names), unit="bits", test=ExactInformation(network, eps)).cpdag.skeleton)
        for eps in (1e-4, 0.01)
    )
    assert right == truth
    assert ("X", "Y") in coarse
    assert coarse != truth


def test_independent_columns_have_no_edge():
    network = random_discrete_network(Dag("abcd"), seed=1)
    result = ask(network, 1e-6)
    assert result.cpdag.n_edges == 0
    assert result.separating_sets == dict.fromkeys(combinations("abcd", 2), ())
    assert result.counters.tests == 6


def test_rules_go_on_from_colliders():
    """a -> c <- b, c -> d: the last arrow by rule (b)."""
    dag = Dag("abcd", ["ac", "bc", "cd"])
    result = ask(random_discrete_network(dag, seed=4, cardinality=(2, 2)), 1e-6)
    assert result.cpdag.directed == (("a", "c"), ("b", "c"), ("c", "d"))
    assert result.graph == dag


def sampled(seed):
    """Columns of a network dense enough for every phase to have something to do."""
    dag = Dag.from_adjacency("abcdefgh", random_dag(np.random.default_rng(seed), 8, 0.5))
    return random_discrete_network(dag, seed=seed, cardinality=(2, 2)).sample(2000, seed)


@pytest.mark.parametrize("kind", ["counts", "normal"])
def test_the_result_is_that_of_the_plain_algorithm(kind):
    changed = np.zeros(3, dtype=int)
    for seed in range(10):
        data = sampled(seed) if kind == "counts" else continuous_table(np.random.default_rng(seed), 200, 8)
        bound = Information().bind(data)
        twin = PlainTPDA(lambda x, y, z, b=bound: b.test(x, y, z).statistic, data.n_columns, 0.003)
        result = learn(data, test=Information(threshold=0.003))
        named = {tuple(data.names[u] for u in pair) for pair in twin.edges}
        assert set(result.cpdag.skeleton) == named
        cuts = {tuple(data.names[u] for u in p): tuple(data.names[u] for u in s) for p, s in twin.cuts.items()}
        assert {pair: given for pair, given in result.separating_sets.items() if given} == cuts
        changed += [int(step.action.split()[0]) for step in result.trace[1:]]
    assert (changed > 0).all(), "every phase had something to do"


def test_the_result_tells_what_was_done():
    result = learn(discrete_table(np.random.default_rng(5), [2, 2, 3, 2, 3, 2], 400))
    assert [step.phase for step in result.trace] == ["drafting", "thickening", "thinning", "thinning again"]
    assert [step.step for step in result.trace] == [0, 1, 2, 3]
    assert result.trace[-1].score == result.cpdag.n_edges
    joined, removed = (
        sum(int(step.action.split()[0]) for step in result.trace if word in step.action)
        for word in ("joined", "removed")
    )
    assert joined - removed == result.cpdag.n_edges
    assert joined + removed == result.counters.steps
    assert len(result.separating_sets) == 15 - result.cpdag.n_edges
    assert result.status == "converged"


def test_informations_are_computed_once(monkeypatch):
    data = discrete_table(np.random.default_rng(6), [2, 3, 2, 2, 3, 2, 2, 2], 300)
    bound = Information().bind(data)
    seen = []

    class Counting:
        warnings = ()

        def information(self, x, y, sets):
            seen.extend((x, y, tuple(row)) for row in sets.tolist())
            return bound.information(x, y, sets)

    monkeypatch.setattr(Information, "bind", lambda self, data: Counting())
    result = learn(data)
    assert len(seen) == len(set(seen)) == result.counters.tests


def test_other_tests_of_information():
    data = discrete_table(np.random.default_rng(7), [2, 3, 2, 2, 3, 2, 2], 400)
    assert learn(data, test=MutualInformation()).cpdag == learn(data).cpdag
    as_numbers = continuous_table(np.random.default_rng(7), 400, 6)
    assert learn(as_numbers, test=GaussianInformation()).to_dict() == learn(as_numbers).to_dict()


def test_a_set_with_too_few_rows_is_no_cut():
    rng = np.random.default_rng(8)
    z = rng.integers(0, 4, (2, 60))
    x, y = ((z[0] + z[1] + (rng.random(60) < 0.1)) % 4 for _ in range(2))
    data = levels({"x": x, "y": y, "z0": z[0], "z1": z[1]})
    careful = MutualInformation(min_per_cell=2)
    evidence = Evidence(careful.bind(data), 4)
    assert find_cut(evidence, 0, 1, {2, 3}, 0.01) is None
    assert evidence.of(0, 1, [(2, 3)])[0] == np.inf
    assert any("had too few rows" in w for w in learn(data, test=careful).warnings)
    assert not any("had too few rows" in w for w in learn(data).warnings)


def test_mixed_columns():
    result = learn(mixed_data(3000))
    assert 3 <= result.cpdag.n_edges <= 12
    assert result.graph.cpdag() == result.cpdag


def test_neither_the_order_of_columns_nor_that_of_rows_matters():
    data = discrete_table(np.random.default_rng(9), [2, 3, 2, 2, 3, 2, 2, 3], 150)
    first = learn(data)
    turned = learn(data.select(reversed(data.names)))
    assert turned.names == tuple(reversed(data.names))
    assert (turned.cpdag, turned.graph, turned.counters) == (first.cpdag, first.graph, first.counters)
    order = np.random.default_rng(0).permutation(150)
    rows = Dataset(tuple(Column(c.name, c.kind, c.values[order], c.levels) for c in data.columns))
    assert learn(rows).cpdag == first.cpdag


def test_few_rows_for_the_threshold():
    data = discrete_table(np.random.default_rng(10), [3, 3, 3, 3, 3], 120)
    (found,) = [w for w in learn(data).warnings if "rows are few" in w]
    assert found.startswith("120 rows are few for a threshold of 0.01 nats: ")
    (found,) = [w for w in learn(data, unit="bits").warnings if "rows are few" in w]
    assert found.startswith("120 rows are few for a threshold of 0.01 bits: ")
    assert not any("rows are few" in w for w in learn(data, test=Information(threshold=0.5)).warnings)


def test_enough_rows_give_none():
    data = discrete_table(np.random.default_rng(10), [2, 2, 2, 2], 20_000)
    assert learn(data).warnings == ()


def test_exact_informations_have_no_bias():
    assert ask(cancelling(0.15), 1e-6).warnings == ()


def test_columns_that_are_functions_of_others_are_named():
    x = np.random.default_rng(11).normal(size=100)
    assert any("linear function" in w for w in learn(numbers({"x": x, "y": 2 * x})).warnings)


def related():
    return discrete_table(np.random.default_rng(12), [2, 3, 2, 2, 3, 2], 500)


def test_required_edges_stay_and_point_as_they_must():
    data = related()
    apart = sorted(set(combinations(data.names, 2)) - set(learn(data).cpdag.skeleton))[:2]
    result = learn(data, Knowledge(required=apart))
    assert set(apart) <= set(result.cpdag.directed)
    assert not set(apart) & set(result.separating_sets)


def test_pairs_kept_apart_are_not_adjacent_and_get_a_set_of_their_own():
    """a -> c <- b with a and b dependent: kept apart, they have no cut, and c is not called a collider."""
    rng = np.random.default_rng(13)
    a = rng.integers(0, 2, 4000)
    b, c = (np.where(rng.random(4000) < 0.3, rng.integers(0, 2, 4000), a) for _ in range(2))
    data = levels({"a": a, "b": b, "c": np.where(rng.random(4000) < 0.5, b, c)})
    free = learn(data)
    assert free.cpdag.n_edges == 3
    result = learn(data, Knowledge(forbidden=[("a", "b"), ("b", "a")]))
    assert result.cpdag.skeleton == (("a", "c"), ("b", "c"))
    assert result.cpdag.directed == ()
    chain = levels({"a": a, "b": b, "c": np.where(rng.random(4000) < 0.2, 1 - b, b)})
    result = learn(chain, Knowledge(forbidden=[("a", "c"), ("c", "a")]))
    assert result.separating_sets["a", "c"] == ("b",)


def test_tiers_point_the_edges_between_them():
    data = related()
    tiers = [data.names[3:], data.names[:3]]
    result = learn(data, Knowledge(tiers=tiers))
    later = set(tiers[1])
    assert result.cpdag.n_edges > 3
    for tail, head in result.cpdag.directed:
        assert not (tail in later and head not in later)
    for pair in result.cpdag.undirected:
        assert len(later.intersection(pair)) != 1


def test_known_children_are_no_part_of_a_cut():
    """x -> c <- y: without knowledge c is tried first, with it only the empty set is left, and that separates."""
    dag = Dag("cxyz", ["xc", "yc", "zx", "zy"])
    network = random_discrete_network(dag, seed=8, cardinality=(2, 2))
    known = Knowledge(tiers=[["z"], ["x", "y"], ["c"]])
    result = ask(network, 1e-6, known)
    assert set(result.cpdag.skeleton) == skeleton(dag)
    assert result.separating_sets["x", "y"] == ("z",)
    assert set(result.cpdag.directed) == set(dag.edges)


@pytest.mark.parametrize("seed", range(30))
def test_nodes_between_two_others_are_those_on_simple_paths(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    twin = PlainTPDA(lambda x, y, given: 0.0, n, 1.0)
    twin.edges = {pair for pair in combinations(range(n), 2) if rng.random() < rng.choice([0.2, 0.4])}
    paths = Paths([twin.neighbours(x) for x in range(n)])
    for x, y in combinations(range(n), 2):
        inner = twin.on_paths(x, y)
        expected = (inner - {None}) | {x, y} if inner else set()
        assert paths.between(x, y) == paths.between(y, x) == expected


def test_a_long_path_needs_no_deep_recursion():
    n = 5000
    near = [{u for u in (x - 1, x + 1) if 0 <= u < n} for x in range(n)]
    assert len(Paths(near).between(0, n - 1)) == n


AWKWARD = {
    "one column": {"x": [0, 1, 0, 1]},
    "two rows": {"x": [0, 1], "y": [1, 0], "z": [0, 0]},
    "five rows": {"x": [0, 1, 1, 0, 1], "y": [0, 1, 1, 0, 0], "z": [2, 1, 0, 2, 1]},
    "constant": {"x": [0, 1] * 30, "c": [0] * 60, "y": [0, 1] * 29 + [1, 1]},
    "all constant": {"x": [0] * 9, "y": [0] * 9},
    "duplicates": {"x": [0, 1, 2] * 20, "same": [0, 1, 2] * 20, "other": [0, 0, 1] * 20},
}


@pytest.mark.parametrize("name", AWKWARD)
@pytest.mark.parametrize("make", [levels, numbers])
def test_a_sane_answer(name, make, tmp_path):
    data = make(AWKWARD[name])
    result = arcwise.learn(data, TPDA())
    constant = {column for column, values in AWKWARD[name].items() if len(set(values)) == 1}
    assert constant.isdisjoint(column for pair in result.cpdag.skeleton for column in pair)
    assert result.status == "converged"
    result.save(tmp_path / "result.json")


def test_more_columns_than_rows():
    rng = np.random.default_rng(14)
    result = learn(numbers({f"x{i:02d}": rng.normal(size=12) for i in range(30)}))
    assert result.status == "converged"
    assert any("12 rows for 30 columns" in w for w in result.warnings)


def test_many_copies():
    """Seventy copies have more joint states than a number can name."""
    x = np.random.default_rng(15).integers(0, 2, 200)
    result = learn(levels({f"x{i:02d}": x for i in range(70)}))
    assert result.cpdag.n_edges == 69
    assert result.counters.ties > 0


class Stop:
    """Wants to stop once `phase` has been reported."""

    def __init__(self, phase):
        self.phase, self.seen = phase, []

    def report(self, progress):
        self.seen.append(progress.phase)

    def should_stop(self):
        return self.phase in self.seen


@pytest.mark.parametrize("phase", ["preparing", "drafting", "thickening", "thinning"])
def test_the_graph_so_far_is_kept(phase):
    data = discrete_table(np.random.default_rng(16), [2, 3, 2, 2, 3, 2, 2, 2], 300)
    whole, monitor = learn(data), Stop(phase)
    result = learn(data, monitor=monitor)
    assert result.status == ("stopped" if result.counters.steps else "unanswered")
    assert monitor.seen[-1] == phase
    assert result.names == data.names
    assert result.cpdag.n_edges == result.trace[-1].score
    assert result.counters.steps < whole.counters.steps or phase == "thinning"
    if phase == "preparing":
        assert result.cpdag.n_edges == 0


def test_nothing_is_concluded_from_pairs_not_looked_at():
    """a - b - c, a and c dependent but not yet cut off: b is no collider because of that."""
    rng = np.random.default_rng(17)
    a = rng.integers(0, 2, 1000)
    b = np.where(rng.random(1000) < 0.1, 1 - a, a)
    c = np.where(rng.random(1000) < 0.1, 1 - b, b)
    result = learn(levels({"a": a, "b": b, "c": c}), monitor=Stop("thickening"))
    assert result.cpdag.undirected == (("a", "b"), ("b", "c"))


def test_is_a_learner():
    assert isinstance(TPDA(), Learner)
    assert hash(TPDA()) == hash(TPDA(test=Information(threshold=0.01)))


def test_the_test_must_measure_information():
    with pytest.raises(OptionError, match=r"'test' must be a test of information, .* not 'fisher-z'"):
        TPDA(test=FisherZ())


def test_there_is_no_start_graph():
    data = continuous_table(np.random.default_rng(0), 20, 2)
    with pytest.raises(OptionError, match="leave `start` out"):
        TPDA().learn(data, rng=RNG, start=Dag(data.names))


def test_the_threshold_is_in_bits_unless_it_is_in_nats():
    data = discrete_table(np.random.default_rng(20), [2, 3, 2, 3, 2, 2], 300)
    for threshold in (0.003, 0.01, 0.03):
        bits = learn(data, unit="bits", test=Information(threshold=threshold))
        nats = learn(data, unit="nats", test=Information(threshold=threshold * np.log(2)))
        assert (bits.cpdag, bits.counters) == (nats.cpdag, nats.counters)
    assert TPDA() == TPDA(unit="bits")
    assert arcwise.learn(data, "tpda", unit="nats").counters == learn(data, unit="nats").counters
    with pytest.raises(OptionError, match="'unit' must be 'bits' or 'nats', not 'bit'"):
        TPDA(unit="bit")


def test_a_larger_threshold_leaves_fewer_dependent_pairs():
    data = discrete_table(np.random.default_rng(18), [2, 3, 2, 2, 3, 2], 500)
    found = [learn(data, test=Information(threshold=t)).trace[0].action for t in (0.001, 0.05)]
    few, many = (int(action.split()[2]) for action in reversed(found))
    assert few < many


def test_kinds_are_checked():
    mixed = Dataset((Column("x", Kind.CONTINUOUS, np.arange(4.0)),))
    with pytest.raises(arcwise.errors.DataError, match="'x' is continuous, but the test 'mutual-information'"):
        learn(mixed, test=MutualInformation())
