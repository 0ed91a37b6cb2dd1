"""Damaged tables are read or refused in one sentence, and never read otherwise than some other reader would."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import os
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from arcwise.data.complete import counts_by_name
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.findings import check
from arcwise.data.reading.delimited import TextTable, parse
from arcwise.data.reading.door import read
from arcwise.data.recipe import Recipe
from arcwise.errors import ArcwiseError
from tests.fuzz.mutation import ROUNDS, SEED, TOKENS, mutants

CORPUS = Path(__file__).parent / "corpus" / "tables"
CSV_SEEDS = (
    b"a,b,c\n1,x,0.5\n2,y,0.25\n1,y,1.5\n2,x,2.5\n",
    b'name,"the, height",k\n"a, b",1.5,0\n"say ""hi""",2.5,1\n"two\nlines",3.5,0\n',
    b'id,height 6",k\n1,5" 4,a\n2,6",b\n3,"7",a\n',
    b'a, "b", c\n "x", 1, 2\n"y" , 3, 4\n\n   \nz,5,6\n',
    b"a;b;c\n1,5;x;NA\n2,5;y;3\n1.000,5;x;4\n",
    b'\xef\xbb\xbfa,b\r\n01234,"NA"\r\n1234,none\r\n+1234,?\r\n1234.0,"?"\r\n',
    "größe,ß,日本\n1,é,ü\n2,\u00a0x,y\n3,z,\U0001f332\n".encode(),
    b"a,b,\n1,2,\n3,4,\n",
    b"\n\nk\n1\n\n2\n1\n2\n",
    b"id,v\n9007199254740993,-99\n9007199254740992,1e5\n18446744073709551615,.5\n",
)
TSV_SEEDS = (
    b"a\tb\tc\n1\tx\t0.5\n2\ty\t0.25\n1\ty\t1.5\n",
    b'a\tb\tc\n1\t"x\ty"\t \n\t\t\n2\t""\t"z"\n',
    b"a\tb\n1\t2\n\n3\t4\n\t\n",
)


def held(path: Path, **options: object) -> Dataset | None:
    """The table, or None if it was refused as tables are: anything else is a failure. So it is for what is checked."""
    with suppress(ArcwiseError):
        report = check(path)
        assert str(report)
        assert Recipe.from_dict(tomllib.loads(report.recipe.to_toml(report.comments()))) == report.recipe
        read(path, recipe=report.recipe)
    try:
        table = read(path, **options)  # type: ignore[arg-type]
    except ArcwiseError as error:
        sentence = str(error)
    else:
        assert_masks_fit(table)
        return table
    assert sentence
    assert "\n" not in sentence
    return None


def assert_masks_fit(table: Dataset) -> None:
    """NaN stands in the missing cells of numbers and nowhere else, code 0 in those of levels, which are in range."""
    for column in table.columns:
        missing = np.zeros(table.n_stored, dtype=np.bool_) if column.missing is None else column.missing
        if column.kind is Kind.CONTINUOUS:
            np.testing.assert_array_equal(np.isnan(column.values), missing)
        else:
            assert not column.values[missing].any()
            assert column.values.max() < column.cardinality


def cells_of(table: TextTable) -> list[tuple[str, ...]]:
    """All cells as text, "" where there is none."""
    rows = zip(*(column.to_list() for column in table.cells.get_columns()), strict=True)
    return [tuple((cell or "").removeprefix(table.mark).strip() for cell in row) for row in rows]


def as_csv_reads(text: str, delimiter: str, *, spaces: bool) -> Iterator[list[tuple[str, ...]]]:
    """What the csv module makes of it; blank lines, which it keeps, are rows of tables of one column only."""
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=spaces)
    records = [tuple(cell.strip() for cell in record) for record in reader]
    while records and not any(records[0]) and len(records[0]) < 2:
        records = records[1:]
    while records and not records[-1]:
        records = records[:-1]
    width = len(records[0]) if records else 0
    if width > 1:
        records = [record for record in records if record and record != ("",)]
    yield [record or ("",) for record in records]
    if records and width > 1 and not any(record[-1] for record in records):  # every line ends in a delimiter
        empty = max(i for i in range(width) if any(record[i : i + 1] != ("",) for record in records)) + 1
        yield [record[:empty] for record in records]


