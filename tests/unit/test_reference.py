"""The pages of the documents and the reference are built without a warning, and every public name is in them."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import arcwise

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return target


def public_names() -> list[str]:
    names = []
    for name in set(dir(arcwise)) - {"__version__"}:
        thing = getattr(arcwise, name)
        if not inspect.ismodule(thing):
            names.append(f"arcwise.{name}")
        else:
            inside = ((inner, getattr(thing, inner)) for inner in getattr(thing, "__all__", ()))
            names += [f"arcwise.{name}.{inner}" for inner, value in inside if callable(value)]
    return sorted(names)


def test_every_public_name_is_in_the_reference(site):
    text = "".join(page.read_text("utf-8") for page in (site / "reference").glob("*.html"))
    shown = set(re.findall(r'id="(arcwise\.[^"]*)"', text))
    last = {name: f"{name}.{name.rpartition('.')[2]}" for name in public_names()}  # a function in a file of its name
    hidden = [name for name in public_names() if name not in shown and last[name] not in shown]
    assert hidden == ["arcwise.FittedNetwork", "arcwise.graph.draw"]  # earlier names of what is shown
    rooms = [name for name in dir(arcwise) if inspect.ismodule(getattr(arcwise, name)) and name != "models"]
    assert [room for room in rooms if not (site / "reference" / f"{room}.html").exists()] == []


def test_pages_fetch_nothing_from_elsewhere(site):
    for page in site.rglob("*.html"):
        fetched = re.findall(r'<(?:link|script|img)[^>]*(?:src|href)="?(https?://[^" >]*)', page.read_text("utf-8"))
        assert fetched == [], page
