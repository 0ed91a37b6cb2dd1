"""`arcwise discretize`: thresholds for the continuous columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    Options,
    Settings,
    opened,
    option,
    read_settings,
    read_table,
    reads_table_without,
    split_names,
)
from arcwise.cli.main import BY_SIGNAL, ENDINGS, UNANSWERED
from arcwise.cli.outputs import (
    JSON_SUFFIXES,
    PICTURE_SUFFIXES,
    TABLE_SUFFIXES,
    check_targets,
    deliver,
    write_json,
    write_table,
)
from arcwise.cli.views.screen import console, note, plain_table, print_json, print_text, warn, watching
from arcwise.errors import DataError, OptionError, unknown_name
from arcwise.parts.monitor import SILENT, Interruptible, stop_on_interrupt
from arcwise.printing import counted, duration, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from arcwise.data.dataset import Column, Dataset
    from arcwise.data.discretization import Discretization
    from arcwise.parts.protocols import Learner
    from arcwise.results.result import LearnResult

BAR_WIDTH = 24
SHOWN_LEVELS = 20
INDENT = 2
EIGHTHS = " ▏▎▍▌▋▊▉"
DEFAULT = "equal-frequency"
FEW_ROWS = 10  # for each level: with fewer it is no wonder that some have none

MethodName = Annotated[
    str | None,
    option("--method -m", "The way to choose thresholds, equal-frequency unless told: --method steck", "NAME"),
]
Ordered = Annotated[
    list[str] | None,
    option(
        "--ordered",
        "A column of levels in an order, to join neighbouring ones: --ordered size=small,medium,large; "
        "--ordered age takes the order of the numbers in '0-4', '5-9', ...",
        "NAME[=LEVELS]",
    ),
]
Saved = Annotated[
    str | None,
    option("--from", "Cut at thresholds that were saved, or at those of a result: --from cuts.json", "FILE"),
]
LearnerSeed = Annotated[
    int | None, option("--seed", "Start of a learner's random numbers, 0 unless told: --seed 7", show_default=False)
]
Deadline = Annotated[
    float | None, option("--deadline", "Stop a learner then, with the best so far: --deadline 60", "SECONDS")
]
Out = Annotated[str | None, option("--out -o", "Save the cut table, .csv, .tsv or .parquet: --out cut.csv", "FILE")]
ThresholdFile = Annotated[str | None, option("--thresholds", "Save the thresholds: --thresholds cuts.json", "FILE")]
Picture = Annotated[
    str | None, option("--draw", "Draw them over histograms, .svg, .png or .pdf: --draw cuts.svg", "FILE")
]


@reads_table_without("ordered")
def discretize(
    data: DataPath,
    method: MethodName = None,
    settings: Settings = None,
    ordered: Ordered = None,
    saved: Saved = None,
    seed: LearnerSeed = None,
    deadline: Deadline = None,
    out: Out = None,
    thresholds: ThresholdFile = None,
    draw: Picture = None,
    json: AsJson = False,
    *,
    reading: Options,
) -> None:
    """Cut the continuous columns of a table into levels.

    Example: arcwise discretize @abalone --method steck --out cut.csv --draw cuts.svg

    With --ordered, neighbouring levels of a discrete column are joined, too; with --from, new rows are cut as others
    were. A method that discretizes while it learns finds a network as well: 'arcwise learn' shows that one. Ctrl-C
    stops it: the best thresholds so far are printed and saved, and the exit code is 130; kill does the same, with 143.
    """
    from arcwise.data.ordinal import as_numbers, in_order, named
    from arcwise.parts.protocols import Learner

    wanted = (out, TABLE_SUFFIXES), (thresholds, JSON_SUFFIXES), (draw, PICTURE_SUFFIXES)
    if saved is not None:
        theirs = {"--method": method, "--set": settings, "--ordered": ordered, "--seed": seed, "--deadline": deadline}
        for name, value in theirs.items():
            if value not in (None, []):
                raise OptionError(f"--from brings thresholds along, so {name} has no meaning beside it; leave it out")
        check_targets((data, saved), *wanted)
        _report(_cut_alike(data, saved, reading), out, thresholds, draw, json)
        return
    method = DEFAULT if method is None else method
    part = chosen(method, settings)
    learns = isinstance(part, Learner)
    if not learns and (seed is not None or deadline is not None):
        option = "--deadline" if seed is None else "--seed"
        raise OptionError(f"{option} is for methods that learn; {method!r} does not, so leave it out")
    check_targets((data,), *wanted)
    levels = read_table(data, reading).repeated()  # as it is counted, drawn and written
    orders = read_orders(ordered, levels.names)
    levels = in_order(levels, orders)
    table = as_numbers(levels, list(orders))
    _tell_orders(levels, orders)
    _check_drawable(table, draw)
    if not learns:
        cuts = named(_fit(table, part), levels)
        _report(_Found(method, table, cuts.apply(table), cuts, None), out, thresholds, draw, json)
        return
    with stop_on_interrupt(SILENT, ENDINGS) as interrupts:  # until all is written
        result = _learn(table, part, seed, deadline, interrupts)
        if result.status == "unanswered":
            print_text(str(result))
            raise typer.Exit(UNANSWERED)
        assert result.discretization is not None  # all learners that are chosen here cut columns
        cuts = named(result.discretization, levels)
        _report(_Found(method, table, cuts.apply(table), cuts, result), out, thresholds, draw, json)
    if interrupts.signals:
        raise typer.Exit(BY_SIGNAL + interrupts.signals[0])


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What is printed, drawn and written: the thresholds, the table before and after, the network if there is one."""

    method: str
    table: Dataset
    levels: Dataset
    cuts: Discretization
    result: LearnResult | None


