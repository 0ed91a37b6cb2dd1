"""`arcwise test`: are two columns independent, given others?"""
# ruff: noqa: PT028 (the function has the name of its command and is no test case)

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    Options,
    Settings,
    argument,
    option,
    read_settings,
    read_table,
    reads_table,
    split_names,
)
from arcwise.cli.outputs import PICTURE_SUFFIXES, check_targets, deliver
from arcwise.cli.views.screen import console, plain_table, print_json, warn
from arcwise.errors import OptionError
from arcwise.printing import printable

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset
    from arcwise.parts.protocols import TestResult

DEFAULT_TEST = "recursive-median"
SMALLEST = 1e-300  # what is below is said to be so
DETAILS = {
    "U": "probability that the two do not change within a slice",
    "slices": "into which the given columns were cut",
    "df": "degrees of freedom of the statistic",
    "partial_correlation": "",
}

FirstColumn = Annotated[str, argument("X", "A column.")]
SecondColumn = Annotated[str, argument("Y", "Another column.")]
Given = Annotated[list[str] | None, option("--given -g", "Columns that are held fixed: --given age,income", "NAMES")]
TestName = Annotated[str, option("--test -t", "Which test: --test fisher-z. A wrong name gets the list.", "NAME")]
Alpha = Annotated[
    float | None, option("--alpha", "From this value on they count as independent: --alpha 0.01", "LEVEL")
]
Picture = Annotated[
    str | None, option("--draw", "Draw X against Y in slices, .svg, .png or .pdf: --draw slices.svg", "FILE")
]


@reads_table
def test(
    data: DataPath,
    x: FirstColumn,
    y: SecondColumn,
    given: Given = None,
    kind: TestName = DEFAULT_TEST,
    settings: Settings = None,
    alpha: Alpha = None,
    draw: Picture = None,
    json: AsJson = False,
    *,
    reading: Options,
) -> None:
    """Test whether two columns are independent, given others or nothing.

    Example: arcwise test @abalone length rings --given shell_weight --draw slices.svg

    The columns are shown against each other in quarters of a given column, or in halves of the first two.
    """
    from arcwise.parts.protocols import ProbabilityTest, check_kinds

    part = chosen(kind, settings)
    level = _level(part, alpha)
    check_targets((data,), (draw, PICTURE_SUFFIXES))
    names = split_names(given)
    _check_columns(x, y, names)
    table = read_table(data, reading)
    columns = table.select([x, y, *names])
    check_kinds(part, columns)
    # Whether a row is a copy of another is seen in all columns of the table, which these tests can take.
    tested = table if isinstance(part, ProbabilityTest) else columns
    bound = part.bind(tested)
    first, second, *others = map(tested.names.index, columns.names)
    result = bound.test(first, second, others)
    warnings = [*_about(table, columns), *bound.warnings]
    decision = _decision(part, columns, result, level)

    def show() -> None:
        warn(warnings)
        if json:
            print_json({**_content(part, columns, result, level), "warnings": warnings})
        else:
            _show(part, columns, result, level, decision)

    deliver((draw, lambda path: _draw(columns, decision, path)), show=show)


def chosen(name: str, settings: list[str] | None) -> Any:
    """The test of this kind, with its options changed as `--set` says."""
    from arcwise import catalog

    part: Any = catalog.find("test", name, catalog.TESTS)()
    return catalog.configure(part, read_settings(settings))


def _level(part: Any, alpha: float | None) -> float:
    if alpha is None:
        return part.level
    if not 0 < alpha < 1:
        raise OptionError(f"--alpha must lie between 0 and 1, not {alpha!r}")
    return alpha


def _check_columns(x: str, y: str, given: Sequence[str]) -> None:
    if x == y:
        raise OptionError(f"{x!r} cannot be tested against itself; name two different columns")
    for name in (x, y):
        if name in given:
            raise OptionError(f"{name!r} is tested, so it cannot be given as well; leave it out of --given")
    for name in given:
        if given.count(name) > 1:
            raise OptionError(f"{name!r} is given twice; name it once in --given")


