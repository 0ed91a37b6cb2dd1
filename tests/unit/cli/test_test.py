"""`arcwise test`: the decision in words, the numbers, the maps, and one sentence for every mistake."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise import Dataset, read
from arcwise.cli.views.density import LINES, SHADES, WIDEST, draw_maps
from arcwise.drawing.slices import slice_up
from arcwise.independence import ChiSquared, FisherZ
from arcwise.independence.margaritis import RecursiveMedian
from arcwise.networks import lambda_network

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def chain(tmp_path_factory):
    """X <- Z -> Y, a column apart, a level column and a constant one."""
    data = lambda_network(1, 2, 1500, seed=1)
    rng = np.random.default_rng(2)
    columns = {name: data.column(name).values.round(4) for name in "XYZ"}
    columns["apart"] = rng.normal(size=1500).round(4)
    columns["group"] = np.array(["a", "b", "c"])[np.digitize(columns["Z"], [-0.4, 0.6])]
    columns["same"] = np.full(1500, 7)
    path = tmp_path_factory.mktemp("data") / "chain.csv"
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_says_the_decision_and_the_numbers(arcwise, chain):
    run = arcwise("test", chain, "X", "Y", "--given", "Z")
    result = RecursiveMedian().bind(read(chain)).test(0, 1, [2])
    lines = run.out.splitlines()
    assert run.code == 0
    assert lines[0] == f"X and Y are independent given Z (I = {result.value:.2f})"
    assert lines[2].split()[:2] == ["I", f"{result.value:.4g}"]
    assert lines[3].split()[:2] == ["U", f"{result.details['U']:.4g}"]
    assert lines[4].split()[:2] == ["slices", f"{result.details['slices']:g}"]
    assert lines[5].split() == ["rows", "1,500"]
    assert lines[6].split()[:2] == ["test", "recursive-median"]
    assert "Y against X, in the middle of each quarter of Z" in lines
    assert sum(line.count("Z ") for line in lines[9:10]) == 4
    assert any(SHADES[-1] in line for line in lines)
    assert all(len(line) <= 100 for line in lines)


def test_without_given_columns(arcwise, chain):
    run = arcwise("test", chain, "X", "Y", "--test", "multi-resolution")
    assert run.out.startswith("X and Y are dependent (I < 1e-300)\n")
    assert "statistic" in run.out
    assert "Y against X, all rows" in run.out
    free = arcwise("test", chain, "X", "apart")
    assert free.out.startswith("X and apart are independent (I = ")
    assert "slices" not in free.out


def test_other_tests_and_levels(arcwise, chain):
    data = read(chain)
    bound = FisherZ().bind(data.select(["X", "Y", "Z"])).test(0, 1, [2])
    content = json.loads(arcwise("test", chain, "X", "Y", "-g", "Z", "-t", "fisher-z", "--json").out)
    assert content["value"] == bound.value
    assert content["statistic"] == bound.statistic
    assert content["independent"] is (bound.value >= 0.05)
    text = arcwise("test", chain, "X", "Y", "-g", "Z", "-t", "fisher-z").out
    assert f"p-value              {bound.value:.4g}" in text
    assert f"partial correlation  {bound.details['partial_correlation']:.4g}" in text
    low = json.loads(arcwise("test", chain, "X", "Y", "-g", "Z", "--alpha", "0.999", "--json").out)
    assert (low["level"], low["independent"]) == (0.999, False)


def test_json_of_the_default(arcwise, chain):
    run = arcwise("test", chain, "X", "Y", "--given", "Z,group", "--set", "min_leaf=8", "--json")
    result = RecursiveMedian(min_leaf=8).bind(read(chain).select(["X", "Y", "Z", "group"])).test(0, 1, [2, 3])
    assert json.loads(run.out) == {
        "x": "X",
        "y": "Y",
        "given": ["Z", "group"],
        "test": {
            "kind": "recursive-median",
            "prior": 0.5,
            "resolutions": None,
            "min_leaf": 8,
            "slice_weights": "rows",
        },
        "rows": 1500,
        "value": result.value,
        "level": 0.5,
        "independent": True,
        "statistic": None,
        "details": dict(result.details),
        "warnings": [],
    }


def test_discrete_columns(arcwise, weather):
    bound = ChiSquared().bind(read(weather).select(["rain", "wet", "sprinkler"])).test(0, 1, [2])
    run = arcwise("test", weather, "rain", "wet", "--given", "sprinkler", "--test", "chi-squared")
    assert run.out.startswith("rain and wet are dependent given sprinkler (p = ")
    assert f"{bound.statistic:.4g}" in run.out
    assert "wet against rain, by level of sprinkler" in run.out
    assert "sprinkler = 0" in run.out
    information = arcwise("test", weather, "rain", "wet", "--test", "mutual-information").out
    assert " nats, threshold 0.01)" in information
    few = arcwise("test", weather, "rain", "wet", "-g", "sprinkler", "-t", "g-squared", "--set", "min_per_cell=90")
    assert few.out.startswith("rain and wet given sprinkler: too few rows to tell\n")
    unknown = arcwise(
        "test", weather, "rain", "wet", "-g", "sprinkler", "-t", "g-squared", "--set", "min_per_cell=90", "--json"
    )
    content = json.loads(unknown.out)
    assert (content["value"], content["independent"], content["statistic"]) == (None, None, None)


def test_a_constant_column_is_independent_of_all(arcwise, chain):
    run = arcwise("test", chain, "X", "same", "--continuous", "same", "--given", "Z")
    assert run.code == 0
    assert run.out.startswith("X and same are independent given Z (I = 1.00)")
    assert "same" in run.err


def test_a_file_written_twice_says_what_it_said_once(arcwise, chain):
    head, *rows = chain.read_text(encoding="utf-8").splitlines()
    Path("twice.csv").write_text("\n".join([head, *rows, *rows]) + "\n", encoding="utf-8")
    once, twice = (arcwise("test", path, "X", "Y", "--given", "Z") for path in (chain, "twice.csv"))
    assert twice.out.splitlines()[:5] == once.out.splitlines()[:5]
    assert "warning: 1,500 rows of 3,000 repeat others and count once" in twice.err


def test_nothing_learned_and_another_prior(arcwise, chain):
    head, *rows = chain.read_text(encoding="utf-8").splitlines()
    lines = [f"{head},copy", *(f"{row},{row.split(',')[2]}" for row in rows)]
    Path("copy.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    none = arcwise("test", "copy.csv", "X", "copy", "--given", "Z")
    assert none.code == 0
    assert none.out.startswith("X and copy given Z: nothing can be learned from these rows\n")
    content = json.loads(arcwise("test", "copy.csv", "X", "copy", "--given", "Z", "--json").out)
    assert (content["value"], content["independent"]) == (None, None)
    run = arcwise("test", chain, "X", "Y", "--given", "Z", "--set", "prior=0.4")
    assert run.out.startswith("X and Y are independent given Z (I = 0.")
    assert "decided at 0.4" in run.out


def test_pictures(arcwise, chain):
    for name, magic in (("p.svg", b"<svg"), ("p.png", b"\x89PNG"), ("p.pdf", b"%PDF")):
        assert arcwise("test", chain, "X", "Y", "--given", "Z,group", "--draw", name).code == 0
        assert Path(name).read_bytes().startswith(magic)
    words = [str(element.text) for element in ElementTree.parse("p.svg").iter(f"{SVG}text")]
    assert words[0].startswith("X and Y are independent given Z, group (I = 0.")
    assert "group: 2 other levels" in words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["X", "W"], ["unknown column 'W'"]),
        (["X", "Y", "--given", "Q"], ["unknown column 'Q'"]),
        (["X", "X"], ["'X' cannot be tested against itself; name two different columns"]),
        (["X", "Y", "--given", "Z,X"], ["'X' is tested, so it cannot be given as well"]),
        (["X", "Y", "--given", "Z", "--given", "Z"], ["'Z' is given twice"]),
        (["X", "Y", "--test", "recursive-mean"], ["unknown test", "did you mean 'recursive-median'?"]),
        (["X", "Y", "--given", "Z", "--test", "multi-resolution"], ["cannot condition on 'Z'; use 'recursive-median'"]),
        (["X", "Y", "--test", "chi-squared"], ["'X' is continuous", "'chi-squared'"]),
        (["X", "Y", "--set", "min_leave=3"], ["did you mean 'min_leaf'?"]),
        (["X", "Y", "--set", "prior=2"], ["'prior' must lie between 0 and 1, not 2.0"]),
        (["X", "Y", "--alpha", "5"], ["--alpha must lie between 0 and 1, not 5.0"]),
        (["X", "Y", "--draw", "p.gif"], ["p.gif", ".svg or .png or .pdf"]),
        (["X"], ["Missing argument 'Y'"]),
    ],
)
def test_mistakes_are_one_sentence_and_no_file(arcwise, chain, arguments, words):
    run = arcwise("test", chain, *arguments)
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith("error: ")
    assert run.err.count("\n") == 1
    assert all(word in run.err for word in words), run.err
    assert os.listdir() == []


def test_names_are_text(arcwise, tmp_path):
    rng = np.random.default_rng(0)
    names = ["[red]x[/red]", "$y$", "<b>z</b>"]
    rows = [",".join(f"{v:.4f}" for v in row) for row in rng.normal(size=(60, 3))]
    Path("odd.csv").write_text("\n".join([",".join(names), *rows]) + "\n", encoding="utf-8")
    run = arcwise("test", "odd.csv", names[0], names[1], "--given", names[2], "--draw", "p.svg")
    assert run.code == 0, run.err
    assert run.out.startswith("[red]x[/red] and $y$ are ")
    words = {element.text for element in ElementTree.parse("p.svg").iter(f"{SVG}text")}
    assert {"$y$", "[red]x[/red]"} <= words


@given(st.integers(0, 10**6), st.integers(2, 60), st.integers(0, 2), st.integers(24, 130))
def test_no_line_of_the_maps_is_too_long(seed, n, n_given, room):
    rng = np.random.default_rng(seed)
    names = ["x", "a rather long name of a column", "z", "w"]
    values = rng.standard_cauchy((n, 4)).round(int(rng.integers(0, 6)))
    data = Dataset.from_frame(values, names=names, continuous=names)
    slices = slice_up(data, names[0], names[1], names[2 : 2 + n_given], WIDEST, LINES)
    lines = [line.plain for line in draw_maps(slices, room)]
    assert all(len(line) <= max(room, len(slices.left_out)) for line in lines)
    shown = sum(int(part.counts.sum()) for part in slices.parts)
    assert any(shade in line for shade in SHADES[1:] for line in lines) == (shown > 0)
