"""The examples of docs/exports.md that need a tool run in it: they are the blocks of text below its name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "exports.md").read_text("utf-8")
PROGRAMS = Path(sys.executable).parent  # where arcwise is


def example(heading: str, language: str = "text") -> str:
    """The first block of this language below a heading."""
    below = PAGE[PAGE.index(heading) :]
    found = re.search(rf"^```{language}\n(.*?)^```$", below, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the page's first block defines and writes."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(example("# Graphs and networks", "python"), names)
    return names


@pytest.mark.parametrize("heading", ["## pgmpy", "## pyAgrum"])
def test_libraries_of_python(session: dict[str, Any], heading: str) -> None:
    exec(example(heading), session)
    assert len(session["structure"].nodes()) == len(session["dag"].names)
    assert len(session["same"].nodes()) == len(session["dag"].names)


def test_graphviz(session: dict[str, Any], tmp_path: Path) -> None:
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed: apt-get install graphviz")
    for line in example("## Graphviz").splitlines():
        subprocess.run(line, shell=True, check=True, env={**os.environ, "PATH": f"{PROGRAMS}:{os.environ['PATH']}"})
    picture = (tmp_path / "child.svg").read_text("utf-8")
    assert picture.count('class="node"') == 20
    assert picture.count('class="edge"') == session["pattern"].n_edges


def test_bnlearn(session: dict[str, Any], tmp_path: Path) -> None:
    asked = ["Rscript", "--vanilla", "-e", 'quit(status = !requireNamespace("bnlearn", quietly = TRUE))']
    if shutil.which("Rscript") is None or subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip('R or its package bnlearn is not installed: install.packages("bnlearn")')
    (tmp_path / "page.R").write_text(example("## R and bnlearn"), "utf-8")
    subprocess.run(["Rscript", "--vanilla", "page.R"], check=True)
