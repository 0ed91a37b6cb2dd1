"""The pages of the documents, opened from a folder: the search works without a server, and nothing is fetched."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium, Page

ROOT = Path(__file__).parents[2]
FOUND = "[...document.querySelectorAll('.md-search-result__link')].map(link => new URL(link.href).pathname)"


@pytest.fixture
def page(browser: Chromium, tmp_path: Path) -> Page:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True)
    found = browser.page()
    found.size(1300, 900)
    found.open(tmp_path / "index.html")
    return found


def test_words_are_found_without_a_server(page: Page, tmp_path: Path):
    page.click(".md-search__input")
    page.press(*"bootstrap")
    until = time.monotonic() + 30
    while not (found := page.run(FOUND)) and time.monotonic() < until:
        time.sleep(0.05)
    assert str(tmp_path / "confidence.html") in found
    assert all(Path(path).is_file() for path in found)
    page.look()
    assert page.troubles == []
    assert {address.partition(":")[0] for address in page.requests} <= {"file", "data", "about", "blob"}
