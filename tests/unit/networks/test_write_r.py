"""Networks as scripts for R, as text; tests/peer has R read them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arcwise import Dataset
from arcwise.errors import GraphError
from arcwise.graph import Dag
from arcwise.networks import BayesianNetwork, GaussianNetwork, fit, write_r


def test_tables_have_the_node_in_front_and_run_through_it_fastest(tmp_path: Path) -> None:
    net = BayesianNetwork(
        names=("a", "b"),
        states=(("no", "yes"), ('"x"', "y", "z")),
        parents=((), ("a",)),
        cpts=(np.array([0.25, 0.75]), np.array([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]])),
    )
    write_r(net, tmp_path / "net.R")
    script = (tmp_path / "net.R").read_text("ascii")
    assert 'graph <- model2network(paste0(\n  "[a]",\n  "[b|a]"\n))\n' in script
    assert script.endswith(
        "network <- custom.fit(graph, setNames(list(\n"
        '  array(c(0.25, 0.75), dim = c(2), dimnames = setNames(list(c("no", "yes")), c("a"))),\n'
        "  array(c(0.5, 0.25, 0.25, 0.125, 0.125, 0.75), dim = c(3, 2), "
        'dimnames = setNames(list(c("\\"x\\"", "y", "z"), c("no", "yes")), c("b", "a")))\n'
        '), c("a", "b")))\n'
    )


def test_regressions_have_an_intercept(tmp_path: Path) -> None:
    weights = np.array([[0.0, 2.0], [0.0, 0.0]])
    write_r(GaussianNetwork(("x", "y"), weights, np.array([1.0, 0.5]), np.array([3.0, 1.0])), tmp_path / "net.R")
    assert (
        (tmp_path / "net.R")
        .read_text("ascii")
        .endswith(
            "network <- custom.fit(graph, setNames(list(\n"
            '  list(coef = setNames(c(3.0), c("(Intercept)")), sd = 1.0),\n'
            '  list(coef = setNames(c(-5.0, 2.0), c("(Intercept)", "x")), sd = 0.5)\n'
            '), c("x", "y")))\n'
        )
    )


def test_a_model_that_bnlearn_lacks_is_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    data = Dataset.from_frame({"g": ["a", "b"] * 20, "y": rng.normal(size=40)})
    net = fit(Dag(["g", "y"], [("g", "y")]), data, model="gaussian")
    with pytest.raises(
        GraphError, match="node 'y' has a gaussian model and discrete parents, which cannot be written for bnlearn"
    ):
        write_r(net, tmp_path / "net.R")
    assert list(tmp_path.iterdir()) == []
