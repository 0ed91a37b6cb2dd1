"""discretize, simulate, score, metrics, methods, --help and --version."""

from __future__ import annotations

import json
import math
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from arcwise import Dag, LearnResult, Pdag, metrics, networks, read
from arcwise.graph.io import save
from arcwise.scores import BDeu, total


def test_help_and_version(arcwise):
    assert arcwise("--version").out == f"arcwise {version('arcwise')}\n"
    overview = arcwise("--help")
    assert overview.code == 0
    for command in ("learn", "discretize", "fit", "complete", "simulate", "score", "metrics", "test", "methods"):
        assert f"\n  {command} " in overview.out
        page = arcwise(command, "--help")
        assert page.code == 0
        assert f"Example: arcwise {command} " in page.out


def test_every_option_has_a_help_text_with_an_example():
    from typer.main import get_command

    from arcwise.cli.commands import app

    commands = get_command(app).commands
    assert len(commands) == 20
    inside = [inner for command in commands.values() for inner in getattr(command, "commands", {}).values()]
    assert len(inside) == 9  # of study
    for command in (*commands.values(), *inside):
        for parameter in command.params:
            if parameter.param_type_name == "option":
                flag = max(parameter.opts, key=len)
                assert f"{flag} " in f"{parameter.help} ", (command.name, flag)


def test_discretize_prints_levels_and_counts(arcwise):
    run = arcwise("discretize", "@cars1", "--set", "bins=2")
    assert run.code == 0
    assert "equal-frequency: 392 rows, 6 of 8 columns cut" in run.out
    assert "mpg  low < 22.75 ≤ high" in run.out
    assert "cylinders  ordered already, 5 levels" in run.out
    assert "█" in run.out
    assert all(line == line.rstrip() for line in run.out.splitlines())


def test_discretize_json_counts_every_row(arcwise, weather):
    run = arcwise("discretize", weather, "--method", "equal-width", "--set", "bins=3", "--json")
    columns = {column["name"]: column for column in json.loads(run.out)["columns"]}
    assert columns["rain"]["thresholds"] is None
    assert len(columns["warm"]["thresholds"]) == 2
    assert len(columns["warm"]["levels"]) == 3
    assert all(sum(column["counts"]) == 300 for column in columns.values())


@pytest.mark.parametrize("name", ["cut.csv", "cut.tsv", "cut.parquet"])
def test_discretize_writes_table_and_thresholds(arcwise, weather, name):
    run = arcwise("discretize", weather, "--out", name, "--thresholds", "cuts.json", "--json")
    counts = next(c["counts"] for c in json.loads(run.out)["columns"] if c["name"] == "warm")
    cuts = json.loads(Path("cuts.json").read_text(encoding="utf-8"))
    table = read(name)
    assert list(cuts) == ["warm"]
    assert table.column("warm").cardinality == 3
    assert sorted(np.bincount(table.column("warm").values).tolist()) == sorted(counts)
    below = read(weather).column("warm").values < cuts["warm"][0]
    assert int(below.sum()) == counts[0]


def test_simulate_writes_what_the_library_samples(arcwise):
    run = arcwise("simulate", "alarm", "--rows", "40", "--seed", "3")
    assert run.code == 0
    sample = networks.load("alarm").sample(40, 3)
    lines = run.out.splitlines()
    assert lines[0].split(",") == list(sample.names)
    first = [column.levels[column.values[0]] for column in sample.columns]
    assert lines[1].split(",") == first
    assert len(lines) == 41


def test_simulate_noise_keeps_every_digit(arcwise):
    arcwise("simulate", "@child", "--rows", "30", "--seed", "3", "--noise", "0.2", "--out", "child.csv")
    wanted = networks.add_noise(networks.load("child").sample(30, 3), sigma=0.2, seed=3)
    got = read("child.csv")
    assert got.names == wanted.names
    for name in wanted.names:
        np.testing.assert_array_equal(got.column(name).values, wanted.column(name).values)


def test_simulate_files_and_formulas(arcwise):
    networks.write_bif(networks.load("child"), "child.bif")
    networks.load("child").save("child.json")
    texts = {arcwise("simulate", name, "--rows", "9").out for name in ("child", "child.bif", "child.json")}
    assert len(texts) == 1
    for name in ("meander", "lambda:1,5", "V:2,3"):
        assert arcwise("simulate", name, "--rows", "9").out.startswith("X,Y,Z\n")
    exact = arcwise("simulate", "lambda:1,1", "--rows", "9", "--noise", "0").out.splitlines()[1].split(",")
    assert exact[0] == exact[1] == exact[2]


def test_simulate_puts_labels_in_quotes_that_would_be_missing_values(arcwise):
    for name in ("i.csv", "i.tsv", "i.parquet"):
        run = arcwise("simulate", "insurance", "--rows", "50", "--out", name)
        assert (run.code, run.err) == (0, "")
        assert "None" in read(name).column("Accident").levels
        assert read(name).n_rows == 50


