"""Files that commands write: what can be refused is refused before work begins, and no finished result is lost."""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from pathlib import Path

import pytest

from arcwise import LearnResult
from arcwise.cli.views import screen
from arcwise.data import text_files
from tests.unit.cli.conftest import Program, Run

DISCRETE = ["--method", "hill-climb", "--drop", "warm"]


def refused(run: Run, *words: str) -> None:
    assert run.code == 2
    assert run.out == ""
    assert run.err.count("\n") == 1
    assert run.err.startswith("error: cannot write ")
    for word in words:
        assert word in run.err


@pytest.fixture
def data(weather: Path) -> Path:
    """A copy that may be lost, in the folder of the test."""
    path = Path("weather.csv")
    path.write_bytes(weather.read_bytes())
    return path


def spellings(path: Path) -> dict[str, Path]:
    """Names that lead to the same file."""
    Path("sub").mkdir()
    Path("linked").symlink_to(".")
    link, hard = Path("link" + path.suffix), Path("hard" + path.suffix)
    link.symlink_to(path)
    hard.hardlink_to(path)
    return {
        "itself": path,
        "dot": Path("sub/..") / path,
        "absolute": path.absolute(),
        "folder": Path("linked") / path,
        "link": link,
        "hard link": hard,
    }


def test_the_table_is_never_overwritten(arcwise: Program, data: Path) -> None:
    before = data.read_bytes()
    for way, name in spellings(data).items():
        refused(arcwise("discretize", data, "--out", name), "the input; choose another name")
        refused(arcwise("discretize", name, "--out", data), "the input; choose another name")
        assert data.read_bytes() == before, way
    assert not any(name.startswith(".arcwise") for name in os.listdir())


def test_a_disk_that_does_not_tell_case_apart(arcwise: Program, data: Path) -> None:
    refused(arcwise("discretize", data, "--out", "Weather.CSV"), "the same file as weather.csv")
    refused(arcwise("learn", data, "--out", "net.json", "--graph", "NET.json"), "two options at once")
    refused(arcwise("learn", data, "--out", "n\u00e9.json", "--graph", "ne\u0301.json"), "two options at once")


def test_no_other_input_is_overwritten_either(arcwise: Program, data: Path) -> None:
    assert arcwise("learn", data, *DISCRETE, "--out", "r.json", "--quiet").code == 0
    assert arcwise("fit", data, "r.json", "--out", "net.json").code == 0
    Path("k.json").write_text('{"required": [["rain", "wet"]]}')
    Path("again.json").symlink_to("r.json")
    kept = {name: Path(name).read_bytes() for name in ("r.json", "k.json", "net.json")}
    refused(arcwise("learn", data, *DISCRETE, "--start", "r.json", "--out", "again.json"), "r.json, the input")
    refused(arcwise("learn", data, *DISCRETE, "--knowledge", "k.json", "--graph", "./k.json"), "k.json, the input")
    refused(arcwise("fit", data, "r.json", "--out", "again.json"), "r.json, the input")
    Path("test.csv").write_bytes(data.read_bytes())
    Path("test.json").hardlink_to("test.csv")
    refused(arcwise("fit", data, "r.json", "--test", "test.csv", "--out", "test.json"), "test.csv, the input")
    Path("out.csv").symlink_to("net.json")
    refused(arcwise("simulate", "net.json", "--rows", "3", "--out", "out.csv"), "net.json, the input")
    Path("p.svg").symlink_to(data)
    refused(arcwise("test", data, "rain", "wet", "--draw", "p.svg"), "weather.csv, the input")
    refused(arcwise("discretize", data, "--draw", "p.svg"), "weather.csv, the input")
    assert {name: Path(name).read_bytes() for name in kept} == kept


