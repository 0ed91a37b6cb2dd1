"""The examples in the documents run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import arcwise

ROOT = Path(__file__).parents[2]
RUNNABLE = ["README.md", "docs/extending.md", "docs/running.md"]


def blocks(path):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", RUNNABLE)
def test_python_examples_run(path, tmp_path):
    examples = blocks(path)
    assert examples
    for example in examples:
        done = subprocess.run(
            [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_getting_started_runs_on_a_table_of_that_name(tmp_path):
    """The examples share a file `measurements.csv`: the cars, numbered, with an age that is -99 where unknown."""
    data = arcwise.datasets.load("cars1")
    ages = [-99 if i % 40 == 0 else 20 + i % 50 for i in range(data.n_rows)]
    data.to_pandas().assign(id=range(data.n_rows), age=ages).to_csv(tmp_path / "measurements.csv", index=False)
    script = "\n".join(blocks("docs/getting-started.md"))
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_readme_example_is_ten_lines_and_shows_what_it_says():
    (example,) = blocks("README.md")
    assert len([line for line in example.splitlines() if line]) <= 10


def test_links_between_documents_lead_somewhere():
    for document in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document}: {target}"
