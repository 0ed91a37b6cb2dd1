"""What `import arcwise` offers: names that are there at once, and nothing heavy until they are used."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import arcwise

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", arcwise.__all__)
def test_every_name_is_an_attribute_after_import(name: str) -> None:
    done = run("-c", f"import arcwise; arcwise.{name}; assert {name!r} in dir(arcwise)")
    assert done.returncode == 0, done.stderr


def test_import_loads_nothing_heavy() -> None:
    heavy = ("numpy", "polars", "numba", "scipy", "narwhals", "typer", "matplotlib")
    done = run("-c", f"import sys, arcwise; print([name for name in {heavy!r} if name in sys.modules])")
    assert done.stdout.strip() == "[]"


def test_version() -> None:
    assert arcwise.__version__ == version("arcwise")


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lern'"):
        arcwise.lern  # noqa: B018


def documented_calls() -> list[str]:
    """What the documents call by a dotted name below `arcwise`."""
    found: set[str] = set()
    for document in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        found |= set(re.findall(r"\barcwise(?:\.[A-Za-z_]\w*)+(?=\()", document.read_text(encoding="utf-8")))
    return sorted(found)


def test_documented_calls_resolve_after_import() -> None:
    names = documented_calls()
    assert "arcwise.report.draw_thresholds" in names
    assert "arcwise.models.fit.fit" in names
    script = "import arcwise\n" + "\n".join(names)
    done = run("-c", script)
    assert done.returncode == 0, done.stderr


def test_python_dash_m() -> None:
    done = run("-m", "arcwise", "--version")
    assert (done.returncode, done.stdout) == (0, f"arcwise {version('arcwise')}\n")
    assert run("-m", "arcwise", "lern").returncode == 2