def _report(found: _Found, out: str | None, thresholds: str | None, draw: str | None, json: bool) -> None:
    deliver(
        (thresholds, lambda path: write_json(found.cuts.to_dict(), path)),
        (out, lambda path: write_table(found.levels, path)),
        (draw, lambda path: _draw(found, path)),
        show=lambda: _print(found, json),
        content=found.cuts.to_dict,
    )


def read_orders(given: Iterable[str] | None, names: Sequence[str]) -> dict[str, tuple[str, ...] | None]:
    """The columns that `--ordered` names, each with its levels, or None where these have to tell their order."""
    orders: dict[str, tuple[str, ...] | None] = {}
    for text in given or ():
        places = [i for i, sign in enumerate(text) if sign == "="]
        at = next((i for i in places if text[:i].strip() in names), None)
        name = text.strip() if text.strip() in names or not places else text[: at or places[0]].strip()
        if name not in names:
            raise OptionError(f"--ordered {text!r}: {unknown_name('column', name, names)}")
        levels = None if text.strip() == name else split_names([text[(at or 0) + 1 :]])
        if levels is not None and len(levels) < 2:
            raise OptionError(f"--ordered needs two levels or more, such as --ordered 'size=small,large', not {text!r}")
        if name in orders:
            raise OptionError(f"--ordered names column {name!r} twice; give its order once")
        orders[name] = levels
    return orders


def _tell_orders(data: Dataset, orders: Mapping[str, tuple[str, ...] | None]) -> None:
    """An order that nobody gave is said."""
    for name, levels in orders.items():
        if levels is None:
            note(f"note: the levels of {name} are taken in this order: {', '.join(data.column(name).levels)}")


def _cut_alike(data: str, saved: str, reading: Options) -> _Found:
    """New rows, cut at thresholds from a file."""
    from arcwise.data.ordinal import as_numbers, in_order

    cuts = read_thresholds(saved)
    table = cuts.read_table(opened(data), **reading).repeated()
    lacking = [name for name in cuts.thresholds if name not in table.names]
    if lacking:
        raise DataError(
            f"{saved} has thresholds for column {lacking[0]!r}, which {data} lacks; add it, or take it out of {saved}"
        )
    levels = cuts.apply(table)
    for name in cuts.thresholds:
        column = levels.column(name)
        seen = set(column.recorded.tolist())
        if len(seen) == 1 < column.cardinality and column.cardinality * FEW_ROWS <= len(column.recorded):
            note(
                f"note: all {len(column.recorded):,} rows of {name} are in one level ({column.levels[seen.pop()]}); if "
                "that is strange, look whether the values have the unit that they had"
            )
    numbers = as_numbers(in_order(table, dict(cuts.orders)), list(cuts.orders))
    return _Found(f"thresholds of {saved}", numbers, levels, cuts, None)


