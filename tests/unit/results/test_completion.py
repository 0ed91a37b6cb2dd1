"""What is found about missing cells: shares of edges, probable values, saved, printed and written to files."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import arcwise
from arcwise.cli.main import main
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.filled import FilledColumn
from arcwise.errors import DataError, GraphError
from arcwise.graph.pdag import Pdag
from arcwise.results.completion import Completion
from arcwise.results.result import LearnResult
from arcwise.results.strengths import Strength, Strengths
from arcwise.results.summary import as_html, summarize

QUICK = {"draws__burn_in": 2, "draws__least": 4, "draws__most": 4}


def pattern(*directed, undirected=()):
    return Pdag(("a", "b", "c"), directed=directed, undirected=undirected)


PATTERNS = [
    pattern(("a", "b"), ("c", "b")),
    pattern(undirected=[("a", "b")]),
    pattern(("b", "a"), ("c", "a")),
    pattern(undirected=[("a", "b"), ("b", "c")]),
]


def holes(n_rows=200, seed=1):
    """A column of numbers and two of words that hang together, a fifth of the cells missing."""
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 2, n_rows)
    noisy = np.where(rng.random(n_rows) < 0.85, level, 1 - level)
    words = np.array(["no", "yes"])
    table = {"x": level + 0.3 * rng.normal(size=n_rows), "s": words[level], "t": words[noisy]}
    frame = pl.DataFrame(table).with_columns(
        pl.when(pl.Series(rng.random(n_rows) < 0.2)).then(None).otherwise(pl.col(name)).alias(name) for name in table
    )
    return Dataset.from_frame(frame)


def test_shares_of_patterns():
    found = Strengths.of(PATTERNS)
    assert found.edges() == (
        Strength("a", "b", 1.0, 0.25, 0.25),
        Strength("b", "c", 0.5, 0.0, 0.25),
        Strength("a", "c", 0.25, 0.0, 0.25),
    )
    assert found.edges(least=0.5) == found.edges()[:2]
    assert found.between("b", "a") == Strength("b", "a", 1.0, 0.25, 0.25)
    assert found.table().rows()[1] == ("b", "c", 0.5, 0.0, 0.25, 0.25)
    assert found.table(least=2.0).columns == ["a", "b", "share", "forward", "backward", "either"]
    with pytest.raises(GraphError, match="unknown node 'd'"):
        found.between("a", "d")
    assert repr(found) == "Strengths(3 columns, 3 edges in any of 4 graphs)"
    turned = found.reordered(["c", "a", "b"])
    assert turned.between("a", "b") == found.between("a", "b")
    assert {frozenset((one.a, one.b)) for one in turned.edges()} == {frozenset((one.a, one.b)) for one in found.edges()}


def test_shares_are_saved():
    found = Strengths.of(PATTERNS)
    content = json.loads(json.dumps(found.to_dict()))
    assert Strengths.from_dict(content).edges() == found.edges()
    assert Strengths.from_dict(content).graphs == 4
    content["edges"][0][0] = "z"
    with pytest.raises(GraphError, match="unknown node 'z'"):
        Strengths.from_dict(content)
    for wrong in ({**content, "graphs": "four"}, {**content, "edges": [["a", "b"]]}, {"names": []}):
        with pytest.raises(GraphError):
            Strengths.from_dict(wrong)


def test_a_result_is_saved_with_its_cells(tmp_path):
    data = holes()
    result = arcwise.learn(data, "boss", **QUICK)
    result.save(tmp_path / "r.json")
    again = LearnResult.load(tmp_path / "r.json")
    assert again.to_dict() == result.to_dict()
    assert again.completion.n_cells == data.n_missing
    assert repr(again.completion) == f"Completion({data.n_missing} cells, 4 draws)"
    one, other = (some.completion.fill(data) for some in (result, again))
    for name in data.names:
        np.testing.assert_array_equal(one.column(name).values, other.column(name).values)


def test_filling_keeps_what_was_recorded():
    data = holes()
    completion = arcwise.learn(data, "boss", **QUICK).completion
    filled = completion.fill(data)
    assert filled.is_complete
    for column in data.columns:
        there = ~column.missing
        np.testing.assert_array_equal(filled.column(column.name).values[there], column.values[there])
    np.testing.assert_array_equal(completion.fill(data.to_pandas()).column("s").values, filled.column("s").values)
    with pytest.raises(DataError, match="column 'x' has other missing cells than the table that was learned from"):
        completion.fill(holes(seed=2))
    rows = np.arange(199, -1, -1)
    with pytest.raises(DataError, match="other missing cells"):
        completion.fill(data.take(rows))


def test_the_order_of_rows_and_columns_does_not_change_what_cells_are():
    data = holes()
    rows = np.random.default_rng(0).permutation(data.n_rows)
    turned = data.select(["t", "x", "s"]).take(rows)
    one = arcwise.learn(data, "boss", **QUICK).completion.fill(data)
    other = arcwise.learn(turned, "boss", **QUICK).completion.fill(turned)
    for name in data.names:  # rows that say the same may have changed places
        np.testing.assert_allclose(*(np.sort(some.column(name).values) for some in (one, other)))


def test_wrong_content_is_refused():
    cells = FilledColumn("s", ("no", "yes"), np.array([3, 5]), np.array([1, 0]), np.array([0.9, 0.6]))
    content = cells.to_dict()
    for key, value, word in (
        ("values", [1, 7], "none of its 2 levels"),
        ("rows", [3], "not one value"),
        ("rows", "x", "rows"),
    ):
        with pytest.raises(GraphError, match=word):
            FilledColumn.from_dict({**content, key: value})
    whole = Completion(Strengths.of(PATTERNS), (cells,)).to_dict()
    assert Completion.from_dict(whole).to_dict() == whole


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content.update(completion=[]),
        lambda content: content.update(completion=5),
        lambda content: content["completion"]["strengths"].update(names=["x", "s", "u"], edges=[]),
        lambda content: content["completion"].pop("strengths"),
        lambda content: content["completion"].update(columns=3),
        lambda content: content["completion"]["columns"].append({}),
    ],
)
def test_a_damaged_result_is_an_error_with_a_name(damage):
    content = json.loads(json.dumps(arcwise.learn(holes(60), "hill-climb", **QUICK).to_dict()))
    damage(content)
    with pytest.raises(GraphError):
        LearnResult.from_dict(content)


def test_older_results_have_no_cells():
    content = arcwise.learn(holes(60), "hill-climb", **QUICK).to_dict()
    del content["completion"]
    assert LearnResult.from_dict(content).completion is None


def test_the_summary_says_what_was_done():
    result = arcwise.learn(holes(), "boss", **QUICK)
    text = " ".join(str(result).split())
    assert "filled with 4 draws: of the networks learned from them this one suits all of them best" in text
    assert "found: share of the 4 draws with the edge" in text
    assert "suits all of them best" in as_html(result)
    assert "share of the 4 draws" in as_html(result)
    whole = arcwise.learn(holes().complete_rows(), "boss")
    assert "draw" not in str(whole)


def doubts_of(patterns, shown):
    result = LearnResult(cpdag=shown, completion=Completion(Strengths.of(patterns)))
    return [text for one in summarize(result).sections if one.title == "doubtful" for text in one.blocks[0].texts]


def test_doubtful_edges_are_named():
    seldom = [*PATTERNS, PATTERNS[1]]
    assert doubts_of(seldom, PATTERNS[0])[0] == "1 weak edge, in less than 50% of the graphs: c → b 40%"
    assert doubts_of(PATTERNS, PATTERNS[1]) == ["no edge here, but in 30% or more of the graphs: b — c 50%"]
    assert doubts_of(PATTERNS[:1], PATTERNS[0]) == []
    names = tuple(f"n{i:02}" for i in range(30))
    chain = Pdag(names, undirected=list(pairwise(names)))
    (named,) = doubts_of([chain, Pdag(names), Pdag(names)], chain)
    assert named.startswith("29 weak edges, in less than 50% of the graphs: n28 — n29 33%, n27 — n28 33%")
    assert named.endswith(" and 21 more")


def test_a_pair_of_odd_names_is_printed_safely():
    names = ("a\x1b[31m", "b\n")
    both = Pdag(names, undirected=[names])
    assert "\x1b" not in str(LearnResult(cpdag=both, completion=Completion(Strengths.of([both, Pdag(names)]))))


def test_files_about_cells(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    data = holes()
    data.to_polars().write_csv("holes.csv")
    words = ["learn", "holes.csv", "--method", "boss", "--quiet", "--set", "draws.most=8"]
    assert main([*words, "--completed", "f.csv", "--strengths", "s.csv", "--out", "r.json"]) == 0
    result = LearnResult.load("r.json")
    filled = Dataset.from_frame(pl.read_csv("f.csv"))
    assert filled.is_complete
    np.testing.assert_allclose(filled.column("x").values, result.completion.fill("holes.csv").column("x").values)
    table = pl.read_csv("s.csv")
    assert table.columns == ["a", "b", "share", "forward", "backward", "either"]
    assert len(table) == len(result.completion.strengths.edges())
    assert main([*words, "--completed", "f.parquet", "--strengths", "s.tsv"]) == 0
    assert pl.read_parquet("f.parquet").null_count().row(0) == (0, 0, 0)
    assert pl.read_csv("s.tsv", separator="\t").columns == table.columns


def test_files_about_cells_of_a_complete_table_are_refused_at_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    holes().complete_rows().to_polars().write_csv("whole.csv")
    for flag in ("--completed", "--strengths"):
        assert main(["learn", "whole.csv", flag, "out.csv"]) == 2
        assert f"{flag} is for tables with missing cells, and no cell is missing; " in capsys.readouterr().err
    assert main(["learn", "whole.csv", "--completed", "out.txt"]) == 2
    assert "the name must end in .csv or .tsv or .parquet" in capsys.readouterr().err
    assert main(["learn", "whole.csv", "--completed", "whole.csv"]) == 2
    assert "the input" in capsys.readouterr().err


def test_weights():
    """Rows of the filled table are repeated."""
    data = holes(60)
    weights = np.arange(60) % 3
    result = arcwise.learn(data.weighted(weights), "boss", **QUICK)
    assert result.completion.fill(data.weighted(weights)).n_rows == weights.sum()
    assert result.completion.n_cells == data.weighted(weights).repeated().n_missing


def test_columns_of_a_single_level():
    gone = np.arange(40) % 4 == 0
    one = Column("one", Kind.DISCRETE, np.zeros(40, dtype=np.uint8), ("x",), missing=gone)
    two = Column("two", Kind.DISCRETE, (np.arange(40) % 2).astype(np.uint8), ("x", "y"))
    data = Dataset((one, two))
    completion = arcwise.learn(data, "boss", **QUICK).completion
    assert completion.columns[0].sure.tolist() == [1.0] * 10
    assert set(completion.fill(data).column("one").values) == {0}
