"""What reaches a terminal: nothing that commands it, and something to read whatever its width."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from arcwise.cli.main import main
from arcwise.printing import UNPRINTABLE
from tests.unit.cli.conftest import Program

# What rich writes by itself: colours.
STYLES = re.compile(r"\x1b\[[0-9;]*m")
NASTY = ["\x1b]0;owned\x07\x1b[2J", "\x9b2Jx", "\u202egnp.txt", "\u200bnull\x7f", "[bold]x"]


class Terminal(io.StringIO):
    """A stream that says it is one."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("TERM", "xterm-256color")

    def run(*arguments: object, width: int | str = 80) -> tuple[int, str]:
        stream = Terminal()
        with monkeypatch.context() as patch:
            patch.setenv("COLUMNS", str(width))
            patch.setattr(sys, "stdout", stream)
            code = main([str(argument) for argument in arguments])
        return code, STYLES.sub("", stream.getvalue())

    return run


def table(path: str, names: list[str], levels: tuple[str, str]) -> Path:
    """Numbers and levels that depend on each other."""
    import numpy as np

    rng = np.random.default_rng(0)
    start = rng.normal(size=150)
    columns = [[f"{value:.4f}" for value in start + rng.normal(size=150)] for _ in names[:2]]
    columns += [[levels[int(value > 0)] for value in start + rng.normal(size=150) / 9] for _ in names[2:]]
    rows = [",".join(row) for row in zip(*columns, strict=True)]
    Path(path).write_text("\n".join([",".join(names), *rows]) + "\n", encoding="utf-8")
    return Path(path)


def commands(data: Path, names: list[str]) -> list[list[object]]:
    a, b, c, *_ = names
    return [
        ["learn", data, "--out", "r\x1b[31m.json", "--method", "equal-width"],
        ["learn", data, "--method", "pc", "--out", "pc.json"],
        ["learn", data, "--method", "hill-climb", "--json"],
        ["score", data, "r\x1b[31m.json"],
        ["score", data, "pc.json"],
        ["fit", data, "r\x1b[31m.json", "--test", data, "--out", "net\x1b[31m.json"],
        ["discretize", data],
        ["discretize", data, "--method", "steck", "--json"],
        ["test", data, a, b, "--given", c],
        ["test", data, a, b, "--given", c, "--json"],
        ["metrics", "r\x1b[31m.json", "pc.json"],
        ["metrics", "r\x1b[31m.json", "pc.json", "--json"],
        ["simulate", "net\x1b[31m.json", "--rows", "3"],
        ["complete", "net\x1b[31m.json", data, "--out", "filled.csv"],
    ]


def is_safe(text: str) -> bool:
    return not UNPRINTABLE.search(text.replace("\n", ""))


def test_nothing_commands_a_terminal(terminal: Program, capsys: pytest.CaptureFixture[str]) -> None:
    data = table("n\x1b[31m.csv", NASTY, ("low\x1b[2J", "high\u202e"))
    shown = ""
    for command in commands(data, NASTY):
        code, out = terminal(*command)
        err = capsys.readouterr().err
        assert code == 0, err
        assert is_safe(out), command
        assert is_safe(err), command
        shown += out + err
    for word in (r"\x1b]0;owned\x07\x1b[2J", r"\u202egnp.txt", r"\u009b2Jx", r"low\x1b[2J", "[bold]x", r"net\x1b[31m"):
        assert word in shown


def test_nothing_commands_a_terminal_by_way_of_a_file(arcwise: Program) -> None:
    """`cat` of what was piped must be as safe; only data keep every character."""
    data = table("n\x1b[31m.csv", NASTY, ("low\x1b[2J", "high\u202e"))
    for command in commands(data, NASTY):
        run = arcwise(*command)
        assert run.code == 0, run.err
        assert is_safe(run.err)
        assert is_safe(run.out) == (command[0] != "simulate"), command


