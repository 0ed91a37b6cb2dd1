"""What is opened as a table: pipes, devices, bombs and damaged files end in one sentence, and soon."""

from __future__ import annotations

import gzip
import io
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import polars as pl
import pytest

from arcwise import machine
from arcwise.data.reading import files as loading
from arcwise.data.reading.arrow_sizes import unpacked_size
from arcwise.data.reading.door import read
from arcwise.data.reading.files import load
from arcwise.data.reading.parquet_sizes import DAMAGED, table_size
from arcwise.data.text_files import read_text
from arcwise.errors import DataError, FileError, OptionError

TABLE = b"a,b\n" + b"1,x\n2,y\n" * 30


def error_of(path: Path) -> str:
    with pytest.raises(FileError) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_more_than_memory_can_carry_is_refused_with_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "free_memory", lambda: 5 * 2**20)
    for name, verb in (("t.csv", "has"), ("t.csv.gz", "unpacks to")):
        path = tmp_path / name
        path.write_bytes(gzip.compress(bytes(2**25), mtime=0) if name.endswith("gz") else bytes(2**21))
        message = error_of(path)
        assert f"{path} {verb} more than 1.0 MiB, and reading takes 5 times as much or more" in message
        assert "only 5.0 MiB of memory are free; keep fewer rows or columns" in message


def test_what_unpacks_to_much_is_counted_before_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLE, mtime=0))
    monkeypatch.setattr(loading, "HELD", 10)
    assert load(path, packed=True) == TABLE


def test_text_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.json.gz"
    path.write_bytes(gzip.compress(b" " * 2**22, mtime=0))
    monkeypatch.setattr(loading, "free_memory", lambda: 5 * 2**20)
    with pytest.raises(FileError, match=r"unpacks to more than 1.0 MiB.*give a smaller file"):
        read_text(path)


def test_a_table_of_many_small_cells_is_refused_before_it_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TABLE)
    monkeypatch.setattr(machine, "free_memory", lambda: 1000)
    assert "t.csv with its 122 cells would take about" in error_of(path)


def test_a_small_parquet_file_with_a_huge_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.parquet"
    pl.select(pl.repeat(0, 1_000_000, dtype=pl.Int8).alias("a"), pl.lit("x").alias("b")).write_parquet(path)
    assert path.stat().st_size < 20_000
    monkeypatch.setattr(machine, "free_memory", lambda: 10_000_000)
    assert f"the table in {path} would take about 15" in error_of(path)


def test_sizes_of_binary_tables_are_read_from_their_headers(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [0.5] * 10_000, "t": ["word"] * 10_000})
    assert 160_000 < table_size(written(frame, "parquet", compression="zstd")) < 300_000
    for layout in ("ipc", "ipc_stream"):
        assert unpacked_size(written(frame, layout, compression="uncompressed")) == 0
        assert 200_000 < unpacked_size(written(frame, layout, compression="zstd")) < 300_000
    assert table_size(b"") == table_size(b"PAR1") == unpacked_size(b"") == unpacked_size(b"ARROW1") == 0


def written(frame: pl.DataFrame, layout: str, **options: str) -> bytes:
    stream = io.BytesIO()
    getattr(frame, f"write_{layout}")(stream, **options)
    return stream.getvalue()


def test_numbers_of_cells_that_cannot_be_are_damage(tmp_path: Path) -> None:
    """A page with -1 cells, and a buffer that says it unpacks to 2^60 bytes, once ended the process."""
    content = written(pl.DataFrame({"a": [1, 2, 3] * 21}), "parquet", compression="uncompressed")
    page = bytes([0x15, 126, 0x15])  # the number of cells, 63, of the header of the page
    assert content.count(page) == 1
    damaged = content.replace(page, bytes([0x15, 125, 0x15]))
    assert table_size(damaged) == DAMAGED
    (tmp_path / "t.parquet").write_bytes(damaged)
    assert "is not a Parquet file, or is damaged" in error_of(tmp_path / "t.parquet")
    content = written(pl.DataFrame({"a": [7] * 99}), "ipc", compression="zstd")
    size = (8 * 99).to_bytes(8, "little")
    assert content.count(size) == 1
    (tmp_path / "t.arrow").write_bytes(content.replace(size, (2**60).to_bytes(8, "little")))
    assert "is not an Arrow or Feather (version 2) file, or is damaged" in error_of(tmp_path / "t.arrow")


