"""`arcwise complete`: the missing cells of a table, and how sure they are."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from arcwise import read
from arcwise.networks import Network


@pytest.fixture
def holes(weather, tmp_path):
    """Every fourth `wet`, fifth `warm` and tenth `rain` is missing, and a cell of a column that is no node."""
    header, *rows = weather.read_text(encoding="utf-8").splitlines()
    lines = []
    for i, row in enumerate(rows):
        rain, wet, warm, sprinkler = row.split(",")
        cells = ["" if i % 10 == 3 else rain, "" if i % 4 == 0 else wet, "" if i % 5 == 1 else warm, sprinkler]
        lines.append(",".join([*cells, "" if i == 7 else f"note {i % 3}"]))
    path = tmp_path / "holes.csv"
    path.write_text("\n".join([f"{header},note", *lines]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def net(arcwise, holes):
    Path("g.dot").write_text("digraph { rain -> wet; rain -> warm; sprinkler }", encoding="utf-8")
    assert arcwise("fit", holes, "g.dot", "--model", "gaussian", "--out", "net.json").code == 0
    return "net.json"


def test_filled_and_doubted(arcwise, net, holes):
    run = arcwise("complete", net, holes, "--out", "filled.csv", "--doubts", "doubts.csv")
    assert run.code == 0
    assert run.out.startswith("filled 165 cells in 3 columns; least sure: row ")
    assert "wet = True (probability 0." in run.out
    assert "missing cells of 'note' stay missing" in run.err
    filled, before = read("filled.csv"), read(holes)
    assert filled.names == before.names
    assert filled.missing_counts() == {"note": 1}
    with Path("doubts.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 165
    want = Network.load(net).complete(holes)
    for line in lines:
        row, column = int(line["row"]) - 1, filled.column(line["column"])
        assert before.column(line["column"]).missing[row]
        if column.levels:
            assert column.levels[column.values[row]] == line["value"]
            assert 0.5 <= float(line["probability"]) <= 1.0
            assert line["sd"] == ""
        else:
            assert column.values[row] == float(line["value"])
            assert float(line["sd"]) > 0
    assert [column.name for column in want.columns] == ["rain", "wet", "warm"]


def test_on_stdout_and_as_json(arcwise, net, holes):
    run = arcwise("complete", net, holes, "--how", "draw", "--seed", "5", "--doubts", "doubts.json")
    assert run.code == 0
    assert run.out.splitlines()[0] == "rain,wet,warm,sprinkler,note"
    assert "filled 165 cells in 3 columns" in run.err
    content = json.loads(Path("doubts.json").read_text(encoding="utf-8"))
    want = Network.load(net).complete(holes, how="draw", seed=5)
    assert content["columns"] == [column.to_dict() for column in want.columns]
    assert arcwise("complete", net, holes, "--how", "draw", "--seed", "5").out == run.out
    assert arcwise("complete", net, holes, "--how", "draw", "--seed", "6").out != run.out


def test_numbers_alone(arcwise, net, holes):
    run = arcwise("complete", net, holes, "--drop", "note,wet,rain", "--out", "filled.csv")
    assert run.code == 0
    assert "filled 60 cells in 1 column; least sure: row" in run.out
    assert "(sd " in run.out


def test_nothing_is_missing(arcwise, net, weather):
    run = arcwise("complete", net, weather, "--out", "filled.csv")
    assert (run.code, run.out) == (0, "no cell is missing in a column of the network\n")
    assert read("filled.csv").n_rows == 300


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--how", "guess"], "'how' of complete must be 'probable' or 'draw', not 'guess'"),
        (["--doubts", "doubts.txt"], "the name must end in .csv or .json"),
        (["--out", "holes.csv"], "the input"),
        (["--out", "a.csv", "--doubts", "a.csv"], "cannot write a.csv for two options at once"),
        (["--missing", "error"], "missing values in"),
    ],
)
def test_refused(arcwise, net, holes, arguments, told):
    run = arcwise("complete", net, holes, *arguments)
    assert run.code == 2
    assert told in run.err
    assert run.err.count("\n") == 1


def test_a_graph_without_numbers(arcwise, holes):
    assert (
        arcwise(
            "learn", holes, "--method", "hill-climb", "--drop", "warm,note", "--missing", "drop", "--out", "r.json"
        ).code
        == 0
    )
    run = arcwise("complete", "r.json", holes)
    assert run.code == 2
    assert "give it numbers with: arcwise fit" in run.err