def _about(table: Dataset, columns: Dataset) -> list[str]:
    """The warnings but for those about single columns that take no part; lost rows concern all."""
    return [
        warning
        for warning in table.warnings
        if not warning.startswith(("column ", "columns ", "constant "))
        or any(repr(name) in warning for name in columns.names)
    ]


def _decision(part: Any, columns: Dataset, result: TestResult, level: float) -> str:
    """ "X and Y are independent given Z (I = 0.83)"."""
    from arcwise.parts.protocols import ProbabilityTest

    x, y, *given = (printable(name) for name in columns.names)
    under = f" given {', '.join(given)}" if given else ""
    if isnan(result.value):
        why = "nothing can be learned from these rows" if isinstance(part, ProbabilityTest) else "too few rows to tell"
        return f"{x} and {y}{under}: {why}"
    verdict = "independent" if result.value >= level else "dependent"
    return f"{x} and {y} are {verdict}{under} ({_value(part, result)})"


def _value(part: Any, result: TestResult) -> str:
    """What was compared with the level, with its usual name."""
    from arcwise.parts.protocols import InformationMeasure, ProbabilityTest

    if isinstance(part, InformationMeasure):
        return f"I = {result.statistic:.4g} nats, threshold {part.threshold:g}"
    name, value = "I" if isinstance(part, ProbabilityTest) else "p", result.value
    if value < SMALLEST:
        return f"{name} < {SMALLEST:g}"
    return f"{name} = {value:.2f}" if value >= 0.1 else f"{name} = {value:.2g}"


def _content(part: Any, columns: Dataset, result: TestResult, level: float) -> dict[str, Any]:
    from arcwise.parts.spec import to_spec

    x, y, *given = columns.names
    told = not isnan(result.value)
    return {
        "x": x,
        "y": y,
        "given": given,
        "test": to_spec(part),
        "rows": columns.n_rows,
        "value": result.value if told else None,
        "level": level,
        "independent": result.value >= level if told else None,
        "statistic": result.statistic if told else None,
        "details": {name: value for name, value in result.details.items() if not isnan(value)},
    }


def _draw(columns: Dataset, decision: str, path: str) -> None:
    from arcwise.drawing.slices import draw_slices

    x, y, *given = columns.names
    draw_slices(columns, x, y, given, path, title=decision)


def _show(part: Any, columns: Dataset, result: TestResult, level: float, decision: str) -> None:
    from rich.text import Text

    from arcwise.cli.views.density import LINES, WIDEST, draw_maps
    from arcwise.drawing.slices import slice_up
    from arcwise.parts.spec import describe

    screen = console()
    screen.print(Text(decision, "bold"))
    screen.print()
    x, y, *given = columns.names
    grid = plain_table("name", "value", "words")
    grid.show_header = False
    for name, value, words in _lines(part, result, level, given):
        grid.add_row(name, value, Text(words, "dim"))
    grid.add_row("rows", f"{columns.n_rows:,}", "")
    grid.add_row("test", Text(part.kind), Text(describe(part).partition(", ")[2], "dim"))
    screen.print(grid)
    screen.print()
    slices = slice_up(columns, x, y, given, WIDEST, LINES)
    screen.print(Text(f"{slices.y.name} against {slices.x.name}, {slices.how}", "dim"))
    for line in draw_maps(slices, screen.width):
        screen.print(line)


def _lines(part: Any, result: TestResult, level: float, given: Sequence[str]) -> list[tuple[str, str, str]]:
    """(name, value, meaning) of all that the test found."""
    from arcwise.parts.protocols import InformationMeasure, ProbabilityTest

    if isnan(result.value):
        return []
    bayesian = isinstance(part, ProbabilityTest)
    found = []
    if bayesian:
        found.append(("I", f"{result.value:.4g}", f"probability of independence, decided at {level:g}"))
    elif not isinstance(part, InformationMeasure):
        found.append(("p-value", f"{result.value:.4g}", f"decided at {level:g}"))
    if result.statistic is not None:
        meaning = "ln of the Bayes factor for dependence" if bayesian else ""
        found.append(("statistic", f"{result.statistic:.4g}", meaning))
    for name, value in result.details.items():
        if name in DETAILS and (given or not bayesian):
            found.append((name.replace("_", " "), f"{value:.4g}", DETAILS[name]))
    return found
