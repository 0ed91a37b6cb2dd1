"""Text that is safe to print: characters that command a terminal, turn text around or hide in it are made visible.

Names, levels and file names come from strangers. Printed as they are, an escape sequence could clear the screen, set
its title or put words into the clipboard, and an override of direction could show one name as another.
"""

from __future__ import annotations

import re

# C1 controls, line separators, marks of direction, invisible characters, halves of characters, no characters.
_BEYOND_ASCII = (
    "\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
)
UNPRINTABLE = re.compile(f"[\x00-\x1f{_BEYOND_ASCII}]")
LEFT_BY_JSON = re.compile(f"[{_BEYOND_ASCII}]")  # what JSON's own escapes leave of these
SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(text: str, keep: str = "") -> str:
    """The text with such characters as programs write them, `\\x1b` or `\\u202e`; those of `keep` stay."""
    return UNPRINTABLE.sub(lambda found: found[0] if found[0] in keep else escaped(found[0]), text)


def escaped(character: str) -> str:
    """ "\\n", "\\x1b" or "\\u202e": how a program writes the character."""
    code = ord(character)
    return SHORT.get(character, f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}")
