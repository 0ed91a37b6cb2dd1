"""Tables as spreadsheets, laboratories, surveys and sensors export them: what is found, proposed and read."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise.data.findings import Finding, Report, Severity
from arcwise.data.reading.door import as_dataset
from arcwise.data.sentinels import apart
from arcwise.errors import DataError, FileError

N = 120
RNG = np.random.default_rng(11)
NUMBERS = RNG.normal(50, 10, N).round(2)
GROUPS = RNG.choice(["a", "b", "c"], N)


def written(path: Path, columns: dict[str, object], *, sep: str = ",", end: str = "") -> Path:
    """A text file with these columns, and a column of numbers and one of groups beside them."""
    table = {**columns, "other": NUMBERS, "group": GROUPS}
    lines = [sep.join(table), *(sep.join(map(str, row)) for row in zip(*table.values(), strict=True))]
    file = path / "export.csv"
    file.write_text("\n".join(lines) + "\n" + end, "utf-8")
    return file


def found(report: Report, column: str) -> dict[str, Finding]:
    return {finding.code: finding for finding in report.findings if finding.column == column}


def by_recipe(file: Path, report: Report) -> arcwise.Dataset:
    report.save_recipe(file.with_suffix(".toml"))
    return arcwise.read(file, recipe=file.with_suffix(".toml"))


def test_a_recipe_names_columns_without_a_name_and_those_of_one_name(tmp_path):
    file = tmp_path / "index.csv"
    rows = [f"{i},{x},{y},{g}" for i, x, y, g in zip(range(N), NUMBERS, NUMBERS[::-1], GROUPS, strict=True)]
    file.write_text("\n".join([",x,x,group", *rows]), "utf-8")
    with pytest.raises(DataError, match=r"column 1 of index\.csv has no name"):
        arcwise.read(file)
    report = arcwise.check(file)
    assert report.codes["unnamed"] == report.codes["row-number"] == ["column 1"]
    assert report.codes["repeated-name"] == ["x (3)"]
    assert not report.options()  # no option gives a name
    data = by_recipe(file, report)
    assert data.names == ("x", "x (3)", "group")
    assert data.column("x").values.tolist() == NUMBERS.tolist()
    assert data.column("x (3)").values.tolist() == NUMBERS[::-1].tolist()


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([1, 2, 3, 4, 5, -9, -8, -7], ("-9", "-8", "-7")),
        ([0, 10000, 25000, 50000, -8], ("-8",)),
        ([1, 2, 3, 4, 5, 77, 88, 99], ("99", "88", "77")),
        ([1, 2, 3, 4, 5, 99], ("99",)),
        ([0, 5, 40, 95, -9, -99], ("-99", "-9")),
        ([1.9, 2.5, 4.4, 3.1, 999.9], ("999.9",)),
        ([0.5, 12.5, 30.25, -9.0, -9.0], ("-9",)),
        ([0.5, 12.5, 30.25, -9.0], ()),  # one cold day
        ([-15, -9, 3, 20], ()),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], ()),
        ([1, 2, 3, 4, 5, 7, 8, 9], ()),
        ([1003.5, 999.9, 1012.25, 1020.0], ()),
        ([-1, 0, 1], ()),
        ([3, 8, 7, 5], ()),
    ],
)
def test_codes_for_missing_are_told_from_values(values, codes):
    assert sorted(apart(np.array(values, dtype=float))[1]) == sorted(map(float, codes))


def test_the_codes_of_a_survey_are_found_and_the_rest_is_kept(tmp_path):
    answers = np.tile([1, 2, 3, 4, 5, -9, -8, -7, 1, 2], N // 10)
    file = written(tmp_path, {"q1": answers})
    report = arcwise.check(file)
    assert found(report, "q1")["sentinel"].change == {"na": ("-9", "-8", "-7")}
    data = by_recipe(file, report)
    assert data.column("q1").levels == ("1", "2", "3", "4", "5")
    assert int(data.column("q1").missing.sum()) == 3 * N // 10


def test_the_same_codes_in_many_columns_are_one_warning(tmp_path):
    answers = np.tile([1, 2, 3, -9], N // 4)
    data = arcwise.read(written(tmp_path, {f"q{i}": RNG.permutation(answers) for i in range(1, 5)}))
    (warning,) = [text for text in data.warnings if "-9" in text]
    assert warning.startswith("columns 'q1', 'q2', 'q3', 'q4' have -9, apart from their other values")


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (["yes", "yes", "Y", "1", "TRUE", "no", "no", "N", "0", "false"], ("no", "yes")),
        (["José", "José", "Jose", "Ana", "Ana"], ("Ana", "José")),
        (["Female", "F", "f", "Male", "Male", "M"], ("Female", "Male")),
        (["yes", "no"], ("no", "yes")),
        (["1", "2", "yes", "no"], ("1", "2", "no", "yes")),  # more than yes and no
    ],
)
def test_levels_that_mean_the_same_are_made_one_and_the_warning_says_how(tmp_path, cells, levels):
    file = written(tmp_path, {"v": np.tile(cells, N // len(cells) + 1)[:N]})
    report = arcwise.check(file)
    assert by_recipe(file, report).column("v").levels == levels
    (warning,) = [text for text in arcwise.read(file).warnings if "'v'" in text] or [""]
    assert bool(warning) == ("spelling" in found(report, "v"))
    if warning:
        typed = re.search(r"(--merge .*?) \(merge=(.*?)\), or leave", warning)
        merge = json.loads(typed[2])
        assert len(arcwise.read(file, merge=merge).column("v").levels) == len(levels)
        words = shlex.split(typed[1])[1::2]
        assert len(arcwise.read(file, merge=words).column("v").levels) == len(levels)


def test_points_may_mark_thousands_where_other_columns_have_decimal_commas(tmp_path):
    amounts = [f"{1 + i % 9}.{100 + 7 * i}" for i in range(N)]
    share = [f"{i % 17},{i % 10}" for i in range(N)]
    file = written(tmp_path, {"amount": amounts, "share": share}, sep=";")
    (warning,) = [text for text in arcwise.read(file).warnings if "'amount'" in text]
    assert "--thousands amount=point" in warning
    report = arcwise.check(file)
    assert found(report, "amount")["thousands"].severity is Severity.SETTLE
    assert by_recipe(file, report).column("amount").values[:2].tolist() == [1100.0, 2107.0]
    assert not arcwise.read(file, decimal={"amount": "point"}).warnings


def test_points_are_decimals_where_no_column_has_decimal_commas(tmp_path):
    file = written(tmp_path, {"amount": [f"{1 + i % 9}.{100 + 7 * i}" for i in range(N)]}, sep=";")
    assert not arcwise.read(file).warnings
    assert not arcwise.check(file).findings


def days(first: str, n: int = N) -> list[str]:
    return [str(np.datetime64(first) + 3 * i) for i in range(n)]


def turned(dates: list[str], order: str) -> list[str]:
    """2024-03-01 as it is written with its day or month first, dmy or dmY or mdY."""
    parts = [dict(zip("Ymd", one.split("-"), strict=True)) for one in dates]
    return ["/".join((part | {"y": part["Y"][2:]})[sign] for sign in order) for part in parts]


def test_dates_of_both_orders_are_not_guessed(tmp_path):
    cells = turned(days("2024-01-01"), "dmY")[: N // 2] + turned(days("2024-07-01"), "mdY")[: N // 2]
    file = written(tmp_path, {"when": cells})
    report = arcwise.check(file)
    assert found(report, "when")["mixed-notation"].severity is Severity.SETTLE
    assert "when" not in by_recipe(file, report).names


def test_a_year_in_front_leaves_no_doubt_beside_other_dates(tmp_path):
    cells = turned(days("2024-01-01"), "dmY")[: N // 2] + days("2024-01-01")[N // 2 :]
    file = written(tmp_path, {"when": cells})
    data = by_recipe(file, arcwise.check(file))
    assert data.column("when").values.tolist() == [3.0 * i for i in range(N)]


def test_the_century_is_doubtful_where_years_have_two_digits(tmp_path):
    born = written(tmp_path, {"born": turned([f"{1935 + i % 60}-0{1 + i % 9}-{13 + i % 15}" for i in range(N)], "dmy")})
    finding = found(arcwise.check(born), "born")["date"]
    assert finding.severity is Severity.SETTLE
    assert "years of two digits as 1969 to 2068" in finding.proposal
    recent = written(tmp_path, {"seen": turned(days("2024-01-01"), "dmy")})
    assert found(arcwise.check(recent), "seen")["date"].severity is not Severity.SETTLE


def test_dates_that_stand_for_none_are_found(tmp_path):
    cells = days("2020-01-01")
    cells[3], cells[7], cells[9] = "9999-12-31", "1900-01-01", "0000-00-00"
    file = written(tmp_path, {"when": cells})
    report = arcwise.check(file)
    assert sorted(found(report, "when")["sentinel"].change["na"]) == ["1900-01-01", "9999-12-31"]
    assert found(report, "when")["missing-word"].evidence.startswith("'0000-00-00' among dates")
    column = by_recipe(file, report).column("when")
    assert np.flatnonzero(column.missing).tolist() == [3, 7, 9]
    assert np.nanmax(column.values) == 3.0 * (N - 1)


def test_durations_are_seconds(tmp_path):
    file = written(tmp_path, {"took": [f"{i}:{i % 60:02d}:07" for i in range(N)]})
    report = arcwise.check(file)
    assert found(report, "took")["time"].change == {"dates": "durations"}
    expected = [3600.0 * i + 60 * (i % 60) + 7 for i in range(N)]
    assert by_recipe(file, report).column("took").values.tolist() == expected
    assert arcwise.read(file, dates="took").column("took").values.tolist() == expected


@pytest.mark.parametrize(
    "cells", [[f"{1 + i % 12}:{(7 * i + i // 60) % 60:02d} {'ap'[i % 2]}m" for i in range(N)], days("1999-12-31")]
)
def test_dates_that_are_left_out_are_called_so(tmp_path, cells):
    (warning,) = arcwise.read(written(tmp_path, {"when": cells})).warnings
    assert "that are dates or times" in warning
    assert "--dates when" in warning


def test_addresses_are_identifiers_and_no_numbers(tmp_path):
    (warning,) = arcwise.read(written(tmp_path, {"ip": [f"192.168.{i // 9}.{i}" for i in range(N)]})).warnings
    assert "so it looks like an identifier" in warning


@pytest.mark.parametrize("flags", [["*"], ["H", "L"], ["†", "**"]])
def test_numbers_with_a_flag_are_kept(tmp_path, flags):
    cells = [f"{x}{(' ' + flags[i // 7 % len(flags)]) if i % 7 == 0 else ''}" for i, x in enumerate(NUMBERS[::-1])]
    file = written(tmp_path, {"k": cells})
    report = arcwise.check(file)
    assert found(report, "k")["flag"].change == {"units": dict.fromkeys(flags, 1.0)} or len(flags) > 1
    column = by_recipe(file, report).column("k")
    assert column.missing is None
    assert column.values.tolist() == NUMBERS[::-1].tolist()


def test_the_error_says_how_to_leave_out_a_flag(tmp_path):
    file = written(tmp_path, {"k": [f"{x}*" if i == 4 else x for i, x in enumerate(NUMBERS[::-1])]})
    with pytest.raises(DataError, match=r'--units .k=\*. \(units=\{"k": "\*"\}\)'):
        arcwise.read(file)
    assert arcwise.read(file, units={"k": "*"}).column("k").missing is None


def test_celsius_and_fahrenheit_are_not_one_unit_times_a_factor(tmp_path):
    file = written(tmp_path, {"t": [f"{x}°{'CF'[i % 2]}" for i, x in enumerate(NUMBERS)]})
    finding = found(arcwise.check(file), "t")["unit"]
    assert "°C = (°F - 32) / 1.8" in finding.proposal
    assert finding.change == {"drop": True}


def test_a_factor_that_depends_on_the_substance_is_asked_for(tmp_path):
    file = written(tmp_path, {"g": [f"{x} {('mg/dL', 'mmol/L')[i % 3 == 0]}" for i, x in enumerate(NUMBERS)]})
    finding = found(arcwise.check(file), "g")["unit"]
    assert "--units g=mg/dL --units g=mmol/L:FACTOR" in finding.proposal
    data = arcwise.read(file, units=["g=mg/dL", "g=mmol/L:18"])
    assert data.column("g").values[:2].tolist() == pytest.approx([18 * NUMBERS[0], NUMBERS[1]])


def test_a_row_of_totals_is_told(tmp_path):
    file = written(tmp_path, {"item": [f"i{i % 20}" for i in range(N)]}, end="Total,5000,\n")
    assert arcwise.check(file).codes["totals-row"] == ["item"]
    assert any("'Total' in the last row" in text for text in arcwise.read(file).warnings)
    file = written(tmp_path, {"item": [("part", "total")[i % 2] for i in range(N)]})
    assert "totals-row" not in arcwise.check(file).codes  # a level like others


def test_a_header_line_among_the_rows_is_no_level(tmp_path):
    file = written(tmp_path, {"item": [f"i{i % 20}" for i in range(N)]}, end="item,other,group\nitem,other,group\n")
    report = arcwise.check(file)
    assert report.codes["repeated-header"] == ["item", "group"]
    data = by_recipe(file, report)
    assert "group" not in data.column("group").levels
    assert data.missing_counts() == {"item": 2, "other": 2, "group": 2}


def test_a_tick_where_the_rest_is_empty_is_told_as_such(tmp_path):
    file = written(tmp_path, {"tick": ["x" if i % 3 else "" for i in range(N)]})
    assert found(arcwise.check(file), "tick")["constant"].evidence == "'x' in 80 rows, and no value in the other 40"


def test_text_of_another_encoding_is_told_with_a_way_out(tmp_path):
    (tmp_path / "old.csv").write_bytes("größe,b\n1,2\n3,4\n".encode("latin-1"))
    with pytest.raises(FileError, match="iconv -f WINDOWS-1252"):
        arcwise.check(tmp_path / "old.csv")


def test_the_command_in_an_error_names_the_file_as_it_was_given(tmp_path):
    words = ["n.d." if i == 5 else x for i, x in enumerate(NUMBERS)]
    file = written(tmp_path, {"a": words, "b": words[::-1]})
    with pytest.raises(DataError) as error:
        arcwise.read(file)
    assert str(error.value).endswith(f"with: arcwise check {file}")


def test_seconds_and_days_are_not_called_heaped(tmp_path):
    file = written(tmp_path, {"at": [f"{i % 24}:{5 * (i % 12):02d}" for i in range(N)]})
    assert list(found(arcwise.check(file), "at")) == ["time"]


@pytest.mark.parametrize(
    ("way", "write"), [("parentheses", lambda text: f"({text})"), ("behind", lambda text: f"{text}-")]
)
def test_negative_numbers_of_accountants(tmp_path, way, write):
    values = [(-1) ** (i % 3) * (20.5 + 7 * i) for i in range(N)]
    cells = [f"{x:.2f}" if x > 0 else write(f"{-x:.2f}") for x in values]
    file = written(tmp_path, {"balance": cells})
    with pytest.raises(DataError, match="--negative balance"):
        arcwise.read(file)
    report = arcwise.check(file)
    assert found(report, "balance")["negative"].change == {"negative": way}
    assert by_recipe(file, report).column("balance").values.tolist() == values
    assert arcwise.read(file, negative={"balance": way}).column("balance").values.tolist() == values


def test_parentheses_with_currency_and_thousands(tmp_path):
    values = [(-1) ** (i % 2) * (1000 + 71 * i) for i in range(N)]
    frame = {"pnl": [f"${x:,}.00" if x > 0 else f"(${-x:,}.00)" for x in values], "other": NUMBERS, "group": GROUPS}
    report = arcwise.check(frame)
    assert set(found(report, "pnl")) == {"negative", "unit", "thousands"}
    assert as_dataset(frame, recipe=report.recipe).column("pnl").values.tolist() == values


def test_grades_are_not_negative(tmp_path):
    file = written(tmp_path, {"grade": [("1", "1-", "2", "2-", "3")[i % 5] for i in range(N)]})
    assert not found(arcwise.check(file), "grade")