@pytest.mark.parametrize(
    "arguments",
    [
        ["learn", "DATA", "--method", "steck", "--out", "a.json", "--graph", "sub/../a.json"],
        ["learn", "DATA", "--method", "steck", "--out", "a.json", "--graph", "link.json"],
        ["learn", "DATA", "--method", "steck", "--draw", "a.svg", "--graph", "hard.dot"],
        ["discretize", "DATA", "--out", "a.csv", "--thresholds", "csv.json"],
    ],
)
def test_one_file_is_not_two(arcwise: Program, data: Path, arguments: list[str]) -> None:
    Path("sub").mkdir()
    Path("link.json").symlink_to("a.json")
    Path("a.svg").touch()
    Path("hard.dot").hardlink_to("a.svg")
    Path("csv.json").symlink_to("a.csv")
    refused(arcwise(*[data if word == "DATA" else word for word in arguments]), "two options at once")
    assert Path("a.svg").read_bytes() == b""


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("nowhere/r.json", "there is no folder nowhere; make it first"),
        ("dangling.json", "there is no folder"),
        ("read-only.json", "the file is read-only"),
        ("pipe.json", "it is a device or a pipe"),
        ("folder.json", "it is a folder"),
        ("loop.json", "Too many levels of symbolic links"),
        ("x" * 300 + ".json", "File name too long"),
        ("weather.csv/r.json", "Not a directory"),
    ],
)
def test_what_cannot_be_written_is_known_before_work_begins(
    arcwise: Program, data: Path, monkeypatch: pytest.MonkeyPatch, path: str, words: str
) -> None:
    Path("dangling.json").symlink_to("nowhere/r.json")
    Path("read-only.json").write_text("old")
    Path("read-only.json").chmod(0o444)
    os.mkfifo("pipe.json")
    Path("folder.json").mkdir()
    Path("loop.json").symlink_to("loop.json")
    monkeypatch.setattr("arcwise.cli.inputs.read_table", None)  # nothing is read
    refused(arcwise("learn", data, *DISCRETE, "--out", path), words)
    refused(arcwise("learn", data, *DISCRETE, "--graph", path), words)
    refused(arcwise("fit", data, "@alarm", "--out", path), words)
    refused(arcwise("discretize", data, "--thresholds", path), words)
    assert Path("read-only.json").read_text() == "old"


def test_a_folder_that_may_not_be_written(arcwise: Program, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **k: Path(path) != Path.cwd() and real(path, mode, **k))
    refused(arcwise("learn", data, "--out", "r.json"), "r.json: the folder may not be written to; choose another")


