from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from arcwise import networks
from arcwise.errors import OptionError
from arcwise.networks import info, load

# nodes, edges, most parents, most children, fewest and most states, free parameters, CPT entries
PUBLISHED = {
    "alarm": (37, 46, 4, 5, 2, 4, 509, 752),
    "child": (20, 25, 2, 7, 2, 6, 230, 344),
    "hailfinder": (56, 66, 4, 16, 2, 11, 2656, 3741),
    "insurance": (27, 52, 3, 7, 2, 5, 1008, 1419),
    "mildew": (35, 46, 3, 3, 3, 100, 540150, 547158),
    "barley": (48, 84, 4, 5, 2, 67, 114005, 130180),
}


def test_every_bundled_network_is_in_the_table() -> None:
    assert set(networks.names()) == set(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_sizes(name: str) -> None:
    net = load(name)
    adjacency = net.dag.adjacency
    measured = (
        len(net.names),
        net.dag.n_edges,
        int(adjacency.sum(axis=0).max()),
        int(adjacency.sum(axis=1).max()),
        min(net.cardinalities),
        max(net.cardinalities),
        net.n_parameters,
        sum(cpt.size for cpt in net.cpts),
    )
    assert measured == PUBLISHED[name]
    about = info(name)
    facts = (about.nodes, about.edges, about.max_parents, *about.states, about.parameters)
    assert facts == (*measured[:3], *measured[4:7])


@pytest.mark.parametrize("name", PUBLISHED)
def test_rows_sum_to_one(name: str) -> None:
    for cpt in load(name).cpts:
        np.testing.assert_allclose(cpt.sum(axis=-1), 1, atol=1e-12)


def test_spot_checks_of_alarm() -> None:
    net = load("alarm")
    assert net.names[:2] == ("HISTORY", "CVP")
    assert net.dag.parents("HISTORY") == ("LVFAILURE",)
    assert net.states[1] == ("LOW", "NORMAL", "HIGH")
    np.testing.assert_allclose(net.cpt("CVP")[2], [0.01, 0.29, 0.70])


def test_names_ignore_case_and_networks_are_shared() -> None:
    assert load("Alarm") is load("ALARM") is load("alarm")
    assert info("CHILD").name == "child"


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(OptionError, match="unknown network 'alrm'; did you mean 'alarm'"):
        load("Alrm")
    with pytest.raises(OptionError, match="known: alarm, barley"):
        info("zzz")


def test_hailfinder_is_sampled_fast() -> None:
    net = load("hailfinder")
    times = []
    for seed in range(3):
        start = time.perf_counter()
        data = net.sample(50_000, seed)
        times.append(time.perf_counter() - start)
        assert (data.n_rows, data.n_columns) == (50_000, 56)
    assert min(times) < 0.5


def test_the_notice_names_every_network() -> None:
    notice = (Path(__file__).parents[3] / "NOTICE").read_text()
    for name in networks.names():
        first_author = info(name).reference.split()[0].rstrip(",")
        assert f"  {name} " in notice
        assert first_author in notice
    assert networks.info("alarm").licence == "CC BY-SA 3.0"
    assert "Attribution-ShareAlike 3.0" in notice
