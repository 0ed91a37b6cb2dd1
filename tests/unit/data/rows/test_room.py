"""Room for long arrays, in memory or in a file without a name."""

import os
import tempfile

import numpy as np
import pytest

from arcwise.data.rows import room
from arcwise.errors import FileError


@pytest.fixture
def no_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: os.PathLike[str]) -> os.PathLike[str]:
    monkeypatch.setattr(room, "SMALL", 0)
    monkeypatch.setattr(room, "free_memory", lambda: 100)
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(tmp_path))
    return tmp_path


def test_small_arrays_are_in_memory() -> None:
    array = room.room_for((3, 4), np.int32)
    assert array.base is None
    assert (array.shape, array.dtype) == ((3, 4), np.int32)
    assert not array.any()
    assert array.flags.writeable


def test_large_arrays_are_in_a_file_that_nobody_finds(no_memory: os.PathLike[str]) -> None:
    array = room.room_for((3, 1000), np.uint16)
    assert isinstance(array.base, np.memmap)
    assert (array.shape, array.dtype) == ((3, 1000), np.uint16)
    assert not array.any()
    array[2, 999] = 7
    assert array.sum() == 7
    assert os.listdir(no_memory) == []
    assert room.room_for(12, np.uint16).base is None  # a quarter of what is free


def test_a_full_disk_is_refused_before_anything_is_written(
    no_memory: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = 10

    monkeypatch.setattr(room.shutil, "disk_usage", lambda folder: Usage)
    with pytest.raises(FileError, match=r"do not fit into memory.*only 0\.0 MiB are free; set the.*TMPDIR"):
        room.room_for(1000, np.uint8)


def test_a_folder_that_cannot_be_written_is_named(no_memory: os.PathLike[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(FileError, match="Permission denied; set the environment variable TMPDIR"):
        room.room_for(1000, np.uint8)
