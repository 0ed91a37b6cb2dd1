"""Files coded into a store are the table that reading them all in memory gives: kinds, levels, cells, words."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arcwise
from arcwise.data.dataset import Dataset
from arcwise.data.digest import digest
from arcwise.data.reading import files
from arcwise.data.rows import batches, survey
from arcwise.data.rows.coding import code
from arcwise.data.rows.mapped import is_mapped
from arcwise.data.rows.progress import watched_by
from arcwise.errors import ArcwiseError, DataError, FileError

Rng = np.random.Generator


def with_gaps(values: list[Any], rng: Rng, share: float) -> list[Any]:
    return [None if rng.random() < share else value for value in values]


COLUMNS = {
    "words": lambda rng, n: rng.choice(["yes", "no", "perhaps"], n).tolist(),
    "spellings": lambda rng, n: rng.choice(["Yes", "yes ", "NO", "n.a."], n).tolist(),
    "whole": lambda rng, n: rng.integers(0, 4, n).tolist(),
    "doubtful": lambda rng, n: rng.integers(0, 15, n).tolist(),
    "many": lambda rng, n: rng.integers(-500, 5000, n).tolist(),
    "floats": lambda rng, n: rng.normal(size=n).tolist(),
    "halves": lambda rng, n: (rng.integers(0, 4, n) / 2).tolist(),
    "whole floats": lambda rng, n: rng.integers(0, 3, n).astype(float).tolist(),
    "codes": lambda rng, n: [f"{value:04d}" for value in rng.integers(0, 300, n)],
    "prices": lambda rng, n: [f"{value:,.2f}" for value in rng.uniform(900, 2000, n)],
    "percent": lambda rng, n: [f"{value}%" for value in rng.integers(0, 100, n)],
    "sentinel": lambda rng, n: np.where(rng.random(n) < 0.1, -99, rng.integers(0, 70, n)).tolist(),
    "far": lambda rng, n: np.where(rng.random(n) < 0.1, 999.0, np.round(rng.normal(size=n), 2)).tolist(),
    "constant": lambda rng, n: ["same"] * n,
    "row": lambda rng, n: list(range(1, n + 1)),
    "patient_id": lambda rng, n: rng.permutation(3 * n)[:n].tolist(),
    "keys": lambda rng, n: rng.permutation(2 * n)[:n].tolist(),
    "names": lambda rng, n: [f"name {value}" for value in rng.permutation(n)],
    "nothing": lambda rng, n: [None] * n,
    "bool": lambda rng, n: (rng.random(n) < 0.5).tolist(),
    "huge": lambda rng, n: [2**60 + int(value) for value in rng.integers(0, 40, n)],
}  # fmt: skip
ONLY_TYPED = {
    "day": lambda rng, n: [date(2024, 1, 1) + timedelta(int(value)) for value in rng.integers(0, 60, n)],
    "moment": lambda rng, n: [datetime(2024, 1, 1, int(value), 30) for value in rng.integers(0, 20, n)],
    "decimal": lambda rng, n: [Decimal(int(value)) / 4 for value in rng.integers(0, 900, n)],
}


def columns_of(chosen: list[str], n: int, seed: int, gaps: float) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    makers = {**COLUMNS, **ONLY_TYPED}
    table = {name: with_gaps(makers[name](rng, n), rng, gaps * (rng.random() < 0.5)) for name in chosen}
    if len(chosen) > 1 and rng.random() < 0.3:  # a copy
        table["copy"] = list(table[chosen[0]])
    return table


def write_parts(folder: Path, frame: pl.DataFrame, cuts: list[int], suffix: str) -> list[pl.DataFrame]:
    folder.mkdir()
    edges = [0, *sorted(cut % (frame.height + 1) for cut in cuts), frame.height]
    parts = [frame[a:b] for a, b in pairwise(edges)]
    for k, part in enumerate(parts):
        file = folder / f"part-{k}{suffix}"
        if suffix == ".parquet":
            part.write_parquet(file)
        elif suffix == ".arrow":
            part.write_ipc(file)
        else:
            part.write_csv(file)
    return parts


def told(data: Dataset) -> tuple[Any, ...]:
    return data.names, data.kinds, data.decisions, data.warnings, data.provenance, digest(data)


def outcome(read: Any) -> Any:
    try:
        return told(read())
    except ArcwiseError as error:
        return type(error).__name__


def check_same(folder: Path, parts: Path, whole: Any, **reading: Any) -> None:
    expected = outcome(lambda: whole(**reading))
    found = outcome(lambda: code(parts, folder / "t.arcwise", **reading))
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    for mine, theirs in zip(found, expected, strict=True):
        assert mine == theirs


READINGS: list[dict[str, Any]] = [
    {}, {}, {}, {"missing": "drop"}, {"missing": "state"}, {"missing": "error"}, {"na": ["-99", "perhaps"]},
    {"drop": ["copy*"]},
]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(sorted({**COLUMNS, **ONLY_TYPED})), min_size=1, max_size=6, unique=True),
    st.integers(2, 120),
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 200), max_size=4),
    st.sampled_from(READINGS),
    st.sampled_from([".parquet", ".arrow"]),
    st.sampled_from([0.0, 0.1, 0.4]),
)
def test_typed_files_are_read_as_the_whole_table(
    tmp_path_factory: pytest.TempPathFactory,
    chosen: list[str],
    n: int,
    seed: int,
    cuts: list[int],
    reading: dict[str, Any],
    suffix: str,
    gaps: float,
) -> None:
    folder = tmp_path_factory.mktemp("coding")
    frame = pl.DataFrame(columns_of(chosen, n, seed, gaps), strict=False)
    write_parts(folder / "parts", frame, cuts, suffix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "ROWS", [7, 50, 1000][seed % 3])
        check_same(folder, folder / "parts", lambda **options: Dataset.from_frame(frame, **options), **reading)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=6, unique=True),
    st.integers(2, 120),
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 200), max_size=4),
    st.sampled_from(READINGS),
    st.sampled_from([0.0, 0.1, 0.4]),
    st.booleans(),
)
def test_text_files_are_read_as_the_whole_text(
    tmp_path_factory: pytest.TempPathFactory,
    chosen: list[str],
    n: int,
    seed: int,
    cuts: list[int],
    reading: dict[str, Any],
    gaps: float,
    few: bool,
) -> None:
    """few: as if much fewer different cells were kept of a column."""
    folder = tmp_path_factory.mktemp("coding")
    frame = pl.DataFrame(columns_of([*chosen, "whole"], n, seed, gaps), strict=False)
    write_parts(folder / "parts", frame, cuts, ".csv")
    frame.write_csv(folder / "whole.csv")
    with pytest.MonkeyPatch.context() as patch:
        if few:
            patch.setattr(survey, "NUMBERS_IN_TEXT", 22)
            patch.setattr(survey, "FEW_NUMBERS", 22)
        patch.setattr(batches, "TEXT_BYTES", [100, 1000, 10**6][seed % 3])
        patch.setattr(files, "PIECE", [64, 300][seed % 2])
        check_same(folder, folder / "parts", lambda **options: arcwise.read(folder / "whole.csv", **options), **reading)


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_folder_that_fits_is_read_whole(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame(columns_of(["words", "floats", "whole", "percent"], 500, 1, 0.1), strict=False)
    write_parts(tmp_path / "parts", frame, [100, 300], suffix)
    coded = code(tmp_path / "parts", tmp_path / "t.arcwise")
    for given_path in (tmp_path / "parts", str(tmp_path / "parts" / f"*{suffix}")):
        whole = arcwise.read(given_path)
        assert told(whole) == told(coded)
        assert not is_mapped(whole)


def test_files_too_large_for_memory_are_coded_for_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arcwise.data.rows import opening

    frame = pl.DataFrame(columns_of(["words", "whole"], 500, 1, 0.0))
    write_parts(tmp_path / "parts", frame, [100], ".parquet")
    monkeypatch.setattr(opening, "free_memory", lambda: 1000)
    data = arcwise.read(tmp_path / "parts")
    assert is_mapped(data)
    assert "coded into a store for this run only; code it once with 'arcwise code" in data.warnings[0]
    assert digest(data) == digest(Dataset.from_frame(frame))


def test_coding_for_the_run_can_be_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arcwise.data.rows import opening

    write_parts(tmp_path / "parts", pl.DataFrame(columns_of(["words"], 500, 1, 0.0)), [100, 300], ".parquet")
    monkeypatch.setattr(opening, "free_memory", lambda: 1000)
    seen: list[str] = []
    with watched_by(lambda done: seen.append(done.phase)):
        arcwise.read(tmp_path / "parts")
    assert set(seen) == {"looking through", "writing"}
    heard = len(seen)
    arcwise.read(tmp_path / "parts")
    assert len(seen) == heard, "nobody watches any more"


def test_levels_of_the_last_part_only_and_parts_of_other_types(tmp_path: Path) -> None:
    parts = [
        pl.DataFrame({"x": [1, 2, 3, 1], "g": ["b", "b", "b", "c"], "n": [None, None, None, None]}),
        pl.DataFrame(schema={"x": pl.Int64, "g": pl.String, "n": pl.String}),
        pl.DataFrame({"g": ["a", None, "c", "b"], "x": [1.5, 2.5, None, 4.0], "n": ["u", "v", "u", "v"]}),
    ]  # fmt: skip
    (tmp_path / "parts").mkdir()
    for k, part in enumerate(parts):
        part.write_parquet(tmp_path / "parts" / f"part{9 + k}.parquet")
    whole = pl.concat([parts[0], parts[2].select("x", "g", "n")], how="vertical_relaxed")
    check_same(tmp_path, tmp_path / "parts", lambda **options: Dataset.from_frame(whole, **options))


def test_categories_of_parts_with_different_dictionaries(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    columns = [["z", "y", "z", "y"], ["a", "y", "a", None]]
    for k, cells in enumerate(columns):
        series = {
            "c": pl.Series(cells, dtype=pl.Categorical),
            "o": pl.Series(cells, dtype=pl.Enum(["z", "y", "a", "never"])),
        }
        pl.DataFrame({**series, "x": [1, 2, 1, 2]}).write_parquet(tmp_path / "parts" / f"{k}.parquet")
    data = code(tmp_path / "parts", tmp_path / "t.arcwise")
    assert data.column("c").levels == ("a", "y", "z")
    assert data.column("o").levels == ("z", "y", "a", "never")
    assert data.column("o").ordered
    assert [data.column("c").levels[v] for v in data.column("c").values[:7]] == ["z", "y", "z", "y", "a", "y", "a"]


def test_seventy_thousand_texts_are_too_many_levels(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    cells = [f"text {k % 70_000}" for k in range(150_000)]
    pl.DataFrame({"g": cells, "x": np.arange(150_000) % 2}).write_parquet(tmp_path / "parts" / "a.parquet")
    with pytest.raises(DataError, match="'g' has 70,000 levels, more than the 65,536"):
        code(tmp_path / "parts", tmp_path / "t.arcwise")


def test_texts_that_are_too_many_to_keep_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "MANY_TEXTS", 50)
    cells = [f"name {k}" for k in range(300)]
    frame = pl.DataFrame({"g": [*cells, None], "x": np.arange(301) % 2})
    write_parts(tmp_path / "parts", frame, [100, 200], ".parquet")
    check_same(tmp_path, tmp_path / "parts", lambda **options: Dataset.from_frame(frame, **options))


def test_weights_are_those_of_the_rows_that_count(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": rng.choice(["u", "v"], 90), "b": rng.integers(0, 3, 90), "n": rng.integers(0, 4, 90)})
    write_parts(tmp_path / "parts", frame, [10, 10, 50], ".parquet")
    check_same(tmp_path, tmp_path / "parts", lambda **options: Dataset.from_frame(frame, **options), weights="n")
    gaps = frame.with_columns(a=pl.when(pl.int_range(90) % 7 == 0).then(None).otherwise("a"))
    write_parts(tmp_path / "gaps", gaps, [10, 10, 50], ".parquet")
    (tmp_path / "second").mkdir()
    check_same(
        tmp_path / "second",
        tmp_path / "gaps",
        lambda **options: Dataset.from_frame(gaps, **options),
        weights="n",
        missing="drop",
    )
    bad = frame.with_columns(n=pl.lit(0.5))
    write_parts(tmp_path / "bad", bad, [10], ".parquet")
    with pytest.raises(DataError, match="'n' cannot weight the rows: weights must be whole numbers from 0"):
        code(tmp_path / "bad", tmp_path / "u.arcwise", weights="n")


@pytest.mark.parametrize(
    "reading",
    [
        {"discrete": ["many", "floats"]}, {"continuous": ["whole", "codes"]}, {"percent": {"percent": "fraction"}},
        {"thousands": {"prices": "comma"}}, {"merge": ["spellings"]}, {"drop": ["pr*", "floats"]},
        {"na": {"many": [1, 2]}, "missing": "drop"},
        {"recipe": {"columns": {"words": {"levels": ["no", "yes", "perhaps"]}}}},
    ],
)  # fmt: skip
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_every_option_of_reading_says_the_same(tmp_path: Path, reading: dict[str, Any], suffix: str) -> None:
    names = ["words", "spellings", "whole", "many", "floats", "codes", "percent", "prices"]
    frame = pl.DataFrame(columns_of(names, 400, 3, 0.0), strict=False)
    write_parts(tmp_path / "parts", frame, [150, 200], suffix)
    frame.write_csv(tmp_path / "whole.csv")
    whole = frame if suffix == ".parquet" else tmp_path / "whole.csv"
    check_same(
        tmp_path,
        tmp_path / "parts",
        lambda **options: arcwise.data.reading.door.as_dataset(whole, **options),
        **reading,
    )


def test_quoted_cells_may_go_over_lines_and_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ['"one\ntwo"', '"a ""word"""', '"NA"', "NA", "plain", '" ,\n,"']
    rows = [f"{cells[k % len(cells)]},{k % 3}" for k in range(200)]
    (tmp_path / "parts").mkdir()
    for k in range(2):
        (tmp_path / "parts" / f"{k}.csv").write_text('\n"text\nof rows",x\n' + "\n".join(rows[k::2]) + "\n")
    (tmp_path / "whole.csv").write_text('\n"text\nof rows",x\n' + "\n".join(rows[0::2] + rows[1::2]) + "\n")
    monkeypatch.setattr(batches, "TEXT_BYTES", 70)
    monkeypatch.setattr(files, "PIECE", 32)
    data = code(tmp_path / "parts", tmp_path / "t.arcwise")
    whole = arcwise.read(tmp_path / "whole.csv")
    assert (data.names, data.decisions, digest(data)) == (whole.names, whole.decisions, digest(whole))
    (tmp_path / "parts" / "2.csv").write_text('"text\nof rows",x\n' + "\n".join(rows[:9]) + "\nshort\nplain,1\n")
    with pytest.raises(ArcwiseError, match=r"line 15 of 2\.csv has 1 cell"):
        code(tmp_path / "parts", tmp_path / "u.arcwise")


