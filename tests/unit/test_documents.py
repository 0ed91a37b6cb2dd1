"""Every code block of every document runs as it stands, and prints what the document says.

Blocks of a page run one after the other, in one folder: `python` as one session, `console` and `sh` as commands of the
program. Formulas and pictures of syntax stand indented, or in blocks of `text`.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import yaml

import arcwise
from arcwise.cli.main import main

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(ROOT / "docs").rglob("*.md"),
]
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


def blocks(path: Path) -> list[Block]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(*one) for one in found]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


PAGES = [path for path in DOCUMENTS if any(block.language in ("python", "console", "sh") for block in blocks(path))]


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


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_blocks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.setenv("ARCWISE_QUIET", "1")  # no word of compiling
    tables(name(path), tmp_path)
    session: dict[str, object] = {"__name__": "__main__"}
    if name(path) in APART:
        run_apart("\n".join(block.text for block in blocks(path) if block.language == "python"))
    for block in blocks(path):
        if block.language == "python" and name(path) not in APART:
            exec(compile(block.text, name(path), "exec"), session)
        elif block.language == "sh":
            for line in block.text.splitlines():
                assert run_line(line, capsys)[0] == 0, line
        elif block.language == "console":
            run_console(block.text, capsys)


def run_apart(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def run_line(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Its exit code, and what it prints on stderr and then on stdout; it may end in `| head -1`."""
    command, _, first = line.partition(" | head -")
    words = shlex.split(command, comments=True)
    if not_run(command):
        return 0, ""
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), line
        return 0, ""
    if words[:2] == ["python", "-m"]:
        assert importlib.util.find_spec(words[2]) is not None, line
        return 0, ""
    assert words[0] == "arcwise", line
    capsys.readouterr()
    code = main(words[1:])
    out, err = capsys.readouterr()
    return code, err + "".join(out.splitlines(keepends=True)[: int(first) if first else None])


def not_run(command: str) -> bool:
    return any(command.startswith(beginning) for beginning in NOT_RUN)


def run_console(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command prints what stands below it, but for times and what depends on last bits, so on the processor."""
    for example in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = example.partition("\n")
        if not not_run(command):
            code, printed = run_line(command, capsys)
            assert as_printed(printed) == as_printed(shown), command
            assert code == (2 if shown.startswith("error: ") else 0), command


def as_printed(text: str) -> str:
    text = re.sub(r"\bin [\d.,]+ s\b", "in some s", text)
    lines = (line.rstrip() for line in re.sub(r"\bof [\d,]+ asked\b", "of some asked", text).splitlines())
    return "\n".join(lines).strip("\n")


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_block_says_what_it_is(path: Path):
    known = {"python", "console", "sh", "toml", "text", "dockerfile"}
    assert {block.language for block in blocks(path)} <= known
    for block in blocks(path):
        if block.language == "toml":
            tomllib.loads(block.text)
    prose = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    code = r"^\n(?: {4}.*\n)*? {4}(?:\$ |arcwise |make |pip |import |from |python |for |[a-z_]+ = arcwise\.)"
    assert re.search(code, prose, re.MULTILINE) is None, "code stands in a block with its language"


def test_the_readme_example_is_ten_lines():
    (example,) = (block.text for block in blocks(ROOT / "README.md") if block.language == "python")
    assert len([line for line in example.splitlines() if line]) <= 10


def test_links_between_documents_lead_somewhere():
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text("utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document}: {target}"


def test_the_citation_is_of_this_version():
    content = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= set(content)
    assert (str(content["cff-version"]), content["license"]) == ("1.2.0", project["license"])
    assert content["version"] == project["version"]
    assert f"\n## {project['version']}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")