@pytest.mark.parametrize("name", ["bell\x07", "esc\x1b[31m"])
def test_a_name_that_the_format_cannot_hold_is_known_before_learning(
    arcwise: Program, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    rows = "".join(f"{i % 2},{i % 3}\n" for i in range(40))
    Path("t.csv").write_text(f"{name},b\n{rows}", encoding="utf-8")
    for good in ("g.json", "g.dot", "g.cyjs", "g.R"):
        assert arcwise("learn", "t.csv", "--method", "steck", "--graph", good, "--quiet").code == 0
    monkeypatch.setattr("arcwise.api.learn", None)
    run = arcwise("learn", "t.csv", "--method", "steck", "--graph", "g.graphml", "--out", "r.json")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: node name ")
    assert run.err.endswith("has a character that XML cannot hold; save as .json or .dot\n")
    assert not Path("r.json").exists()


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Files whose names begin with full_ cannot be written; temporary ones can."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    real = text_files._write_draft

    def write(draft: Path, content: bytes, before: os.stat_result | None) -> None:
        if writing and Path(writing[-1]).name.startswith("full_"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(draft, content, before)

    writing: list[str] = []
    settle = text_files.settle_target

    def settled(path: str | Path) -> tuple[Path, os.stat_result | None]:
        writing.append(str(path))
        return settle(path)

    monkeypatch.setattr(text_files, "_write_draft", write)
    monkeypatch.setattr(text_files, "settle_target", settled)


def kept_in(run: Run) -> Path:
    """The file in which a result was kept, as the message names it."""
    assert run.code == 74
    assert run.err.count("\n") == 1
    assert "No space left on device; choose a folder that can be written and has room (the result is kept in" in run.err
    return Path(run.err.partition("kept in ")[2].removesuffix(": copy it from there)\n"))


@pytest.mark.usefixtures("full")
def test_a_result_whose_file_cannot_be_written_is_kept(arcwise: Program, data: Path) -> None:
    run = arcwise("learn", data, *DISCRETE, "--out", "full_r.json", "--draw", "net.svg")
    kept = kept_in(run)
    assert run.out.startswith("hill-climb: 300 rows")
    assert LearnResult.load(str(kept)).cpdag.undirected == (("rain", "wet"),)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert Path("net.svg").exists()
    assert sorted(os.listdir()) == ["net.svg", "tmp", "weather.csv"]


@pytest.mark.usefixtures("full")
def test_a_result_that_is_saved_is_not_saved_again(arcwise: Program, data: Path) -> None:
    run = arcwise("learn", data, *DISCRETE, "--out", "r.json", "--draw", "full_net.svg", "--graph", "full_net.dot")
    assert run.code == 74
    assert run.err.count("cannot write full_net.") == 2
    assert run.err.endswith("(the result is saved in r.json)\n")
    assert LearnResult.load("r.json").names
    assert os.listdir("tmp") == []
    run = arcwise("learn", data, *DISCRETE, "--graph", "full_net.dot", "--json")
    assert run.err.endswith("(the result is what was printed)\n")
    assert LearnResult.from_dict(json.loads(run.out)).names
    assert os.listdir("tmp") == []


@pytest.mark.usefixtures("full")
def test_nothing_to_keep_it_in(arcwise: Program, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(Path("nowhere").absolute()))
    run = arcwise("learn", data, *DISCRETE, "--out", "full_r.json", "--quiet")
    assert run.code == 74
    assert run.err.endswith("(the result is on stdout, as JSON: save that)\n")
    assert LearnResult.from_dict(json.loads(run.out)).names


@pytest.mark.usefixtures("full")
def test_other_commands_keep_theirs(arcwise: Program, data: Path) -> None:
    run = arcwise("discretize", data, "--out", "full_c.csv", "--set", "bins=2")
    assert json.loads(kept_in(run).read_text())["warm"]
    assert run.out.startswith("equal-frequency: 300 rows")
    assert arcwise("learn", data, *DISCRETE, "--out", "r.json", "--quiet").code == 0
    run = arcwise("fit", data, "r.json", "--out", "full_net.json")
    from arcwise import FittedNetwork

    assert FittedNetwork.load(kept_in(run)).dag.n_nodes == 3
    assert "mean log density" in run.out
    assert "saved" not in run.err
    run = arcwise("test", data, "rain", "wet", "--draw", "full_s.svg")
    assert run.code == 74
    assert run.out.startswith("rain and wet are dependent")
    run = arcwise("simulate", "alarm", "--rows", "5", "--out", "full_a.csv")
    assert (run.code, run.out) == (74, "")


def test_a_fault_in_drawing_does_not_cost_the_result(
    arcwise: Program, data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*arguments: object, **options: object) -> None:
        raise RuntimeError("odd")

    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr("arcwise.drawing.picture.scene", broken)
    run = arcwise("learn", data, *DISCRETE, "--draw", "net.svg")
    assert run.code == 70
    assert run.out.startswith("hill-climb: 300 rows")
    first, second = run.err.splitlines()
    assert first.startswith("note: the result is kept in ")
    assert second == "internal error: RuntimeError: odd; run again with --traceback"
    assert LearnResult.load(first.split("kept in ")[1].removesuffix(": copy it from there")).names


def test_a_result_that_cannot_be_printed_is_kept(
    arcwise: Program, data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = screen.Output.write

    def write(self: screen.Output, text: str) -> None:
        if not self.aside:
            raise screen.cannot_print(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        real(self, text)

    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(screen.Output, "write", write)
    run = arcwise("learn", data, *DISCRETE)
    assert run.code == 74
    assert run.err.startswith("error: cannot print the result: No space left on device; send the output elsewhere (the")
    assert LearnResult.load(run.err.partition("kept in ")[2].removesuffix(": copy it from there)\n")).names
    monkeypatch.setattr(tempfile, "tempdir", str(Path("nowhere").absolute()))
    run = arcwise("learn", data, *DISCRETE)
    assert run.err.endswith("(the result could not be kept anywhere)\n")


@pytest.mark.usefixtures("full")
def test_a_reader_that_went_away_does_not_hide_a_file_that_is_missing(
    arcwise: Program, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def show(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("arcwise.cli.learn._tell", show)
    assert arcwise("learn", data, *DISCRETE, "--out", "r.json").code == 141
    assert LearnResult.load("r.json").names
    run = arcwise("learn", data, *DISCRETE, "--out", "full_r.json")
    assert LearnResult.load(str(kept_in(run))).names
