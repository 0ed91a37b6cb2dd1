"""`arcwise discretize` of ordered levels (--ordered), and of new rows at saved thresholds (--from)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from arcwise import learn, read

SVG = "{http://www.w3.org/2000/svg}"
AGES = ["0-4", "5-9", "10-14", "15-19", "20-24", "25+"]
ORDERS = ["--ordered", "age", "--ordered", "size=small,medium,large"]


@pytest.fixture
def people():
    """Ages below and above 15 differ in how often they are ill, small and others in their weight."""
    rng = np.random.default_rng(1)
    age, size = rng.integers(0, 6, 500), rng.integers(0, 3, 500)
    ill = rng.random(500) < np.where(age < 3, 0.8, 0.2)
    weight = (rng.normal(size=500) + 5 * (size > 0)).round(3)
    names = np.array(["small", "medium", "large"])
    rows = zip(np.array(AGES)[age], np.where(ill, "yes", "no"), names[size], weight, strict=True)
    Path("people.csv").write_text("age,ill,size,weight\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    return "people.csv"


def cut(arcwise, table, *arguments):
    run = arcwise("discretize", table, *arguments)
    assert run.code == 0, run.err
    return run


def test_neighbouring_levels_are_joined(arcwise, people):
    run = cut(arcwise, people, "--method", "top-down", *ORDERS, "--out", "cut.csv", "--draw", "p.svg")
    assert "note: the levels of age are taken in this order: 0-4, 5-9, 10-14, 15-19, 20-24, 25+" in run.err
    assert "levels of size" not in run.err  # that order was given
    assert "age  2 of 6 levels" in run.out
    assert "size  2 of 3 levels" in run.out
    table, before = read("cut.csv"), read(people)
    wanted = ["0-4 to 10-14" if AGES.index(one) < 3 else "15-19 to 25+" for one in before.to_polars()["age"]]
    assert table.to_polars()["age"].to_list() == wanted
    assert set(table.to_polars()["size"]) == {"small", "medium to large"}
    words = [element.text for element in ElementTree.parse("p.svg").iter(f"{SVG}text")]
    assert {"0-4 to 10-14", "small", "medium to large"} <= set(words)


def test_json_has_the_groups(arcwise, people):
    content = json.loads(cut(arcwise, people, "--method", "top-down", *ORDERS, "--json").out)
    columns = {column["name"]: column for column in content["columns"]}
    assert columns["size"]["joined"] == [["small"], ["medium", "large"]]
    assert columns["size"]["levels"] == ["small", "medium to large"]
    assert columns["size"]["thresholds"] == [0.5]
    assert sum(columns["size"]["counts"]) == 500
    assert "joined" not in columns["weight"]


def test_without_the_option_levels_stay(arcwise, people):
    assert "age  ordered already, 6 levels" in cut(arcwise, people, "--method", "top-down").out


@pytest.mark.parametrize("method", ["equal-frequency", "hartemink", "steck"])
def test_every_method_can_join_levels(arcwise, people, method):
    content = json.loads(cut(arcwise, people, "--method", method, *ORDERS, "--json").out)
    ages = next(column for column in content["columns"] if column["name"] == "age")
    assert [label for group in ages["joined"] for label in group] == AGES


def test_saved_thresholds_cut_new_rows_alike(arcwise, people):
    cut(arcwise, people, "--method", "top-down", *ORDERS, "--out", "cut.csv", "--thresholds", "cuts.json")
    lines, done = Path(people).read_text().splitlines(), Path("cut.csv").read_text().splitlines()
    Path("new.csv").write_text("\n".join([lines[0], *lines[40:47]]))
    run = cut(arcwise, "new.csv", "--from", "cuts.json", "--out", "new_cut.csv")
    assert run.out.startswith("thresholds of cuts.json: 7 rows, 3 of 4 columns cut")
    assert Path("new_cut.csv").read_text().splitlines() == [done[0], *done[40:47]]
    Path("one.csv").write_text(f"{lines[0]}\n25+,no,large,1e9\n")  # one row, beyond all that was seen
    cut(arcwise, "one.csv", "--from", "cuts.json", "--out", "one_cut.csv")
    assert Path("one_cut.csv").read_text().splitlines()[1].startswith("15-19 to 25+,no,medium to large,>= ")


def test_thresholds_of_a_result(arcwise, weather):
    result = learn(weather, "steck")
    result.save("r.json")
    cut(arcwise, weather, "--from", "r.json", "--out", "cut.csv")
    wanted = result.discretization.apply(read(weather)).to_polars()
    assert read("cut.csv").to_polars()["warm"].to_list() == wanted["warm"].to_list()


def test_numbers_without_thresholds_stay_numbers(arcwise, people):
    Path("cuts.json").write_text('{"size": [["small", "medium"], ["large"]]}')
    run = cut(arcwise, people, "--from", "cuts.json", "--out", "cut.csv")
    assert "weight  numbers, without thresholds" in run.out
    assert read("cut.csv").column("weight").values.tolist() == read(people).column("weight").values.tolist()
    columns = json.loads(cut(arcwise, people, "--from", "cuts.json", "--json").out)["columns"]
    assert columns[3] == {"name": "weight", "thresholds": None, "levels": [], "counts": []}


def test_rows_that_are_all_in_one_level_are_told(arcwise, people):
    cut(arcwise, people, "--thresholds", "cuts.json")
    lines = Path(people).read_text().splitlines()
    far = [",".join([*line.split(",")[:3], str(1000 + k)]) for k, line in enumerate(lines[1:])]
    Path("far.csv").write_text("\n".join([lines[0], *far]))
    assert "note: all 500 rows of weight are in one level (>= " in cut(arcwise, "far.csv", "--from", "cuts.json").err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ordered", "ill"], ["do not tell their order (no, yes)", "--ordered 'ill="]),
        (["--ordered", "sise=a,b"], ["did you mean 'size'?"]),
        (["--ordered", "size=small,large"], ["lacks its level 'medium'"]),
        (["--ordered", "size=small"], ["two levels or more"]),
        (["--ordered", "age", "--ordered", "age"], ["twice"]),
        (["--ordered", "weight"], ["'weight' is continuous"]),
        (["--from", "cuts.json", "--method", "steck"], ["--method", "leave it out"]),
        (["--from", "cuts.json", "--ordered", "age"], ["--ordered", "leave it out"]),
        (["--from", "cuts.json", "--seed", "0"], ["--seed", "leave it out"]),
        (["--from", "nowhere.json"], ["nowhere.json"]),
        (["--from", "people.csv"], ["people.csv", "not JSON"]),
        (["--from", "cuts.json", "--thresholds", "cuts.json"], ["cuts.json", "input"]),
        (["--from", "strange.json"], ["strange.json", "increasing order"]),
        (["--from", "other.json"], ["other.json has thresholds for column 'height', which people.csv lacks"]),
        (["--from", "levels.json"], ["column 'size', row ", "unknown level 'large'"]),
        (["--from", "list.json"], ["list.json holds no thresholds"]),
    ],
)
def test_mistakes_are_one_sentence(arcwise, people, arguments, words):
    Path("cuts.json").write_text('{"weight": [2.0]}')
    Path("strange.json").write_text('{"weight": [2.0, 1.0]}')
    Path("other.json").write_text('{"height": [2.0]}')
    Path("levels.json").write_text('{"size": [["small"], ["medium"]]}')
    Path("list.json").write_text("[1, 2]")
    before = sorted(os.listdir())
    run = arcwise("discretize", people, *arguments)
    assert run.code == 2, run.out
    assert run.out == ""
    assert run.err.startswith("error: ")
    assert run.err.count("\n") == 1
    assert all(word in run.err for word in words), run.err
    assert sorted(os.listdir()) == before
