"""`python docs/_site/gallery.py FOLDER [SUFFIX]`: what the commands in the pages of the gallery write, in a folder.

Reports are made with the site instead of being kept beside the pages, where they would soon be out of date. With a
suffix (`svg`) only such files are kept: the pictures, which the pages show.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PAGES = Path(__file__).parents[1] / "gallery"


def commands() -> list[str]:
    """All lines that write a report."""
    text = "".join(page.read_text("utf-8") for page in sorted(PAGES.glob("*.md")))
    return re.findall(r"^\$ (arcwise .* --report .*)$", text, re.MULTILINE)


def write(folder: Path, suffix: str) -> None:
    with TemporaryDirectory() as made:
        for command in commands():
            subprocess.run([sys.executable, "-m", *shlex.split(command), "--quiet"], cwd=made, check=True)
        for path in Path(made).glob(f"*.{suffix}"):
            shutil.copyfile(path, folder / path.name)


if __name__ == "__main__":
    folder, suffix = [*sys.argv[1:], "*"][:2]
    write(Path(folder), suffix)