@pytest.mark.parametrize(
    "arguments",
    [
        ["learn", "no\x1b[31m.csv"],
        ["learn", "t.csv", "--drop", "x\x1b[2J"],
        ["learn", "t.csv", "--method", "\x9b2J"],
        ["learn", "t.csv", "--method", "steck", "--out", "x\x1b[2J"],
        ["learn", "t.csv", "--method", "steck", "--x\x1b[2J"],
        ["learn", "t.csv", "--method", "steck", "--seed", "\x1b[2J"],
        ["learn", "t.csv", "--method", "steck", "--set", "\x1b=\u202e"],
        ["learn", "t.csv", "--method", "steck", "--required", "a->\x1b[2J"],
        ["score", "t.csv", "\x1b[2J.dot"],
        ["simulate", "\x1b[2J", "--rows", "3"],
        ["complete", "@alarm", "no\x1b[31m.csv"],
        ["\x1b[2J"],
    ],
)
def test_errors_command_nothing(arcwise: Program, arguments: list[str]) -> None:
    table("t.csv", NASTY, ("a", "b"))
    run = arcwise(*arguments)
    assert run.code == 2
    assert run.out == ""
    assert run.err.count("\n") == 1
    assert is_safe(run.err)


def test_tracebacks_command_nothing(arcwise: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from arcwise.cli import commands as program

    def broken(arguments: list[str]) -> int:
        raise RuntimeError("odd\x1b[2J")

    monkeypatch.setattr(program, "invoke", broken)
    for run in (arcwise("methods"), arcwise("methods", "--traceback")):
        assert run.code == 70
        assert r"odd\x1b[2J" in run.err
        assert is_safe(run.err)


def without_commands(text: str) -> list[str]:
    """The lines but for what is to be typed next, which is copied in one piece."""
    return [line for line in text.splitlines() if not line.strip().startswith("arcwise ")]


@pytest.mark.parametrize("width", [1, 7])
def test_a_narrow_terminal_is_written_to(terminal: Program, width: int, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["alpha", "beta", "gamma", "delta"]
    data = table("t.csv", names, ("low", "high"))
    for command in [*commands(data, names), ["methods"], ["methods", "steck"]]:
        if "--json" not in command:
            code, out = terminal(*command, width=width)
            assert code == 0, capsys.readouterr().err
            if command[0] != "simulate":
                assert max(map(len, without_commands(out))) <= 30, command


@pytest.mark.parametrize("columns", ["0", "-3", "many", ""])
def test_a_width_that_is_none(terminal: Program, columns: str) -> None:
    code, out = terminal("methods", "steck", width=columns)
    assert code == 0
    assert 30 < max(map(len, out.splitlines())) <= 80


def test_the_progress_of_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from arcwise.cli.views.screen import console
    from arcwise.parts.monitor import Progress
    from arcwise.parts.progress import Watcher, fitting

    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    for width in (1, 3, 5, 20, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        watcher = Watcher()
        watcher.report(Progress("search", 3, -12.5, "added a\n\x1b[2J -> b", 0.5))
        line = fitting(watcher.line(), console(stderr=True).width).plain
        assert is_safe(line)
        assert "\n" not in line
        assert len(line) <= max(width - 4, 1)


def test_names_of_300_characters(terminal: Program, arcwise: Program, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["x" * 300, "y " * 149 + "yy", "z" * 300, "w"]
    data = table("t.csv", names, ("l" * 300, "h" * 300))
    for command in commands(data, names):
        code, out = terminal(*command)
        assert code == 0, capsys.readouterr().err
        if "--json" not in command and command[0] != "simulate":
            assert max(map(len, without_commands(out))) <= 80
    files = ["--draw", "net.svg", "--graph", "net.graphml", "--method", "hill-climb"]
    run = arcwise("learn", data, *files)
    assert run.code == 0
    assert max(map(len, run.out.splitlines())) <= 100
    assert "l" * 39 + "…" in arcwise("learn", data, *files, "--types").out.replace(" ", "").replace("\n", "")
    assert arcwise("test", data, names[0], names[1], "--draw", "s.svg").code == 0
    assert arcwise("discretize", data, "--draw", "d.svg").code == 0
    widths = [float(re.search(r'width="([\d.]+)', Path(f).read_text())[1]) for f in ("net.svg", "s.svg", "d.svg")]
    assert max(widths) < 2500


@pytest.mark.parametrize("network", ["alarm", "meander", "lambda:1,2"])
def test_more_rows_than_memory_are_refused_at_once(arcwise: Program, network: str) -> None:
    run = arcwise("simulate", network, "--rows", 10**12, "--out", "t.csv")
    assert run.code == 2
    assert re.fullmatch(
        r"error: a sample of 1,000,000,000,000 rows and \d+ columns would take about [\d,.]+ GiB of memory, but only "
        r"[\d,.]+ [GM]iB are free; ask for fewer rows\n",
        run.err,
    )
    assert not Path("t.csv").exists()
