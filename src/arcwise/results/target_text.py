"""What is known of one column, in words: who goes with it, which way, how strongly, and how much it differs."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import TYPE_CHECKING

from arcwise.data.dataset import Kind
from arcwise.printing import counted, listed, printable
from arcwise.results.sections import TIED, Block, Grid, Section, Words
from arcwise.results.summary_columns import short
from arcwise.results.summary_network import strength_words

if TYPE_CHECKING:
    from arcwise.results.target import About, Difference, Group, Member

CAUTION = (
    "comparisons in the table, one column at a time, ± a standard error: not effects of an intervention, and what "
    "other columns contribute is not taken out"
)
THIRDS = "numbers without thresholds are compared between their lower, middle and upper third"


def sections(found: About) -> tuple[Section, ...]:
    """The members at a glance, then level by level."""
    name = printable(found.target)
    head = Section(f"about {name}", _kind_words(found), tuple(_members(found)))
    if not found.members:
        return (head,)
    return head, _by_level(found)


def _kind_words(found: About) -> str:
    rows = counted(found.n_rows, "row")
    missing = f", {found.n_missing:,} more without a value" if found.n_missing else ""
    if found.kind is Kind.CONTINUOUS:
        text = f"mean {_value(found.overall, 0, found)} in {rows}{missing}"
        return printable(f"{text}; {found.thresholds}" if found.thresholds else text)
    if len(found.compared) == 1:
        return printable(f"{short(found.compared[0])!r} in {found.overall.values[0]:.1%} of {rows}{missing}")
    levels = counted(found.n_levels, "level")
    if found.n_levels > len(found.compared):
        levels = f"the {len(found.compared)} most frequent of {levels}"
    return f"{levels}, {rows}{missing}"


def _members(found: About) -> list[Block]:
    if not found.members:
        return [
            Words(
                printable(
                    f"no edge joins {found.target} to another column: by this method, no column tells anything about "
                    f"it that could not be chance"
                )
            )
        ]
    strong = any(one.strength is not None for one in found.members)
    heads = ("column", "direction", *([_strength_head(found)] if strong else []), "largest difference")
    rows = []
    for one in found.members:
        strength = (strength_words(one.strength, found.measure),) if strong else ()
        rows.append((printable(one.name), printable(_direction(found, one)), *strength, _difference_words(found, one)))
    grid = Grid(tuple(rows), heads, frozenset({2}) if strong else frozenset())
    legend = f"{_strength_head(found)}: {_legend(found)}" if strong else ""
    return [grid, *([Words(legend, "dim")] if legend else []), Words(CAUTION, "dim")]


def _strength_head(found: About) -> str:
    return "nats" if found.measure == "nats" else "found"


def _legend(found: About) -> str:
    return "what the score loses without the edge" if found.measure == "nats" else found.words


def _direction(found: About, one: Member) -> str:
    target = found.target
    if one.role == "spouse":
        return f"shares a child with it: {listed(one.children)}"
    if not found.directed:
        return "a neighbour"
    return {
        "parent": f"points at {target}",
        "child": f"{target} points at it",
        "neighbour": "either direction",
        "conflict": "conflicting evidence",
    }[one.role]


def _difference_words(found: About, one: Member) -> str:
    """ "4.1% at < 42, 33.0% at ≥ 61.5: 29 points ± 2.1"."""
    if one.difference is None:
        return "one level only" if one.groups else "no row has both values"
    diff = one.difference
    if found.kind is Kind.CONTINUOUS:
        low, high = (_with_error(value, diff.error).partition(f"{TIED}±")[0] for value in (diff.low, diff.high))
        size = _with_error(diff.size, diff.error)
        return printable(f"{low} at {short(diff.low_level)}, {high} at {short(diff.high_level)}: {size}")
    which = f"{short(diff.of)!r}: " if len(found.compared) > 1 else ""
    return printable(f"{which}{_points(diff)}")


def _points(diff: Difference) -> str:
    error = "" if diff.error is None else f" ± {100 * diff.error:.1f}"
    size = f"{100 * diff.size:.1f}{error} points".replace(" ", TIED)
    return f"{diff.low:.1%} at {short(diff.low_level)}, {diff.high:.1%} at {short(diff.high_level)}: {size}"


def _by_level(found: About) -> Section:
    """Each member's levels with their rows."""
    shown = [printable(short(one)) for one in found.compared]
    measured = ("mean", "spread") if found.kind is Kind.CONTINUOUS else tuple(shown)
    heads = ("column", "level", "rows", *measured)
    rows = []
    for one in found.members:
        for k, group in enumerate(one.groups):
            values = [_value(group, j, found) for j in range(len(found.compared))]
            values += [_digits(group.spread)] if found.kind is Kind.CONTINUOUS else []
            name = printable(one.name) if k == 0 else ""
            rows.append((name, printable(short(group.level)), f"{group.rows:,}", *values))
    blocks: list[Block] = [Grid(tuple(rows), heads, frozenset(range(2, len(heads))), keys=3)]
    blocks += [Words(line, "dim") for line in _remarks(found)]
    name = printable(found.target)
    what = f"mean of {name}" if found.kind is Kind.CONTINUOUS else f"share of rows at each level of {name}"
    if found.kind is Kind.DISCRETE and len(found.compared) == 1:
        what = f"share of rows with {name} = {shown[0]}"
    return Section("by level", what, tuple(blocks))


def _remarks(found: About) -> list[str]:
    said = []
    if any(one.cut == "thirds" for one in found.members):
        said.append(THIRDS)
    fewer = [f"{one.name} ({one.n_levels - len(one.groups)} more)" for one in found.members if _is_cut_short(one)]
    if fewer:
        said.append(f"only the most frequent levels of {listed(list(map(printable, fewer)))}")
    gaps = [f"{printable(one.name)} ({one.missing:,})" for one in found.members if one.missing > found.n_missing]
    if gaps:
        said.append(f"rows left out where a value is missing: {listed(gaps)}")
    return said


def _is_cut_short(one: Member) -> bool:
    return one.n_levels > len(one.groups)


def _value(group: Group, k: int, found: About) -> str:
    """ "12.3% ± 0.9" or "18.8 ± 0.24"."""
    value, error = group.values[k], group.errors[k]
    if found.kind is Kind.CONTINUOUS:
        return _with_error(value, error)
    return f"{value:.1%}" if error is None else f"{value:.1%} ± {100 * error:.1f}".replace(" ", TIED)


def _with_error(value: float, error: float | None) -> str:
    """ "18.8 ± 0.4": as many digits as the error has a say in."""
    if not error or not isfinite(error):
        return _digits(value)
    first = floor(log10(error))  # the place of its first digit; a 1 or 2 there is worth one more
    places = min(max(0, -first + (error < 3 * 10.0**first)), 9)
    return f"{value:,.{places}f} ± {error:,.{places}f}".replace(" ", TIED)


def _digits(value: float | None) -> str:
    """Three digits, and all before the point."""
    if value is None:
        return ""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
