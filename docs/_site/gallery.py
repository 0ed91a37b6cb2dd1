"""`python docs/_site/gallery.py FOLDER`: the reports and pictures of the gallery, by the commands that its pages show.

They are made with the site instead of being kept beside the pages, where they would soon be out of date.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGES = Path(__file__).parents[1] / "gallery"


def commands() -> list[str]:
    """All lines that write a report."""
    text = "".join(page.read_text("utf-8") for page in sorted(PAGES.glob("*.md")))
    return re.findall(r"^\$ (arcwise .* --report .*)$", text, re.MULTILINE)


if __name__ == "__main__":
    (folder,) = sys.argv[1:]
    for command in commands():
        subprocess.run([sys.executable, "-m", *shlex.split(command), "--quiet"], cwd=folder, check=True)