def test_free_memory_knows_the_machine_and_the_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 2**20 < machine.free_memory() < 2**50
    (tmp_path / "most").write_text("3000\n")
    (tmp_path / "used").write_text("1000\n")
    monkeypatch.setattr(machine, "_GROUPS", ((str(tmp_path / "most"), str(tmp_path / "used")),))
    assert machine.free_memory() == 2000
    (tmp_path / "most").write_text("max\n")
    assert machine.free_memory() > 2**20
    monkeypatch.setattr(resource, "getrlimit", lambda which: (5000, 5000))
    assert machine.free_memory() == 0


def test_gzip_in_several_parts_and_with_padding(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLE[:11], mtime=0) + gzip.compress(TABLE[11:], mtime=0) + bytes(512))
    assert load(path, packed=True) == TABLE
    large = TABLE * 100_000
    path.write_bytes(gzip.compress(large, 1, mtime=0))
    assert len(large) > 2 * loading.PIECE
    assert load(path, packed=True) == large


@pytest.mark.parametrize("change", [lambda b: b"", lambda b: b[:-1], lambda b: b + b"x", lambda b: b[:-8] + bytes(8)])
def test_gzip_that_is_not_whole(tmp_path: Path, change: object) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(change(gzip.compress(TABLE, mtime=0)))  # type: ignore[operator]
    assert "is not a whole gzip file" in error_of(path)


def test_a_pipe_that_nobody_writes_to_does_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "PATIENCE", 0.1)
    path = tmp_path / "t.csv"
    os.mkfifo(path)
    before = time.monotonic()
    assert "is a pipe into which nobody writes" in error_of(path)
    assert time.monotonic() - before < 5


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_pipe_is_read_to_its_end_however_slowly_it_comes(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    os.mkfifo(path)
    content = gzip.compress(TABLE, mtime=0) if suffix.endswith("gz") else TABLE

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            for start in range(0, len(content), 50):
                time.sleep(0.01)
                pipe.write(content[start : start + 50])

    writer = threading.Thread(target=write)
    writer.start()
    data = read(path)
    writer.join()
    assert data.n_rows == 60


def test_devices_sockets_and_folders_are_no_tables(tmp_path: Path) -> None:
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    assert "is a device, not a file" in error_of(tmp_path / "zero.csv")
    (tmp_path / "folder.csv").mkdir()
    assert "is a folder" in error_of(tmp_path / "folder.csv")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "s.csv"))
        assert "is a socket, not a file" in error_of(tmp_path / "s.csv")


@pytest.mark.parametrize("name", ["n" * 300 + ".csv", "a\0b.csv", "\ud800.csv", "x/" * 3000 + "t.csv"])
def test_names_that_no_file_can_have(name: str) -> None:
    assert "check the path" in error_of(Path(name))


@pytest.mark.parametrize("path", [5, None, b"t.csv", ["t.csv"]])
def test_what_is_no_path(path: object) -> None:
    with pytest.raises(OptionError, match="'path' of read must be text or a Path"):
        read(path)  # type: ignore[arg-type]


def test_a_panic_of_polars_is_one_sentence_and_nothing_on_stderr(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(written(pl.DataFrame({"a": [1, 2, 3]}), "parquet"))
    program = (
        "import os, sys\n"
        "import polars as pl\n"
        "def panic(*_):\n"
        "    os.write(2, b'thread panicked')\n"
        "    raise pl.exceptions.PanicException('out of range')\n"
        "pl.read_parquet = panic\n"
        "from arcwise.data.reading.door import read\n"
        "from arcwise.errors import FileError\n"
        "try:\n    read(sys.argv[1])\n"
        "except FileError as error:\n    print(error)\n"
        "os.write(2, b'still there')\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"{path} is not a Parquet file, or is damaged; write it again\n"
    assert done.stderr == "still there"


def test_memory_that_runs_out_later_is_one_sentence_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def starve(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("arcwise.data.reading.door.build", starve)
    from arcwise.data.reading.door import as_dataset

    with pytest.raises(DataError, match="the table has 2 rows and 1 columns, too many for the memory"):
        as_dataset({"a": [1, 2]})