def read_thresholds(path: str) -> Discretization:
    """What `--thresholds` saved, or the thresholds of a result that `learn` saved."""
    from arcwise.data.discretization import Discretization
    from arcwise.data.text_files import load_json
    from arcwise.errors import ArcwiseError, FileError
    from arcwise.results.result import LearnResult

    content = load_json(path, "saved thresholds", lambda content: content)
    if isinstance(content, dict) and str(content.get("format", "")).startswith("arcwise-result"):
        found = LearnResult.load(path).discretization
        if found is None or not found.thresholds:
            raise FileError(f"{path} is a result without thresholds; learn with a method that cuts columns")
        return found
    try:
        return Discretization.from_dict(content)
    except (ArcwiseError, AttributeError) as error:
        raise FileError(f"{path} holds no thresholds that --thresholds saved ({error}); save them anew") from None


def discretizer(name: str, settings: list[str] | None) -> Any:
    """The discretizer of this kind, with its options changed as `--set` says."""
    from arcwise import catalog

    part: Any = catalog.find("discretizer", name, catalog.DISCRETIZERS)()
    return catalog.configure(part, read_settings(settings))


def chosen(name: str, settings: list[str] | None) -> Any:
    """A discretizer, or else the learner of a method that cuts the columns while it learns."""
    from arcwise import catalog

    return catalog.configure(catalog.cutting(name), read_settings(settings))


def _check_drawable(table: Dataset, draw: str | None) -> None:
    from arcwise.data.dataset import Kind

    if draw is not None and Kind.CONTINUOUS not in table.kinds:
        raise DataError(f"cannot draw {draw}: there are no continuous columns, so there are no thresholds to show")


def _learn(
    table: Dataset, learner: Learner, seed: int | None, deadline: float | None, interrupts: Interruptible
) -> LearnResult:
    from arcwise import api

    with watching(quiet=False) as screen:
        return api.learn(table, learner, seed=seed or 0, deadline=deadline, monitor=interrupts.around(screen))


def _fit(table: Dataset, part: Any) -> Discretization:
    from arcwise.parts.protocols import WatchedDiscretizer

    if not isinstance(part, WatchedDiscretizer):
        return part.fit(table)
    with watching(quiet=False) as screen:
        return part.fit_watched(table, screen)


def _draw(found: _Found, path: str) -> None:
    from arcwise.drawing import draw_thresholds

    result, levels = found.result, found.levels
    notes = {} if result is None else {name: _purpose(levels.column(name), result) for name in found.cuts.thresholds}
    for name, labels in found.cuts.orders.items():
        shown = f"numbered: {', '.join(f'{k} {label}' for k, label in enumerate(labels))}"
        notes[name] = "; ".join(filter(None, [notes.get(name, ""), shown]))
    draw_thresholds(found.table, found.cuts, path, title=_size(found), notes=notes, states=result and result.states)


def _print(found: _Found, json: bool) -> None:
    result = found.result
    warnings = found.table.warnings if result is None else result.warnings
    warn(warnings)
    if not json:
        _show(found)
        return
    learned = {} if result is None else {"status": result.status, "seed": result.seed}
    columns = [_content(column, found.cuts, result) for column in found.levels.columns]
    print_json({"method": found.method, **learned, "columns": columns, "warnings": list(warnings)})


def _content(column: Column, cuts: Discretization, result: LearnResult | None) -> dict[str, Any]:
    found = cuts.thresholds.get(column.name)
    content = {
        "name": column.name,
        "thresholds": None if found is None else found.tolist(),
        **({"joined": [list(group) for group in cuts.groups(column.name)]} if column.name in cuts.orders else {}),
        "levels": list(column.levels),
        "counts": _counts(column),
    }
    return content if result is None else {**content, "neighbours": _neighbours(result, column.name)}


def _counts(column: Column) -> list[int]:
    """Rows of each level; none for numbers that saved thresholds leave as they are."""
    import numpy as np

    if not column.levels:
        return []
    return np.bincount(column.recorded, minlength=column.cardinality).tolist()


def _neighbours(result: LearnResult, name: str) -> list[str]:
    """Parents and children; they are the same in every DAG of the class."""
    row = result.cpdag.adjacency[result.cpdag.index(name)]
    return sorted(other for other, joined in zip(result.cpdag.names, row, strict=True) if joined)


