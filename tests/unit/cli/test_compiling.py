"""Whether kernels are compiled is told from Numba's cache files."""

from __future__ import annotations

import hashlib
import os
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from arcwise.cli.compiling import NOTE, cache_folders, needs_compiling


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of kernels with an empty cache."""
    for name in ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    (folder / "sums.py").write_text("def add(): ...\n", encoding="utf-8")
    return folder


def write_index(folder: Path, content: bytes, age: float = 0.0, python: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tag = python or f"py{sys.version_info.major}{sys.version_info.minor}"
    index = folder / f"sums.add-1.{tag}.nbi"
    index.write_bytes(content)
    os.utime(index, (index.stat().st_mtime - age,) * 2)


def digest(kernels: Path) -> bytes:
    return hashlib.sha256((kernels / "sums.py").read_bytes()).digest()


def test_an_empty_cache_needs_compiling(kernels):
    assert needs_compiling(kernels)


@pytest.mark.parametrize("place", [0, 1])
def test_an_index_beside_the_source_or_with_the_user_is_enough(kernels, place):
    write_index(cache_folders(kernels)[place], version("numba").encode() + digest(kernels))
    assert not needs_compiling(kernels)


def test_a_configured_folder_takes_the_place_of_the_others(kernels, tmp_path, monkeypatch):
    write_index(kernels / "__pycache__", version("numba").encode() + digest(kernels))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "own"))
    assert needs_compiling(kernels)
    write_index(cache_folders(kernels)[0], version("numba").encode() + digest(kernels))
    assert not needs_compiling(kernels)


def test_an_old_index_counts_only_if_it_has_the_digest_of_the_source(kernels):
    write_index(kernels / "__pycache__", version("numba").encode() + digest(kernels), age=3600)
    assert not needs_compiling(kernels)
    write_index(kernels / "__pycache__", version("numba").encode(), age=3600)
    assert needs_compiling(kernels)


def test_an_index_of_another_numba_or_python_does_not_count(kernels):
    write_index(kernels / "__pycache__", b"0.0.0" + digest(kernels))
    assert needs_compiling(kernels)
    write_index(kernels / "__pycache__", version("numba").encode() + digest(kernels), python="py27")
    assert needs_compiling(kernels)


def test_nothing_is_compiled_where_the_compiler_is_off(kernels, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert not needs_compiling(kernels)


def test_numba_itself_looks_in_these_folders(arcwise, weather):
    from arcwise._kernels import moves

    assert arcwise("learn", weather, "--quiet").code == 0
    used = Path(moves.closure._cache.cache_path)
    assert used in cache_folders(Path(moves.__file__).parent)
    assert not needs_compiling()


def test_the_note_is_printed_only_while_the_cache_is_cold(arcwise, weather, monkeypatch):
    monkeypatch.setattr("arcwise.cli.compiling.needs_compiling", lambda: True)
    assert arcwise("learn", weather).err == f"{NOTE}\n"
    assert arcwise("learn", weather, "--json").err == f"{NOTE}\n"
    assert arcwise("learn", weather, "--quiet").err == ""
    monkeypatch.setattr("arcwise.cli.compiling.needs_compiling", lambda: False)
    assert arcwise("learn", weather).err == ""
