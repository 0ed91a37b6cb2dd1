"""The words of messages, and text that is safe to print: what commands a terminal, turns text around or hides is shown.

Names, levels and file names come from strangers. Printed as they are, an escape sequence could clear the screen, set
its title or put words into the clipboard, and an override of direction could show one name as another.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence

# C1 controls, line separators, marks of direction, invisible characters, halves of characters, no characters.
_BEYOND_ASCII = (
    "\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
)
UNPRINTABLE = re.compile(f"[\x00-\x1f{_BEYOND_ASCII}]")
LEFT_BY_JSON = re.compile(f"[{_BEYOND_ASCII}]")  # what JSON's own escapes leave of these
SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
SHOWN = 8  # names written out before "and N more"


def printable(text: str, keep: str = "") -> str:
    """The text with such characters as programs write them, `\\x1b` or `\\u202e`; those of `keep` stay."""
    return UNPRINTABLE.sub(lambda found: found[0] if found[0] in keep else escaped(found[0]), text)


def escaped(character: str) -> str:
    """ "\\n", "\\x1b" or "\\u202e": how a program writes the character."""
    code = ord(character)
    return SHORT.get(character, f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}")


def counted(n: int, noun: str) -> str:
    """ "1 row", "2 rows"."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def listed(items: Sequence[str]) -> str:
    """ "'a', 'b' and 3 more": the first few items, which come ready to print."""
    more = f" and {len(items) - SHOWN:,} more" if len(items) > SHOWN else ""
    return ", ".join(items[:SHOWN]) + more


def plus_minus(mean: float, error: float) -> str:
    """ "0.31 ± 0.04": as many digits as the error has a say in, at least two behind the point."""
    digits = 2
    while digits < 6 and 0.0 < error < 0.95 * 10.0**-digits:
        digits += 1
    return f"{mean:,.{digits}f} ± {error:,.{digits}f}"


def duration(seconds: float) -> str:
    """`0.14 s`, `12.3 s`, `3 min 20 s`."""
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest} s"


def option(flag: str, *names: str) -> str:
    """How to name columns to `flag` on the command line and in Python: --drop x,y (drop=["x", "y"])."""
    typed = ",".join(map(cell_in_shell, names))
    return printable(f"--{flag} {typed} ({flag}={json.dumps(list(names), ensure_ascii=False)})")


def in_shell(text: str) -> str:
    """For a shell, in quotes where it needs them; with escapes, as in $'a\\x1b', where it could not be printed."""
    if not UNPRINTABLE.search(text):
        return shlex.quote(text)
    return "$'" + printable(re.sub(r"[\\']", lambda found: f"\\{found[0]}", text)) + "'"


def na_option(name: str | None, *words: str) -> str:
    """How to call words missing, in one column or in all: --na age=-99 (na={"age": ["-99"]})."""
    texts = [cell_in_shell(word if name is None else f"{name}={word}") for word in words]
    given = list(words) if name is None else {name: list(words)}
    return printable(f"{' '.join(f'--na {text}' for text in texts)} (na={json.dumps(given, ensure_ascii=False)})")


def column_option(flag: str, name: str, value: str) -> str:
    """How to say something about a column: --thousands price=comma (thousands={"price": "comma"})."""
    given = json.dumps({name: value}, ensure_ascii=False)
    return printable(f"--{flag} {cell_in_shell(f'{name}={value}')} ({flag}={given})")


def order_option(name: str, levels: Sequence[str]) -> str:
    """How to give the order of levels: --ordered size=S,M,L (ordered={"size": ["S", "M", "L"]})."""
    if len(levels) > SHOWN:
        levels = ["FIRST", "SECOND", "..."]
    text = in_shell(f"{as_cell(name)}={','.join(map(as_cell, levels))}")
    return printable(f"--ordered {text} (ordered={json.dumps({name: list(levels)}, ensure_ascii=False)})")


def merge_option(name: str, others: Mapping[str, str]) -> str:
    """How to make one level of several: --merge sex (merge=["sex"]), with names of others where they differ in more."""
    if not others:
        return option("merge", name)
    texts = [cell_in_shell(f"{name}={label}->{level}") for label, level in others.items()]
    given = json.dumps({name: dict(others)}, ensure_ascii=False)
    return printable(f"{' '.join(f'--merge {text}' for text in texts)} (merge={given})")


def cell_in_shell(text: str) -> str:
    """For a shell, and in double quotes where a comma would end it."""
    return in_shell(as_cell(text))


def as_cell(text: str) -> str:
    """For an option that takes names between commas: in double quotes where it needs them."""
    return '"' + text.replace('"', '""') + '"' if "," in text or '"' in text else text
