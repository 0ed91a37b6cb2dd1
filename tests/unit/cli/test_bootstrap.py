"""`arcwise bootstrap` and `learn --bootstrap`: what is printed and written."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import polars as pl
import pytest

import arcwise
from arcwise.cli.bootstrap import bootstrap
from arcwise.cli.main import main
from arcwise.graph.io import load
from arcwise.results.strengths_text import as_text
from tests.contract.parts import mixed_data


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mixed_data(120).to_polars().write_csv("t.csv")
    return "t.csv"


def test_all_files(table, capsys):
    words = "--method equal-frequency --n 6 --workers 1 --out s.json --table s.csv --thresholds c.tsv --graph a.dot"
    assert (
        main(["bootstrap", table, *words.split(), "--draw", "a.svg", "--store", "run.jsonl", "--threshold", "0.4"]) == 0
    )
    printed = capsys.readouterr().out
    found = arcwise.Strengths.load("s.json")
    assert printed.strip() == as_text(found, least=0.4).strip()
    assert f"{len(found.edges(0.4))} of" in printed
    assert "40% of the graphs or more" in " ".join(printed.split())
    assert max(map(len, printed.splitlines())) <= 80
    assert pl.read_csv("s.csv").rows() == found.table().rows()
    assert pl.read_csv("c.tsv", separator="\t").columns == found.thresholds_table().columns
    assert load("a.dot") == found.consensus(0.4)
    assert "</svg>" in Path("a.svg").read_text()
    assert Path("run.jsonl").read_text().count("\n") == 7


def test_json_and_quiet(table, capsys):
    common = ["bootstrap", table, "--method", "equal-frequency", "--n", "2", "--workers", "1"]
    assert main([*common, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["graphs"] == 2
    assert main([*common, "--quiet", "--out", "s.json"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--resample columns", "'rows' or 'half' or 'draws'"),
        ("--resample draws", "nothing is hidden here"),
        ("--n 0", "number of resamples"),
        ("--threshold 2", "threshold must be a share"),
        ("--store run.json", "must end in .jsonl"),
        ("--out s.csv", "must end in .json"),
        ("--scheduler 127.0.0.1:9 --workers 2", "not both"),
    ],
)
def test_wrong_options_are_one_sentence(table, capsys, words, why):
    assert main(["bootstrap", table, "--method", "equal-frequency", *words.split()]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert len(said.strip().splitlines()) == 1


def test_a_run_without_an_answer(table, capsys, tmp_path):
    assert main(["bootstrap", table, "--deadline", "0.000001", "--out", "s.json"]) == 3
    assert "before the first graph" in capsys.readouterr().out
    assert not (tmp_path / "s.json").exists()


def test_learning_with_strengths(table, capsys):
    words = "--method equal-frequency --bootstrap 5 --strengths s.csv --out r.json --draw r.svg"
    assert main(["learn", table, "--method", "steck", *words.split()]) == 0
    assert "found: share of" in capsys.readouterr().out
    result = arcwise.LearnResult.load("r.json")
    assert pl.read_csv("s.csv").rows() == result.bootstrap.table().rows()


def test_defaults_are_those_of_python():
    here, there = inspect.signature(bootstrap).parameters, inspect.signature(arcwise.bootstrap).parameters
    for name in ("n", "resample", "seed", "workers"):
        assert here[name].default == there[name].default
