"""`arcwise methods`: what --method can be, and what --set can change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcwise.cli.inputs import AsJson
from arcwise.cli.views.screen import console, plain_table, print_json

if TYPE_CHECKING:
    from arcwise.catalog import Method

NEXT = (
    ("learn with one of them", "arcwise learn data.csv --method steck"),
    ("its options and papers", "arcwise methods steck"),
    ("which suits a table best", "arcwise compare data.csv"),
)


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A method to show in full: arcwise methods hill-climb")
    ] = None,
    json: AsJson = False,
) -> None:
    """List the methods, or one of them with all its options.

    Example: arcwise methods equal-frequency
    """
    from arcwise import catalog

    if name is not None:
        chosen = catalog.method(name)
        _show_one(chosen) if not json else print_json(_content(chosen))
    elif json:
        print_json([_content(method) for method in catalog.methods()])
    else:
        _show_all(list(catalog.methods()))


def _content(method: Method) -> dict[str, Any]:
    return {name: getattr(method, name) for name in ("name", "family", "accepts", "paper", "summary", "options")}


def _show_all(chosen: list[Method]) -> None:
    from arcwise.cli.views.sections import show
    from arcwise.listing import by_family
    from arcwise.results.sections import Commands, Section, Words
    from arcwise.results.summary import WIDTH, Summary

    headline = Words(f"{len(chosen)} methods by family; * is what learn does without --method", "title")
    following = Section("next", blocks=(Commands(NEXT),))
    show(Summary((headline,), (*by_family(chosen), following)), WIDTH)


def _show_one(method: Method) -> None:
    from rich.text import Text

    screen = console()
    screen.print(Text.assemble((method.name, "bold"), f": {method.summary}"))
    screen.print()
    facts = plain_table("", "")
    facts.show_header = False
    for label, value in (("family", method.family), ("data", method.accepts), ("from", method.paper)):
        facts.add_row(Text(label, "dim"), value)
    screen.print(facts)
    screen.print()
    last_words = [path.rpartition(".")[2] for path in method.options]
    rows = []
    for path, value in method.options.items():
        word = path.rpartition(".")[2]
        short = f"--set {word}=..." if last_words.count(word) == 1 else ""  # else only the path says which is meant
        rows.append((path, _text(value), short))
    titles = ("option", "default", "shortest form")
    widths = [max(len(cell) for cell in column) for column in zip(titles, *rows, strict=True)]
    shown = 3 if sum(widths) + 4 <= screen.width else 2  # a path is to be typed, so never cut
    table = plain_table(*titles[:shown])
    table.columns[0].min_width = widths[0]
    for path, default, short in rows:
        table.add_row(*(Text(path, no_wrap=True), default, Text(short, "dim"))[:shown])
    screen.print(table)


def _text(value: Any) -> str:
    """A value as --set takes it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
