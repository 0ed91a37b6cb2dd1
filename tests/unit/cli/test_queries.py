"""`arcwise query`, `predict` and `blanket`."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from arcwise import Discretization
from arcwise.networks import Network
from arcwise.networks.models.fit import fit


@pytest.fixture
def net(arcwise, weather):
    Path("g.dot").write_text("digraph { rain -> wet; rain -> warm; sprinkler }", encoding="utf-8")
    assert arcwise("fit", weather, "g.dot", "--model", "gaussian", "--out", "net.json").code == 0
    return "net.json"


@pytest.fixture
def cut(net, weather):
    thresholds = Discretization({"warm": [15.0, 18.0]})
    fit(Network.load(net).dag, weather, "cpt", discretization=thresholds).save("cut.json")
    return "cut.json"


def test_a_question_to_a_bundled_network(arcwise):
    run = arcwise("query", "@alarm", "HYPOVOLEMIA", "LVFAILURE", "--given", "CVP=HIGH", "--given", "BP=LOW")
    assert run.code == 0
    assert run.err == ""
    lines = run.out.splitlines()
    assert lines[0] == "HYPOVOLEMIA, LVFAILURE given CVP = HIGH, BP = LOW"
    assert "  TRUE   83.7 %  █████████████" in lines
    assert "The evidence has probability 0.0735." in lines


def test_answers_for_scripts(arcwise, net):
    run = arcwise("query", net, "wet", "warm", "--given", "rain=True", "--json")
    content = json.loads(run.out)
    want = Network.load(net).query(["wet", "warm"], {"rain": "True"})
    assert content == want.to_dict()
    assert content["given"] == ["rain = True"]
    assert content["answers"][1]["mean"] == pytest.approx(12, abs=1)


def test_a_name_twice_means_either(arcwise, net):
    run = arcwise("query", net, "wet", "--given", "sprinkler=0", "--given", "sprinkler=1", "--json")
    assert json.loads(run.out)["given"] == ["sprinkler = 0 or sprinkler = 1"]


def test_a_value_twice_counts_once(arcwise, cut):
    several = ("--given", "warm=8", "--given", "warm=9", "--given", "warm=21")
    content = json.loads(arcwise("query", cut, "rain", *several, "--json").out)
    assert content["given"] == ["warm < 15 or warm ≥ 18"]
    once = ("--given", "warm=< 15", "--given", "warm=>= 18")
    assert content == json.loads(arcwise("query", cut, "rain", *once, "--json").out)


def test_blanks_around_a_value_are_none_of_it(arcwise, net):
    content = json.loads(arcwise("query", net, "wet", "--given", "sprinkler = 1 ", "--json").out)
    assert content["given"] == ["sprinkler = 1"]
    states = '{ type discrete [2] { " 1", "1" }; }'
    Path("b.bif").write_text(
        f"network n {{}}\nvariable a {states}\nvariable z {{ type discrete [2] {{ u, v }}; }}\n"
        'probability ( a ) { table 0.5, 0.5; }\nprobability ( z | a ) { (" 1") 0.9, 0.1; ("1") 0.2, 0.8; }\n',
        encoding="utf-8",
    )
    for text, share in (("a= 1", 0.9), ("a=1", 0.2)):  # unless a level has them
        content = json.loads(arcwise("query", "b.bif", "z", "--given", text, "--json").out)
        assert content["answers"][0]["probabilities"][0] == pytest.approx(share)


@pytest.mark.parametrize("text", ["warm >= 18", "warm<15", "15 <= warm < 18", "warm > 15"])
def test_a_comparison_is_no_value(arcwise, cut, text):
    run = arcwise("query", cut, "rain", "--given", text)
    assert run.code == 2
    assert f"--given needs NAME=VALUE, and {text!r} is a comparison" in run.err
    assert len(run.err.splitlines()) == 1


def test_a_misspelt_name_is_told_before_its_interval(arcwise, cut):
    assert "unknown node 'wram'; did you mean 'warm'?" in arcwise("query", cut, "rain", "--given", "wram=< 15").err


def test_underscores_are_no_digits(arcwise, cut):
    run = arcwise("query", cut, "rain", "--given", "warm=1_0")
    assert run.code == 2
    assert "column 'warm' is cut into levels, and '1_0' is none of them and no number" in run.err


def test_rows_without_a_value_are_told(arcwise, net):
    Path("holes.csv").write_text("rain,wet,sprinkler\nTrue,True,1\nTrue,,1\n,False,1\n", encoding="utf-8")
    run = arcwise("query", net, "wet", "--given", "rain=True", "--data", "holes.csv")
    assert run.code == 0, run.err
    assert "  no value in 1 of 2 rows\n" in run.out


def test_a_table_of_other_columns_is_refused(arcwise, net):
    Path("u.csv").write_text("zzz,y\n3000,1\n1,2\n", encoding="utf-8")
    for arguments in (
        ("predict", net, "u.csv", "wet", "--out", "o.csv"),
        ("query", net, "wet", "--given", "rain=True", "--data", "u.csv"),
    ):
        run = arcwise(*arguments)
        assert run.code == 2
        assert run.out == ""
        assert "the table has no column of the network; check the names, the network has 'rain'" in run.err
        assert len(run.err.splitlines()) == 1
    assert not Path("o.csv").exists()


def test_rows_are_counted(arcwise, net, weather):
    run = arcwise("query", net, "wet", "--given", "sprinkler=1", "--data", weather)
    assert run.code == 0
    rows = sum(line.endswith(",1") for line in weather.read_text(encoding="utf-8").splitlines())
    assert f": {rows} of 300 rows." in run.out


def test_what_follows_from_setting(arcwise, net):
    seen = arcwise("query", net, "rain", "--given", "wet=True", "--json")
    done = arcwise("query", net, "rain", "--do", "wet=True", "--json")
    assert json.loads(seen.out)["answers"][0]["probabilities"][1] > 0.8
    answer = json.loads(done.out)
    assert answer["done"] == ["wet = True"]
    assert "range" in answer["answers"][0]
    assert "the data cannot tell how this edge points: rain -- wet" in answer["warnings"][0]
    known = arcwise("query", net, "rain", "--do", "wet=True", "--causal")
    assert known.out.startswith("rain when wet = True is set\n")
    assert "warning" not in known.out


def test_a_joint_table(arcwise):
    run = arcwise("query", "@child", "Sick", "Age", "--joint")
    assert run.code == 0
    assert run.out.splitlines()[2].split() == ["Sick", "Age"]


def test_names_with_equals_signs(arcwise):
    Path("a.bif").write_text(
        'network n {}\nvariable "x=y" { type discrete [2] { "a=b", c }; }\nvariable z { type discrete [2] { u, v }; }\n'
        'probability ( "x=y" ) { table 0.5, 0.5; }\n'
        'probability ( z | "x=y" ) { ("a=b") 0.9, 0.1; (c) 0.2, 0.8; }\n',
        encoding="utf-8",
    )
    run = arcwise("query", "a.bif", "z", "--given", "x=y=a=b", "--json")
    assert run.code == 0, run.err
    assert json.loads(run.out)["answers"][0]["probabilities"] == pytest.approx([0.9, 0.1])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("query", "@alarm", "CVP", "--given", "BPP=3"), "unknown node 'BPP'; did you mean 'BP'?"),
        (("query", "@alarm", "CPV"), "unknown node 'CPV'; did you mean 'CVP'?"),
        (("query", "@alarm", "CVP", "--given", "BP"), "--given needs NAME=VALUE"),
        (("query", "@alarm", "CVP", "--given", "BP=blue"), "node 'BP': unknown level 'blue'; known: LOW, NORMAL, HIGH"),
        (("query", "@alarm", "CVP", "--given", "CVP=LOW"), "'CVP' is asked about and given, too"),
        (("query", "@alarm", "CVP", "--do", "CVP=LOW"), "'CVP' is asked about and set, too"),
        (("query", "@alarm", "CVP", "--do", "BP=LOW", "--given", "BP=LOW"), "'BP' is given and set, too"),
        (("query", "@alarm", "CVP", "--causal"), "--causal is about --do"),
        (("query", "@alarm", "CVP", "--do", "BP=LOW", "--data", "x.csv"), "--data counts rows that were seen"),
        (("query", "@alarn", "CVP"), "unknown network 'alarn'; did you mean 'alarm'?"),
        (("query", "g.json", "CVP"), "g.json"),
        (("blanket", "@alarm", "HRR"), "unknown node 'HRR'; did you mean 'HR'?"),
    ],
)
def test_mistakes_are_one_line(arcwise, arguments, words):
    run = arcwise(*arguments)
    assert run.code == 2
    assert run.out == ""
    assert words in run.err
    assert len(run.err.splitlines()) == 1


def test_predictions(arcwise, net, weather):
    run = arcwise("predict", net, weather, "wet", "--out", "p.csv")
    assert run.code == 0
    assert run.out.splitlines()[0] == "wet of 300 rows"
    assert "% right, log loss 0." in run.out
    assert "saved p.csv" in run.err
    table = pl.read_csv("p.csv")
    assert table.columns == ["wet", "P(False)", "P(True)"]
    want = Network.load(net).predict("wet", weather)
    assert table["P(True)"].to_list() == pytest.approx(want.probabilities[:, 1])
    content = json.loads(arcwise("predict", net, weather, "warm", "--json").out)
    assert len(content["sds"]) == 300
    assert content["mean_squared_error"] == pytest.approx(1.0, abs=0.3)
    assert max(map(len, arcwise("predict", net, weather, "warm").out.splitlines())) <= 80


def test_predictions_of_rows_with_missing_cells(arcwise, net):
    Path("new.csv").write_text("rain,warm\nTrue,\n,11\n,\n", encoding="utf-8")
    content = json.loads(arcwise("predict", net, "new.csv", "wet", "--json").out)
    assert content["values"] == ["True", "True", "False"]
    assert "accuracy" not in content


def test_an_input_is_not_written_over(arcwise, net, weather):
    run = arcwise("predict", net, weather, "wet", "--out", weather)
    assert run.code == 2
    assert "the input" in run.err


def test_blankets_of_results_and_networks(arcwise, net, weather):
    assert arcwise("learn", weather, "--method", "equal-frequency", "--out", "r.json").code == 0
    learned = json.loads(arcwise("blanket", "r.json", "rain", "--json").out)
    assert {one["name"] for one in learned["neighbours"]} >= {"wet"}
    assert learned["measure"] == "nats"
    run = arcwise("blanket", net, "rain")
    assert run.out.splitlines()[0] == "Markov blanket of rain: 2 columns"
    assert "nats" in run.out


def test_the_pattern_is_kept_by_fit(arcwise, weather):
    assert arcwise("learn", weather, "--method", "equal-frequency", "--out", "r.json").code == 0
    assert arcwise("fit", weather, "r.json", "--out", "n.json").code == 0
    net = Network.load("n.json")
    assert net.pattern is not None
    assert net.rows == 300
    assert all(model.counts is not None for model in net.models)
