"""Networks of hidden states."""

from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import metrics, networks
from arcwise.errors import OptionError
from arcwise.learners import Draws, HiddenStates
from arcwise.networks import add_noise
from arcwise.results.result import LearnResult
from arcwise.scores import GaussianBIC
from arcwise.search import Boss

QUICK = {"draws.burn_in": 4, "draws.least": 3, "draws.most": 3, "looks": 1}


def noisy(name="child", rows=1000, seed=7, sigma=0.35):
    net = networks.load(name).shuffled(seed)[0]
    return net, add_noise(net.sample(rows, seed), sigma=sigma, seed=seed)


def chain(n=600, seed=1, sigma=0.4):
    """a -> b -> c of three states each, with noise; no thresholds separate a from c given b."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, n)
    b = np.where(rng.random(n) < 0.8, a, rng.integers(0, 3, n))
    c = np.where(rng.random(n) < 0.8, b, rng.integers(0, 3, n))
    return {name: hidden + sigma * rng.standard_normal(n) for name, hidden in zip("abc", (a, b, c), strict=True)}


@pytest.mark.slow
def test_the_network_of_the_states_is_found_where_thresholds_find_another():
    net, data = noisy(rows=3000)
    hidden, cut = arcwise.learn(data, "hidden-states"), arcwise.learn(data, "steck")
    assert metrics.shd(net.dag, hidden.cpdag) <= 3
    assert metrics.shd(net.dag, cut.cpdag) > metrics.shd(net.dag, hidden.cpdag)


def test_noise_joins_columns_that_states_separate():
    table = chain(4000)
    assert arcwise.learn(table, "hidden-states").cpdag.skeleton == (("a", "b"), ("b", "c"))
    assert ("a", "c") in arcwise.learn(table, "steck").cpdag.skeleton


def test_states_are_reported():
    found = arcwise.learn(chain(1500), "hidden-states")
    assert set(found.states) == {"a", "b", "c"}
    for states in found.states.values():
        np.testing.assert_allclose(states.means, [0, 1, 2], atol=0.15)
        np.testing.assert_allclose(states.sds, 0.4, atol=0.05)
    assert "3 states near" in str(found)
    assert len(found.discretization.thresholds["a"]) == 2
    assert found.completion.strengths.between("a", "b").share == 1.0


def test_same_seed_same_result_in_any_order_of_rows_and_columns():
    table = chain(500)
    first = arcwise.learn(table, "hidden-states", **QUICK)
    order = np.random.default_rng(0).permutation(500)
    again = arcwise.learn({name: table[name][order] for name in "cab"}, "hidden-states", **QUICK)
    assert again.cpdag == first.cpdag
    assert again.score == pytest.approx(first.score, rel=1e-12)
    assert again.states == first.states


def test_weights_count_as_repeated_rows():
    table = arcwise.Dataset.from_frame(chain(200))
    weights = np.random.default_rng(3).integers(1, 3, 200)
    light, heavy = table.weighted(weights), table.weighted(weights).repeated()
    assert (
        arcwise.learn(light, "hidden-states", **QUICK).states == arcwise.learn(heavy, "hidden-states", **QUICK).states
    )


def test_round_trip(tmp_path):
    found = arcwise.learn(chain(300), "hidden-states", **QUICK)
    found.save(tmp_path / "found.json")
    again = LearnResult.load(tmp_path / "found.json")
    assert again.states == found.states
    assert again.cpdag == found.cpdag
    assert again.to_dict() == found.to_dict()


def test_columns_without_states_take_thresholds_and_are_named():
    rng = np.random.default_rng(4)
    hidden = rng.integers(0, 2, 1500)
    table = {"state": 3.0 * hidden + 0.4 * rng.standard_normal(1500), "plain": hidden + 1.5 * rng.standard_normal(1500)}
    found = arcwise.learn(table, "hidden-states")
    assert "state" in found.states
    if "plain" not in found.states:
        assert any("'plain'" in warning and "thresholds" in warning for warning in found.warnings)
    assert found.cpdag.skeleton == (("plain", "state"),)


def test_a_table_without_states_is_told_so():
    net = networks.random_gaussian_network(networks.random_dag(5, seed=1, expected_degree=2), seed=1)
    found = arcwise.learn(net.sample(1000, 1).select(net.names), "hidden-states")
    if not found.states:
        assert any("nothing to add" in warning for warning in found.warnings)
    assert found.cpdag.n_edges > 0


def test_levels_alone_are_learned_as_they_are():
    data = networks.load("child").sample(300, 1)
    hidden, plain = arcwise.learn(data, "hidden-states"), arcwise.learn(data, HiddenStates().search)
    assert hidden.graph == plain.graph
    assert hidden.completion is None


def test_mixed_tables_and_missing_cells():
    rng = np.random.default_rng(5)
    table = {name: values.copy() for name, values in chain(1200).items()}
    for values in table.values():
        values[rng.random(1200) < 0.2] = np.nan
    level = np.where(rng.random(1200) < 0.9, np.nan_to_num(table["b"], nan=1.0) > 1.0, rng.random(1200) < 0.5)
    found = arcwise.learn({**table, "level": np.where(level, "high", "low")}, "hidden-states")
    assert {("a", "b"), ("b", "c")} <= set(found.cpdag.skeleton)
    assert {column.name for column in found.completion.columns} == {"a", "b", "c"}
    truth = chain(1200)
    for column in found.completion.columns:
        assert np.corrcoef(column.values, truth[column.name][column.rows])[0, 1] > 0.4
        assert (column.sure > 0).all()


def test_own_spreads_and_heavy_tails():
    rng = np.random.default_rng(6)
    hidden = rng.integers(0, 2, 1500)
    values = np.where(hidden, 5.0, 0.0) + np.where(hidden, 1.0, 0.2) * rng.standard_t(4, 1500)
    other = np.where(rng.random(1500) < 0.9, hidden, 1 - hidden) * 4.0 + 0.5 * rng.standard_normal(1500)
    found = arcwise.learn({"x": values, "y": other}, "hidden-states", variances="own", tails="heavy")
    assert found.states["x"].heavy
    assert len(found.states["x"]) == 2
    np.testing.assert_allclose(found.states["x"].sds, [0.2, 1.0], rtol=0.3)


def test_stopping_at_any_moment():
    class Stop:
        def __init__(self, after):
            self.left = after

        def report(self, progress):
            assert progress.fraction is None or 0.0 <= progress.fraction <= 1.0

        def should_stop(self):
            self.left -= 1
            return self.left < 0

    for after in (0, 1, 5, 40, 200):
        found = arcwise.learn(chain(200), "hidden-states", monitor=Stop(after), **QUICK)
        assert found.status in ("stopped", "unanswered", "converged")
        assert len(found.names) == 3


def test_knowledge_is_obeyed():
    found = arcwise.learn(chain(600), "hidden-states", knowledge={"required": [("c", "a")], "forbidden": [("a", "b")]})
    assert ("c", "a") in found.graph.edges
    assert ("a", "b") not in found.graph.edges


def test_options_that_do_not_fit_are_refused():
    with pytest.raises(OptionError):
        HiddenStates(max_states=1)
    with pytest.raises(OptionError):
        HiddenStates(search=Boss(score=GaussianBIC()))
    with pytest.raises(OptionError):
        Draws(least=5, most=4)


def test_a_network_can_be_fitted_to_the_result():
    table = arcwise.Dataset.from_frame(chain(800))
    found = arcwise.learn(table, "hidden-states", **QUICK)
    net = found.fit(table)
    assert np.isfinite(net.log_density(table)).all()
    predicted = net.expected("b", table)
    assert np.corrcoef(predicted, table.column("b").values)[0, 1] > 0.5


def test_rows_may_be_few():
    table = arcwise.Dataset.from_frame(chain(12))
    found = arcwise.learn(replace(table, warnings=()), "hidden-states", **QUICK)
    assert len(found.names) == 3


def test_smooth_columns_are_told_to_be_no_states():
    rng = np.random.default_rng(8)
    skewed = {name: rng.lognormal(size=800) for name in "abc"}
    assert any("smooth curve" in warning for warning in arcwise.learn(skewed, "hidden-states", **QUICK).warnings)
    assert not any("smooth" in warning for warning in arcwise.learn(chain(1500, sigma=0.3), "hidden-states").warnings)
