"""Findings: what is found in small tables, what is not, and how it is printed."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import arcwise
from arcwise.data.findings import CODES, Report, Severity
from arcwise.data.findings.marks import find_marks
from arcwise.data.reading.door import as_dataset
from arcwise.errors import OptionError

N = 200
RNG = np.random.default_rng(5)
X, Z = RNG.normal(size=(2, N))
CLEAN = {"x": X, "y": X + RNG.normal(size=N), "k": RNG.integers(0, 3, N)}


def codes(**columns: Any) -> dict[str, list[str]]:
    return arcwise.check({**CLEAN, **columns}).codes


@pytest.mark.parametrize(
    ("bodies", "marks"),
    [
        (["1234", "5.5"], ("", "", "plain")),
        (["1,234", "5,678"], (".", ",", "guess")),
        (["1,234", "5.5"], (".", ",", "guess")),
        (["1,234.5", "17"], (".", ",", "sure")),
        (["1,234,567", "17"], (".", ",", "sure")),
        (["1.234,5", "17"], (",", ".", "sure")),
        (["1.234.567"], (",", ".", "sure")),
        (["3,5", "12,75"], (",", "", "sure")),
        (["0,123"], (",", "", "sure")),
        (["3,5", "2.5"], (",.", "", "sure")),
        (["999,0", "1.000"], (",", ".", "guess")),
        (["1 234,5", "17"], (",", " ", "sure")),
        (["1'234.5"], (".", "'", "sure")),
        (["1,234.5", "1.234,5"], ("", "", "none")),
    ],
)
def test_marks_are_told_from_the_numbers(bodies: list[str], marks: tuple[str, str, str]) -> None:
    assert tuple(find_marks(bodies)) == marks


def test_a_clean_table_has_no_findings_and_a_short_report() -> None:
    report = arcwise.check(CLEAN)
    assert report.findings == ()
    assert str(report) == "the table: 200 rows, 3 columns\nnothing to settle, and nothing odd"
    assert as_dataset(CLEAN, recipe=report.recipe).names == ("x", "y", "k")


SINCE = {"since": "2024-01-01"}
WHOLE = RNG.integers(20, 90, N)


@pytest.mark.parametrize(
    ("code", "cells", "change"),
    [
        ("sentinel", np.where(np.arange(N) % 20 == 0, -99, WHOLE), {"na": ("-99",)}),
        ("sentinel", np.where(np.arange(N) % 3 == 0, 99, WHOLE), {"na": ("99",)}),
        ("zero-spike", np.where(np.arange(N) % 9 == 0, 0, WHOLE), {"na": ("0",)}),
        ("zero-spike", np.where(np.arange(N) % 2 == 0, 0, np.abs(X)), {}),
        ("infinite", np.where(np.arange(N) == 7, np.inf, Z), {"na": ("inf", "-inf")}),
        ("heavy-tail", np.exp(2 * Z), {}),
        ("heaping", np.where(np.arange(N) % 2, 10 * (WHOLE // 10), WHOLE), {}),
        ("constant", np.full(N, 3.5), {"drop": True}),
        ("empty", np.full(N, np.nan), {"drop": True}),
        ("row-number", np.arange(N), {"drop": True}),
        ("copy", 3 * X - 1, {"drop": True}),
        ("near-copy", (10 * X).round() / 10, {"drop": True}),
        ("identifier", [f"P{i * 37:05d}" for i in range(N)], {"drop": True}),
        ("hashed-id", [f"{i * 7919:016x}" for i in range(N)], {"drop": True}),
        ("free-text", [f"seen again on day {i}, all well" for i in range(N)], {"drop": True}),
        ("leading-zeros", [f"{i % 7:03d}" for i in range(N)], {"kind": "discrete"}),
        ("spelling", ["Red", "red ", "blue", "Blue"] * (N // 4), {"merge": {}}),
        ("missing-word", ["yes", "no", "no", "null"] * (N // 4), {"na": ("null",)}),
        ("rare-levels", ["a", "b"] * (N // 2 - 1) + ["c", "d"], {}),
        ("many-levels", [f"town {i % 90}" for i in range(N)], {}),
        ("mixed-cells", [f"{x:.3f}" for x in Z[1:]] + ["broken"], {"na": ("broken",)}),
        ("missing-word", [f"{x:.3f}" for x in Z[1:]] + ["not done"], {"na": ("not done",)}),
        ("text-numbers", [f"{x:.5f}" for x in Z], {"kind": "continuous"}),
        ("censored", [f"{abs(x):.3f}" if x > -2 else "<0.001" for x in Z], None),
        ("unit", [f"{w} kg" for w in WHOLE], {"units": {"kg": 1.0}}),
        ("unit", [f"{w} kg" if i % 3 else f"{2 * w} lb" for i, w in enumerate(WHOLE)], None),
        ("unit", [f"{w}°C" if i % 3 else f"{2 * w}°F" for i, w in enumerate(WHOLE)], {"drop": True}),
        ("unit", [f"${w}.50" for w in WHOLE], {"units": {"$": 1.0}}),
        ("percent", [f"{w}%" for w in WHOLE], {"percent": "points"}),
        ("percent", [f"{w}%" if i % 3 else f"{w / 100}" for i, w in enumerate(WHOLE)], {"percent": "fraction"}),
        ("percent", [f"{w}%" if i % 3 else f"{w}" for i, w in enumerate(WHOLE)], {"percent": "points"}),
        ("thousands", [f"{100 * w:,}" for w in WHOLE], {"decimal": ".", "thousands": ","}),
        ("decimal-comma", [f"{w},5" for w in WHOLE], {"decimal": ","}),
        ("mixed-notation", [f"{w},5" if i % 3 else f"{w}.5" for i, w in enumerate(WHOLE)], {"decimal": ",."}),
        ("mixed-notation", [f"1,0{w}.5" if i % 3 else f"1.0{w},5" for i, w in enumerate(WHOLE)], {"drop": True}),
        ("date", [f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(N)], {"dates": "year-first", **SINCE}),
        ("date", [f"{1 + i % 12:02d}/{1 + i % 11:02d}/2024" for i in range(N)], {"dates": "day-first", **SINCE}),
        ("time", [f"{i % 24:02d}:{i % 60:02d}" for i in range(N)], {"dates": "times"}),
        ("unreadable", [f"~{w},5" for w in WHOLE * 1000 + np.arange(N)], {"drop": True}),
    ],
)  # fmt: skip
def test_each_fault_is_found_and_its_change_settles_it(code: str, cells: Any, change: dict[str, Any] | None) -> None:
    table = {**CLEAN, "v": cells}
    report = arcwise.check(table)
    found = [finding for finding in report.findings if finding.column == "v" and finding.code == code]
    assert len(found) == 1, report.codes
    assert code in CODES
    assert found[0].evidence
    assert found[0].proposal
    if change is not None:
        assert dict(found[0].change) == change
    assert {finding.column for finding in report.findings} == {"v"}
    data = as_dataset(table, recipe=report.recipe)
    assert data.n_rows == N
    assert ("v" in data.names) == (not found[0].change.get("drop"))
    again = arcwise.check(table, recipe=report.recipe)
    assert not again.must_be_settled
    assert code not in again.codes or not any(finding.change for finding in again.findings if finding.code == code)


@pytest.mark.parametrize(
    "cells",
    [
        ["3A", "4A", "5A", "12A"] * (N // 4),
        [f"{1 + i % 4}{['st', 'nd', 'rd', 'th'][i % 4]}" for i in range(N)],
        ["10-20", "20-30", "30-40", "40+"] * (N // 4),
        ["1.2.3", "1.2.4"] * (N // 2),
        ["A", "B", "AB", "0"] * (N // 4),
        ["low", "high"] * (N // 2),
        np.arange(N) % 50 + 1950,
        RNG.integers(0, 40, N),
        RNG.integers(0, 10, N) * 10,
    ],
)
def test_what_is_no_fault(cells: Any) -> None:
    assert codes(v=cells) == {}


def test_names_that_are_missing_or_repeated_do_not_end_the_check(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,,a\n" + "".join(f"{i % 7}.5,{i},{i % 3}\n" for i in range(60)))
    found = arcwise.check(path).codes
    assert found["unnamed"] == ["column 2"]
    assert found["repeated-name"] == ["a (3)"]
    frame = pd.DataFrame([[1.5, "x"], [2.5, "y"]] * 30, columns=["a", "a"])
    assert arcwise.check(frame).codes["repeated-name"] == ["a (2)"]


def test_more_columns_than_rows() -> None:
    table = {f"g{i}": RNG.normal(size=12) for i in range(20)}
    assert arcwise.check(table).codes == {"few-rows": [""]}


def test_what_is_known_is_not_found_again() -> None:
    table = {**CLEAN, "v": [f"{100 * w:,}" for w in WHOLE], "id": np.arange(N)}
    assert arcwise.check(table, thousands="v=comma", drop="id").codes == {}
    assert "row-number" not in arcwise.check(table, continuous="id").codes
    weighted = arcwise.check({**CLEAN, "n": [1] * N}, weights="n")
    assert weighted.codes == {}
    assert "n" not in weighted.recipe.columns


def test_faults_of_one_column_are_found_behind_each_other() -> None:
    cells = [f"{1000 + 13 * w:,.2f}" for w in WHOLE]
    cells[3], cells[5:9], cells[11] = "n.d.", ["-99.00"] * 4, "<1,000.00"
    report = arcwise.check({**CLEAN, "v": cells})
    assert list(report.codes) == ["missing-word", "censored", "thousands", "sentinel"]
    data = as_dataset({**CLEAN, "v": cells}, recipe=report.recipe)
    assert data.missing_counts() == {"v": 5}
    assert data.column("v").values[11] == 1000


def test_a_dataset_reports_about_itself() -> None:
    data = as_dataset({**CLEAN, "v": np.where(np.arange(N) % 20 == 0, -99, WHOLE)})
    report = data.report()
    assert isinstance(report, Report)
    assert report.codes == {"sentinel": ["v"]}
    assert as_dataset(data, recipe=report.recipe).missing_counts() == {"v": 10}


ARGUABLE = {
    "abalone": {},
    "australian": {
        "zero-spike": ["A10", "A13"], "rare-levels": ["A4"], "heavy-tail": ["A7", "A14"], "heaping": ["A13"],
    },
    "breast": {"rare-levels": ["marginal_adhesion", "epithelial_size", "bare_nuclei", "mitoses"]},
    "cars1": {"rare-levels": ["cylinders"]},
    "cleve": {"heaping": ["trestbps"], "rare-levels": ["restecg"], "zero-spike": ["oldpeak"]},
    "cleve_296": {"heaping": ["trestbps"], "rare-levels": ["restecg"], "zero-spike": ["oldpeak"]},
    "heart": {"heaping": ["trestbps"], "rare-levels": ["restecg"], "zero-spike": ["oldpeak"]},
    "housing": {"heavy-tail": ["CRIM", "B"], "zero-spike": ["ZN"]},
    "pima": {"zero-spike": ["glucose", "pressure", "triceps", "insulin", "mass"]},
    "vehicle": {"near-copy": ["pr_axis_rectangularity", "scaled_variance_minor"]},
}  # fmt: skip


@pytest.mark.parametrize("name", arcwise.datasets.names())
def test_nothing_but_the_arguable_is_found_in_real_tables(name: str) -> None:
    report = arcwise.check(str(files("arcwise.datasets") / "files" / f"{name}.csv"))
    assert not report.must_be_settled
    assert {code: sorted(found) for code, found in report.codes.items()} == {
        code: sorted(found) for code, found in ARGUABLE[name].items()
    }


@pytest.mark.parametrize("width", [80, 140])
def test_the_printed_report_fits_and_cuts_no_name(width: int) -> None:
    long = "a column whose name goes on and on, further than anybody would like to type it, twice"
    table = {**CLEAN, long: [f"{w}%" if i % 3 else f"{w}" for i, w in enumerate(WHOLE)], "id": np.arange(N)}
    text = arcwise.check(table).text(width)
    assert long in text
    assert all(len(line) <= width for line in text.splitlines() if long not in line)
    assert text.index("MUST BE SETTLED") < text.index("WORTH KNOWING")
    assert "CHANGES" not in text
    assert 'report.save_recipe("clean.toml")' in text


def test_names_cannot_command_a_terminal() -> None:
    assert "\x1b" not in str(arcwise.check({**CLEAN, "\x1b[2Jid": np.arange(N)}))


def test_wide_tables_are_summarised_by_code() -> None:
    wide = {f"c{i}": np.full(N, 1.5) for i in range(150)} | CLEAN
    text = str(arcwise.check(wide))
    assert "constant  150 columns (the same value in every row): c0, c1, c2, c3, c4, c5, c6, c7 and 142" in text
    assert len(text.splitlines()) < 15


def test_options_say_what_the_recipe_says() -> None:
    table = {**CLEAN, "charge, total": [f"{100 * w:,}" for w in WHOLE], "id": np.arange(N)}
    assert arcwise.check(table).options() == [
        """--decimal '"charge, total=point"'""", """--thousands '"charge, total=comma"'""", "--drop id",
    ]  # fmt: skip


def test_what_cannot_be_meant_is_an_error() -> None:
    with pytest.raises(OptionError, match="unknown order of dates"):
        arcwise.check(CLEAN, dates="x=sideways")


def test_severities_are_in_order() -> None:
    assert [severity.value for severity in Severity] == ["must be settled", "changes the answer", "worth knowing"]
