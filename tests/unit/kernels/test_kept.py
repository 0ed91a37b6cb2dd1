"""Compiled kernels in files: found again, and replaced where they are damaged, old or cannot be written."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from arcwise import compiling
from arcwise._kernels import kept, places
from arcwise._kernels.compiled import kernel
from arcwise._kernels.kept import PYTHON, kept_kernels
from arcwise._kernels.neural.losses import exp  # a small one

NUMBERS = np.array([0.0, 1.0])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The only place for kernels, which nobody has told anything about."""
    monkeypatch.setattr(places, "to_read", lambda: (tmp_path,))
    monkeypatch.setattr(places, "_first", lambda: (tmp_path, []))
    monkeypatch.setattr(places, "_full", [])
    monkeypatch.setattr(compiling, "_record", compiling._Record())
    monkeypatch.delenv(compiling.QUIET, raising=False)
    return tmp_path


def called():
    """How often a kernel that was just defined had to be compiled, when it was called once."""
    fresh = kernel(exp.py_func)
    fresh(0.5)
    return sum(fresh.stats.cache_misses.values())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_kernel_is_compiled_once(folder):
    assert called() == 1
    assert called() == 0
    assert kept_kernels() == {"neural.losses.exp"}


def test_kernels_are_found_in_folders_that_are_only_read(folder, monkeypatch, tmp_path_factory):
    called()
    other = tmp_path_factory.mktemp("other")
    monkeypatch.setattr(places, "to_read", lambda: (other, folder))
    monkeypatch.setattr(places, "to_write", lambda: None)
    assert called() == 0
    assert names(other) == []


WHOLE = pickle.dumps(("not", "a", "kernel"))
DAMAGE = {
    "empty": lambda content: b"",
    "a few bytes": lambda content: content[:3],
    "half": lambda content: content[: len(content) // 2],
    "all but the last byte": lambda content: content[:-1],
    "one bit": lambda content: content[:2000] + bytes([content[2000] ^ 4]) + content[2001:],
    "other content": lambda content: crc32(WHOLE).to_bytes(4, "big") + WHOLE,
    "no content": lambda content: crc32(b"").to_bytes(4, "big"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_replaced(folder, damage):
    called()
    (path,) = folder.iterdir()
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert called() == 1
    assert called() == 0
    assert names(folder) == [path.name]


def test_a_folder_in_the_place_of_a_file_harms_nobody(folder, capsys):
    called()
    (path,) = folder.iterdir()
    path.unlink()
    path.mkdir()
    assert called() == 1
    assert "cannot be kept" in capsys.readouterr().err


def no_room(path, content):
    path.touch()  # as much of it as there was room for
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told_once(folder, monkeypatch, capsys):
    monkeypatch.setattr(Path, "write_bytes", no_room)
    assert [called(), called()] == [1, 1]
    said = capsys.readouterr().err.splitlines()[1:]  # after that it is compiled
    assert len(said) == 1
    assert "No space left on device" in said[0]
    assert "NUMBA_CACHE_DIR" in said[0]
    assert places.to_write() is None
    assert names(folder) == []


def test_what_older_sources_left_is_deleted(folder):
    old = [f"neural.losses.exp-21.{PYTHON}.nbi", f"neural.losses.exp-0123456789abcdef.{PYTHON}.0.nbc"]
    others = [f"neural.losses.exponent-1.{PYTHON}.1.nbc", "neural.losses.exp-21.py27.1.nbc", "a_users.txt"]
    for name in (*old, *others):
        (folder / name).write_bytes(b"")
    called()
    assert set(names(folder)) >= set(others)
    assert not set(names(folder)) & set(old)
    assert len(names(folder)) == len(others) + 1


def test_what_was_never_finished_is_deleted_when_nobody_can_be_at_it(folder):
    called()
    (path,) = folder.iterdir()
    for name, age in (("now", 0.0), ("long-ago", 2 * kept.FORSAKEN)):
        unfinished = path.with_name(f"{path.name}.{name}.tmp")
        unfinished.write_bytes(b"")
        os.utime(unfinished, (time.time() - age,) * 2)
    path.unlink()
    called()
    assert names(folder) == [path.name, f"{path.name}.now.tmp"]


def test_a_kernel_without_its_source_is_not_kept(folder, monkeypatch):
    monkeypatch.setattr(kept, "source_state", lambda module: None)
    assert [called(), called()] == [1, 1]
    assert names(folder) == []


CODE = """
import numpy as np
from arcwise._kernels.neural.losses import exp
print(exp(0.0))
"""


@pytest.mark.slow
def test_processes_that_compile_the_same_at_once_agree(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "ARCWISE_QUIET": "1"}
    runs = [
        subprocess.Popen([sys.executable, "-c", CODE], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    assert [run.communicate(timeout=300) for run in runs] == [(b"1.0\n", b"")] * 3
    assert len(list(tmp_path.glob("*/*"))) == 1
