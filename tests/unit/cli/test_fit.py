"""`arcwise fit`: from a saved result to a fitted network."""

from __future__ import annotations

import json

import numpy as np
import pytest

from arcwise import datasets
from arcwise.graph.dag import Dag
from arcwise.networks import Network


@pytest.fixture
def learned(arcwise, tmp_path):
    path = tmp_path / "result.json"
    assert arcwise("learn", "@cars1", "--method", "equal-frequency", "--out", path).code == 0
    return path


def test_tables_at_the_thresholds_of_the_result(arcwise, learned, tmp_path):
    out = tmp_path / "network.json"
    run = arcwise("fit", "@cars1", learned, "--out", out)
    assert run.code == 0
    assert "mean log density of a row (nats), on the rows it was fitted to" in run.out
    assert "cylinders" in run.out
    net = Network.load(out)
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
    assert {name for name in nodes if "mean_squared_error" in nodes[name]} == {
        column.name for column in datasets.load("cars1").columns if not column.levels
    }


def test_densities_of_tables_and_regressions_are_of_one_unit(arcwise, tmp_path):
    """Rows of normal columns: regressions are best, and fine bins better than coarse ones."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=600)
    b = 50 * (a + 0.5 * rng.normal(size=600)) + 300
    (tmp_path / "ab.csv").write_text(
        "a,b\n" + "".join(f"{x!r},{y!r}\n" for x, y in zip(a.tolist(), b.tolist(), strict=True))
    )
    found = []
    for bins in (2, 5):
        result = tmp_path / f"{bins}.json"
        learned = arcwise(
            "learn", tmp_path / "ab.csv", "--method", "equal-frequency", "--set", f"bins={bins}", "--out", result
        )
        assert learned.code == 0
        for model in ("cpt", "gaussian") if bins == 5 else ("cpt",):
            run = arcwise("fit", tmp_path / "ab.csv", result, "--model", model, "--test", tmp_path / "ab.csv", "--json")
            found.append(json.loads(run.out)["log_density"])
    assert found == sorted(found)
    exact = -(1 + np.log(2 * np.pi) + np.log(0.5 * 50))  # the entropy of the two columns
    assert found[-1] == pytest.approx(exact, abs=0.15)


def test_impossible_rows_have_no_number_in_json(arcwise, learned, tmp_path):
    run = arcwise("fit", "@cars1", learned, "--json", "--set", "smoothing=0")
    assert json.loads(run.out)["log_density"] < 0
    cars = datasets.load("cars1")
    cells = [c.levels[-1] if c.levels else repr(float(c.values.min())) for c in cars.columns]
    (tmp_path / "odd.csv").write_text(",".join(cars.names) + "\n" + ",".join(cells) + "\n" + ",".join(cells) + "\n")
    run = arcwise("fit", "@cars1", learned, "--json", "--set", "smoothing=0", "--test", tmp_path / "odd.csv")
    assert run.code == 0
    assert json.loads(run.out)["log_density"] is None


@pytest.mark.parametrize("model", ["cpt", "neural"])
def test_simulate_reads_what_fit_wrote(arcwise, learned, tmp_path, model):
    out = tmp_path / "network.json"
    assert arcwise("fit", "@cars1", learned, "--model", model, "--out", out).code == 0
    run = arcwise("simulate", out, "--rows", "5", "--seed", "3")
    assert run.code == 0
    cars, lines = datasets.load("cars1"), run.out.splitlines()
    assert lines[0] == ",".join(cars.names)
    assert len(lines) == 6
    expected = Network.load(out).sample(5, seed=3).column("mpg").values
    assert [float(line.split(",")[0]) for line in lines[1:]] == pytest.approx(expected.tolist())
    assert arcwise("metrics", out, learned).out.startswith("SHD        0")  # its graph is a graph like any other


def test_simulate_regressions(arcwise, tmp_path):
    arcwise("simulate", "lambda:1,5", "--rows", "50", "--out", tmp_path / "l.csv")
    arcwise("learn", tmp_path / "l.csv", "--method", "gaussian", "--out", tmp_path / "r.json")
    arcwise("fit", tmp_path / "l.csv", tmp_path / "r.json", "--model", "gaussian", "--out", tmp_path / "n.json.gz")
    run = arcwise("simulate", tmp_path / "n.json.gz", "--rows", "3")
    assert run.code == 0
    assert run.out.count("\n") == 4


def test_a_graph_without_numbers_cannot_be_simulated(arcwise, learned):
    run = arcwise("simulate", learned, "--rows", "3")
    assert run.code == 2
    assert "is a learned graph without numbers; give it numbers with: arcwise fit" in run.err


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
        (["--out", "network.txt"], ["network.txt", ".json"]),
    ],
)
def test_mistakes_are_named(arcwise, learned, arguments, words):
    run = arcwise("fit", "@cars1", learned, *arguments)
    assert run.code == 2
    assert all(word in run.err for word in words)
    assert run.err.count("\n") == 1


@pytest.fixture
def graph(tmp_path):
    """A graph of cars1 with a column whose name has a sign of equality, in another table."""
    path = tmp_path / "graph.json"
    dag = Dag(["mpg", "weight", "origin", "a=b"], [("weight", "mpg"), ("a=b", "mpg"), ("mpg", "origin")])
    path.write_text(json.dumps(dag.to_dict()))
    cars = datasets.load("cars1")
    columns = {name: cars.column(name) for name in ("mpg", "weight", "origin")}
    lines = ["mpg,weight,origin,a=b"]
    for row in range(0, 392, 3):
        cells = [c.levels[c.values[row]] if c.levels else repr(float(c.values[row])) for c in columns.values()]
        lines.append(",".join([*cells, str(row * row % 97)]))
    (tmp_path / "cars.csv").write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("model", ["smooth", "gaussian"])
def test_curves_of_columns_by_their_parents(arcwise, graph, tmp_path, model):
    pictures = tmp_path / "y=1.svg", tmp_path / "origin.png"
    run = arcwise(
        "fit", tmp_path / "cars.csv", graph, "--model", model,
        "--curves", f"mpg={pictures[0]}", "--curves", f"origin={pictures[1]}",
    )  # fmt: skip
    assert run.code == 0
    assert all(f"saved {path}" in run.err for path in pictures)
    text = pictures[0].read_text()
    assert "mpg by its parents" in text
    assert ">a=b<" in text
    assert ">weight<" in text
    assert pictures[1].read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("curves", "words"),
    [
        ("mpg", ["--curves 'mpg'", "--curves y=y.svg"]),
        ("mpg=mpg.txt", ["mpg.txt", ".svg"]),
        ("mgp=mpg.svg", ["unknown node 'mgp'", "'mpg'"]),
        ("weight=weight.svg", ["'weight' has no parents"]),
        ("a=b=x.svg", ["'a=b' has no parents"]),
        ("mpg=there_is_none/mpg.svg", ["no folder"]),
    ],
)
def test_mistakes_with_curves_are_named_before_anything_is_fitted(arcwise, graph, tmp_path, curves, words):
    out = tmp_path / "network.json"
    run = arcwise("fit", tmp_path / "cars.csv", graph, "--curves", curves, "--out", out)
    assert run.code == 2
    assert all(word in run.err for word in words)
    assert run.err.count("\n") == 1
    assert not out.exists()


def test_a_picture_for_two_columns_is_refused(arcwise, graph, tmp_path):
    path = tmp_path / "y.svg"
    run = arcwise("fit", tmp_path / "cars.csv", graph, "--curves", f"mpg={path}", "--curves", f"origin={path}")
    assert run.code == 2
    assert "give each its own file" in run.err
