"""`arcwise learn`: options, outputs and what it prints."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from arcwise import Dag, LearnResult, Pdag, api
from arcwise.graph.io import load, save


def test_learns_from_a_file_and_prints_a_summary(arcwise, weather):
    run = arcwise("learn", weather, "--method", "steck")
    assert run.code == 0
    assert run.err == ""
    assert run.out.startswith("steck: 300 rows, 4 columns (1 continuous, 3 discrete), in ")
    assert "evaluations" not in run.out
    assert "without edges: sprinkler" in run.out
    assert f"arcwise learn {weather} --method steck --bootstrap 200" in run.out


def test_details_types_and_all_edges_are_printed_when_asked_for(arcwise, weather):
    run = arcwise("learn", weather, "--method", "steck", "--details", "--types", "--all-edges")
    assert "(bdeu, ess 1, arc_prior sparse)" in " ".join(run.out.split())
    assert "evaluations" in run.out
    assert "\ncolumns" in run.out
    assert "--details" not in run.out[run.out.index("\nnext") :]


def test_a_target_comes_first(arcwise, weather):
    run = arcwise("learn", weather, "--method", "steck", "--target", "wet")
    assert run.code == 0
    assert run.out.index("\nabout wet (") < run.out.index("\nby level") < run.out.index("\nnetwork")
    assert "rain    either direction" in run.out
    assert "not effects of an intervention" in " ".join(run.out.split())
    content = json.loads(arcwise("learn", weather, "--method", "steck", "--target", "wet", "--json").out)
    assert [one["name"] for one in content["about"]["members"]] == ["rain"]
    assert LearnResult.from_dict(content).method == "steck"


def test_a_target_without_edges_and_one_that_is_not_there(arcwise, weather):
    run = arcwise("learn", weather, "--method", "steck", "--target", "sprinkler")
    assert "no edge joins sprinkler to another column" in run.out
    run = arcwise("learn", weather, "--method", "steck", "--target", "sprinklr")
    assert run.code == 2
    assert run.err == "error: unknown column for --target: 'sprinklr'; did you mean 'sprinkler'?\n"


def test_unless_told_the_data_choose_the_method(arcwise, weather):
    run = arcwise("learn", weather, "--json")
    found = json.loads(run.out)
    assert found["method"] == "auto"
    assert {one["name"] for one in found["choice"]["tried"]} >= {"gaussian", "steck", "kgv", "hidden-states"}


def test_learns_from_a_bundled_data_set(arcwise):
    run = arcwise("learn", "@cars1", "--method", "steck", "--set", "bins=2")
    assert run.code == 0
    assert "392 rows, 8 columns" in run.out
    assert "low <" in run.out


def test_columns_of_a_bundled_data_set_can_be_typed_and_dropped(arcwise):
    run = arcwise(
        "learn",
        "@cars1",
        "--method",
        "steck",
        "--continuous",
        "cylinders,origin",
        "--discrete",
        "model_year",
        "--drop",
        "mpg",
        "--json",
    )
    columns = {column["name"]: column for column in json.loads(run.out)["data"]["columns"]}
    assert "mpg" not in columns
    assert columns["cylinders"]["kind"] == columns["origin"]["kind"] == "continuous"
    assert columns["model_year"]["kind"] == "discrete"
    assert columns["model_year"]["levels"][:2] == ["70", "71"]


def test_writes_result_graph_and_picture(arcwise, weather):
    run = arcwise("learn", weather, "--method", "steck", "--out", "r.json", "--graph", "g.dot", "--draw", "p.svg")
    assert run.code == 0
    result = LearnResult.load("r.json")
    assert result.method == "steck"
    assert result.data is not None
    assert load("g.dot") == result.cpdag
    assert Path("p.svg").read_text(encoding="utf-8").startswith("<svg")
    assert run.out.startswith(str(result).partition("\nnext")[0])


def test_json_is_all_there_is_on_stdout_and_warnings_go_to_stderr(arcwise):
    rows = "\n".join(f"{i % 2},{i % 2},7" for i in range(60))
    Path("copies.csv").write_text(f"a,b,c\n{rows}\n", encoding="utf-8")
    run = arcwise("learn", "copies.csv", "--method", "steck", "--json")
    content = json.loads(run.out)
    assert content["format"] == "arcwise-result-1"
    assert len(content["warnings"]) == 2
    assert run.err.splitlines() == [f"warning: {warning}" for warning in content["warnings"]]


def test_quiet_prints_nothing_and_still_writes(arcwise, weather):
    run = arcwise("learn", weather, "--method", "steck", "--quiet", "--out", "r.json")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert LearnResult.load("r.json").status == "converged"


def test_options_reach_the_method(arcwise, weather):
    run = arcwise(
        "learn", weather, "--method", "equal-width", "--set", "discretizer.bins=4", "--set", "score=k2", "--json"
    )
    spec = json.loads(run.out)["spec"]
    assert spec["discretizer"] == {"kind": "equal-width", "bins": 4}
    assert spec["search"]["score"] == {"kind": "k2", "alpha": 1.0, "arc_prior": 1.0}


def test_options_of_a_part_that_was_just_put_in_in_any_order(arcwise, weather):
    run = arcwise(
        "learn", weather, "--method", "steck", "--set", "tenure=7", "--set", "search=tabu", "--set", "ess=3", "--json"
    )
    search = json.loads(run.out)["spec"]["search"]
    assert (search["kind"], search["tenure"], search["score"]["ess"]) == ("tabu", 7, 3.0)


def test_column_lists_may_be_repeated_and_quoted(arcwise):
    rows = "\n".join(f"{i % 3},{i % 4},{i % 5}" for i in range(60))
    Path("t.csv").write_text(f'"a, b",c,d\n{rows}\n', encoding="utf-8")
    run = arcwise("learn", "t.csv", "--method", "steck", "--continuous", '"a, b", c', "--continuous", "d", "--json")
    kinds = {column["name"]: column["kind"] for column in json.loads(run.out)["data"]["columns"]}
    assert kinds == {"a, b": "continuous", "c": "continuous", "d": "continuous"}


def test_missing_rows_can_be_dropped(arcwise):
    rows = "\n".join(f"{'' if i == 3 else i % 2},{i % 3}" for i in range(30))
    Path("gaps.csv").write_text(f"a,b\n{rows}\n", encoding="utf-8")
    run = arcwise("learn", "gaps.csv", "--method", "steck", "--missing", "drop")
    assert run.code == 0
    assert "29 rows" in run.out
    assert "dropped 1 of 30 rows" in run.out


def test_knowledge_from_options(arcwise, weather):
    run = arcwise(
        "learn",
        weather,
        "--method",
        "steck",
        "--required",
        "wet -> rain",
        "--forbidden",
        "warm->rain",
        "--out",
        "r.json",
    )
    graph = LearnResult.load("r.json").graph
    assert run.code == 0
    assert graph is not None
    assert ("wet", "rain") in graph.edges
    assert ("warm", "rain") not in graph.edges


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("k.json", '{"required": [["wet", "rain"], "wet->sprinkler"], "tiers": [["wet"], ["rain", "warm"]]}'),
        ("k.toml", 'required = [["wet", "rain"], "wet -> sprinkler"]\ntiers = [["wet"], ["rain", "warm"]]'),
    ],
)
def test_knowledge_from_a_file_and_options_together(arcwise, weather, name, text):
    Path(name).write_text(text, encoding="utf-8")
    arcwise("learn", weather, "--method", "steck", "--knowledge", name, "--required", "rain->warm", "--out", "r.json")
    graph = LearnResult.load("r.json").graph
    assert graph is not None
    assert {("wet", "rain"), ("wet", "sprinkler"), ("rain", "warm")} <= set(graph.edges)


def test_tiers_are_given_earliest_first(arcwise, weather):
    arcwise("learn", weather, "--method", "steck", "--tier", "wet", "--tier", "rain,warm", "--out", "r.json")
    graph = LearnResult.load("r.json").graph
    assert graph is not None
    assert graph.parents("wet") == ()


@pytest.mark.parametrize("name", ["start.json", "start.dot", "result.json"])
def test_starts_from_a_graph_or_a_result(arcwise, weather, name):
    if name == "result.json":
        arcwise("learn", weather, "--method", "steck", "--out", name)
    else:
        save(Dag(("rain", "wet", "warm", "sprinkler"), [("wet", "rain"), ("rain", "warm")]), name)
    run = arcwise("learn", weather, "--method", "steck", "--start", name, "--set", "restarts=0", "--json")
    assert run.code == 0
    assert json.loads(run.out)["counters"]["steps"] == 0


def test_a_deadline_ends_the_search_with_exit_code_0(arcwise, weather):
    run = arcwise("learn", weather, "--method", "steck", "--set", "restarts=10000000", "--deadline", "0.2", "--json")
    assert run.code == 0
    assert json.loads(run.out)["status"] == "stopped"


def test_a_search_that_ends_by_its_own_clock_has_exit_code_0(arcwise, weather):
    options = ["--set", "restarts=none", "--set", "seconds=0.3"]
    run = arcwise("learn", weather, "--method", "optimal-reinsertion", *options, "--json")
    assert run.code == 0
    assert json.loads(run.out)["status"] == "stopped"


def test_a_deadline_that_leaves_no_time_at_all(arcwise, weather):
    run = arcwise("learn", weather, "--method", "steck", "--deadline", "1e-9")
    assert run.code == 3
    assert run.out.startswith("steck: no answer, stopped after 0.")
    assert "network (" not in run.out


def test_same_seed_same_result(arcwise, weather):
    runs = [
        json.loads(arcwise("learn", weather, "--method", "steck", "--set", "restarts=3", "--seed", "5", "--json").out)
        for _ in range(2)
    ]
    assert runs[0]["trace"] == runs[1]["trace"]
    assert runs[0]["seed"] == 5


def test_a_terminal_gets_colours_and_its_own_width(arcwise, weather, monkeypatch):
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    run = arcwise("learn", weather, "--method", "steck")
    assert "\x1b[" in run.out
    assert "wet" in run.out
    assert "sprinkler" in run.out


def test_names_that_look_like_markup_are_printed_as_they_are(arcwise, weather, monkeypatch):
    text = weather.read_text(encoding="utf-8").replace("rain,wet", "[bold]rain[/bold],:smile:", 1)
    Path("odd.csv").write_text(text, encoding="utf-8")
    monkeypatch.setenv("NO_COLOR", "1")
    for terminal in (False, True):
        monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream, answer=terminal: answer)
        run = arcwise("learn", "odd.csv", "--method", "steck")
        assert run.code == 0
        assert "[bold]rain[/bold]" in run.out
        assert ":smile:" in run.out


def test_graph_file_holds_the_pattern(arcwise, weather):
    arcwise("learn", weather, "--method", "steck", "--graph", "g.json")
    assert isinstance(load("g.json"), Pdag)


def test_what_is_to_be_typed_next_can_be_typed(arcwise, weather):
    Path("w x.csv").write_text(weather.read_text("utf-8"), "utf-8")
    run = arcwise("learn", "w x.csv", "--method", "gaussian", "--out", "r.json")
    steps = [line.strip() for line in run.out[run.out.index("\nnext") :].splitlines() if "arcwise" in line]
    assert len(steps) == 3
    for step in steps:
        words = shlex.split(step[step.index("arcwise ") :])
        assert arcwise(*words[1:]).code == 0, step
    assert Path("page.html").exists()


def test_what_is_to_be_called_next_can_be_called(weather):
    data = str(weather)
    result = api.learn(data, "gaussian")
    steps = [line.strip() for line in str(result).splitlines() if "(data" in line or ", data)" in line]
    assert len(steps) == 3
    for step in steps:
        code = step[min(step.find(start) for start in ("arcwise.learn", "result.report") if start in step) :]
        eval(code, {"arcwise": api, "data": data, "result": result})
    assert Path("page.html").exists()
