"""`arcwise draw`: a picture of a graph, a saved result or a network; and the options of all commands that draw one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from arcwise.cli.inputs import argument, json_format, option, read_pattern
from arcwise.cli.outputs import PICTURE_SUFFIXES, TABLE_SUFFIXES, check_targets, deliver
from arcwise.cli.views.screen import note
from arcwise.errors import OptionError, unknown_name
from arcwise.printing import in_shell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcwise.drawing.picture import Picture
    from arcwise.results.plotting import Looks

Around = Annotated[str | None, option("--around", "Draw only this column and what is near it: --around died", "NAME")]
Distance = Annotated[
    int | None, option("--distance", "With --around: how many edges away still counts: --distance 2", "N")
]
Whole = Annotated[bool, option("--whole", "Draw every node one by one, even if there are more than 60: --whole")]


def draw(
    graph: Annotated[
        str,
        argument(
            "GRAPH",
            "A graph file, a saved result, what bootstrap saved, a .bif file or a bundled network: result.json",
        ),
    ],
    out: Annotated[str, option("--out -o", "The picture, .svg, .png or .pdf: --out net.svg", "FILE")] = "graph.svg",
    around: Around = None,
    distance: Distance = None,
    against: Annotated[
        str | None, option("--against", "Show what differs from another graph or result: --against @alarm", "GRAPH")
    ] = None,
    target: Annotated[
        str | None, option("--target", "A column that stands out, with its Markov blanket: --target died", "NAME")
    ] = None,
    title: Annotated[
        str | None, option("--title", "The heading of the picture: --title 'Cars of 1983'", "TEXT")
    ] = None,
    whole: Whole = False,
) -> None:
    """Draw a graph, a saved result or a network.

    Arrows run downward; edges without a direction are dashed. More than 60 nodes are drawn as groups of nodes that are
    closely joined: see a part with --around, or all of them with --whole.

    Example: arcwise draw result.json --out net.svg --around died --distance 2
    """
    check_targets((graph, against), (out, PICTURE_SUFFIXES))
    for given in (graph, against):
        _refuse_table(given)
    looks = looks_of(out, around, distance, whole, target)
    if against is not None:
        looks["against"] = read_pattern(against)
    deliver((out, _plotted(graph, title, looks).save), show=lambda: None)
    note(f"wrote {out}")


def looks_of(
    path: str | None, around: str | None, distance: int | None, whole: bool, target: str | None = None
) -> Looks:
    """The options of the picture at `path`; those that are about one need it, and a distance needs --around."""
    for flag, given in (("--around", around is not None), ("--distance", distance is not None), ("--whole", whole)):
        if given and path is None:
            raise OptionError(f"{flag} is about a picture; say where to write it: --draw net.svg")
    if distance is not None and around is None:
        raise OptionError("--distance is about a neighbourhood; say of which column: --around died")
    if distance is not None and distance < 1:
        raise OptionError(f"--distance must be at least 1, not {distance}")
    looks: Looks = {"around": around, "distance": 1 if distance is None else distance, "whole": whole, "target": target}
    return looks


def check_around(names: Sequence[str], around: str | None) -> None:
    """Refuse a column that is not there before anything is learned."""
    if around is not None and around not in names:
        raise OptionError(unknown_name("column for --around:", around, names))


def _refuse_table(given: str | None) -> None:
    from arcwise import datasets

    if given is not None and (given.lower().endswith(TABLE_SUFFIXES) or given.removeprefix("@") in datasets.names()):
        shell = f"arcwise learn {in_shell(given)} --draw net.svg"
        raise OptionError(f"{given} is a table and no graph; to learn a graph and draw it: {shell}")


def _plotted(source: str, title: str | None, looks: Looks) -> Picture:
    """With all that the file knows: of a result the strengths and kinds, of what bootstrap saved the shares."""
    kind = json_format(source) if source.lower().endswith(".json") else ""
    if kind.startswith("arcwise-result"):
        from arcwise.results.result import LearnResult

        return LearnResult.load(source).plot(title=title, **looks)
    if kind.startswith("arcwise-strengths"):
        from arcwise.results.strengths import Strengths

        return Strengths.load(source).plot(title=title, **looks)
    return read_pattern(source).plot(title=title, **looks)