def test_score_of_a_saved_result_is_its_own(arcwise, weather):
    arcwise("learn", weather, "--method", "steck", "--set", "ess=4", "--out", "r.json")
    result = LearnResult.load("r.json")
    content = json.loads(arcwise("score", weather, "r.json", "--json").out)
    assert content["score"] == {"kind": "bdeu", "ess": 4.0, "arc_prior": "sparse"}
    assert math.isclose(content["total"], result.score, rel_tol=1e-12)
    assert math.isclose(sum(content["nodes"].values()), result.score, rel_tol=1e-12)
    text = arcwise("score", weather, "r.json").out
    assert f"{result.score:,.4f}  (bdeu, ess 4, arc_prior sparse)" in text


def test_score_of_a_graph_file(arcwise, weather):
    dag = Dag(("rain", "wet"), [("rain", "wet")])
    save(dag, "g.dot")
    content = json.loads(arcwise("score", weather, "g.dot", "--set", "ess=10", "--json").out)
    assert math.isclose(content["total"], total(BDeu(ess=10), dag, read(weather)), rel_tol=1e-12)
    save(Pdag(("rain", "wet"), undirected=[("rain", "wet")]), "g.graphml")
    again = json.loads(arcwise("score", weather, "g.graphml", "--set", "ess=10", "--json").out)
    assert math.isclose(content["total"], again["total"], rel_tol=1e-12)


def test_score_cuts_continuous_columns_when_asked(arcwise, weather):
    save(Dag(("rain", "warm"), [("rain", "warm")]), "g.json")
    run = arcwise("score", weather, "g.json", "--discretize", "equal-width", "--bins", "2", "--score", "bic")
    assert run.code == 0
    assert "(bic)" in run.out
    assert "warm  ←  rain" in run.out


def test_metrics_agree_with_the_library(arcwise):
    arcwise("simulate", "child", "--rows", "300", "--out", "child.parquet")
    arcwise("learn", "child.parquet", "--method", "steck", "--out", "r.json")
    learned, true = LearnResult.load("r.json").cpdag, networks.load("child").dag
    content = json.loads(arcwise("metrics", "r.json", "@child", "--json").out)
    errors = metrics.edge_errors(learned, true)
    assert content["shd"] == {name: metrics.shd(learned, true, convention=name) for name in ("tsamardinos", "fu")}
    assert content["missing"] == [list(pair) for pair in errors.missing]
    assert content["f1"] == errors.f1
    wrong = sum(len(content[kind]) for kind in ("reversed", "unoriented", "overoriented", "conflicting"))
    assert len(content["extra"]) + len(content["missing"]) + wrong == content["shd"]["tsamardinos"]


def test_metrics_names_every_error(arcwise):
    names = ("a", "b", "c", "d", "e f")
    save(Pdag(names, directed=[("a", "c"), ("b", "c")], undirected=[("d", "e f")]), "learned.json")
    save(Pdag(names, directed=[("c", "a"), ("d", "e f")], undirected=[("b", "c")], bidirected=[("a", "b")]), "true.dot")
    text = arcwise("metrics", "learned.json", "true.dot").out
    assert "SHD        4 (Tsamardinos), 5 (Fu)" in text
    assert "missing (1)  true edges that were not found\na ↔ b" in text
    assert "reversed (1)  directed the wrong way round\na → c" in text
    assert "undirected, but directed in the true graph\nd — e f" in text
    assert "directed, but undirected in the true graph\nb → c" in text
    same = arcwise("metrics", "true.dot", "true.dot").out
    assert "SHD        0 (Tsamardinos), 0 (Fu)" in same
    assert "extra" not in same


def test_metrics_reads_networks(arcwise):
    networks.write_bif(networks.load("child"), "child.bif")
    networks.load("child").save("child.json")
    for name in ("child.bif", "child.json"):
        assert json.loads(arcwise("metrics", name, "@child", "--json").out)["shd"] == {"tsamardinos": 0, "fu": 0}


def test_methods_are_a_line_each_by_family_and_end_with_what_to_type(arcwise):
    from arcwise.catalog import METHODS

    lines = arcwise("methods").out.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line.split("  ") for line in lines if line.startswith("  ")]
    assert {row[1].rstrip("*") for row in rows} >= set(METHODS)
    assert {method.family for method in METHODS.values()} <= set(lines)
    assert sum(line.startswith("  auto* ") for line in lines) == 1
    assert "arcwise learn data.csv --method" in lines[-3]


def test_methods_lists_every_preset_with_its_options(arcwise):
    from arcwise.catalog import METHODS

    text = arcwise("methods").out
    content = {entry["name"]: entry for entry in json.loads(arcwise("methods", "--json").out)}
    assert set(content) == set(METHODS)
    for name, method in METHODS.items():
        assert name in text
        page = arcwise("methods", name).out
        assert set(content[name]["options"]) == set(method.options)
        assert all(path in page for path in method.options)
        assert json.loads(arcwise("methods", name, "--json").out) == content[name]
