"""The page of changes is the file CHANGELOG.md, which lies one folder above the pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "CHANGELOG.md"


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    if page.file.src_uri != "changelog.md":
        return markdown
    return FILE.read_text("utf-8").replace("](docs/", "](")