def _show(found: _Found) -> None:
    from rich.padding import Padding

    from arcwise.cli.views.histogram import draw_histogram

    screen, cuts = console(), found.cuts
    screen.print(_headline(found), style="bold")
    for column in found.levels.columns:
        screen.print()
        screen.print(_heading(column, cuts))
        if column.name in cuts.thresholds:
            if found.result is not None:
                screen.print(Padding(_purpose(column, found.result), (0, 0, 0, INDENT)), style="dim")
            values, places = found.table.column(column.name).recorded, cuts.thresholds[column.name]
            numbers = len(values) and column.name not in cuts.orders
            for line in draw_histogram(values, places, screen.width - INDENT) if numbers else ():
                screen.print(Padding(line, (0, 0, 0, INDENT)))
        if column.levels:
            _show_levels(screen, column)


def _size(found: _Found) -> str:
    cut = sum(len(places) > 0 for places in found.cuts.thresholds.values())
    rows, columns = counted(found.table.n_rows, "row"), counted(found.table.n_columns, "column")
    return f"{found.method}: {rows}, {cut} of {columns} cut"


def _headline(found: _Found) -> str:
    result = found.result
    if result is None:
        return _size(found)
    if result.status == "stopped":
        return f"{_size(found)}, stopped after {duration(result.elapsed)}, best thresholds so far"
    return f"{_size(found)}, in {duration(result.elapsed)}"


def _heading(column: Column, cuts: Discretization) -> Text:
    from rich.text import Text

    if column.name in cuts.orders:
        how = f"{column.cardinality} of {len(cuts.orders[column.name])} levels"
    elif column.name in cuts.thresholds:
        how = cuts.describe(column.name) if column.cardinality < 4 else f"{column.cardinality} levels"
    elif column.levels:
        how = f"{column.shown_kind} already, {column.cardinality} levels"
    else:
        how = "numbers, without thresholds"
    if column.missing is not None:
        how += f"; {int(column.missing.sum()):,} missing"
    return Text.assemble((printable(column.name), "bold"), (f"  {how}", "dim"))


def _purpose(column: Column, result: LearnResult) -> str:
    """What the levels of a column are good for: the thresholds depend on its neighbours in the network."""
    names = ", ".join(printable(name) for name in _neighbours(result, column.name))
    if column.cardinality == 1:
        return f"no cut pays for: {names}" if names else "no neighbours in the network, so no cut pays"
    if not names:
        return "no neighbours in the network"
    return f"the initial levels were best; neighbours: {names}" if _is_initial(result) else f"cut for: {names}"


def _is_initial(result: LearnResult) -> bool:
    """Whether no round was better than one of the discretizations that the learner began with."""
    best = result.trace[-1].score
    return any(step.phase == "round" and step.step == 0 and step.score == best for step in result.trace)


def _show_levels(screen: Console, column: Column) -> None:
    """The levels with their rows; a bar has the colour that the level has in the histogram."""
    from rich.cells import cell_len
    from rich.padding import Padding
    from rich.text import Text

    from arcwise.cli.views.histogram import level_colour

    grid = plain_table("level", "count", "rows", "bar", right=("count",))
    grid.show_header = False
    counts = _counts(column)
    shown = list(zip(map(printable, column.levels), counts, strict=True))[:SHOWN_LEVELS]
    taken = max(cell_len(label) for label, _ in shown) + max(len(f"{count:,}") for _, count in shown)
    room = screen.width - INDENT - taken - len("rows") - 6  # two blanks behind each column
    for k, (label, count) in enumerate(shown):
        bar = _bar(count, max(counts), min(room, BAR_WIDTH)) if room > 0 else ""
        unit = "row" if count == 1 else "rows"
        grid.add_row(Text(label), f"{count:,}", unit, Text(bar, level_colour(k)))
    screen.print(Padding(grid, (0, 0, 0, INDENT)))
    if len(counts) > SHOWN_LEVELS:
        screen.print(f"{' ' * INDENT}and {len(counts) - SHOWN_LEVELS:,} more levels", style="dim")


def _bar(count: int, most: int, width: int) -> str:
    eighths = round(8 * width * count / most)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()
