"""The sections of an answer on a terminal: the lines of the plain text, in colours and as wide as the screen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arcwise.cli.views.screen import console, print_text
from arcwise.results.sections import Look, laid_out

if TYPE_CHECKING:
    from arcwise.results.summary import Summary

LOOKS: dict[Look, str] = {
    "": "",
    "title": "bold",
    "dim": "dim",
    "strong": "",
    "warning": "yellow",
    "command": "cyan",
}
MARKS = {"→": "green", "—": "cyan", "↔": "red"}
WIDEST = 140  # longer lines are hard to follow


def show(summary: Summary, piped_width: int) -> None:
    """On a terminal in colours, else as plain text of that width."""
    if not sys.stdout.isatty():
        print_text(summary.as_text(piped_width))
        return
    from rich.text import Text

    screen = console()
    for line in laid_out(summary.headline, summary.sections, min(screen.width, WIDEST)):
        text = Text.assemble(*((piece, LOOKS[look]) for piece, look in line))
        text.rstrip()
        for mark, colour in MARKS.items():
            text.highlight_words([f" {mark} "], colour)
        screen.print(text, soft_wrap=any(look == "command" for _, look in line))  # to be copied in one piece
