"""How the cells of a text column are written: numbers with marks, signs, units and limits; dates and times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwise.data.findings.dates import how_dated
from arcwise.data.findings.finding import Finding, Severity
from arcwise.data.findings.marks import find_marks
from arcwise.data.findings.view import View
from arcwise.data.findings.words import words_among
from arcwise.data.kinds import FEW_WORDS, MAX_DISCRETE, MOSTLY_NUMBERS
from arcwise.data.levels import label_numbers
from arcwise.data.notation import FLAGS, KNOWN_UNITS, NEGATIVE, SCALES, is_spelled, leading_zeros, turned_negative
from arcwise.printing import cell_in_shell, counted, listed

MOST_WORDS = 50  # more different words than these are no slips in a column of numbers
MOST_UNITS = 4
PROBE = 1000  # labels that tell whether most are numbers
MONEY = "$€£¥₹"
_CELL = re.compile(
    rf"(?P<limit>[<>≤≥]=?\s*)?(?P<sign>[+-])?\s*(?P<money>[{MONEY}])?\s*"
    r"(?P<body>\d[\d.,'’\u00a0\u202f ]*\d|\d+[.,]?|[.,]\d+)(?P<power>[eE][+-]?\d+)?"
    rf"\s*(?P<tail>%|[{MONEY}]|[^\W\d_][\w/²³%.]{{0,11}}|°\S{{0,3}}|µ\S{{1,8}}|\*{{1,3}}|[†‡#])?"
)


@dataclass(frozen=True, slots=True)
class Cells:
    """What each label is made of; None where it is no number in any notation."""

    parts: tuple[Mapping[str, str] | None, ...]

    def having(self, part: str) -> Any:
        """Which labels have this part."""
        return np.array([bool(one and one[part]) for one in self.parts], dtype=np.bool_)

    @property
    def numbers(self) -> Any:
        return np.array([one is not None for one in self.parts], dtype=np.bool_)

    def values(self, part: str) -> list[str]:
        return [one[part] if one else "" for one in self.parts]


def how_written(view: View, severity: Severity) -> list[Finding]:
    """Findings whose changes make numbers of the column; none if it is plain numbers, or words.

    severity: how much it matters that cells are not plain numbers; what is guessed must be settled.
    """
    if not view.labels or leading_zeros(view.labels):
        return []
    plain = ~np.isnan(label_numbers(view.labels))
    if dated := how_dated(view, plain, severity):
        return dated
    if plain.all():
        return []
    some = view.labels[:: max(len(view.labels) // PROBE, 1)]
    if len(some) < len(view.labels) and sum(_parts(label) is not None for label in some) < len(some) // 2:
        return []
    cells = Cells(tuple(_parts(label) for label in view.labels))
    numbers = cells.numbers
    few = int((~numbers).sum()) <= FEW_WORDS and int(numbers.sum()) > MAX_DISCRETE
    if not numbers.any() or not (few or view.share(numbers) >= MOSTLY_NUMBERS) or (~numbers).sum() > MOST_WORDS:
        return []
    negatives = _negatives(view, cells)
    if negatives and len(view.labels) <= MAX_DISCRETE:
        return []  # grades: 1, 1-, 2
    units = _units(view, cells, severity)
    if units is None:
        return []
    units = [*negatives, *units]
    if any(finding.change.get("drop") for finding in units):
        return units
    marks = _marks(view, cells, severity)
    if any(finding.change.get("drop") for finding in marks):
        return marks
    return [
        *words_among(view, numbers, "numbers"),
        *_limits(view, cells),
        *units,
        *_percent(view, cells, severity),
        *marks,
    ]


def _parts(label: str) -> Mapping[str, str] | None:
    text = label.strip().replace("−", "-")
    turned = turned_negative(text)
    found = _CELL.fullmatch(NEGATIVE[turned].sub(r"-\1", text) if turned else text)
    if found is None or not is_spelled(found["body"]):
        return None
    return {"negative": turned, **{name: (part or "").strip() for name, part in found.groupdict().items()}}


def _negatives(view: View, cells: Cells) -> list[Finding]:
    ways = {way for way in cells.values("negative") if way}
    if not ways:
        return []
    evidence = view.told(cells.having("negative"))
    if len(ways) > 1:
        proposal = "write them all with the sign before; until then, leave the column out"
        return [Finding("negative", view.name, Severity.SETTLE, evidence, proposal, {"drop": True})]
    proposal = f"take {'(5)' if ways == {'parentheses'} else '5-'} as -5"
    return [Finding("negative", view.name, Severity.SETTLE, evidence, proposal, {"negative": ways.pop()})]


def _limits(view: View, cells: Cells) -> list[Finding]:
    hit = cells.having("limit")
    if not hit.any():
        return []
    return [
        Finding(
            "censored",
            view.name,
            Severity.SETTLE,
            f"{view.told(hit)} are limits, not values",
            "take the limit as the number; `censored` can also make it missing, or a level of its own",
            {"censored": "number"},
        )
    ]


def _units(view: View, cells: Cells, severity: Severity) -> list[Finding] | None:
    """None if what stands behind the numbers looks like no unit, so that the column holds codes."""
    signs = [one if one != "%" else "" for one in cells.values("tail")]
    beside = [money or tail for money, tail in zip(cells.values("money"), signs, strict=True)]
    rows: dict[str, int] = {}
    for unit, n in zip(beside, view.rows, strict=True):
        if unit:
            rows[unit] = rows.get(unit, 0) + int(n)
    if not rows:
        return []
    units = sorted(rows, key=lambda unit: (-rows[unit], unit))
    base, hit = units[0], np.array([bool(unit) for unit in beside])
    bare = view.count(cells.numbers & ~hit & ~cells.having("limit") & (np.array(cells.values("tail")) != "%"))
    if bare and FLAGS.issuperset(units) and units != ["L"]:
        evidence, proposal = f"{view.told(hit)} have {listed(units)} beside the number", "leave the mark out"
        return [Finding("flag", view.name, Severity.SETTLE, evidence, proposal, {"units": dict.fromkeys(units, 1.0)})]
    known = all(unit in KNOWN_UNITS or unit in MONEY for unit in units)
    if len(units) > MOST_UNITS or (not known and (len(units) > 1 or len(set(view.labels)) <= MAX_DISCRETE)):
        return None
    if len(base) == 1 and base.isalpha() and not any(f" {base}" in label for label in view.labels):
        return None  # 3A, 4A: wards
    factors = {unit: factor_between(unit, base) for unit in units}
    found = ", ".join(f"{unit} in {counted(rows[unit], 'cell')}" for unit in units)
    without = f", none in {bare:,}" if bare else ""
    evidence = f"{view.told(hit)}: {found}{without}"
    lost = [unit for unit, factor in factors.items() if factor is None]
    if lost:
        return [
            Finding("unit", view.name, Severity.SETTLE, evidence, _by_hand(view.name, lost[0], base), {"drop": True})
        ]
    change = {unit: factor for unit, factor in factors.items() if factor is not None}
    several = len(set(change.values())) > 1
    proposal = f"turn all into {base}" if several else "leave the unit out"
    proposal += f", and take cells without a unit as {base}" if bare else ""
    matters = Severity.SETTLE if bare or several else severity
    return [Finding("unit", view.name, matters, evidence, proposal, {"units": change})]


def _by_hand(name: str, unit: str, base: str) -> str:
    """What to do about two units between which no factor is known."""
    if {unit, base} == {"°C", "°F"}:
        return "write all in one unit in the table, °C = (°F - 32) / 1.8; until then, leave the column out"
    said = " ".join(f"--units {cell_in_shell(f'{name}={text}')}" for text in (base, f"{unit}:FACTOR"))
    return (
        f"if you know by what {unit} is multiplied to be {base}, say it with {said}; until then, leave the column out"
    )


def factor_between(unit: str, base: str) -> float | None:
    """What a number in one unit is multiplied by to be one in the other; None if that is not known."""
    if unit.casefold() == base.casefold():
        return 1.0
    scale = next((scale for scale in SCALES if unit in scale and base in scale), None)
    return None if scale is None else float(f"{scale[unit] / scale[base]:.10g}")


def _percent(view: View, cells: Cells, severity: Severity) -> list[Finding]:
    hit = np.array([tail == "%" for tail in cells.values("tail")], dtype=np.bool_)
    if not hit.any():
        return []
    others = cells.numbers & ~hit
    if not others.any():
        evidence, proposal = f"{view.told(hit)}", "leave the sign out: 12% is 12"
        return [Finding("percent", view.name, severity, evidence, proposal, {"percent": "points"})]
    fractions = all(_size(body) <= 1.0 for body, other in zip(cells.values("body"), others, strict=True) if other)
    evidence = f"{view.told(hit)} have the sign, {counted(view.count(others), 'cell')} have not"
    if fractions and any(_size(body) > 1.0 for body, sign in zip(cells.values("body"), hit, strict=True) if sign):
        proposal, way = "take 12% as 0.12, since the cells without the sign are all at most 1", "fraction"
    else:
        proposal, way = "take all of them as percentages: 12% is 12", "points"
    return [Finding("percent", view.name, Severity.SETTLE, evidence, proposal, {"percent": way})]


def _size(body: str) -> float:
    try:
        return float(body.replace(",", "."))
    except ValueError:
        return float("inf")


def _marks(view: View, cells: Cells, severity: Severity) -> list[Finding]:
    bodies = [body for body in cells.values("body") if body]
    decimal, thousands, sure = find_marks(bodies, semicolons=view.semicolons)
    if sure == "plain":
        return []
    points = np.array(["." in body for body in cells.values("body")], dtype=np.bool_)
    hit = np.array([any(sign in body for sign in ",'’\u00a0\u202f ") for body in cells.values("body")], dtype=np.bool_)
    hit = hit if hit.any() else points
    if sure == "none" or decimal == ",.":
        evidence = f"{view.told(hit)}, beside {view.told(points)}" if points.any() else view.told(hit)
        if decimal:
            proposal, change = "take both commas and points as decimal marks", {"decimal": decimal}
            return [Finding("mixed-notation", view.name, Severity.SETTLE, evidence, proposal, change)]
        proposal = "no notation fits all of them; leave the column out until it is mended"
        return [Finding("mixed-notation", view.name, Severity.SETTLE, evidence, proposal, {"drop": True})]
    matters = Severity.SETTLE if sure == "guess" else severity
    change = {name: mark for name, mark in (("decimal", decimal), ("thousands", thousands)) if mark}
    if not thousands:
        return [
            Finding("decimal-comma", view.name, matters, view.told(hit), "take the comma as the decimal mark", change)
        ]
    mark = {",": "commas", ".": "points", " ": "spaces", "'": "apostrophes"}[thousands]
    doubt = "; they may be decimals, too, so look at them" if sure == "guess" else ""
    return [
        Finding("thousands", view.name, matters, view.told(hit), f"take {mark} as marks of thousands{doubt}", change)
    ]