def test_gzipped_text(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "parts").mkdir()
    for k in range(3):
        text = "a;b\n" + "".join(f"{'xy'[j % 2]};{j % 5},5\n" for j in range(50 + k))
        (tmp_path / "parts" / f"{k}.csv.gz").write_bytes(gzip.compress(text.encode()))
    data = code(tmp_path / "parts", tmp_path / "t.arcwise")
    assert data.n_rows == 153
    assert data.decisions[1].reason.endswith("decimal commas")
    assert set(data.column("b").values) == {0.5, 1.5, 2.5, 3.5, 4.5}


def test_what_parts_may_not_be(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    out = tmp_path / "t.arcwise"
    with pytest.raises(FileError, match="is a folder without files"):
        code(folder, out)
    pl.DataFrame({"x": [1, 2], "y": [1, 2]}).write_parquet(folder / "a.parquet")
    pl.DataFrame({"x": [1, 2], "z": [1, 2]}).write_parquet(folder / "b.parquet")
    with pytest.raises(
        DataError, match=r"b\.parquet has no column 'y' and has the column 'z' more, compared with a\.par"
    ):
        code(folder, out)
    pl.DataFrame({"x": [1, 2], "y": ["u", "v"]}).write_parquet(folder / "b.parquet")
    with pytest.raises(DataError, match=r"'y' holds text in b\.parquet, but numbers in a\.parquet"):
        code(folder, out)
    (folder / "b.parquet").write_bytes(b"PAR1 nonsense PAR1")
    with pytest.raises(FileError, match=r"b\.parquet is not a Parquet file, or is damaged"):
        code(folder, out)
    (folder / "b.parquet").unlink()
    (folder / "b.csv").write_text("x,y\n1,2\n")
    with pytest.raises(FileError, match=r"mixes formats: a\.parquet is Parquet and b\.csv is text"):
        code(folder, out)
    (folder / "b.csv").rename(folder / "notes.md")
    with pytest.raises(FileError, match=r"notes\.md in .* is no table that can be told by its name"):
        code(folder, out)
    (folder / "notes.md").rename(folder / "_SUCCESS")
    assert code(folder, out).n_rows == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["parts", "t.arcwise"]


def test_texts_with_other_delimiters_are_not_called_changed(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "a.csv").write_text("x,y\n" + "1,2\n3,4\n" * 5)
    (folder / "b.csv").write_text("x;y\n" + "1;2\n3;4\n" * 5)
    for take in (lambda: code(folder, tmp_path / "t.arcwise"), lambda: arcwise.read(folder)):
        with pytest.raises(FileError, match=r"b\.csv has a semicolon between its cells, but .*a\.csv has a comma"):
            take()
    for name in ("a.csv", "b.csv"):  # nothing stands between the cells of one column
        (folder / name).write_text("x\n" + "u\nv\n" * 5)
    assert code(folder, tmp_path / "t.arcwise").n_rows == 20


def test_several_faults_name_the_command_that_shows_them(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("x;y\n" + "1.25;2.5\n3,25;4,5\n" * 5)
    with pytest.raises(DataError, match=r"one command that mends them, with: arcwise check .*t\.csv"):
        code(table, tmp_path / "t.arcwise")
