"""Every step of writing a file fails in turn: the old file or the new one is there, whole, and one sentence says why.

The steps are found by running each writer once while the calls of the operating system that a write consists of are
counted; then it is run again for each of them, which fails with a full disk, a refusal or a broken disk.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import arcwise
from arcwise import networks
from arcwise.cli.main import main
from arcwise.drawing.slices import draw_slices
from arcwise.errors import FileError
from arcwise.graph import draw
from arcwise.graph.io import save
from arcwise.report import draw_thresholds

FAULTS = (errno.ENOSPC, errno.EACCES, errno.EIO)
SIGNAL = 0  # instead of a fault: the run is ended by a signal
OLD = b"what stood here before"


@dataclass
class Disk:
    """Counts what is done to files, and fails at one step of it."""

    fails_at: int = 0  # 0: never
    fault: int = 0
    steps: list[str] = field(default_factory=list)

    def step(self, name: str) -> None:
        self.steps.append(name)
        if len(self.steps) == self.fails_at:
            raise KeyboardInterrupt if self.fault == SIGNAL else OSError(self.fault, os.strerror(self.fault))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Disk:
    """All that files are written with passes by this disk; its numbers are set by the tests."""
    now = Disk()
    is_ours: set[int] = set()  # handles that are open for writing

    def opened(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        ours = Path(os.fsdecode(path)).absolute().is_relative_to(tmp_path)
        writes = ours and flags & (os.O_WRONLY | os.O_RDWR)
        if writes or (ours and Path(path).is_dir()):
            now.step("open")
        handle = real["open"](path, flags, mode, **more)
        is_ours.discard(handle)
        if writes:
            is_ours.add(handle)
        return handle

    def replaced(*arguments: Any, **more: Any) -> None:
        now.step("rename")
        real["replace"](*arguments, **more)

    def synced(handle: int) -> None:
        now.step("fsync")
        real["fsync"](handle)

    def changed(*arguments: Any, **more: Any) -> None:
        now.step("chmod")
        real["chmod"](*arguments, **more)

    def fdopened(handle: int, *arguments: Any, **more: Any) -> Any:
        file = real["fdopen"](handle, *arguments, **more)
        return Watched(file) if handle in is_ours else file

    class Watched:
        """A file whose writes and closing pass by."""

        def __init__(self, file: Any) -> None:
            self._file = file

        def write(self, content: bytes) -> int:
            half = len(content) // 2
            written = self._file.write(content[:half])
            self._file.flush()
            now.step("write")  # a disk fills up in the middle
            return written + self._file.write(content[half:])

        def __enter__(self) -> Watched:
            return self

        def __exit__(self, *error: object) -> None:
            self._file.close()
            now.step("close")

        def __getattr__(self, name: str) -> Any:
            return getattr(self._file, name)

    real = {name: getattr(os, name) for name in ("open", "replace", "fsync", "chmod", "fdopen")}
    fakes = {"open": opened, "replace": replaced, "fsync": synced, "chmod": changed, "fdopen": fdopened}
    for name, fake in fakes.items():
        monkeypatch.setattr(os, name, fake)

    def plain_open(file: Any, mode: str = "r", *arguments: Any, **more: Any) -> Any:
        ours = not isinstance(file, int) and Path(os.fsdecode(file)).absolute().is_relative_to(tmp_path)
        assert not ours or set(mode).isdisjoint("wax+"), f"{file} is written past the one function that does it right"
        return real_open(file, mode, *arguments, **more)

    real_open = builtins.open
    monkeypatch.setattr(builtins, "open", plain_open)
    monkeypatch.setattr(io, "open", plain_open)
    return now


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    table = arcwise.datasets.load("cars1")
    result = arcwise.learn(table, "equal-frequency")
    return {"table": table, "result": result, "net": result.fit(table), "alarm": networks.load("alarm")}


Writer = Callable[[dict[str, Any], Path], object]
WRITERS: dict[str, Writer] = {
    "result.json": lambda made, path: made["result"].save(path),
    "result.json.gz": lambda made, path: made["result"].save(path),
    "graph.json": lambda made, path: save(made["result"].cpdag, path),
    "graph.dot": lambda made, path: save(made["result"].cpdag, path),
    "graph.graphml": lambda made, path: save(made["result"].cpdag, path),
    "graph.cyjs": lambda made, path: save(made["result"].cpdag, path),
    "graph.R": lambda made, path: save(made["result"].cpdag, path),
    "graph.svg": lambda made, path: draw(made["result"].cpdag, path),
    "graph.png": lambda made, path: draw(made["result"].cpdag, path),
    "fitted.json": lambda made, path: made["net"].save(path),
    "alarm.json": lambda made, path: made["alarm"].save(path),
    "alarm.bif": lambda made, path: networks.write_bif(made["alarm"], path),
    "alarm.R": lambda made, path: networks.write_r(made["alarm"], path),
    "cuts.svg": lambda made, path: draw_thresholds(made["table"], made["result"].discretization, path),
    "slices.svg": lambda made, path: draw_slices(made["table"], "mpg", "weight", [], path),
}


@pytest.mark.parametrize(("name", "existing"), [("result.json", False), *((name, True) for name in WRITERS)])
def test_python(tmp_path: Path, disk: Disk, made: dict[str, Any], name: str, existing: bool) -> None:
    path = tmp_path / name
    before = OLD if existing else None
    WRITERS[name](made, path)  # once, so that all it needs is imported
    new, steps = _count(disk, path, before, lambda: WRITERS[name](made, path))
    assert [step for step in steps if step != "chmod"] == ["open", "write", "fsync", "close", "rename", "open", "fsync"]
    faults = (*FAULTS, SIGNAL) if name == "result.json" else FAULTS[:1]
    for fault in faults:
        for number in range(1, len(steps) + 1):
            _put(path, before)
            disk.steps, disk.fails_at, disk.fault = [], number, fault
            renamed = "rename" in steps[: number - 1]
            told = _told(lambda: WRITERS[name](made, path))
            if fault == SIGNAL:
                assert told == "interrupted"
            elif not renamed or told:  # that a folder cannot be synchronised may be in its nature
                assert str(path) in told
                assert os.strerror(fault) in told
                assert "\n" not in told
            disk.fails_at = 0
            assert os.listdir(tmp_path) == ([name] if renamed or before else [])
            assert _content(path) == (new if renamed else before), (steps[number - 1], fault)


def _told(write: Callable[[], object]) -> str:
    try:
        write()
    except FileError as error:
        return str(error)
    except KeyboardInterrupt:
        return "interrupted"
    return ""


def _put(path: Path, content: bytes | None) -> None:
    path.unlink(missing_ok=True)
    if content is not None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT)
        os.write(handle, content)
        os.close(handle)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _count(disk: Disk, path: Path, before: bytes | None, write: Callable[[], object]) -> tuple[bytes | None, list[str]]:
    disk.fails_at = 0
    _put(path, before)
    disk.steps = []
    write()
    return _content(path), list(disk.steps)


COMMANDS = {
    "r.json": ["learn", "@cars1", "--method", "equal-frequency", "--out", "r.json"],
    "g.dot": ["learn", "@cars1", "--method", "equal-frequency", "--graph", "g.dot"],
    "n.svg": ["learn", "@cars1", "--method", "equal-frequency", "--draw", "n.svg"],
    "c.csv": ["discretize", "@cars1", "--out", "c.csv"],
    "c.parquet": ["discretize", "@cars1", "--out", "c.parquet"],
    "t.json": ["discretize", "@cars1", "--thresholds", "t.json"],
    "d.svg": ["discretize", "@cars1", "--draw", "d.svg"],
    "net.json": ["fit", "@cars1", "result.json", "--out", "net.json"],
    "s.tsv": ["simulate", "alarm", "--rows", "20", "--out", "s.tsv"],
    "m.svg": ["test", "@cars1", "mpg", "weight", "--draw", "m.svg"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(
    tmp_path: Path,
    disk: Disk,
    made: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    made["result"].save("result.json")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    path, arguments = Path(name), COMMANDS[name]
    assert main(arguments) == 0
    new, steps = _count(disk, path, OLD, lambda: main(arguments))
    shown = capsys.readouterr().out
    for number in range(1, steps.index("rename") + 2):
        _put(path, OLD)
        disk.steps, disk.fails_at, disk.fault = [], number, errno.ENOSPC
        code = main(arguments)
        disk.fails_at = 0
        out, err = capsys.readouterr()
        assert code == 74, (steps[number - 1], err)
        assert "error: cannot write " in err.splitlines()[-1]
        assert "No space left on device" in err
        assert path.read_bytes() == OLD
        assert sorted(os.listdir()) == sorted(["result.json", name])
        assert bool(out) == bool(shown) or "as JSON: save that" in err
    assert new != OLD


def test_only_one_function_writes_files() -> None:
    """Whoever wants to write a file calls `write_text` or `write_whole`; the cache of kernels is Numba's own matter.

    So is a coded store, which is written into a folder beside its own name, and resumed there.
    """
    root = Path(arcwise.__file__).parent
    ways = (r"\.write_(text|bytes)\(", r"savefig\(", r"sink_\w+\(", r"os\.O_(WRONLY|CREAT|RDWR)")
    pattern = re.compile("|".join((*ways, r"\bopen\([^)]*[\"'][wax]b?\+?[\"']")))
    excepted = {root / "data" / "text_files.py", root / "cli" / "views" / "screen.py"}  # stdout is no file
    excepted |= {root / "data" / "rows" / name for name in ("draft.py", "journal.py")}
    found = {
        f"{path.relative_to(root)}: {line.strip()}"
        for path in root.rglob("*.py")
        if path not in excepted and path.parent.name != "_kernels"
        for line in path.read_text(encoding="utf-8").splitlines()
        if pattern.search(line) and "os.devnull" not in line
    }
    assert found == set()
