"""`arcwise methods`: what --method can be, and what --set can change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcwise.cli.inputs import AsJson
from arcwise.cli.views.screen import console, plain_table, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from arcwise.catalog import Method

LEAST_WORDS = 24  # characters for what an option means

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
    _show_options(method, screen)


def _show_options(method: Method, screen: Console) -> None:
    from rich.text import Text

    from arcwise.catalog import options

    rows = [(one.path, one.text, one.meaning) for one in options(method) if one.path in method.options]
    if not rows:
        screen.print("it has no options")
        return
    titles = ("option", "default", "meaning")
    widths = [max(len(cell) for cell in column) for column in zip(titles, *rows, strict=True)]
    shown = 3 if screen.width - sum(widths[:2]) - 4 >= LEAST_WORDS else 2  # a path is to be typed, so never cut
    table = plain_table(*titles[:shown])
    table.columns[0].min_width = widths[0]
    for path, default, meaning in rows:
        table.add_row(*(Text(path, no_wrap=True), default, Text(meaning, "dim"))[:shown])
    screen.print(table)
    last = [path.rpartition(".")[2] for path, *_ in rows]
    short = next((word for word in last if last.count(word) == 1), rows[0][0])
    screen.print()
    screen.print(f"--set takes a path, or its last word where only one option has it: --set {short}=...")
