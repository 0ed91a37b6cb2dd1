"""What needs a process of its own: signals, closed and full streams, other encodings, a fast start."""

from __future__ import annotations

import json
import os
import pty
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("heeded_signals")

PROGRAM = [sys.executable, "-c", "from arcwise.cli.main import run; run()"]
ENDLESS = ["--set", "restarts=100000000"]
# A search without an end must not go on when its test fails or is killed itself: five minutes are the most it may take.
FOR_FIVE_MINUTES = """
import os, threading
def leave():
    os._exit(1)
timer = threading.Timer(300, leave)
timer.daemon = True
timer.start()
from arcwise.cli.main import run
run()
"""


def start_on_a_terminal(arguments: list[str]) -> subprocess.Popen[bytes]:
    """The program with stderr on a terminal, once the progress line has shown a restart of the search."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", FOR_FIVE_MINUTES, *arguments], stdout=subprocess.PIPE, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    deadline = time.monotonic() + 60
    while b"restart" not in seen and time.monotonic() < deadline:
        seen += os.read(ours, 4096)
    assert b"restart" in seen, seen
    return process


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_returns_the_best_graph_so_far(weather, ending):
    process = start_on_a_terminal(["learn", str(weather), "--method", "steck", *ENDLESS, "--out", "r.json", "--json"])
    process.send_signal(ending)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + ending
    saved = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert saved["status"] == "stopped"
    assert saved["cpdag"]["undirected"] or saved["cpdag"]["directed"]
    assert json.loads(out) == saved
    assert os.listdir() == ["r.json"]


@pytest.mark.parametrize("files", [["--out", "r.json"], []])
def test_a_terminal_that_goes_away_costs_no_result(weather, tmp_path, files):
    """Its end is a SIGHUP, after which nothing can be printed any more."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TMPDIR"] = str(tmp_path)
        os.execv(
            sys.executable,
            [sys.executable, "-c", FOR_FIVE_MINUTES, "learn", str(weather), "--method", "steck", *ENDLESS, *files],
        )
    seen = b""
    while b"restart" not in seen:
        seen += os.read(terminal, 4096)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 74
    (kept,) = tmp_path.glob("*.json")
    assert json.loads(kept.read_text(encoding="utf-8"))["status"] == "stopped"
    assert (kept.name == "r.json") == bool(files)


def test_python_without_stderr_learns():
    code = "import arcwise; arcwise.learn(arcwise.datasets.load('cars1'), 'equal-width')"
    assert subprocess.run(["bash", "-c", '"$0" -c "$1" 2>&-', sys.executable, code], check=False).returncode == 0


ENDING_IMPORT = """
import os, sys
class Finder:
    def find_spec(self, name, *rest):
        if name == os.environ["MODULE"]:
            os.environ["MODULE"] = ""
            os.kill(os.getpid(), int(os.environ["SIGNAL"]))
sys.meta_path.insert(0, Finder())
from arcwise.cli.main import run
run()
"""


@pytest.mark.parametrize(
    ("module", "ending", "word"),
    [
        ("typer", signal.SIGINT, "interrupted"),
        ("numpy", signal.SIGINT, "interrupted"),
        ("arcwise.cli.views.screen", signal.SIGTERM, "terminated"),
    ],
)
def test_a_signal_while_modules_are_loaded_is_one_line(weather, module, ending, word):
    command = [sys.executable, "-c", ENDING_IMPORT, "learn", str(weather), "--method", "steck", "--out", "r.json"]
    environment = {**os.environ, "MODULE": module, "SIGNAL": str(int(ending))}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (128 + ending, "", f"{word}\n")
    assert os.listdir() == []


def test_the_first_import_is_short():
    """Until then Python answers a Ctrl-C with a traceback."""
    code = "import sys; before = set(sys.modules); import arcwise.cli.main; print(*set(sys.modules) - before)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "arcwise.cli.main" in loaded
    assert loaded.isdisjoint({"typing", "typer", "difflib", "arcwise.errors", "arcwise.cli.views.screen"})


@pytest.mark.parametrize(
    ("shell", "code", "err"),
    [
        (">&-", 74, "error: cannot print the result: Bad file descriptor; send the output elsewhere (the result"),
        ("> /dev/full", 74, "error: cannot print the result: No space left on device; send the output elsewhere"),
        ("2>&-", 0, ""),
        ("--quiet --out r.json >&- 2>&- <&-", 0, ""),
        ("--set bins=0 2> /dev/full", 2, ""),
    ],
)
def test_streams_that_are_closed_or_full(weather, tmp_path, shell, code, err):
    command = f'"$0" -m arcwise learn {weather} --drop warm --method equal-width {shell}'
    environment = {**os.environ, "TMPDIR": str(tmp_path), "ARCWISE_QUIET": "1"}
    run = subprocess.run(
        ["bash", "-c", command, sys.executable], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == code, run.stderr
    assert run.stderr.startswith(err)
    assert run.stderr.count("\n") == bool(err)
    assert len(os.listdir()) == (bool(err) or "r.json" in shell)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_fills_up_is_an_error(unbuffered):
    """An unbuffered Python does not see by itself that a part of the text was not taken."""

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

    with Path("out.csv").open("wb") as out:
        run = subprocess.run(
            [*PROGRAM, "simulate", "alarm", "--rows", "1000"],
            stdout=out,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            preexec_fn=little_room,
            text=True,
            check=False,
        )
    assert (run.returncode, run.stderr) == (
        74,
        "error: cannot print the result: File too large; send the output elsewhere\n",
    )


def test_help_that_cannot_be_printed():
    with open("/dev/full", "wb") as full:
        run = subprocess.run([*PROGRAM, "learn", "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 74
    assert run.stderr == "error: cannot print the result: No space left on device; send the output elsewhere\n"


def test_a_killed_run_leaves_no_file(weather):
    process = start_on_a_terminal(
        ["learn", str(weather), "--method", "steck", *ENDLESS, "--out", "r.json", "--draw", "p.svg"]
    )
    process.kill()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert os.listdir() == []


def test_a_closed_pipe_is_no_error():
    process = subprocess.Popen(
        [*PROGRAM, "simulate", "alarm", "--rows", "20000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
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
    run = subprocess.run(
        [*PROGRAM, "learn", "t.csv", "--method", "steck", "--json"], env=environment, capture_output=True, check=True
    )
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
