"""Every code block of every document runs as it stands, and prints what the document says.

Blocks of a page run one after the other, in one folder: `python` as one session, `console` and `sh` as commands of the
program. Formulas and pictures of syntax stand indented, or in blocks of `text`.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import arcwise
from tests.reference.documents import DOCUMENTS, ENVIRONMENT, ROOT, as_printed, blocks, name, pages, run


@pytest.mark.parametrize("path", pages(), ids=name)
def test_blocks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`python -m tests.reference.make_documents` writes what is printed into the pages."""
    monkeypatch.chdir(tmp_path)
    for key, value in ENVIRONMENT.items():
        monkeypatch.setenv(key, value)
    for example in run(path, tmp_path):
        if example.printed is not None:
            assert as_printed(example.printed) == as_printed(example.shown), example.command
            assert example.code == (2 if example.fails else 0), example.command


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
        text = document.read_text("utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text) + re.findall(r'<img src="([^"]+)"', text):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document}: {target}"


def test_the_citation_is_of_this_version():
    content = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= set(content)
    assert (str(content["cff-version"]), content["license"]) == ("1.2.0", project["license"])
    assert content["version"] == project["version"]
    assert f"\n## {project['version']}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"version = {{{project['version']}}}" in (ROOT / "docs" / "citing.md").read_text("utf-8")


def test_every_method_says_first_when_to_use_it_and_whom_to_cite():
    pages = {path.stem: path.read_text("utf-8") for path in (ROOT / "docs" / "methods").glob("*.md")}
    late = [page for page, text in pages.items() if not text.split("\n\n")[1].startswith("**Use this ")]
    assert late == ["README"]
    listed = re.findall(
        r"^\| ((?:`[a-z0-9-]+`(?:, )?)+) \|", (ROOT / "docs" / "citing.md").read_text("utf-8"), re.MULTILINE
    )
    assert set(re.findall("`(.*?)`", " ".join(listed))) == set(arcwise.catalog.METHODS)
