"""`arcwise discretize` as a process: Ctrl-C, colours and a narrow terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from pathlib import Path

from tests.unit.cli.test_process import ENDLESS, PROGRAM, start_on_a_terminal


def test_ctrl_c_gives_valid_thresholds(weather, heeded_signals):
    arguments = ["--method", "steck", *ENDLESS, "--json", "--thresholds", "cuts.json", "--draw", "p.svg"]
    process = start_on_a_terminal(["discretize", str(weather), *arguments])
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    content = json.loads(out)
    assert content["status"] == "stopped"
    warm = next(column for column in content["columns"] if column["name"] == "warm")
    assert sum(warm["counts"]) == 300
    assert json.loads(Path("cuts.json").read_text(encoding="utf-8")) == {"warm": warm["thresholds"]}
    assert sorted(os.listdir()) == ["cuts.json", "p.svg"]


def on_a_terminal(width: int, arguments: list[str], **variables: str) -> str:
    """What the program prints on a terminal of this width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    unset = {"COLUMNS", "NO_COLOR", "FORCE_COLOR"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment |= {"TERM": "xterm-256color", **variables}
    process = subprocess.Popen([*PROGRAM, *arguments], stdout=theirs, stderr=subprocess.PIPE, env=environment)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # what Linux says at the end of a terminal
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return seen.decode("utf-8")


def test_levels_have_alternating_colours_unless_they_are_not_wanted(weather):
    arguments = ["discretize", str(weather), "--drop", "rain,wet,sprinkler"]
    text = on_a_terminal(80, arguments)
    assert re.search(r"\x1b\[36m[^\x1b\n]*█[^\x1b\n]*\x1b\[0m\x1b\[35m", text)
    plain = on_a_terminal(80, arguments, NO_COLOR="1")
    assert "█" in plain
    assert not re.search(r"\x1b\[3[0-9]", plain)
    assert re.sub(r"\x1b\[[0-9]*m", "", text) == re.sub(r"\x1b\[[0-9]*m", "", plain)


def test_a_narrow_terminal_keeps_every_line(weather):
    text = re.sub(r"\x1b\[[0-9]*m", "", on_a_terminal(34, ["discretize", str(weather)]))
    lines = [line.rstrip() for line in text.splitlines()]
    assert max(map(len, lines)) <= 34
    assert sum("┴" in line for line in lines) == 1
    assert sum(bool(re.search(r" 100  rows  █+$", line)) for line in lines) == 3
