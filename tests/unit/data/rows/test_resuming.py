"""A coding that was stopped or killed goes on where it was, and ends in the same store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partialmethod
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from arcwise.data.digest import digest
from arcwise.data.rows import coding
from arcwise.data.rows.coding import code
from arcwise.data.rows.store import open_store
from arcwise.errors import FileError

N_PARTS = 5


def parts_in(folder: Path, n: int = 300) -> Path:
    rng = np.random.default_rng(1)
    folder.mkdir()
    for k in range(N_PARTS):
        words = rng.choice(["yes", "no", "may be"], n)
        words[rng.random(n) < 0.1] = None
        pl.DataFrame(
            {"w": words, "x": rng.normal(size=n), "k": rng.integers(0, 9999, n), "t": [f"v{k}"] * n}
        ).write_csv(folder / f"part-{k}.csv")
    return folder


class Calls:
    """Counts the files that a pass works on, and fails at the one that is told."""

    def __init__(self, inner: Any, fails_at: int | None) -> None:
        self.inner, self.fails_at, self.n = inner, fails_at, 0

    def __call__(self, *arguments: Any) -> Any:
        self.n += 1
        if self.n == self.fails_at:
            raise KeyboardInterrupt
        return self.inner(*arguments)


@pytest.mark.parametrize("which", ["_seen", "write_part"])
def test_a_run_that_is_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    monkeypatch.setenv("ARCWISE_THREADS", "1")
    parts = parts_in(tmp_path / "parts")
    whole = code(parts, tmp_path / "whole.arcwise")
    out = tmp_path / "t.arcwise"
    place: Any = coding._Run if which == "_seen" else coding
    inner = getattr(place, which)

    def tried(fails_at: int | None) -> Calls:
        calls = Calls(inner, fails_at)
        monkeypatch.setattr(place, which, partialmethod(calls) if which == "_seen" else calls)
        return calls

    tried(4)
    with pytest.raises(KeyboardInterrupt):
        code(parts, out)
    assert not out.exists()
    with pytest.raises(FileError, match="is not finished; run the same 'arcwise code' again"):
        open_store(out)
    again = tried(None)
    data = code(parts, out)
    assert again.n == N_PARTS - 3
    assert digest(data) == digest(whole)
    assert (data.decisions, data.warnings) == (whole.decisions, whole.warnings)
    assert (out / "table.json").read_bytes() == (tmp_path / "whole.arcwise" / "table.json").read_bytes()
    assert not (tmp_path / "t.arcwise.partial").exists()


def test_a_part_that_was_changed_since_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCWISE_THREADS", "1")
    parts, out = parts_in(tmp_path / "parts"), tmp_path / "t.arcwise"
    inner = coding.write_part
    monkeypatch.setattr(coding, "write_part", Calls(inner, 3))
    with pytest.raises(KeyboardInterrupt):
        code(parts, out)
    file = parts / "part-1.csv"
    file.write_text(file.read_text() + "never,1,2,new\n")
    monkeypatch.setattr(coding, "write_part", inner)
    data = code(parts, out)
    assert any("part-1.csv was changed since the last run, and is read again" in warning for warning in data.warnings)
    fresh = code(parts, tmp_path / "fresh.arcwise")
    assert digest(data) == digest(fresh)
    assert "never" in data.column("w").levels


def test_other_options_begin_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts, out = parts_in(tmp_path / "parts"), tmp_path / "t.arcwise"
    inner = coding.write_part
    monkeypatch.setattr(coding, "write_part", Calls(inner, 2))
    with pytest.raises(KeyboardInterrupt):
        code(parts, out)
    monkeypatch.setattr(coding, "write_part", inner)
    data = code(parts, out, na=["v1"])
    assert data.column("t").levels == ("v0", "v2", "v3", "v4")
    assert any("was read with other options, and is begun anew" in warning for warning in data.warnings)


def test_columns_that_are_left_out_now_cost_no_second_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts, out = parts_in(tmp_path / "parts"), tmp_path / "t.arcwise"
    inner, looks = coding.write_part, Calls(coding._Run._seen, None)
    monkeypatch.setattr(coding._Run, "_seen", partialmethod(looks))
    monkeypatch.setattr(coding, "write_part", Calls(inner, 2))
    with pytest.raises(KeyboardInterrupt):
        code(parts, out)
    monkeypatch.setattr(coding, "write_part", inner)
    data = code(parts, out, drop=["x"])
    assert looks.n == N_PARTS
    assert digest(data) == digest(code(parts, tmp_path / "fresh.arcwise", drop=["x"]))


def test_a_part_that_changes_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts, inner = parts_in(tmp_path / "parts"), coding.write_part

    def changes(k: int, part: Any, *arguments: Any) -> Any:
        if k == 2:
            Path(part.path).write_text("w,x,k,t\nunheard,1,2,v2\n")
        return inner(k, part, *arguments)

    monkeypatch.setattr(coding, "write_part", changes)
    with pytest.raises(FileError, match=r"part-2\.csv was changed while it was read"):
        code(parts, tmp_path / "t.arcwise")


def test_two_programs_cannot_write_one_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts, out, inner = parts_in(tmp_path / "parts"), tmp_path / "t.arcwise", coding.write_part

    def meanwhile(*arguments: Any) -> Any:
        with pytest.raises(FileError, match=r"another program writes .*t\.arcwise now"):
            code(parts, out)
        return inner(*arguments)

    monkeypatch.setattr(coding, "write_part", meanwhile)
    assert code(parts, out).n_rows == N_PARTS * 300


def test_a_run_that_is_killed_goes_on(tmp_path: Path) -> None:
    """A kill that nothing can catch, in the middle of writing."""
    parts, out = parts_in(tmp_path / "parts"), tmp_path / "t.arcwise"
    script = (
        "import sys, time\n"
        "from arcwise.data.rows import coding\n"
        "inner = coding.write_part\n"
        "def slow(k, *rest):\n"
        "    line = inner(k, *rest)\n"
        "    if k == 2:\n"
        "        print('here', flush=True)\n"
        "        time.sleep(60)\n"
        "    return line\n"
        "coding.write_part = slow\n"
        "coding.code(sys.argv[1], sys.argv[2])\n"
    )
    environment = {**os.environ, "ARCWISE_THREADS": "1"}
    run = subprocess.Popen([sys.executable, "-c", script, parts, out], stdout=subprocess.PIPE, env=environment)
    assert run.stdout is not None
    assert run.stdout.readline().strip() == b"here"
    time.sleep(0.05)
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdout.close()
    written = (tmp_path / "t.arcwise.partial" / "writing" / "written.jsonl").read_text().count("\n")
    assert written == 3  # what is written, and two parts
    assert digest(code(parts, out)) == digest(code(parts, tmp_path / "fresh.arcwise"))
