"""The arguments that several commands share, and the small languages inside them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Annotated

import typer

from arcwise.errors import OptionError

DataPath = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A CSV, TSV, Parquet or Arrow file with a header line, or a bundled data set such as @abalone.",
        show_default=False,
    ),
]
Continuous = Annotated[
    list[str] | None,
    typer.Option("--continuous", metavar="NAMES", help="Columns to read as numbers: --continuous age,income"),
]
Discrete = Annotated[
    list[str] | None,
    typer.Option("--discrete", metavar="NAMES", help="Columns to read as levels: --discrete year,region"),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="NAMES", help="Columns to leave out: --drop id"),
]
MissingPolicy = Annotated[
    str,
    typer.Option(
        "--missing",
        metavar="POLICY",
        help="Missing values are an error, lose their row (drop) or become a level (state): --missing drop",
    ),
]
MissingWords = Annotated[
    list[str] | None,
    typer.Option(
        "--na",
        metavar="WORDS",
        help="Words or numbers that mean missing, everywhere or in a column: --na - --na age=-99",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="OPTION=VALUE",
        help="Change an option, by its path or last word: --set ess=10. 'arcwise methods NAME' lists them.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Start of the random numbers: --seed 7")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else: --json > out.json")]


# A line break would end the list that is read as a line of CSV; characters that nobody uses stand in for it.
BREAKS = {ord("\n"): 0xF8F0, ord("\r"): 0xF8F1}
RESTORED = {stand_in: letter for letter, stand_in in BREAKS.items()}


def split_names(given: Iterable[str] | None) -> tuple[str, ...]:
    """Names from comma-separated lists; a name with a comma inside stands in double quotes."""
    rows = (next(csv.reader([text.translate(BREAKS)], skipinitialspace=True), []) for text in given or ())
    return tuple(name.strip().translate(RESTORED) for row in rows for name in row if name.strip())


def split_edge(text: str, option: str) -> tuple[str, str]:
    """`a->b` as a pair."""
    ends = [end.strip() for end in text.split("->")]
    if len(ends) != 2 or not all(ends):
        raise OptionError(f"{option} needs one edge FROM->TO, such as {option} 'age->income', not {text!r}")
    return ends[0], ends[1]
