"""`arcwise discretize`: every method that gives thresholds, as text, as JSON and as a picture."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise import catalog, learn, read
from arcwise.cli.views.histogram import draw_histogram
from arcwise.learners import Integrated

SVG = "{http://www.w3.org/2000/svg}"
LEARNING = [name for name, method in catalog.METHODS.items() if isinstance(method.learner, Integrated)]
ENDLESS = ["--set", "restarts=100000000"]


@pytest.fixture
def write():
    def to_file(**columns):
        rows = zip(*columns.values(), strict=True)
        lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
        Path("t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return "t.csv"

    return to_file


def block(text: str, name: str) -> list[str]:
    """The lines about one column."""
    return next(part for part in text.split("\n\n") if part.startswith(f"{name}  ")).splitlines()


@pytest.mark.parametrize("method", sorted({*catalog.DISCRETIZERS, *LEARNING}))
def test_every_method_prints_what_its_json_says(arcwise, weather, method):
    run = arcwise("discretize", weather, "--method", method)
    assert run.code == 0, run.err
    content = json.loads(arcwise("discretize", weather, "--method", method, "--json").out)
    assert content["method"] == method
    warm = next(column for column in content["columns"] if column["name"] == "warm")
    assert warm["thresholds"] == sorted(warm["thresholds"])
    assert len(warm["counts"]) == len(warm["levels"]) == len(warm["thresholds"]) + 1
    values = read(weather).column("warm").values
    assert warm["counts"] == np.histogram(values, [-np.inf, *warm["thresholds"], np.inf])[0].tolist()
    lines = block(run.out, "warm")
    for level, count in list(zip(warm["levels"], warm["counts"], strict=True))[:20]:
        assert any(line.startswith(f"  {level} ") and f" {count}  row" in line for line in lines), (level, count)
    assert all(line == line.rstrip() for line in run.out.splitlines())


@pytest.mark.parametrize("method", ["friedman", "monti", "steck"])
def test_learned_thresholds_are_those_of_learn(arcwise, weather, method):
    options = ["--set", "initial.bins=2", "--set", "ess=5", "--seed", "3"]
    content = json.loads(arcwise("discretize", weather, "--method", method, *options, "--json").out)
    wanted = learn(weather, method, seed=3, initial__bins="2", ess="5")
    assert wanted.discretization is not None
    found = {column["name"]: column["thresholds"] for column in content["columns"]}
    assert {name: cuts for name, cuts in found.items() if cuts is not None} == wanted.discretization.to_dict()
    neighbours = {column["name"]: column["neighbours"] for column in content["columns"]}
    assert all(neighbours[a].count(b) == neighbours[b].count(a) == 1 for a, b in wanted.cpdag.skeleton)
    assert sum(map(len, neighbours.values())) == 2 * wanted.cpdag.n_edges
    assert (content["status"], content["seed"]) == ("converged", 3)


def test_a_learned_column_says_what_it_is_cut_for(arcwise, write):
    rng = np.random.default_rng(1)
    a, lone = rng.integers(0, 2, 400), rng.normal(size=400)
    table = write(a=a, b=(rng.normal(size=400) + 6 * a).round(3), lone=lone.round(3))
    run = arcwise("discretize", table, "--method", "steck")
    assert run.out.startswith("steck: 400 rows, 1 of 3 columns cut, in ")
    assert block(run.out, "b")[1] == "  cut for: a"
    assert block(run.out, "lone")[1] == "  no neighbours in the network, so no cut pays"
    assert block(run.out, "a")[0] == "a  discrete already, 2 levels"
    assert "warning: lone: one level" in run.err


def test_initial_levels_that_stay_the_best_are_not_called_cut_for(arcwise, weather):
    assert arcwise("discretize", weather, "--method", "steck").code == 0  # compiled from here on
    stopped = ["--method", "steck", *ENDLESS, "--deadline", "0.6"]
    run = arcwise("discretize", weather, *stopped)
    assert run.code == 0
    assert ", stopped after " in run.out
    assert ", best thresholds so far" in run.out
    assert block(run.out, "warm")[1].startswith("  the initial levels were best; neighbours: rain")
    content = json.loads(arcwise("discretize", weather, *stopped, "--json").out)
    assert content["status"] == "stopped"
    assert len(next(c["thresholds"] for c in content["columns"] if c["name"] == "warm")) == 2


def test_the_histogram_of_integers(arcwise, write):
    ages = np.repeat([1, 2, 3, 4], [8, 4, 2, 1])
    run = arcwise("discretize", write(age=ages), "--continuous", "age", "--set", "bins=2")
    assert block(run.out, "age") == [
        "age  low < 1.5 ≤ high",
        "  " + "█" * 12,
        "  " + "█" * 12,
        "  " + "█" * 24,
        "  " + "█" * 36 + "▄" * 12,
        "  " + "─" * 12 + "┴" + "─" * 35,
        "  1          1.5" + " " * 33 + "4",
        "  < 1.5   8  rows  " + "█" * 24,
        "  >= 1.5  7  rows  " + "█" * 21,
    ]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([5.0] * 30, ["any value", "any  30  rows"]),
        ([0.25, 0.75] * 15, ["low < 0.5 ≤ high", "────┴────", "< 0.5   15  rows"]),
        ([*np.linspace(0, 1, 99), 1e300], ["not shown: 1 row above, up to 1e+300"]),
        ([*1.7e308 * np.linspace(-1, 1, 30)], ["low < ", "┴"]),
        ([1.5, 2.25, 3.125, 4.5, 7.75], ["rows", "┴"]),
    ],
)
@pytest.mark.parametrize("method", ["equal-frequency", "steck"])
def test_odd_columns(arcwise, write, values, words, method):
    partner = [int(k >= len(values) / 2) for k in range(len(values))]
    table = write(x=values, y=partner)
    run = arcwise("discretize", table, "--continuous", "x", "--method", method, "--draw", "p.svg")
    assert run.code == 0, run.err
    assert Path("p.svg").stat().st_size > 1000
    found = "\n".join(block(run.out, "x"))
    assert "█" in found
    if method == "equal-frequency":
        assert all(word in found for word in words), found


def test_names_are_text_everywhere(arcwise, write):
    rng = np.random.default_rng(2)
    base = rng.normal(size=200)
    names = ["[red]x[/red]", "$x_1$", "<script>alert(1)</script>"]
    table = write(**{name: (base + 0.1 * rng.normal(size=200)).round(4) for name in names})
    run = arcwise("discretize", table, "--method", "steck", "--draw", "p.svg")
    assert run.code == 0, run.err
    for name in names:
        assert block(run.out, name)[1].startswith("  cut for: ")
    words = [element.text for element in ElementTree.parse("p.svg").iter(f"{SVG}text")]
    assert set(names) <= set(words)
    assert words[0] == "steck: 200 rows, 3 of 3 columns cut"
    assert any(str(word).startswith("cut for: ") for word in words)
    assert all(arcwise("discretize", table, "--draw", name).code == 0 for name in ("p.png", "p.pdf"))
    assert Path("p.png").read_bytes().startswith(b"\x89PNG")
    assert Path("p.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--method", "stek"], ["'stek'", "did you mean 'steck'?"]),
        (["--method", "equal-widht"], ["did you mean 'equal-width'?"]),
        (["--method", "tabu"], ["the method 'tabu' gives no thresholds; use equal-width", "or "]),
        (["--method", "steck", "--set", "es=3"], ["'es'", "did you mean 'ess'?"]),
        (["--method", "steck", "--set", "score=bic"], ["bdeu"]),
        (["--draw", "p.gif"], ["p.gif", ".svg or .png or .pdf"]),
        (["--draw", "nowhere/p.svg"], ["nowhere"]),
        (["--out", "c.csv", "--draw", "p.svg", "--thresholds", "p.txt"], ["p.txt", ".json"]),
        (["--seed", "3"], ["--seed is for methods that learn", "'equal-frequency'"]),
        (["--deadline", "3"], ["--deadline is for methods that learn"]),
        (["--method", "steck", "--deadline", "0"], ["deadline", "above 0"]),
        (["--method", "steck", "--seed", "-1"], ["seed", "-1"]),
        (["--discrete", "mpg,displacement,horsepower,weight,acceleration,model_year", "--draw", "p.svg"], ["no cont"]),
    ],
)
def test_mistakes_are_one_sentence_and_no_file(arcwise, arguments, words):
    run = arcwise("discretize", "@cars1", *arguments)
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith("error: ")
    assert run.err.count("\n") == 1
    assert all(word in run.err for word in words), run.err
    assert os.listdir() == []


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FINITE, min_size=1, max_size=40), st.lists(FINITE, max_size=6, unique=True), st.integers(1, 90))
def test_no_line_of_a_histogram_is_too_long(values, cuts, room):
    lines = [line.plain for line in draw_histogram(np.array(values), np.sort(cuts), room)]
    bars, axis = lines[:4], lines[4]
    assert len(axis) <= max(room, 3)
    assert {len(line) for line in bars} == {len(axis)}
    assert "█" in bars[0]
    assert len(lines[5]) <= room
    beyond = int(lines[6].split()[-2]) if len(lines) > 6 and "threshold" in lines[6] else 0
    ticks = axis.count("┴") + axis.count("╨")
    assert ticks <= len(cuts) - beyond
    assert ("╨" in axis) == (ticks < len(cuts) - beyond)
