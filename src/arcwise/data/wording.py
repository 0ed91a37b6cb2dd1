"""Small parts of messages: counted nouns, lists of names, and the option that mends a column."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence

from arcwise.printing import UNPRINTABLE, printable

SHOWN = 8  # names written out before "and N more"


def counted(n: int, noun: str) -> str:
    """ "1 row", "2 rows"."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def listed(items: Sequence[str]) -> str:
    """ "'a', 'b' and 3 more": the first few items, which come ready to print."""
    more = f" and {len(items) - SHOWN:,} more" if len(items) > SHOWN else ""
    return ", ".join(items[:SHOWN]) + more


def option(flag: str, name: str) -> str:
    """How to name a column to `flag` on the command line and in Python: --drop x (drop=["x"])."""
    return printable(f"--{flag} {_csv_cell(name)} ({flag}=[{json.dumps(name, ensure_ascii=False)}])")


def in_shell(text: str) -> str:
    """For a shell, in quotes where it needs them; with escapes, as in $'a\\x1b', where it could not be printed."""
    if not UNPRINTABLE.search(text):
        return shlex.quote(text)
    return "$'" + printable(re.sub(r"[\\']", lambda found: f"\\{found[0]}", text)) + "'"


def na_option(name: str | None, *words: str) -> str:
    """How to call words missing, in one column or in all: --na age=-99 (na={"age": ["-99"]})."""
    texts = [_csv_cell(word if name is None else f"{name}={word}") for word in words]
    given = list(words) if name is None else {name: list(words)}
    return printable(f"{' '.join(f'--na {text}' for text in texts)} (na={json.dumps(given, ensure_ascii=False)})")


def _csv_cell(text: str) -> str:
    """For a shell, and in double quotes where a comma would end it."""
    return in_shell('"' + text.replace('"', '""') + '"' if "," in text or '"' in text else text)
