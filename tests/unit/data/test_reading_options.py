"""How cells are said to be written: each option changes what is read, of files and frames, or names what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.findings import check
from arcwise.data.reading.door import as_dataset, read
from arcwise.errors import ArcwiseError, DataError, OptionError

N = 60


def both(folder: Path, cells: list[str], **reading: Any) -> list[Dataset]:
    """The same cells as the column `v` of a file and of a frame."""
    path = folder / "t.csv"
    path.write_text("v,k\n" + "".join(f'"{cell}",{"ab"[i % 2]}\n' for i, cell in enumerate(cells)), "utf-8")
    frame = pd.DataFrame({"v": cells, "k": [*"ab"] * (len(cells) // 2)})
    return [read(path, **reading), as_dataset(frame, **reading)]


def values(folder: Path, cells: list[str], **reading: Any) -> list[float]:
    """What both are read as, which is the same."""
    found = [data.column("v") for data in both(folder, (cells * N)[:N], **reading)]
    assert all(column.kind is found[0].kind for column in found)
    np.testing.assert_array_equal(found[0].values, found[1].values)
    if found[0].kind is Kind.DISCRETE:
        return [float(found[0].levels[code]) for code in found[0].values[: len(cells)]]
    return found[0].values[: len(cells)].tolist()


@pytest.mark.parametrize(
    ("cells", "reading", "expected"),
    [
        (["1,234", "5,678"], {"thousands": {"v": "comma"}}, [1234, 5678]),
        (["1,234", "5,678"], {"thousands": "v=,"}, [1234, 5678]),
        (["1,234", "5,678"], {"thousands": "comma"}, [1234, 5678]),
        (["1,234", "5,678"], {"decimal": "v=comma"}, [1.234, 5.678]),
        (["1,234", "5,678"], {"decimal": "comma"}, [1.234, 5.678]),
        (["1.234,5", "999"], {"thousands": "v=point", "decimal": "v=comma"}, [1234.5, 999]),
        (["1 234", "999"], {"thousands": "v=space"}, [1234, 999]),
        (["1'234", "999"], {"thousands": "v=apostrophe"}, [1234, 999]),
        (["1,5", "2.5"], {"decimal": "v=either"}, [1.5, 2.5]),
        (["12%", "7.5"], {"percent": "v"}, [12, 7.5]),
        (["12%", "0.5"], {"percent": {"v": "fraction"}}, [0.12, 0.5]),
        (["72 kg", "158 lb", "70"], {"units": ["v=kg", "v=lb:0.5"]}, [72, 79, 70]),
        (["72kg", "1000g"], {"units": {"v": {"kg": 1, "g": 0.001}}}, [72, 1]),
        (["$5", "1,200 $", "7.5"], {"units": "v=$", "thousands": "v=comma"}, [5, 1200, 7.5]),
        (["<0.5", "2.5", ">= 200"], {"censored": "v"}, [0.5, 2.5, 200]),
        (["<0,5", "2,5"], {"censored": "v", "decimal": "v=comma"}, [0.5, 2.5]),
        (["2024-03-01", "2024-03-11", "1 Mar 2024"], {"dates": "v=since 2024-02-01"}, [29, 39, 29]),
        (["2024-03-01", "2024-03-11"], {"dates": "v"}, [0, 10]),
        (["01.03.2024", "13.03.2024"], {"dates": "v"}, [0, 12]),
        (["03/01/2024", "03/02/2024"], {"dates": "v=month-first"}, [0, 1]),
        (["03/01/2024", "03/02/2024"], {"dates": "v=day-first since 2024-01-01"}, [2, 33]),
        (["2024-03-01 12:00", "2024-03-02T06:00:00"], {"dates": "v"}, [0.5, 1.25]),
        (["2024-03-01T00:00:00+02:00", "2024-03-01T12:00:00Z"], {"dates": "v=since 2024-03-01"}, [-1 / 12, 0.5]),
        (["1 Mar 24", "14-APR-1999"], {"dates": "v=since 1999-04-14"}, [9088, 0]),
        (["00:30", "12:15:30", "1:05 pm"], {"dates": "v"}, [1800, 44130, 47100]),
    ],
)
def test_cells_are_read_as_they_are_said_to_be_written(
    tmp_path: Path, cells: list[str], reading: dict[str, Any], expected: list[float]
) -> None:
    np.testing.assert_allclose(values(tmp_path, cells, **reading), expected, rtol=1e-9, atol=1e-9)


def test_limits_can_be_missing_or_levels(tmp_path: Path) -> None:
    cells = ["<0.5", "0.5", "2.5", ">2.5"] * 15
    for data in both(tmp_path, cells, censored="v=missing"):
        assert data.missing_counts() == {"v": 30}
    for data in both(tmp_path, cells, censored="v=level"):
        assert data.column("v").levels == ("<0.5", "0.5", "2.5", ">2.5")
        assert data.column("v").ordered
    with pytest.raises(DataError, match=r"--censored v"):
        both(tmp_path, [f"{i / 7:.3f}" for i in range(58)] + ["<0.1"] * 2)


def test_spellings_become_one_level(tmp_path: Path) -> None:
    cells = ["Female", "Female", "female", "FEMALE ", "F", "male"] * 10
    for data in both(tmp_path, cells, merge="v"):
        assert data.column("v").levels == ("F", "Female", "male")
    for reading in ({"merge": "v=F->Female"}, {"merge": {"v": {"F": "Female"}}}):
        for data in both(tmp_path, cells, **reading):
            assert data.column("v").levels == ("Female", "male")
            assert np.bincount(data.column("v").values).tolist() == [50, 10]
            assert data.warnings == ()


def test_marks_for_all_columns_leave_words_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,name,n\n" + '"1,234","9,5","Smith, J",3\n"5,678","7,25","Lee, B",4\n' * 30)
    data = read(path, thousands="a=comma", decimal="comma")
    assert data.column("a").levels == ("1234", "5678")
    assert data.column("b").kind is Kind.CONTINUOUS
    assert data.column("name").levels == ("Lee, B", "Smith, J")


def test_missing_words_beside_a_notation(tmp_path: Path) -> None:
    for data in both(tmp_path, ["1,234", "-99", "n.d."] * 20, thousands="v=comma", na={"v": [-99, "n.d."]}):
        assert data.missing_counts() == {"v": 40}


FRAME = {"id_a": [1.5, 2.5, 0.5], "id_b": [0, 1, 0], "q1": [1, 2, 1], "q2": [2, 1, 2], "q*": [0.5, 1.5, 2.5]}


def test_columns_can_be_named_by_patterns() -> None:
    assert as_dataset(FRAME, drop="id_*").names == ("q1", "q2", "q*")
    data = as_dataset(FRAME, discrete="q?", drop="id_[ab]")
    assert [c.kind for c in data.columns] == ["discrete"] * 3
    exact = as_dataset(FRAME, discrete="q*")  # a column of just that name is no pattern
    assert exact.column("q*").kind is Kind.DISCRETE
    assert exact.column("q1").kind is Kind.CONTINUOUS
    mixed = as_dataset(FRAME, discrete="q?", continuous="q2", drop="q*")
    assert mixed.column("q2").kind is Kind.CONTINUOUS
    assert mixed.column("q1").kind is Kind.DISCRETE
    assert "q*" not in mixed.names
    with pytest.raises(DataError, match=r"no column fits the pattern 'z\*' \(named in drop\)"):
        as_dataset(FRAME, drop="z*")
    with pytest.raises(DataError, match="named in both discrete and drop"):
        as_dataset(FRAME, discrete="q?", drop="q[12]")


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        ({"thousands": "v=semicolon"}, "thousands must be comma or point or space or apostrophe, not 'semicolon'"),
        ({"thousands": "v=comma", "decimal": "v=comma"}, "cannot mark both decimals and thousands"),
        ({"thousands": "v"}, "thousands needs COLUMN=MARK"),
        ({"thousands": "w=comma"}, "unknown column 'w'"),
        ({"percent": "v=half"}, "'points' or 'fraction'"),
        ({"units": "v"}, "units needs COLUMN=UNIT"),
        ({"units": "v=kg:much"}, "must be a number, not 'much'"),
        ({"units": "v=kg:0"}, "a number above 0"),
        ({"dates": "v=backwards"}, "unknown order of dates 'backwards'"),
        ({"dates": "v=since yesterday"}, "not 'yesterday'"),
        ({"dates": "v", "percent": "v"}, "not as both"),
        ({"censored": "v=half"}, "'number' or 'missing' or 'level'"),
        ({"merge": "v=a"}, "SPELLING->LEVEL"),
        ({"merge": "v", "drop": "v"}, "also said how to read it"),
        ({"decimal": {"v": 3}}, "takes text for each column"),
    ],
)
def test_what_makes_no_sense_is_named(reading: dict[str, Any], words: str) -> None:
    with pytest.raises((OptionError, DataError)) as caught:
        as_dataset({"v": ["1,5", "2,5", "1,5", "2,5"], "k": [0, 1, 0, 1]}, **reading)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("cells", "reading", "words"),
    [
        (["1,234", "1,23"], {"thousands": "v=comma"}, "30 cells that cannot be read as a number"),
        (["12 kg", "twelve"], {"units": "v=kg"}, r"such as 'twelve' in row 2"),
        (["2024-02-30", "2024-01-01"], {"dates": "v=year-first"}, "cannot be read as a date with its year first"),
        (["01/02/2024", "03/04/2024"], {"dates": "v"}, "--dates v=day-first .* or --dates v=month-first"),
        (["25:00", "12:00"], {"dates": "v=times"}, "cannot be read as a time of day"),
        (["25:00", "12:00"], {"dates": "v"}, "times of more than 24 hours .* --dates v=durations"),
    ],
)
def test_cells_that_do_not_fit_are_named(tmp_path: Path, cells: list[str], reading: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        both(tmp_path, cells * 30, **reading)


def test_several_columns_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c,d,e\n" + "".join(f'"{i + 1},{i + 200}",x{i % 2},"<{i}",{i}.5,inf\n' for i in range(90)))
    with pytest.raises(DataError) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith("3 columns of t.csv cannot be read as they are: 'a' (the comma of '1,200' may mark")
    assert message.endswith(f"and one command that mends them, with: arcwise check {path}")
    frame = {"a": ["1,234", "5,678"] * 30, "b": ["<1", *map(str, range(59))], "c": [0, 1] * 30}
    with pytest.raises(DataError, match=r"2 columns of the table .* with: arcwise.check\(table\)"):
        as_dataset(frame)


def test_a_dataset_is_read_anew_by_the_same_options() -> None:
    data = as_dataset({"v": ["1,234", "5,678"] * 30, "sex": ["F", "f", "M"] * 20, "k": [0, 1] * 30}, discrete="v")
    assert as_dataset(data, thousands="v=comma").column("v").levels == ("1234", "5678")
    assert as_dataset(data, merge="sex").column("sex").levels == ("F", "M")


def test_numbers_stay_numbers_whatever_is_said_of_their_marks() -> None:
    frame = {"v": [1.5, 2.5, 3.25] * 20, "k": [0, 1] * 30}
    assert as_dataset(frame, thousands="v=comma", units="v=kg").column("v").values[:2].tolist() == [1.5, 2.5]


def test_options_that_do_not_exist_are_refused() -> None:
    wrong: dict[str, Any] = {"thousand": "v=comma"}
    for call in (as_dataset, check):
        with pytest.raises(OptionError, match="unknown option of reading 'thousand'; did you mean 'thousands'"):
            call({"v": [1.5, 2.5, 3.5], "k": [0, 1, 0]}, **wrong)


def test_errors_are_one_sentence() -> None:
    with pytest.raises(ArcwiseError) as caught:
        as_dataset({"v": ["\x1b[31m1 kg", "2"] * 30}, units="v=kg")
    assert "\x1b" not in str(caught.value)
