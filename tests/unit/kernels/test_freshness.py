"""A kernel is compiled anew when a kernel that it calls has changed, wherever that one stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import arcwise._kernels
from arcwise._kernels.freshness import NOTE, digests, forget_stale


@pytest.fixture
def folders(tmp_path):
    """top imports middle, middle imports bottom, apart stands apart; each has a cached kernel."""
    sources, cache = tmp_path / "sources", tmp_path / "cache"
    sources.mkdir()
    cache.mkdir()
    (sources / "bottom.py").write_text("x = 1\n", encoding="utf-8")
    (sources / "middle.py").write_text("from arcwise._kernels.bottom import x\n", encoding="utf-8")
    (sources / "top.py").write_text("import numpy\n\nfrom arcwise._kernels.middle import x\n", encoding="utf-8")
    (sources / "apart.py").write_text("y = 2\n", encoding="utf-8")
    return sources, cache


def compile_all(sources, cache):
    forget_stale(sources, cache)
    for path in sources.glob("*.py"):
        (cache / f"{path.stem}.add-3.py311.nbi").write_bytes(b"")


def left(cache):
    return sorted(path.name.split(".")[0] for path in cache.glob("*.nbi"))


def test_what_has_not_changed_stays(folders):
    compile_all(*folders)
    assert forget_stale(*folders) == []
    assert left(folders[1]) == ["apart", "bottom", "middle", "top"]


@pytest.mark.parametrize(("changed", "stays"), [("bottom", ["apart"]), ("top", ["apart", "bottom", "middle"])])
def test_what_imports_a_changed_file_is_forgotten(folders, changed, stays):
    compile_all(*folders)
    with (folders[0] / f"{changed}.py").open("a", encoding="utf-8") as file:
        file.write("z = 3\n")
    forget_stale(*folders)
    assert left(folders[1]) == stays
    assert forget_stale(*folders) == []


@pytest.mark.parametrize("note", [None, "no json", "[]"])
def test_a_cache_without_a_note_is_forgotten(folders, note):
    compile_all(*folders)
    (folders[1] / NOTE).unlink()
    if note is not None:
        (folders[1] / NOTE).write_text(note, encoding="utf-8")
    forget_stale(*folders)
    assert left(folders[1]) == []


def test_files_that_import_each_other_end(folders):
    (folders[0] / "bottom.py").write_text("from arcwise._kernels.top import x\n", encoding="utf-8")
    assert len(digests(folders[0])) == 4


def test_every_process_looks(tmp_path):
    """A note of other kernels than these is replaced when the kernels are imported."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = "from arcwise._kernels import compiled; print(compiled._anything.stats.cache_path)"
    call = [sys.executable, "-c", code]
    folder = Path(subprocess.run(call, env=environment, capture_output=True, text=True, check=True).stdout.strip())
    (folder / NOTE).write_text("{}", encoding="utf-8")
    subprocess.run(call, env=environment, check=True, capture_output=True)
    assert (folder / NOTE).read_text(encoding="utf-8").count('"') == 4 * len(
        list(Path(arcwise._kernels.__file__).parent.glob("*.py"))
    )
