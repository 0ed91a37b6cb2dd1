"""What needs a process of its own: Ctrl-C, kill, closed pipes, other encodings, a fast start."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = [sys.executable, "-c", "from arcwise.cli.main import run; run()"]
ENDLESS = ["--set", "restarts=100000000"]


def start_on_a_terminal(arguments: list[str]) -> subprocess.Popen[bytes]:
    """The program with stderr on a terminal, once the progress line has shown a restart of the search."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    seen = b""
    deadline = time.monotonic() + 60
    while b"restart" not in seen and time.monotonic() < deadline:
        seen += os.read(ours, 4096)
    assert b"restart" in seen, seen
    return process


def test_ctrl_c_returns_the_best_graph_so_far(weather):
    process = start_on_a_terminal(["learn", str(weather), *ENDLESS, "--out", "r.json", "--json"])
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    saved = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert saved["status"] == "stopped"
    assert saved["cpdag"]["undirected"] or saved["cpdag"]["directed"]
    assert json.loads(out) == saved
    assert os.listdir() == ["r.json"]


def test_a_killed_run_leaves_no_file(weather):
    process = start_on_a_terminal(["learn", str(weather), *ENDLESS, "--out", "r.json", "--draw", "p.svg"])
    process.kill()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert os.listdir() == []


def test_a_closed_pipe_is_no_error():
    # An unbuffered Python does not see that the pipe took a part of the text only.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        [*PROGRAM, "simulate", "alarm", "--rows", "20000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141


def test_pipes_carry_utf8_whatever_the_locale():
    Path("t.csv").write_text("größe,b\n" + "".join(f"{i % 2},{i % 3}\n" for i in range(40)), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = subprocess.run([*PROGRAM, "learn", "t.csv", "--json"], env=environment, capture_output=True, check=True)
    assert json.loads(run.stdout.decode("utf-8"))["cpdag"]["names"] == ["größe", "b"]


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from arcwise.cli.main import main; main(['learn', '--help']); "
        "heavy = {'numpy', 'numba', 'polars', 'rich', 'matplotlib', 'scipy'} & set(sys.modules); "
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "--method" in run.stdout
