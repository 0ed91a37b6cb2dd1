"""Questions to networks whose columns are readings of hidden states."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise import Dag, Dataset
from arcwise.data.dataset import Column, Kind
from arcwise.data.states import States
from arcwise.errors import DataError, OptionError
from arcwise.networks.models.readings import Readings
from arcwise.networks.models.table import Table
from arcwise.networks.network import Network

SHARES = np.array([0.3, 0.7])
GIVEN = np.array([[0.9, 0.1], [0.2, 0.8]])


def _network() -> Network:
    """a -> b, both read from two states near 0 and 1, or near 0 and 2."""
    levels = ("near 0", "near 1"), ("near 0", "near 2")
    models = (
        Table("a", levels[0], (), (), SHARES),
        Table("b", levels[1], ("a",), (levels[0],), GIVEN),
    )
    readings = (
        Readings("a", States((0.0, 1.0), (0.4, 0.4), tuple(SHARES))),
        Readings("b", States((0.0, 2.0), (0.5, 0.5), (0.41, 0.59))),
    )
    return Network(Dag(("a", "b"), [("a", "b")]), models, readings=readings)


def _normal(x: float, mean: float, sd: float) -> float:
    return float(np.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * np.sqrt(2 * np.pi)))


def test_a_number_is_evidence_by_its_density_in_each_state() -> None:
    network, value = _network(), 0.6
    answer = network.query("b", given={"a": value})
    weights = np.array([_normal(value, 0.0, 0.4), _normal(value, 1.0, 0.4)]) * SHARES
    expected = weights @ GIVEN / weights.sum()
    assert answer.marginals[0].probabilities == pytest.approx(expected, abs=1e-12)
    assert answer.density
    assert answer.log_evidence == pytest.approx(np.log(weights.sum()), abs=1e-12)
    row = Dataset((Column("a", Kind.CONTINUOUS, np.array([value])),))
    assert network.level_probabilities("b", row)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("given", [[0.6, 0.1], [0.6, "0.1", 0.6], {0.6: 1, 0.1: 1}, {0.6: 2, 0.1: 0.5}])
def test_several_numbers_count_by_the_sum_of_their_densities(given: object) -> None:
    """p(0.6 or 0.1 | state) = p(0.6 | state) + p(0.1 | state), each times its weight."""
    each = given if isinstance(given, dict) else {0.6: 1, 0.1: 1}
    weights = sum(w * SHARES * [_normal(x, 0.0, 0.4), _normal(x, 1.0, 0.4)] for x, w in each.items())
    answer = _network().query("b", given={"a": given})
    assert answer.marginals[0].probabilities == pytest.approx(weights @ GIVEN / weights.sum(), abs=1e-12)
    assert answer.density
    assert answer.log_evidence == pytest.approx(np.log(weights.sum()), abs=1e-12)
    words = "a = 0.6 (weight 2) or a = 0.1 (weight 0.5)" if each[0.1] == 0.5 else "a = 0.6 or a = 0.1"
    assert answer.given == (words,)


def test_one_number_in_a_list_is_that_number() -> None:
    one, other = (_network().query("b", given={"a": given}) for given in (0.6, [0.6]))
    assert one.to_dict() == other.to_dict()


def test_numbers_and_states_do_not_mix() -> None:
    assert _network().query("b", {"a": ["near 0", "near 1"]}).evidence_probability == pytest.approx(1.0)
    with pytest.raises(OptionError, match=r"about 'a' has numbers, .*; give either numbers or states"):
        _network().query("b", {"a": ["near 0", 0.6]})
    with pytest.raises(OptionError, match="about 'a' allows no level"):
        _network().query("b", {"a": {0.6: 0}})
    with pytest.raises(DataError, match="node 'a' is a number, not inf"):
        _network().query("b", {"a": [0.6, "inf"]})


def test_a_number_far_away_still_says_which_state_is_nearer() -> None:
    answer = _network().query("a", given={"b": 1e6})
    joint = SHARES * GIVEN[:, 1]
    assert answer.marginals[0].probabilities == pytest.approx(joint / joint.sum(), abs=1e-12)


def test_a_state_can_be_given_and_set_by_its_label() -> None:
    network = _network()
    assert network.query("b", given={"a": "near 1"}).marginals[0].probabilities == pytest.approx(GIVEN[1])
    for value in ("near 1", 0.9):  # or by a number, which is a reading of the likeliest state
        assert network.do(a=value).query("b").marginals[0].probabilities == pytest.approx(GIVEN[1])


def test_the_value_is_that_of_the_mixture() -> None:
    marginal = _network().query("b", given={"a": "near 1"}).marginals[0]
    mean = GIVEN[1] @ [0.0, 2.0]
    assert marginal.mean == pytest.approx(mean)
    assert marginal.sd == pytest.approx(np.sqrt(0.25 + GIVEN[1] @ (np.array([0.0, 2.0]) - mean) ** 2))


def test_a_table_without_any_evidence_is_told() -> None:
    own = Dataset((Column("b", Kind.CONTINUOUS, np.array([0.5, 1.5])),))
    (told,) = _network().predict("b", own).warnings
    assert "no other column of the network" in told
    assert not _network().predict("b", Dataset((Column("a", Kind.CONTINUOUS, np.array([0.5])),))).warnings
