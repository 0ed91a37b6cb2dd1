"""Whether the cells of a text column are dates, times or durations, in which order, and what is doubtful about that."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwise.data.findings.finding import Finding, Severity
from arcwise.data.findings.view import View, shortened
from arcwise.data.findings.words import words_among
from arcwise.data.kinds import MOSTLY_NUMBERS
from arcwise.data.times import (
    CLOCKS,
    ORDERS,
    SHORT_YEARS,
    Order,
    doubtful_century,
    first_day,
    has_short_year,
    no_days,
    parse,
    told,
)
from arcwise.printing import counted, listed


def how_dated(view: View, plain: Any, severity: Severity) -> list[Finding]:
    """Findings whose changes make days or seconds of the column; none if most cells are no dates.

    plain: labels that are numbers as they stand; all of them must be like 20240301 then.
    """
    values = {order: _parsed(view, order) for order in ORDERS}
    fits = {order: ~np.isnan(found) for order, found in values.items()}
    shares = {order: view.share(hit) for order, hit in fits.items()}
    any_order = np.logical_or.reduce(list(fits.values()))
    if view.share(any_order) < MOSTLY_NUMBERS:
        return []
    compact = plain.all() and len(view.labels) > 1 and any_order.all() and all(len(one) == 8 for one in view.labels)
    if plain.any() and not compact:
        return []
    order = max(ORDERS, key=lambda one: shares[one])  # of equals the first: the day before the month
    hit = fits[order]
    if (any_order & ~hit).any():
        return [_mixed(view, hit, any_order & ~hit)]
    return [*_no_dates(view, values[order], hit, order), *_as_numbers(view, values, order, severity)]


def _parsed(view: View, order: Order) -> Any:
    """What each label is in this order, NaN where it is nothing; some labels tell it for most columns."""
    some = [view.labels[i] for i in (0, len(view.labels) // 2, -1)]
    if all(np.isnan(parse(label, order)) for label in some):
        return np.full(len(view.labels), np.nan)
    return np.array([parse(label, order) for label in view.labels])


def _mixed(view: View, hit: Any, other: Any) -> Finding:
    evidence = f"{view.told(hit)}, but {view.told(other)} in another order"
    proposal = "nothing tells the day from the month in the rest; leave the column out until it is mended"
    return Finding("mixed-notation", view.name, Severity.SETTLE, evidence, proposal, {"drop": True})


def _no_dates(view: View, values: Any, hit: Any, order: Order) -> list[Finding]:
    """Words among dates, and dates that stand for "none"."""
    found = words_among(view, hit, "times" if order in CLOCKS else "dates")
    void = set() if order in CLOCKS else no_days(values.tolist())
    if void:
        gone = np.isin(values, list(void))
        words = tuple(label for label, one in zip(view.labels, gone, strict=True) if one)
        named, n = listed([shortened(word) for word in words]), counted(view.count(gone), "row")
        evidence = f"{named} in {n}, far from all others"
        proposal = f"take {'it' if len(words) == 1 else 'them'} as missing"
        found.append(Finding("sentinel", view.name, Severity.CHANGES, evidence, proposal, {"na": words}))
    return found


def _as_numbers(view: View, values: dict[Order, Any], order: Order, severity: Severity) -> list[Finding]:
    own = values[order]
    void = set() if order in CLOCKS else no_days(own.tolist())
    hit = ~np.isnan(own) & ~np.isin(own, list(void))
    low, high = (told(float(value), order) for value in (own[hit].min(), own[hit].max()))
    evidence = f"{view.told(hit)}, from {low} to {high}"
    if order == "times":
        proposal = "read it as seconds of the day"
        return [Finding("time", view.name, severity, evidence, proposal, {"dates": order})]
    if order == "durations":
        bare = any(label.count(":") == 1 for label in view.labels)
        doubt = "; 36:15 is taken as hours and minutes" if bare else ""
        matters = Severity.SETTLE if bare else severity
        return [Finding("time", view.name, matters, evidence, f"read it as seconds{doubt}", {"dates": order})]
    since = first_day(own[hit].tolist())
    doubts = []
    if order == "day-first" and _either(values, hit):
        doubts.append("nothing tells the day from the month: the day is taken to be first")
    if doubtful_century(own[hit].tolist()) and any(has_short_year(label, order) for label in view.labels):
        doubts.append(f"it takes {SHORT_YEARS}, so look at them")
    proposal = "; ".join([f"read it as days since {since}", *doubts])
    change = {"dates": order, "since": since}
    return [Finding("date", view.name, Severity.SETTLE if doubts else severity, evidence, proposal, change)]


def _either(values: dict[Order, Any], hit: Any) -> bool:
    """Whether all dates could have their month first as well, and some would be other days then."""
    day, month = values["day-first"][hit], values["month-first"][hit]
    return not np.isnan(month).any() and bool((day != month).any())
