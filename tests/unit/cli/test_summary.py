"""A result as text and as HTML."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arcwise import Dag, Dataset, Knowledge, LearnResult, Pdag, learn
from arcwise.data.discretization import Discretization
from arcwise.data.provenance import Provenance
from arcwise.errors import GraphError
from arcwise.printing import UNPRINTABLE, duration, printable
from arcwise.results.result import Counters
from arcwise.results.sections import Commands, Grid, Words, laid_out
from arcwise.results.summary import WIDTH, Wanted, as_html, as_text, summarize
from arcwise.results.summary_details import score_spec, score_words
from arcwise.results.summary_network import edges_of
from arcwise.results.summary_next import Typed
from arcwise.search import HillClimb


@pytest.fixture(scope="module")
def result() -> LearnResult:
    """sex -> size <- age, and a column without edges; `age` is doubtful."""
    rng = np.random.default_rng(0)
    sex = rng.integers(0, 2, 400)
    age = rng.integers(0, 15, 400)
    size = 10.0 * sex + age + rng.normal(size=400)
    table = {"sex": np.array(["f", "m"])[sex], "age": age, "size": size, "moon": rng.random(400)}
    return learn(Dataset.from_frame(table), "equal-frequency")


def test_text_has_what_matters_in_order(result):
    text = as_text(result)
    assert text.startswith("equal-frequency: 400 rows, 4 columns (3 continuous, 1 discrete), in ")
    parts = [
        "\nnetwork (2 edges: 2 with a direction)\n",
        "without edges: moon",
        "\nthresholds\n",
        "\ndoubtful\n",
        "\nnext\n",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert result.discretization is not None
    assert result.discretization.describe("size") in text
    assert "'age': read as numbers, but could be levels; if so: --discrete age (discrete=[\"age\"])" in " ".join(
        text.split()
    )
    for word in ("evaluations", "Markov blanket", "converged", "seed", "integers with 15"):
        assert word not in text


def test_edges_come_strongest_first_each_with_its_strength(result):
    (first, nats), (second, fewer) = sorted(result.support.items(), key=lambda pair: -pair[1])
    rows = next(block for block in summarize(result).sections[0].blocks if isinstance(block, Grid))
    assert rows.heads == ("edge", "nats")
    assert [row[0] for row in rows.rows] == [f"{a} → {b}" for a, b in (first, second)]
    assert nats > fewer > 10
    assert [row[1] for row in rows.rows] == [f"{nats:,.0f}", f"{fewer:,.0f}"]


def test_details_are_for_those_who_ask(result):
    text = result.summary(details=True)
    for part in ("\ndetails\n", f"{result.score:,.2f} (bdeu, ess 1)", "evaluations", "steps", "seed"):
        assert part in text
    assert result.graph is not None
    mean = np.mean([len(result.graph.markov_blanket(name)) for name in result.names])
    assert f"Markov blanket  {mean:.1f} columns on average" in text
    assert f"Markov blanket  {mean:.1f} columns" in replace(result, graph=None).summary(details=True)


def test_types_of_all_columns_are_for_those_who_ask(result):
    text = result.summary(types=True, width=140)
    assert "age     continuous?  integers with 15 distinct values," in text
    assert "f, m" in text
    assert "\ncolumns\n" not in as_text(result)


def test_a_loaded_result_says_the_same(result):
    loaded = LearnResult.from_dict(json.loads(json.dumps(result.to_dict())))
    assert as_text(loaded) == as_text(result) == str(result) == result.summary()
    assert as_html(loaded) == as_html(result) == result._repr_html_()


def test_a_result_straight_from_a_learner():
    data = Dataset.from_frame({"a": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 0, 1, 1] * 10})
    text = as_text(HillClimb().learn(data, rng=np.random.default_rng(0)))
    assert text.startswith("network: 3 columns\n")
    assert "a — b" in text
    assert "without edges: c" in text
    assert "next" not in text  # nobody knows what was called


def test_thresholds_are_shown_even_without_a_description_of_the_data():
    cuts = Discretization({"a": [1.5], "b": list(range(20)), "c": []})
    text = as_text(LearnResult(cpdag=Pdag(("a", "b", "c")), discretization=cuts))
    assert "network (no edge was found)" in text
    assert "low < 1.5 ≤ high" in text
    assert "21 levels, cut at 0, 1, 2, …, 19" in text
    assert "  c" not in text


def test_patterns_with_conflicts():
    graph = Pdag(("a", "b", "c", "d"), directed=[("a", "b")], undirected=[("c", "d")], bidirected=[("b", "c")])
    stopped = LearnResult(cpdag=graph, counters=Counters(tests=1234), status="stopped", elapsed=75.0)
    text = as_text(stopped)
    assert text.startswith("network: 4 columns, stopped after 1 min 15 s: the best network so far")
    assert "network (3 edges: 1 with a direction, 1 without, 1 in conflict)" in text
    for line in ("  a → b\n", "  c — d\n", "  b ↔ c"):
        assert line in text
    assert "a ↔ b: conflicting evidence" in " ".join(text.split())
    assert "1,234" in stopped.summary(details=True)
    assert "blanket" not in stopped.summary(details=True)


def test_warnings_are_listed_and_escaped(result):
    odd = replace(result, warnings=("column '<b>' is odd & " + "long " * 40,))
    assert "  - column '<b>' is odd" in as_text(odd)
    assert "&lt;b&gt;" in as_html(odd)
    assert "'<b>'" not in as_html(odd)


def test_what_matters_most_comes_first_and_notes_are_no_doubts(result):
    warnings = (
        "scored with bdeu: all are discrete",
        *(f"warning {k}" for k in range(10)),
        "400 rows are few for 4 columns",
    )
    told = replace(result, warnings=warnings)
    text = as_text(told)
    assert text[text.index("doubtful") :].splitlines()[1] == "  - 400 rows are few for 4 columns"
    assert "scored with" not in text
    assert "warning 8" not in text
    assert "and 5 warnings more: --details prints all" in text
    assert "warning 8" in told.summary(details=True)
    assert "  - scored with bdeu" in told.summary(details=True)


def test_columns_left_out_are_named_above_and_explained_below(result):
    why = "column 'the id' has 9 distinct text values in 9 rows, so it looks like an identifier, left out; keep it"
    empty = "columns 'x', 'y' have no value in any row, left out"
    copies = "columns 'p', 'q' are nearly the same; leave out one of them"
    table = replace(result.data, provenance=Provenance(("the id", "x", "y"), 3))
    text = as_text(replace(result, data=table, warnings=(why, empty, copies)))
    assert text.splitlines()[1:3] == ["rows left out, for a missing value: 3", "columns left out: 'the id', 'x', 'y'"]
    doubtful = " ".join(text[text.index("doubtful") :].split())
    assert doubtful.index(copies) < doubtful.index(why) < doubtful.index(empty)


def test_html_is_well_formed_and_drawn_up_to_sixty_nodes(result):
    page = as_html(result)
    ElementTree.fromstring(page)
    assert "<svg" in page
    for section in summarize(result).sections:
        assert f"<strong>{section.title}</strong>" in page
        for block in section.blocks:
            if isinstance(block, Words):
                assert block.text in unescape(page)
    names = [f"v{i}" for i in range(61)]
    assert "<svg" in as_html(LearnResult(cpdag=Pdag(names[:60], directed=[("v0", "v1")])))
    assert "<svg" not in as_html(LearnResult(cpdag=Pdag(names, directed=[("v0", "v1")])))


def wide_result(n: int = 200) -> LearnResult:
    """Two chains, and a hub in the first."""
    names = [f"v{i:03d}" for i in range(n)]
    chain = [(a, b) for k, (a, b) in enumerate(pairwise(names)) if k not in (n // 2, n - 2)]
    hub = [(names[0], names[k]) for k in range(2, 12)]
    dag = Dag(names, [*chain, *hub])
    nats = {edge: 5.0 + k for k, edge in enumerate(dag.edges)}
    return LearnResult(cpdag=Pdag.from_dag(dag), graph=dag, support=nats)


def test_large_networks_are_summarised():
    result = wide_result()
    text = as_text(result)
    n_edges = result.cpdag.n_edges
    assert f"network ({n_edges} edges" in text
    assert text.count("→") == 41  # the strongest, and the legend
    assert f"and {n_edges - 40} weaker edges: --all-edges (summary(all_edges=True))" in text
    assert "most edges: v000 (11)" in text
    assert "2 separate parts, of 101, 98 columns" in text
    assert "without edges: v199" in text
    strongest = sorted(result.support, key=result.support.__getitem__)[:-41:-1]
    assert {row[0] for row in _edge_rows(result)} == {f"{a} → {b}" for a, b in strongest}
    assert result.summary(all_edges=True).count("→") == n_edges + 1


def test_a_wide_screen_has_edges_side_by_side():
    result = wide_result(30)
    narrow, wide = (result.summary(width=width) for width in (30, 140))
    assert len(wide.splitlines()) < len(narrow.splitlines()) / 2
    for edge in edges_of(result):
        assert edge.words in narrow
        assert edge.words in wide


def test_a_bootstrap_tells_shares_directions_and_what_is_doubtful():
    rng = np.random.default_rng(1)
    x = rng.normal(size=80)
    table = {"x": x, "y": x + rng.normal(size=80), "z": 0.2 * x + rng.normal(size=80)}
    found = learn(table, "gaussian", bootstrap=20)
    text = as_text(found)
    assert "found: share of the 20 resamples with the edge" in " ".join(text.split())
    assert found.bootstrap is not None
    assert f"{found.bootstrap.between('x', 'y').share:.0%}" in text
    other = [one for one in found.bootstrap.edges(0.3) if not found.cpdag.adjacent(one.a, one.b)]
    assert bool(other) == ("no edge here, but in 30% or more of the graphs" in " ".join(text.split()))
    assert "bootstrap=200" not in text


def commands(result: LearnResult, *words: str) -> list[str]:
    steps = summarize(result, Wanted(typed=Typed(words, "t.csv"))).sections[-1]
    assert steps.title == "next"
    (block,) = steps.blocks
    assert isinstance(block, Commands)
    return [command for _, command in block.rows]


def test_what_to_try_next_fits_the_result(result):
    assert commands(result, "learn", "t.csv", "--out", "r.json", "--method", "equal-frequency", "--details") == [
        "arcwise learn t.csv --method equal-frequency --bootstrap 200",
        "arcwise check t.csv",
        "arcwise learn t.csv --method equal-frequency --report page.html",
    ]
    rng = np.random.default_rng(0)
    a = rng.normal(size=60)
    sure = learn({"a": a, "b": a + rng.normal(size=60)}, "gaussian", bootstrap=3)
    assert commands(sure, "learn", "a b.csv") == [
        "arcwise learn 'a b.csv' --tier a --tier b",
        "arcwise learn 'a b.csv' --report page.html",
    ]
    assert commands(sure, "learn", "t.csv", "--tier", "a", "--draw=x.svg") == [
        "arcwise learn t.csv --tier a --report page.html"
    ]
    stdin = summarize(result, Wanted(typed=Typed(("learn", "-"), "-")))
    assert stdin.sections[-1].title != "next"


def test_a_time_is_never_broken(result):
    timed = replace(result, elapsed=12.3)
    for width in range(40, 90):
        assert "in 12.3 s" in timed.summary(width=width)


def test_commands_are_never_broken(result):
    typed = Typed(("learn", "a/very/long/path/" * 9 + "t.csv"), "t.csv")
    summary = summarize(result, Wanted(typed=typed))
    lines = ["".join(text for text, _ in line) for line in laid_out(summary.headline, summary.sections, 80)]
    assert any(line.strip().startswith("arcwise learn a/very") and line.endswith("--bootstrap 200") for line in lines)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.004, "0.00 s"), (9.994, "9.99 s"), (9.999, "10.0 s"), (59.99, "1 min 0 s"), (3661.0, "61 min 1 s")],
)
def test_duration(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("method", "discrete", "used"),
    [
        ("hill-climb", ["a", "b"], "bdeu, ess 1"),
        ("hill-climb", [], "gaussian-bic"),
        ("hill-climb", ["a"], "degenerate-gaussian"),
        ("mmhc", ["a", "b"], "bdeu, ess 10, arc_prior 0.0909091"),
        ("equal-frequency", ["a"], "bdeu, ess 1"),
    ],
)
def test_a_score_that_chooses_is_shown_as_the_one_it_chose(method, discrete, used, tmp_path):
    values = np.random.default_rng(0).integers(0, 3, (2, 90)) + 0.0
    found = learn(dict(zip("ab", values, strict=True)), method, discrete=discrete, continuous=set("ab") - set(discrete))
    assert f"({used}" in found.summary(details=True)
    found.save(tmp_path / "result.json")
    assert str(LearnResult.load(tmp_path / "result.json")) == str(found)


def test_a_result_from_before_names_the_score_that_chooses(result):
    content = learn({"a": list("xyxyx") * 9, "b": list("xxyyx") * 9}, "hill-climb").to_dict()
    del content["scored_with"]
    assert "(suited, discrete (bdeu" in LearnResult.from_dict(content).summary(details=True)
    with pytest.raises(GraphError, match="entry 'scored_with' must have a kind in words"):
        LearnResult.from_dict(content | {"scored_with": ["bdeu"]})


def test_the_score_is_found_wherever_it_stands():
    score = {"kind": "bdeu", "ess": 10.0, "arc_prior": 1.0}
    assert score_spec({"kind": "x", "a": {"kind": "y"}, "b": {"kind": "z", "score": score}}) == score
    assert score_spec({"kind": "x", "score": None}) is None
    assert score_words(score) == "bdeu, ess 10"
    assert score_words({**score, "arc_prior": 0.5}) == "bdeu, ess 10, arc_prior 0.5"
    policy = {"kind": "optimal", "score": {"kind": "steck"}}
    assert score_spec({"kind": "x", "policy": policy, "search": {"kind": "y", "score": score}}) == score
    assert score_words({"kind": "either", "one": score}) == "either, one (bdeu, ess 10)"


def _edge_rows(result: LearnResult) -> list[tuple[str, ...]]:
    return [row for block in summarize(result).sections[0].blocks if isinstance(block, Grid) for row in block.rows]


nasty = st.text(st.characters(), min_size=1, max_size=40)


@pytest.mark.slow
@given(names=st.lists(nasty, min_size=2, max_size=8, unique=True), seed=st.integers(0, 99))
def test_every_edge_once_and_no_wide_line_whatever_the_names(names, seed):
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    kinds = rng.integers(0, 4, len(pairs))
    chosen = [[pair for pair, kind in zip(pairs, kinds, strict=True) if kind == wanted] for wanted in (1, 2, 3)]
    graph = Pdag(names, *chosen)
    result = LearnResult(cpdag=graph)
    listed = [row[0] for row in _edge_rows(result)]
    wanted = [f"{a} → {b}" for a, b in graph.directed]
    wanted += [f"{a} — {b}" for a, b in graph.undirected] + [f"{a} ↔ {b}" for a, b in graph.bidirected]
    assert sorted(listed) == sorted(map(printable, wanted))
    assert max(map(len, as_text(result).split("\n"))) <= WIDTH
    assert not UNPRINTABLE.search(as_text(result).replace("\n", ""))
    ElementTree.fromstring(as_html(result))


def test_letters_that_take_two_places_are_counted_so():
    names = ["年龄", "血压收缩压" * 12, "e\u0301te\u0301", "weight"]
    pattern = Pdag(names, directed=[(names[0], names[1]), (names[2], names[3]), (names[0], names[3])])
    nats = dict.fromkeys(pattern.directed, 12.0)
    graph = Dag(names, pattern.directed)
    found = LearnResult(cpdag=pattern, graph=graph, support=nats, warnings=("体重 " * 60,))
    for width in (40, 80, 140):
        lines = found.summary(width=width).splitlines()
        assert max(map(cell_len, lines)) <= width
        ends = {cell_len(line) for line in lines if line.endswith("  12")}
        assert len(ends) == 1  # the numbers stand one below another
    assert "".join(found.summary(width=40).split()).count("血压收缩压" * 12) == 1


def test_many_parts_are_told_by_their_number_and_the_largest():
    names = [f"v{k:03d}" for k in range(140)]
    dag = Dag(names, [(names[k], names[k + 1]) for k in range(0, 140, 2)])
    assert "70 separate parts, the largest of 2 columns" in as_text(LearnResult(cpdag=Pdag.from_dag(dag)))


def test_thresholds_are_told_once(result):
    assert result.summary(types=True, width=140).count(result.discretization.describe("size")) == 1


@pytest.mark.parametrize(
    ("words", "table", "expected"),
    [
        (("learn", "--", "-x.csv"), "-x.csv", "arcwise learn --bootstrap 200 -- -x.csv"),
        (("learn", "x.csv", "-or.json", "--report=p.html"), "x.csv", "arcwise learn x.csv --bootstrap 200"),
        (("learn", "x y.csv", "--draw", "a.svg"), "x y.csv", "arcwise learn 'x y.csv' --bootstrap 200"),
    ],
)
def test_what_was_typed_is_typed_again_with_more(words, table, expected):
    assert Typed(words, table).again("--bootstrap", "200") == expected


def test_options_count_however_they_were_typed(result):
    typed = Typed(("learn", "--tier=age,sex", "--report=p.html", "--", "-x.csv"), "-x.csv")
    (commands,) = summarize(result, Wanted(typed=typed)).sections[-1].blocks
    assert [command for _, command in commands.rows] == [
        "arcwise learn --tier=age,sex --bootstrap 200 -- -x.csv",
        "arcwise check -- -x.csv",
    ]


def test_of_many_doubtful_columns_few_are_named(result):
    age = next(column for column in result.data.columns if column.name == "age")
    data = replace(result.data, columns=tuple(replace(age, name=f"q{k}") for k in range(300)))
    text = " ".join(as_text(replace(result, data=data)).split())
    assert "'q7' and 292 more: read as numbers, but could be levels; if so: as with --discrete q0" in text
    assert "q8" not in text


def test_what_was_known_is_known_again(result):
    known = replace(result, knowledge=Knowledge(tiers=[["sex"], ["age"]]))
    (commands,) = summarize(known).sections[-1].blocks
    assert [command for _, command in commands.rows] == [
        "arcwise.learn(data, 'equal-frequency', knowledge=result.knowledge, bootstrap=200)",
        'result.report("page.html", data)',
    ]


def test_of_many_columns_one_looks_at_what_is_near_one_of_them():
    names = [f"v{i:03d}" for i in range(300)]
    result = LearnResult(cpdag=Pdag(names, directed=[("v001", "v007"), ("v002", "v007")]), method="pmmhc")
    assert "result.plot(\"near.svg\", around='v007')" in as_text(result)
    words = ("learn", "wide.csv", "--method", "pmmhc")
    for more, expected in (
        ((), "learn wide.csv --method pmmhc --target v007"),
        (("-o", "r.json"), "draw r.json --around v007"),
    ):
        steps = summarize(result, Wanted(typed=Typed((*words, *more), "wide.csv"))).sections[-1]
        (commands,) = steps.blocks
        assert isinstance(commands, Commands)
        assert commands.rows[0][1] == f"arcwise {expected}"
