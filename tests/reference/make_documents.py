"""`python -m tests.reference.make_documents [page ...]`: what the commands in the documents print, written there anew.

A page is named as in docs/getting-started.md; without names all are looked at. Only the blocks of `console` change, and
only where something else is printed now; read the difference before it is kept.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.reference.documents import ENVIRONMENT, Example, as_printed, name, pages, run


def refreshed(path: Path) -> tuple[int, list[str]]:
    """How many examples of a page were rewritten, and what is wrong with others."""
    here = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            found = list(run(path, Path(folder)))
        finally:
            os.chdir(here)
    stale = [one for one in found if one.printed is not None and as_printed(one.printed) != as_printed(one.shown)]
    wrong = [f"{name(path)}: exit code {one.code} of {one.command}" for one in stale if not _is_expected(one)]
    kept = [one for one in stale if _is_expected(one)]
    text = path.read_text("utf-8")  # now: somebody may have written in it while the commands ran
    for one in kept:
        before = f"$ {one.command}\n{one.shown}"
        text = text.replace(before, f"$ {one.command}\n{_as_shown(one)}", 1)
    if kept:
        path.write_text(text, "utf-8")
    return len(kept), wrong


def _is_expected(one: Example) -> bool:
    return one.code == (2 if one.fails else 0)


def _as_shown(one: Example) -> str:
    """With the blank lines that stand between it and what follows."""
    assert one.printed is not None
    below = len(one.shown) - len(one.shown.rstrip("\n"))
    lines = [line.rstrip() for line in one.printed.strip("\n").splitlines()]
    return "\n".join(lines) + "\n" * max(below, 1)


def main(wanted: list[str]) -> int:
    os.environ.update(ENVIRONMENT)
    known = {name(path): path for path in pages()}
    unknown = [one for one in wanted if one not in known]
    if unknown:
        print(f"no page with something to run: {', '.join(unknown)}", file=sys.stderr)
        return 2
    problems = []
    for page in wanted or known:
        number, wrong = refreshed(known[page])
        problems += wrong
        print(f"{page}: {number} rewritten", flush=True)
    print("\n".join(problems), file=sys.stderr, end="\n" * bool(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
