"""The report page as text: complete in itself, safe against names, small, and the same counts as the table has."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import Dag, Dataset, LearnResult, Pdag
from arcwise.data.dataset import Column, Kind
from arcwise.data.findings import Severity
from arcwise.errors import DataError, FileError, GraphError, OptionError
from arcwise.report.writing import as_html
from arcwise.results.strengths import Strengths

EVIL = "</script><script>alert(1)</script>"


def content_of(html: str) -> dict:
    return json.loads(re.search(r'id="content">(.*?)</script>', html, re.DOTALL)[1])


def table(rows: int = 120, **more) -> Dataset:
    rng = np.random.default_rng(3)
    a = rng.normal(size=rows)
    frame = {"a": a, "b": a + rng.normal(size=rows), "c": np.where(a > 0, "high", "low"), **more}
    return Dataset.from_frame(frame)


def result_of(data: Dataset, **edges) -> LearnResult:
    return LearnResult(Pdag(data.names, **edges), method="made by hand")


@pytest.fixture(scope="module")
def page() -> str:
    data = table()
    return as_html(result_of(data, directed=[("a", "b")], undirected=[("a", "c")]), data)


def test_nothing_is_loaded_from_elsewhere(page):
    links = re.findall(r"""(?:src|href)\s*=\s*["']?([^"'\s>]*)""", page)
    assert links
    assert all(link.startswith("#") for link in links)
    assert "@import" not in page
    assert "url(" not in page
    addresses = set(re.findall(r"https?://[^\"' <]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, which nothing is fetched from


def test_only_the_page_s_own_script_and_style_may_run(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert not re.search(r"<[^>]*\son\w+\s*=", page.partition('<script type="application/json"')[0])


def test_names_levels_and_titles_are_text():
    data = Dataset.from_frame({EVIL: [1.5, 2.25, 3.125, 4.0] * 9, "b": ["x", EVIL, "<b>&amp;", "y"] * 9})
    html = as_html(result_of(data, undirected=[(EVIL, "b")]), data, title=f"{EVIL} {{{{script}}}}", command=EVIL)
    assert html.count("<script") == 2
    assert html.count("</script>") == 2
    assert EVIL not in html
    content = content_of(html)
    assert content["names"] == [EVIL, "b"]
    assert sorted(content["columns"][1]["labels"]) == sorted(["x", EVIL, "<b>&amp;", "y"])


def test_characters_that_hide_or_turn_text_are_shown():
    name = "a\u202eb\u2028\ud800"
    data = Dataset(tuple(Column(one, Kind.CONTINUOUS, np.arange(36.0)) for one in (name, "b")))
    html = as_html(result_of(data), data, title=name)
    assert not set("\u202e\u2028\ud800") & set(html)
    assert content_of(html)["names"][0] == r"a\u202eb\u2028\ud800"


def test_blank_names_can_be_seen_and_long_ones_are_shortened():
    data = Dataset(
        (
            Column(" ", Kind.DISCRETE, np.arange(36, dtype=np.uint8) % 3, ("", "\u3000", "y" * 5000)),
            Column("x" * 10_000, Kind.CONTINUOUS, np.arange(36.0)),
        )
    )
    html = as_html(result_of(data, undirected=[data.names]), data)
    content = content_of(html)
    assert content["names"] == ["' '", "x" * 199 + "…"]
    assert content["columns"][0]["labels"] == ["''", r"'\u3000'", "y" * 199 + "…"]
    height = float(re.search(r'viewBox="0 0 [0-9.]+ ([0-9.]+)"', html)[1])
    assert height < 500


def test_the_heading_counts_columns():
    data = table().select(["a"])
    assert content_of(as_html(result_of(data), data))["title"] == "The network of 1 column"


def test_a_page_of_sixty_columns_is_below_two_megabytes(tmp_path):
    rng = np.random.default_rng(0)
    numbers = {f"measured quantity {k}": rng.normal(size=2000) for k in range(40)}
    levels = {f"answer {k}": rng.choice(["never", "sometimes", "often", "always"], 2000) for k in range(20)}
    data = Dataset.from_frame({**numbers, **levels})
    pairs = [(data.names[i], data.names[j]) for i in range(60) for j in (i + 1, i + 7, i + 11) if j < 60]
    result = result_of(data, directed=pairs)
    shares = np.full((60, 60), 0.5) - 0.5 * np.eye(60)
    result = replace(result, bootstrap=Strengths(data.names, 10, shares, shares / 2))
    arcwise.report.write(result, data, tmp_path / "page.html", rows=1000)
    assert (tmp_path / "page.html").stat().st_size < 2e6


def test_counts_are_those_of_the_table():
    data = table()
    content = content_of(as_html(result_of(data, directed=[("a", "b"), ("a", "c")]), data, rows=0))
    column = content["columns"][2]
    assert dict(zip(column["labels"], column["counts"], strict=True)) == {
        level: int((data.columns[2].values == k).sum()) for k, level in enumerate(data.columns[2].levels)
    }
    assert sum(content["columns"][0]["histogram"]["counts"]) == 120
    for pair in content["pairs"].values():
        assert {sum(counts) for key, counts in pair.items() if key not in ("sizes", "steps")} == {120}
    groups = np.reshape(content["pairs"]["0-2"]["groups"], (4, 2))
    assert groups.sum(axis=0).tolist() == column["counts"]
    assert groups.sum(axis=1).tolist() == content["columns"][0]["counts"]


def test_weights_count_as_repeated_rows():
    data = table()
    counts = np.arange(120) % 3
    result = result_of(data, directed=[("a", "b"), ("a", "c")])
    one, other = (
        content_of(as_html(result, these, rows=0))
        for these in (data.weighted(counts), data.weighted(counts).repeated())
    )
    assert one["rows"] == other["rows"] == int(counts.sum())
    for key in ("columns", "pairs"):
        assert one[key] == other[key]


def test_missing_cells_are_counted_apart():
    a = np.arange(60.0)
    a[:7] = np.nan
    data = Dataset.from_frame({"a": a, "b": np.arange(60.0) % 7 + 0.5, "c": [None, "x", "y"] * 20})
    content = content_of(as_html(result_of(data, undirected=[("a", "b"), ("b", "c")]), data, rows=0))
    assert [column["missing"] for column in content["columns"]] == [7, 0, 20]
    assert sum(content["columns"][0]["histogram"]["counts"]) == 53
    assert content["columns"][0]["histogram"]["beyond"] == 0
    assert sum(content["pairs"]["0-1"]["map"]) == 53
    assert sum(content["pairs"]["1-2"]["groups"]) == 40
    assert any(head == "Missing cells" for head, _ in content["limits"])


def test_rows_are_in_the_page_only_where_they_are_wanted():
    data = table()
    result = result_of(data, undirected=[("a", "b")])
    sample = content_of(as_html(result, data, rows=50))["sample"]
    assert sample["rows"] == 50
    assert set(sample["places"]) == {"0", "1"}
    assert [len(places) for places in sample["places"].values()] == [50, 50]
    assert content_of(as_html(result, data, rows=0))["sample"] is None
    with pytest.raises(OptionError, match="from 0 to 5,000, not -1"):
        as_html(result, data, rows=-1)


def test_the_column_that_is_open_first():
    data = table()
    assert content_of(as_html(result_of(data), data, target="b"))["target"] == 1
    with pytest.raises(GraphError, match="unknown node 'd'"):
        as_html(result_of(data), data, target="d")


def test_many_levels_are_shown_as_few():
    data = Dataset.from_frame({"id": [f"n{k % 50}" for k in range(300)], "b": ["x", "y", "z"] * 100})
    column = content_of(as_html(result_of(data), data))["columns"][0]
    assert len(column["labels"]) == len(column["counts"]) == 16
    assert column["labels"][-1] == "35 other levels"
    assert sum(column["counts"]) == 300


def test_differences_to_another_graph():
    data = table()
    true = Dag(data.names, [("a", "b"), ("b", "c")])
    result = result_of(data, directed=[("b", "a")], undirected=[("a", "c")])
    content = content_of(as_html(result, data, against=true))
    found = {(edge["a"], edge["b"]): edge["difference"] for edge in content["edges"]}
    assert found == {(1, 0): "turned", (0, 2): "added", (1, 2): "missing"}
    assert content["difference"] == {"same": 0, "turned": 1, "added": 1, "missing": 1, "shd": 3, "skeleton": False}
    assert arcwise.metrics.shd(result.cpdag, true) == 3
    with pytest.raises(GraphError, match="different nodes"):
        as_html(result, data, against=Dag(["a", "b"], []))


def test_a_skeleton_is_compared_without_directions():
    data = table()
    result = result_of(data, undirected=[("a", "b"), ("a", "c")])
    assert result.only_skeleton
    content = content_of(as_html(result, data, against=Dag(data.names, [("a", "b"), ("c", "b")])))
    assert content["difference"] == {"same": 1, "turned": 0, "added": 1, "missing": 1, "shd": 2, "skeleton": True}


def test_pairs_that_are_no_edges_are_listed_with_their_shares():
    data = table()
    shares = np.array([[0, 1.0, 0.3], [1.0, 0, 0.01], [0.3, 0.01, 0]])
    found = replace(
        result_of(data, directed=[("a", "b")]), bootstrap=Strengths(data.names, 100, shares, np.triu(shares) * 0.5)
    )
    content = content_of(as_html(found, data))
    assert content["strength"]["measure"] == "share"
    assert content["edges"][0]["shares"] == [1.0, 0.5, 0.0]
    assert content["others"] == [{"a": 0, "b": 2, "shares": [0.3, 0.15, 0.0]}]


@pytest.mark.parametrize(
    "frame",
    [
        {"only": [1.5, 2.5, 3.5, 4.25] * 5},
        {"constant": [2.5] * 20, "b": [1.25, 2.5, 3.75, 4.0] * 5},
        {"empty": [float("nan")] * 20, "b": [1.25, 2.5, 3.75, 4.0] * 5},
        {"huge": [1e308, -1e308, 1.0, 2.0] * 5, "b": [1.25, 2.5, 3.75, 4.0] * 5},
    ],
    ids=lambda frame: next(iter(frame)),
)
def test_awkward_tables(frame):
    columns = []
    for name, values in frame.items():
        array = np.array(values)
        columns.append(Column(name, Kind.CONTINUOUS, array, missing=np.isnan(array)))
    data = Dataset(tuple(columns))
    pairs = [] if len(columns) == 1 else [tuple(frame)]
    content = content_of(as_html(result_of(data, undirected=pairs), data))
    assert len(content["columns"]) == len(columns)


def test_a_result_without_an_answer():
    data = table()
    content = content_of(as_html(replace(result_of(data), status="unanswered"), data))
    assert content["limits"] == [["Nothing was found", "The run was stopped before there was a network to show."]]


def test_what_is_odd_about_the_table_is_listed_the_worst_first():
    rng = np.random.default_rng(1)
    rare = np.where(np.arange(300) < 2, "rare", "usual")
    a = rng.normal(size=300)
    data = table(300, rare=rare, copied=a, again=a)
    found = content_of(as_html(replace(result_of(data), warnings=("slow", "slow")), data))["checks"]
    places = {name: k for k, name in enumerate(data.names)}
    reported = [(places[one.column], one.evidence) for one in data.report().findings]
    assert {places["rare"], places["again"]} <= {place for place, _ in reported}
    assert sorted((column, evidence) for column, _, evidence, _ in found["findings"]) == sorted(reported)
    ranks = [list(Severity).index(severity) for _, severity, _, _ in found["findings"]]
    assert ranks == sorted(ranks)
    assert found["warnings"][-1] == "slow"
    assert found["warnings"].count("slow") == 1


def test_what_was_left_out_is_listed():
    data = {
        "a": np.arange(40) % 7 + 0.5,
        "b": ["x", "y"] * 20,
        "gone": np.arange(40.0),
        "id": [f"p{k}" for k in range(40)],
    }
    result = arcwise.learn(data, "equal-frequency", drop=["gone"])
    assert result.names == ("a", "b")
    found = content_of(as_html(result, data))["checks"]["left_out"]
    assert found == ["columns left out: 'id'", "columns left out as was asked for: 'gone'"]


def test_what_is_refused(tmp_path):
    data = table()
    result = result_of(data, undirected=[("a", "b")])
    with pytest.raises(FileError, match=r"must end in \.html or \.htm"):
        arcwise.report.write(result, data, tmp_path / "page.pdf")
    with pytest.raises(DataError, match="the table has no column 'c'; give the table that the result was learned from"):
        arcwise.report.write(result, data.select(["a", "b"]), tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []
