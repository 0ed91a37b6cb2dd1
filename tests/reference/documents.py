"""The code blocks of the documents, and what their commands print.

Blocks of a page run one after the other, in one folder: `python` as one session, `console` and `sh` as commands of the
program. `tests/unit/test_documents.py` holds what is printed against the page, `make_documents` writes it there.
"""

from __future__ import annotations

import importlib.util
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import arcwise
from arcwise.cli.main import main

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(ROOT / "docs").rglob("*.md"),
]
ENVIRONMENT = {"COLUMNS": "110", "ARCWISE_QUIET": "1"}  # no word of compiling
NOT_RUN = {
    "arcwise warm": "it compiles every kernel",
    "pip install": "it changes the environment",
    "arcwise study run fu-2005": "it takes minutes",
}
APART = {
    "docs/extending.md": "what it registers would stay",
    "docs/running.md": "it starts processes",
}
OF_LEVELS = {
    f"docs/methods/{method}.md" for method in ("exhaustive", "ges", "pc", "tpda")
}  # scores and tests of counts


@dataclass(frozen=True)
class Block:
    language: str
    text: str


@dataclass(frozen=True)
class Example:
    """A command of a page. shown: what the page says it prints; printed: what it prints, None where it is not run."""

    command: str
    shown: str
    printed: str | None = None
    code: int = 0

    @property
    def fails(self) -> bool:
        """Whether the page shows it to fail."""
        return self.shown.startswith("error: ")


def blocks(path: Path) -> list[Block]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(*one) for one in found]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def pages() -> list[Path]:
    """The documents with something to run."""
    return [path for path in DOCUMENTS if any(block.language in ("python", "console", "sh") for block in blocks(path))]


def tables(page: str, folder: Path) -> None:
    """The files that a page takes for granted."""
    if page == "docs/getting-started.md":  # the cars, numbered, with an age that is -99 where unknown
        data = arcwise.datasets.load("cars1")
        ages = [-99 if i % 40 == 0 else 20 + i % 50 for i in range(data.n_rows)]
        data.to_pandas().assign(id=range(data.n_rows), age=ages).to_csv(folder / "measurements.csv", index=False)
    rng = np.random.default_rng(1)
    columns = {
        "docs/methods/k2.md": ("age", "smoking", "cancer", "cough"),
        "docs/methods/neural.md": ("age", "smoking", "cancer"),
        "docs/methods/recursive-median.md": ("X", "Y", "Z1", "Z2"),
    }.get(page, ("length", "height", "weight", "rings"))
    values = np.cumsum(rng.normal(size=(len(columns), 120)), axis=0)
    if page in OF_LEVELS:
        values = np.digitize(values, [-0.5, 0.5])
    if page == "docs/methods/missing.md":
        holes = np.where(rng.random(values.shape) < 0.2, "", np.digitize(values, [-0.5, 0.5]).astype(str))
        (folder / "holes.csv").write_text("\n".join([",".join(columns), *map(",".join, holes.T)]), "utf-8")
    rows = [",".join(columns), *(",".join(f"{value:.4g}" for value in row) for row in values.T)]
    (folder / "data.csv").write_text("\n".join(rows), "utf-8")


def run(path: Path, folder: Path) -> Iterator[Example]:
    """Run every block of a page; its commands, with what they print. folder: the working directory, and empty."""
    tables(name(path), folder)
    session: dict[str, object] = {"__name__": "__main__"}
    if name(path) in APART:
        _run_apart("\n".join(block.text for block in blocks(path) if block.language == "python"))
    for block in blocks(path):
        if block.language == "python" and name(path) not in APART:
            with redirect_stdout(io.StringIO()):  # what it prints stands in comments, if anywhere
                exec(compile(block.text, name(path), "exec"), session)
        elif block.language == "sh":
            for line in block.text.splitlines():
                code, printed = _run_line(line)
                assert code == 0, (line, printed)
        elif block.language == "console":
            for command, shown in examples_of(block.text):
                if _is_run(command):
                    code, printed = _run_line(command)
                    yield Example(command, shown, printed, code)
                else:
                    yield Example(command, shown)


def examples_of(text: str) -> list[tuple[str, str]]:
    """The commands of a block of `console`, each with what stands below it."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


def _run_apart(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _run_line(line: str) -> tuple[int, str]:
    """Its exit code, and what it prints on stderr and then on stdout; it may end in `| head -1`."""
    command, _, first = line.partition(" | head -")
    words = shlex.split(command, comments=True)
    if not _is_run(command):
        return 0, ""
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), line
        return 0, ""
    if words[:2] == ["python", "-m"]:
        assert importlib.util.find_spec(words[2]) is not None, line
        return 0, ""
    assert words[0] == "arcwise", line
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words[1:])
    lines = _written(out).splitlines(keepends=True)
    return code, _written(err) + "".join(lines[: int(first) if first else None])


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def _is_run(command: str) -> bool:
    return not any(command.startswith(beginning) for beginning in NOT_RUN)


def as_printed(text: str) -> str:
    """Without times and what depends on last bits, so on the processor."""
    text = re.sub(r"\bin [\d.,]+ s\b", "in some s", text)
    lines = (line.rstrip() for line in re.sub(r"\bof [\d,]+ asked\b", "of some asked", text).splitlines())
    return "\n".join(lines).strip("\n")
