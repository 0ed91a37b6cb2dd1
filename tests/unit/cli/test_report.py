"""`arcwise report` and `arcwise learn --report`: a page, or one sentence that says why there is none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest


def content(path: str) -> dict:
    html = Path(path).read_text("utf-8")
    return json.loads(re.search(r'id="content">(.*?)</script>', html, re.DOTALL)[1])


def test_learn_writes_a_page_with_the_command_in_it(arcwise, weather):
    end = arcwise(
        "learn", weather, "--method", "hill-climb", "--set", "ess=2", "--drop", "warm", "--report", "page.html"
    )
    assert end.code == 0
    found = content("page.html")
    assert found["names"] == ["rain", "wet", "sprinkler"]
    words = f"arcwise learn {weather} --method hill-climb --set ess=2 --drop warm --report page.html"
    assert (found["origin"]["command"], found["origin"]["exact"]) == (words, True)
    assert found["strength"]["measure"] == "nats"


def test_a_saved_result_becomes_a_page_that_says_how_to_learn_it_again(arcwise, weather):
    arcwise(
        "learn", weather, "--method", "hill-climb", "--set", "ess=2", "--drop", "warm", "--seed", "4", "--out", "r.json"
    )
    end = arcwise("report", "r.json", weather, "--out", "page.html", "--title", "Rain", "--report-rows", "0")
    assert (end.code, end.out, end.err) == (0, "", "wrote page.html; open it in a browser\n")
    found = content("page.html")
    assert found["title"] == "Rain"
    assert found["sample"] is None
    assert found["rows"] == 300
    command = found["origin"]["command"]
    assert command == "arcwise learn DATA --method hill-climb --drop warm --set score.discrete.ess=2.0 --seed 4"
    again = command.replace("DATA", str(weather)).split()[1:]
    assert arcwise(*again, "--out", "again.json").code == 0
    first, second = (json.loads(Path(name).read_text()) for name in ("r.json", "again.json"))
    assert first["spec"] == second["spec"]


def test_differences_to_another_result(arcwise, weather):
    for method, name in (("hill-climb", "a.json"), ("k2", "b.json")):
        arcwise("learn", weather, "--drop", "warm", "--method", method, "--out", name)
    end = arcwise("report", "a.json", weather, "--out", "page.html", "--against", "b.json")
    assert end.code == 0
    assert content("page.html")["difference"]["shd"] >= 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--against", "@alarm"), "--against is about a page; say where to write it: --report page.html"),
        (("--report-rows", "0"), "--report-rows is about a page; say where to write it: --report page.html"),
        (("--report", "page.html", "--against", "@alarm"), "the graphs have different nodes"),
        (("--report", "page.html", "--report-rows", "-1"), "must be a whole number from 0 to 5,000, not -1"),
        (("--report", "page.txt"), "the name must end in .html or .htm"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_learned(arcwise, weather, options, words):
    end = arcwise("learn", weather, *options)
    assert end.code == 2
    assert words in end.err
    assert end.err.count("\n") == 1
    assert not Path("page.html").exists()


def test_another_table_is_refused(arcwise, weather):
    arcwise("learn", weather, "--drop", "warm", "--method", "hill-climb", "--out", "r.json")
    Path("other.csv").write_text("rain,wet\n" + "True,False\nFalse,True\n" * 20)
    end = arcwise("report", "r.json", "other.csv", "--out", "page.html")
    words = "the table has no column 'sprinkler'; give the table that the result was learned from"
    assert (end.code, end.err) == (2, f"error: {words}\n")
    assert not Path("page.html").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--against", "@alarm"), "the graphs have different nodes"),
        (("--target", "wett"), "unknown node 'wett'; did you mean 'wet'?"),
        (("--report-rows", "9999"), "must be a whole number from 0 to 5,000, not 9999"),
    ],
)
def test_a_page_that_cannot_be_is_one_sentence_and_no_file(arcwise, weather, options, words):
    arcwise("learn", weather, "--drop", "warm", "--method", "hill-climb", "--out", "r.json")
    end = arcwise("report", "r.json", weather, "--out", "page.html", *options)
    assert (end.code, end.out, end.err.count("\n")) == (2, "", 1)
    assert words in end.err
    assert not Path("page.html").exists()


def test_a_result_reports_itself(weather, tmp_path):
    import arcwise

    result = arcwise.learn(str(weather), "hill-climb", drop=["warm"])
    result.report(tmp_path / "page.html", str(weather), title="Rain", rows=10)
    assert content(str(tmp_path / "page.html"))["title"] == "Rain"


def test_the_table_is_read_as_it_was_when_the_result_was_learned(arcwise, tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        f"{x:.2f} kg,{x + rng.normal():.2f},{k % 3 if k % 7 else 'gone'}" for k, x in enumerate(rng.normal(size=80))
    ]
    table = tmp_path / "t.csv"
    table.write_text("\n".join(["weight,height,ward", *rows]))
    Path("c.toml").write_text('format = "arcwise-recipe-1"\nna = ["gone"]\n[columns.weight]\nunits = {kg = 1}\n')
    options = ("--recipe", "c.toml", "--missing", "drop", "--method", "gaussian")
    assert arcwise("learn", table, *options, "--out", "r.json").code == 0
    Path("c.toml").unlink()
    end = arcwise("report", "r.json", table, "--out", "page.html")
    assert (end.code, end.err) == (0, "wrote page.html; open it in a browser\n")
    assert content("page.html")["rows"] == 80 - 12


def test_what_a_store_was_coded_with_is_not_done_again(arcwise):
    cells = [f"{'xy'[k % 2]},{'uv'[k * k % 3 % 2]},{k % 4}" for k in range(60)]
    Path("counts.csv").write_text("\n".join(["a,b,count", *cells]))
    arcwise("code", "counts.csv", "--weights", "count", "--out", "t.arcwise")
    for table, options in (("t.arcwise", []), ("counts.csv", ["--weights", "count"])):
        arcwise("learn", table, "--method", "hill-climb", *options, "--out", "result.json")
        for shown in ("t.arcwise", "counts.csv"):
            run = arcwise("report", "result.json", shown, "--out", "page.html")
            assert run.code == 0, run.err