def as_pandas_reads(text: str, delimiter: str) -> list[tuple[str, ...]] | None:
    try:
        frame = pd.read_csv(
            io.StringIO(text, newline=""),
            sep=delimiter,
            header=None,
            dtype=str,
            keep_default_na=False,
            skipinitialspace=True,
            index_col=False,
        )
    except (ValueError, pd.errors.ParserError):
        return None
    return [tuple(str(cell).strip() for cell in row) for row in frame.itertuples(index=False)]


def assert_some_reader_agrees(content: bytes) -> bool:
    """Whether it was read at all; what was read is what the csv module or pandas reads."""
    try:
        table = parse(content, "t.csv")
    except ArcwiseError:
        return False
    ours = [table.names, *cells_of(table)]
    text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    candidates: Iterator[list[tuple[str, ...]] | None] = itertools.chain(
        as_csv_reads(text, table.delimiter, spaces=True),
        as_csv_reads(text, table.delimiter, spaces=False),
        iter((as_pandas_reads(text, table.delimiter),)),
    )
    assert any(ours == theirs for theirs in candidates), (content, ours)
    return True


@pytest.mark.parametrize(("seeds", "name"), [(CSV_SEEDS, "t.csv"), (TSV_SEEDS, "t.tsv")], ids=["csv", "tsv"])
def test_damaged_text(tmp_path: Path, seeds: tuple[bytes, ...], name: str) -> None:
    path = tmp_path / name
    taken = 0
    for i, content in enumerate(mutants(seeds)):
        path.write_bytes(content)
        held(path, missing=("learn", "drop", "error")[i % 3])
        taken += assert_some_reader_agrees(content)
    assert taken > ROUNDS / 20  # the damage leaves enough to compare


# What becomes of each file of the corpus: its rows, or a part of the sentence that refuses it.
KNOWN: dict[str, int | str] = {
    "bare_quote_beside_a_cell_over_lines.csv": "line 7 of .* opens a quoted cell that ends in line 11, while line 17",
    "begins_like_a_packed_file.csv": 12,
    "buffer_of_2_60_bytes.arrow": "is damaged",
    "codes_and_their_numbers.csv": 16,
    "decimal_comma_and_point.csv": "'999,0' in line 2 and '1.000' in line 3",
    "delimiter_at_each_line_end.csv": 12,
    "delimiter_at_each_row_end.csv": "line 2 of .* ends in a delimiter that the header has not",
    "delimiter_at_the_very_end.csv": "line 3 of .* ends in a delimiter that the header has not",
    "dictionary_with_a_null.arrow": 12,
    "first_line_of_tabs.tsv": "line 2 of .* has 2 cells where the header has 3",
    "half_a_character.csv": r"not UTF-8 text \(line 2\)",
    "integers_beyond_2_53.csv": 12,
    "integers_beyond_2_64.csv": 12,
    "line_ends_of_every_kind.csv": 4,
    "line_of_a_delimiter_at_the_end.csv": 3,
    "name_of_300_characters.csv": 12,
    "no_break_space_and_no_other.csv": 12,
    "nul.csv": "not UTF-8 text",
    "one_column_quoted_and_empty.csv": 4,
    "operation_of_polars.parquet": "is damaged",
    "out_of_bounds.arrow": "is damaged",
    "page_of_minus_63_cells.parquet": "is damaged",
    "panic.parquet": "is damaged",
    "panic_of_a_file.arrow": "is damaged",
    "panic_of_a_stream.arrow": "is damaged",
    "quote_after_space_at_line_start.csv": 12,
    "quote_before_space_and_delimiter.csv": 12,
    "quote_in_header_and_in_a_cell.csv": 24,
    "quoted_cell_that_swallows_rows.csv": 20,
    "quoted_line_end_and_nothing_else.csv": 12,
    "short_blank_line.tsv": "line 3 of .* has 2 cells where the header has 3",
    "text_after_quote.csv": "line 2 of .* has a quoted cell",
    "text_behind_it.csv.gz": "not a whole gzip file",
    "truncated.csv.gz": "not a whole gzip file",
    "type_that_polars_lacks.arrow": "is damaged",
    "unclosed_quote.csv": "line 3 of .* has a quoted cell",
    "zeros_behind_it.csv.gz": 12,
}


