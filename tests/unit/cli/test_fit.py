"""`arcwise fit`: from a saved result to a fitted network."""

from __future__ import annotations

import json

import pytest

from arcwise import datasets
from arcwise.models.network import FittedNetwork


@pytest.fixture
def learned(arcwise, tmp_path):
    path = tmp_path / "result.json"
    assert arcwise("learn", "@cars1", "--method", "equal-frequency", "--out", path).code == 0
    return path


def test_tables_at_the_thresholds_of_the_result(arcwise, learned, tmp_path):
    out = tmp_path / "network.json"
    run = arcwise("fit", "@cars1", learned, "--out", out)
    assert run.code == 0
    assert "mean log density of a row, on the rows it was fitted to" in run.out
    assert "cylinders" in run.out
    net = FittedNetwork.load(out)
    assert {model.kind for model in net.models} == {"cpt"}
    cars = datasets.load("cars1")
    assert f"{net.log_density(cars).mean():,.4f}" in run.out


@pytest.mark.parametrize("model", ["cpt", "neural"])
def test_json_has_every_node(arcwise, learned, model):
    run = arcwise("fit", "@cars1", learned, "--model", model, "--json")
    content = json.loads(run.out)
    nodes = content["nodes"]
    assert set(nodes) == set(datasets.load("cars1").names)
    assert content["log_density"] == pytest.approx(sum(node["log_density"] for node in nodes.values()))
    assert ("mean_squared_error" in nodes["mpg"]) == (model == "neural")


def test_other_rows_are_read_like_the_first(arcwise, learned, tmp_path):
    cars = datasets.load("cars1")
    lines = [",".join(cars.names)]
    for row in range(0, 40, 4):
        cells = [c.levels[c.values[row]] if c.levels else repr(float(c.values[row])) for c in cars.columns]
        lines.append(",".join(cells))
    other = tmp_path / "other.csv"
    other.write_text("\n".join(lines) + "\n")
    run = arcwise("fit", "@cars1", learned, "--test", other)
    assert run.code == 0
    assert "other.csv" in run.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--model", "nural"], ["unknown model", "neural"]),
        (["--set", "smoothing=much"], ["smoothing", "a number", "'much'"]),
        (["--set", "smothing=2"], ["smothing", "smoothing"]),
        (["--model", "gaussian"], ["is discrete", "model='neural'"]),
        (["--out", "network.txt"], ["network.txt", ".json"]),
    ],
)
def test_mistakes_are_named(arcwise, learned, arguments, words):
    run = arcwise("fit", "@cars1", learned, *arguments)
    assert run.code == 2
    assert all(word in run.err for word in words)
    assert run.err.count("\n") == 1
