"""A table written as a coded store and mapped is the same table; a damaged store is refused by one sentence."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Dataset
from arcwise.data.digest import digest
from arcwise.data.rows.checksums import VERIFIED
from arcwise.data.rows.mapped import is_mapped, place_of
from arcwise.data.rows.store import open_store, write_store
from arcwise.errors import FileError


def table(n: int = 500, seed: int = 1, levels: int = 3) -> Dataset:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = [None if rng.random() < 0.1 else f"y{rng.integers(levels)}" for _ in range(n)]
    gaps = np.where(rng.random(n) < 0.2, np.nan, x + rng.normal(size=n))
    return Dataset.from_frame({"z": rng.integers(0, 3, n), "x": x, "y": y, "a": gaps}, discrete=["z"])


def same(a: Dataset, b: Dataset) -> bool:
    fields = ("names", "kinds", "decisions", "warnings", "provenance")
    return digest(a) == digest(b) and all(getattr(a, field) == getattr(b, field) for field in fields)


def test_a_store_is_the_same_table_with_its_rows_in_files(tmp_path: Path) -> None:
    data = table()
    store = write_store(tmp_path / "t.arcwise", data)
    assert same(store, data)
    assert is_mapped(store)
    assert not is_mapped(data)
    assert not any(column.values.flags.writeable for column in store.columns)
    assert sorted(file.name for file in (tmp_path / "t.arcwise").iterdir()) == [
        "codes", "missing", "numbers", "table.json", VERIFIED,
    ]  # fmt: skip


def test_weights_and_levels_beyond_a_byte(tmp_path: Path) -> None:
    data = table(3000, levels=700).weighted(np.arange(3000) % 3)
    store = write_store(tmp_path / "t.arcwise", data)
    assert store.n_rows == data.n_rows
    assert store.column("y").values.dtype == np.uint16
    assert same(store, data)


def test_a_place_leads_another_process_to_the_same_rows(tmp_path: Path) -> None:
    store = write_store(tmp_path / "t.arcwise", table())
    for column in store.columns:
        some = column.values[7:90]
        place = place_of(some)
        assert place is not None
        np.testing.assert_array_equal(place.open(), some)
    assert place_of(store.columns[0].values[::2]) is None
    assert place_of(np.arange(5)) is None


def test_a_mapped_table_is_learned_as_the_one_in_memory(tmp_path: Path) -> None:
    data = arcwise.networks.load("child").sample(3000, seed=1)
    store = write_store(tmp_path / "t.arcwise", data)
    assert arcwise.learn(store, "hill-climb").cpdag == arcwise.learn(data, "hill-climb").cpdag
    rows = np.array([5, 2, 2])
    assert digest(store.take(rows)) == digest(data.take(rows))
    assert digest(store.by_name()) == digest(data.by_name())


def test_a_store_may_be_moved_and_copied(tmp_path: Path) -> None:
    data = table()
    write_store(tmp_path / "t.arcwise", data)
    (tmp_path / "t.arcwise").rename(tmp_path / "u.arcwise")
    assert same(open_store(tmp_path / "u.arcwise"), data)
    shutil.copytree(tmp_path / "u.arcwise", tmp_path / "v.arcwise")
    assert same(open_store(tmp_path / "v.arcwise"), data)


@pytest.mark.parametrize("file", ["codes", "numbers", "missing", "weights"])
def test_a_changed_byte_is_found(tmp_path: Path, file: str) -> None:
    folder = tmp_path / "t.arcwise"
    write_store(folder, table().weighted(np.full(500, 2)))
    content = bytearray((folder / file).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / file).write_bytes(bytes(content))
    with pytest.raises(FileError, match=r"t\.arcwise is damaged: cells of .* are not what was written; code the table"):
        open_store(folder)


def test_what_the_disk_lost_shows_when_every_cell_is_read(tmp_path: Path) -> None:
    import os

    folder = tmp_path / "t.arcwise"
    write_store(folder, table())
    file, state = folder / "codes", (folder / "codes").stat()
    with file.open("r+b") as stream:
        stream.write(b"\x01\x02\x01")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    open_store(folder)  # nothing tells that it was changed
    with pytest.raises(FileError, match="damaged"):
        open_store(folder, whole=True)


def test_files_that_are_gone_cut_or_of_another_format(tmp_path: Path) -> None:
    folder = tmp_path / "t.arcwise"
    write_store(folder, table())
    with (folder / "codes").open("r+b") as stream:
        stream.truncate(100)
    with pytest.raises(FileError, match=r"its file 'codes' has 100 bytes instead of 1,000"):
        open_store(folder)
    (folder / "codes").unlink()
    with pytest.raises(FileError, match="'codes' cannot be found"):
        open_store(folder)
    header = json.loads((folder / "table.json").read_text())
    (folder / "table.json").write_text(json.dumps({**header, "warnings": ["all is well"]}))
    with pytest.raises(FileError, match="it was changed after it was written"):
        open_store(folder)
    (folder / "table.json").write_text(json.dumps({**header, "format": "arcwise-table-7"}))
    with pytest.raises(FileError, match="format is 'arcwise-table-7', and this version of arcwise reads"):
        open_store(folder)
    (folder / "table.json").unlink()
    with pytest.raises(FileError, match=r"is no coded store, since it has no table\.json"):
        open_store(folder)
    with pytest.raises(FileError, match="does not exist"):
        open_store(tmp_path / "u.arcwise")


def test_nothing_is_replaced_that_nobody_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "t.arcwise"
    write_store(folder, table())
    with pytest.raises(FileError, match="is there already; choose another name, or replace it with --replace"):
        write_store(folder, table())
    assert same(write_store(folder, table(seed=2), replace=True), table(seed=2))
    (folder / "letters.txt").write_text("dear")
    with pytest.raises(FileError, match="it is no coded store, so it is not replaced"):
        write_store(folder, table(), replace=True)
    assert (folder / "letters.txt").exists()
    with pytest.raises(FileError, match=r"must end in \.arcwise"):
        write_store(tmp_path / "t", table())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["t.arcwise"]


def test_a_mapped_table_can_be_pickled(tmp_path: Path) -> None:
    store = write_store(tmp_path / "t.arcwise", table())
    assert same(pickle.loads(pickle.dumps(store)), store)
