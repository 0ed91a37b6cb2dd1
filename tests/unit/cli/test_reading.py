"""The options of reading on the command line: what a warning names can be typed."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from arcwise.cli.outputs import as_delimited
from arcwise.data.dataset import Column, Dataset, Kind
from tests.unit.cli.conftest import Program


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    rng = np.random.default_rng(8)
    lines = ["age,sex,number"]
    for i in range(90):
        age = "-99" if i % 30 == 0 else str(rng.integers(18, 80))
        sex = "-" if i % 9 == 0 else rng.choice(["m", "f"])
        lines.append(f"{age},{sex},{i + 500}")
    path = tmp_path / "messy.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_what_the_warnings_name_can_be_typed(arcwise: Program, messy: Path) -> None:
    done = arcwise("learn", messy, "--method", "equal-frequency", "--json")
    assert done.code == 0
    warnings = [line for line in done.err.splitlines() if line.startswith("warning:")]
    assert len(warnings) == 3
    remedies = [shlex.split(warning.split(" with ")[1].split(" (")[0]) for warning in warnings]
    assert remedies == [["--na", "age=-99"], ["--na", "sex=-"], ["--drop", "number"]]
    typed = [word for remedy in remedies for word in remedy]
    again = arcwise("learn", messy, "--method", "equal-frequency", "--json", "--missing", "drop", *typed)
    assert again.code == 0
    assert again.err == "warning: dropped 12 of 90 rows with missing values in 'age' (3), 'sex' (10)\n"


@pytest.mark.parametrize("words", [["--na", "-99"], ["--na=-99"], ["--na", "-99,-9"]])
def test_missing_words_for_all_columns(arcwise: Program, messy: Path, words: list[str]) -> None:
    done = arcwise("discretize", messy, *words)
    assert done.code == 0
    assert "high; 3 missing" in done.out
    assert "-99" not in done.err
    refused = arcwise("discretize", messy, *words, "--missing", "error")
    assert refused.code == 2
    assert "missing values in 'age' (3)" in refused.err
    learned = arcwise("learn", messy, *words)
    assert learned.code == 0
    assert "3 of 270 cells are missing, in 'age' (3)" in learned.out


@pytest.mark.parametrize("command", ["fit", "score"])
def test_other_commands_warn_and_read_alike(arcwise: Program, messy: Path, tmp_path: Path, command: str) -> None:
    result = tmp_path / "r.json"
    options = ["--drop", "number", "--na", "age=-99", "--na", "sex=-", "--missing", "drop"]
    assert arcwise("learn", messy, "--method", "equal-frequency", "--out", result, *options).code == 0
    assert arcwise(command, messy, result, *options).code == 0
    done = arcwise(command, messy, result)
    assert "warning: column 'age' has -99 in 3 rows" in done.err


def test_rows_to_judge_a_fit_on_have_the_levels_of_the_table(arcwise: Program, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    k = rng.integers(0, 3, 60)
    table = tmp_path / "t.csv"
    table.write_text("k,x\n" + "".join(f"{v},{v + rng.normal():.3f}\n" for v in k))
    one = tmp_path / "one.csv"
    one.write_text("k,x\n2.0,1.5\n")
    result = tmp_path / "r.json"
    assert arcwise("learn", table, "--method", "equal-frequency", "--out", result).code == 0
    assert arcwise("fit", table, result, "--test", one).code == 0
    one.write_text("k,x\n7,1.5\n")
    done = arcwise("fit", table, result, "--test", one)
    assert done.code == 2
    assert "column 'k', row 1: unknown level '7'" in done.err


def test_an_option_with_the_name_of_an_option_of_reading(arcwise: Program, messy: Path) -> None:
    done = arcwise("learn", messy, "--method", "hill-climb", "--set", "discrete=bic", "--drop", "number", "--json")
    assert done.code == 0
    assert '"kind": "bic"' in done.out


def test_an_empty_level_cannot_be_kept_in_a_text_file(capsys: pytest.CaptureFixture[str]) -> None:
    column = Column("v", Kind.DISCRETE, np.array([0, 1, 1], dtype=np.uint8), ("", "NA"))
    assert as_delimited(Dataset((column,))) == '"v"\n""\n"NA"\n"NA"\n'
    assert "an empty level of 'v' is a missing value in a text file; save .parquet" in capsys.readouterr().err


@pytest.fixture
def shirts(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    rows = [f"{rng.choice(['S', 'M', 'XXL'])},{rng.integers(1, 5)},{rng.integers(1, 4)},{k / 7}" for k in range(80)]
    path = tmp_path / "shirts.csv"
    path.write_text("\n".join(['size,"rate,d",a=b,x', *rows]) + "\n")
    return path


def test_orders_are_typed(arcwise: Program, shirts: Path) -> None:
    where = ["--method", "equal-frequency", "--types"]
    plain = arcwise("learn", shirts, *where)
    assert "(1 continuous, 2 ordered, 1 discrete)" in plain.out.replace("\n", " ")
    typed = ["--ordered", '"rate,d",size=S,M,XXL', "--ordered", "a=b=3,2,1"]
    done = arcwise("learn", shirts, *where, *typed)
    assert done.code == 0, done.err
    lines = {line.split()[0]: line for line in done.out.splitlines() if " ordered " in line}
    assert lines["size"].endswith("S, M, XXL")
    assert lines["rate,d"].endswith("1, 2, 3, 4")
    assert lines["a=b"].endswith("3, 2, 1")


@pytest.mark.parametrize("command", ["learn", "bootstrap", "check", "score", "fit", "compare"])
def test_an_order_that_nothing_tells_is_asked_for(arcwise: Program, shirts: Path, tmp_path: Path, command: str) -> None:
    network = tmp_path / "r.json"
    if command in ("score", "fit"):
        assert arcwise("learn", shirts, "--method", "equal-frequency", "--out", network).code == 0
    between = [network] if command in ("score", "fit") else []
    done = arcwise(command, shirts, *between, "--ordered", "size")
    assert done.code == 2
    assert "column 'size': no order of 'M', 'S', 'XXL' is known; give it as --ordered size=M,S,XXL" in done.err
    assert done.err.count("\n") == 1