# Those with missing cells, and how many by column.
HOLES = {
    "dictionary_with_a_null.arrow": {"c": 6},
    "line_of_a_delimiter_at_the_end.csv": {"a": 1, "b": 1},
    "one_column_quoted_and_empty.csv": {"k": 1},
    "quoted_line_end_and_nothing_else.csv": {"b": 4},
}


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_once_broke_something(path: Path) -> None:
    assert len(KNOWN) == len(list(CORPUS.iterdir()))
    known = KNOWN[path.name]
    holes = HOLES.get(path.name, {})
    if isinstance(known, int):
        table = read(path)
        assert table.n_rows == known
        assert table.missing_counts() == holes
        assert_masks_fit(table)
    else:
        with pytest.raises(ArcwiseError, match=known):
            read(path)
    if holes:
        with pytest.raises(ArcwiseError, match=re.escape(f"missing values in {counts_by_name(holes)};")):
            read(path, missing="error")
    if path.suffix in (".csv", ".tsv"):
        assert_some_reader_agrees(path.read_bytes())


def test_little_memory_and_a_bomb(tmp_path: Path) -> None:
    """All of the corpus and 5 MB that unpack to 5 GB, in one process that may take 2 GB."""
    bomb = tmp_path / "bomb.tsv.gz"
    bomb.write_bytes(gzip.compress(b"a\tb\n" + b"1\t2\n" * 2**24, mtime=0) * 80)
    assert bomb.stat().st_size < 8_000_000
    program = (
        "import re, resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))\n"
        "from arcwise.data.reading.door import read\n"
        "from arcwise.errors import ArcwiseError\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n        print(read(path).n_rows)\n"
        "    except ArcwiseError as error:\n        print(error)\n"
        # Not ru_maxrss: that of a child begins with the memory of the program that started it.
        "print(int(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1]) * 1024)\n"
    )
    files = [bomb, *(CORPUS / name for name in KNOWN)]
    done = subprocess.run(
        [sys.executable, "-c", program, *files],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "POLARS_MAX_THREADS": "2", "OPENBLAS_NUM_THREADS": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    refusal, *outcomes, peak = done.stdout.splitlines()
    assert re.search(r"bomb.tsv.gz unpacks to more than [\d.]+ MiB, .* of memory are free; keep fewer rows", refusal)
    assert int(peak) < 2**30
    for outcome, known in zip(outcomes, KNOWN.values(), strict=True):
        assert outcome == str(known) if isinstance(known, int) else re.search(known, outcome)


def test_damaged_gzip(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    packed = [gzip.compress(content, mtime=0) for content in CSV_SEEDS[:4]]
    seeds = (*packed, packed[0] + packed[0], gzip.compress(b"a,b\n" + b"1,2\n" * 40_000, mtime=0))
    for content in mutants(seeds):
        path.write_bytes(content)
        held(path)


def binary_seeds(write: Callable[[pl.DataFrame, io.BytesIO], object]) -> Iterator[bytes]:
    plain = pl.DataFrame({"x": [0.5, 1.5, None, 2.5] * 5, "k": [1, 2, 3, 1] * 5, "t": ["a", "b", None, "ü"] * 5})
    typed = plain.with_columns(
        pl.col("t").cast(pl.Categorical).alias("c"),
        pl.col("t").cast(pl.Enum(["a", "b", "ü", "z"])).alias("e"),
        (pl.col("k") > 1).alias("b"),
        pl.col("k").cast(pl.UInt8).alias("u"),
        pl.col("x").cast(pl.Float32).alias("f"),
    )
    for frame in (plain, typed, pl.DataFrame({"x": [0.0] * 3000, "t": ["word"] * 3000})):
        stream = io.BytesIO()
        write(frame, stream)
        yield stream.getvalue()


@pytest.mark.parametrize(
    ("suffix", "write"),
    [
        (".parquet", lambda frame, stream: frame.write_parquet(stream)),
        (".parquet", lambda frame, stream: frame.write_parquet(stream, compression="uncompressed")),
        (".arrow", lambda frame, stream: frame.write_ipc(stream)),
        (".feather", lambda frame, stream: frame.write_ipc(stream, compression="zstd")),
        (".arrow", lambda frame, stream: frame.write_ipc_stream(stream)),
    ],
    ids=["parquet", "plain parquet", "arrow", "packed arrow", "arrow stream"],
)
def test_damaged_binary(tmp_path: Path, suffix: str, write: Callable[[pl.DataFrame, io.BytesIO], object]) -> None:
    path = tmp_path / f"t{suffix}"
    for i, content in enumerate(mutants(tuple(binary_seeds(write)))):
        path.write_bytes(content)
        held(path, missing=("learn", "drop")[i % 2])


def sound_tables() -> Iterator[tuple[list[list[str]], str, bytes]]:
    """(rows with their header, delimiter, file) of tables that every reader should read alike."""
    rng = random.Random(SEED)
    words = [token.decode("latin-1") for token in TOKENS if token.isascii() and not {0, 10, 13, 27} & set(token)]
    words += ["two\nlines", "x,y", 'say "hi"', "NA", "ü", "", "1,234.5", "0012", "6 ft", "a b"]
    for _ in range(ROUNDS):
        width, height = rng.randint(2, 6), rng.randint(2, 12)
        delimiter = rng.choice(",;\t")
        names = ("v", "the name", f"x{delimiter}y", "size", 'the "name"')  # other delimiters would leave a choice
        header = [f"{rng.choice(names)} {i}" for i in range(width)]
        rows = [[rng.choice(words).strip() for _ in range(width)] for _ in range(height)]
        stream = io.StringIO(newline="")
        quoting = rng.choice((csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC))
        ends = rng.choice(("\n", "\r\n"))
        csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator=ends).writerows([header, *rows])
        yield [header, *rows], delimiter, stream.getvalue().encode()


def test_sound_tables_are_read_as_every_other_reader_reads_them() -> None:
    for rows, delimiter, content in sound_tables():
        table = parse(content, "t.csv")
        ours = [table.names, *cells_of(table)]
        assert table.delimiter == delimiter, content
        assert ours == [tuple(row) for row in rows], content
        text = content.decode().replace("\r\n", "\n")
        assert ours == next(as_csv_reads(text, delimiter, spaces=False)), content
        assert ours == as_pandas_reads(text, delimiter), content


def test_declared_columns_keep_their_text(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for rows, _, content in itertools.islice(sound_tables(), ROUNDS // 4):
        path.write_bytes(content)
        data = held(path, discrete=rows[0], missing="state")
        assert data is not None, content
        assert all(column.kind is Kind.DISCRETE for column in data.columns)
        for position, column in enumerate(data.columns):
            kept = [column.levels[code] for code in column.values]
            wrong = [
                (one, row[position])
                for one, row in zip(kept, rows[1:], strict=True)
                if one != row[position] and one != column.levels[-1]
            ]
            assert not wrong, content
