"""An answer as text of 80 columns, and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import exp, log
from textwrap import wrap

from arcwise.networks.questions.posterior import Marginal, Posterior
from arcwise.printing import counted, printable

WIDTH = 80
LONGEST, SHORTEST = 34, 12  # characters of a label
BAR = 16
SPAN = 32  # characters of a probability and its range
MOST_LINES = 60  # of a joint table
SMALLEST = -690.0  # ln of a probability that a float has with all its digits


def as_text(answer: Posterior) -> str:
    """The question, a line for each level or number, how many rows that is, and what is doubtful."""
    parts = [filled(_question(answer))]
    if answer.joint is not None:
        parts.append("\n".join(_joint_lines(answer)))
    else:
        several = len(answer.marginals) > 1
        for marginal in answer.marginals:
            head = [shortened(marginal.name, WIDTH)] if several else []
            parts.append("\n".join([*head, *_lines(answer, marginal)]))
    notes = [note for note in (_evidence_words(answer), _sample_words(answer)) if note]
    parts += ["\n".join(filled(note) for note in notes)] if notes else []
    parts += ["\n".join(filled(f"warning: {warning}") for warning in answer.warnings)] if answer.warnings else []
    return "\n\n".join(parts)


def as_html(answer: Posterior) -> str:
    return f"<pre>{escape(as_text(answer))}</pre>"


def percent(share: float) -> str:
    """31.2 %, 0.0031 %: three digits, none that say nothing."""
    if share in (0.0, 1.0) or 0.0005 <= share <= 0.9995:
        return f"{100 * share:.1f} %"
    return f"{100 * share:.2g} %" if share < 0.5 else f"{100 * share:.{_nines(share)}f} %"


def _nines(share: float) -> int:
    digits = 2
    while digits < 8 and round(100 * share, digits) >= 100.0:
        digits += 1
    return digits


def _question(answer: Posterior) -> str:
    names = ", ".join(answer.names)
    given = f" given {', '.join(answer.given)}" if answer.given else ""
    done = f" when {', '.join(answer.done)} is set" if answer.done else ""
    return f"{names}{done}{',' if given and done else ''}{given}"


def _lines(answer: Posterior, marginal: Marginal) -> list[str]:
    found: list[str] = []
    if marginal.probabilities is not None:
        found += _level_lines(answer, marginal)
        lost = answer.without_value(marginal)
        found += [f"  no value in {lost:,} of {_all_rows(answer)}"] if lost else []
    if marginal.mean is not None:
        error = "" if marginal.error is None or marginal.levels else f" (standard error {marginal.error[0]:.2g})"
        span = ""
        if marginal.range is not None and not marginal.levels:
            span = f", from {marginal.range.low[0]:.4g} to {marginal.range.high[0]:.4g} over the class"
        found.append(f"  mean {marginal.mean:.4g}{error}{span}, sd {marginal.sd:.4g}")
    if marginal.quantiles:
        cells = [f"{100 * share:g} %: {value:.4g}".replace(" ", "\x01") for share, value in marginal.quantiles.items()]
        lines = wrap("quantiles  " + "   ".join(cells), WIDTH, initial_indent="  ", subsequent_indent=" " * 13)
        found += [line.replace("\x01", " ") for line in lines]
    return found


def _level_lines(answer: Posterior, marginal: Marginal) -> list[str]:
    assert marginal.probabilities is not None
    rows: list[tuple[str, ...]] = []
    for code, share in enumerate(marginal.probabilities.tolist()):
        if marginal.range is not None:
            middle = f"{percent(float(marginal.range.low[code]))} to {percent(float(marginal.range.high[code]))}"
        else:
            middle = "█" * round(BAR * share)
        error = "" if marginal.error is None else f"± {percent(float(marginal.error[code]))}"
        rows.append((percent(share), error, middle, _rows_of(answer, marginal, code)))
    heads = () if marginal.range is None else ("", "", "", "over the class", "")
    taken = sum(2 + max(map(len, column)) for column in zip(*rows, strict=True) if any(column))
    labels = [shortened(level, max(WIDTH - 2 - taken, SHORTEST)) for level in marginal.levels]
    return aligned([(label, *row) for label, row in zip(labels, rows, strict=True)], right=(1, 2), heads=heads)


def _rows_of(answer: Posterior, marginal: Marginal, code: int) -> str:
    rows = answer.expected_rows(marginal, code)
    if rows is None:
        return ""
    about = "" if marginal.counts is not None else "about "
    return f"{about}{round(rows):,} of {_all_rows(answer)}"


def _all_rows(answer: Posterior) -> str:
    """Those that have the evidence."""
    return counted(answer.rows or 0, "row") if not answer.given else counted(round(answer.matching or 0.0), "row")


def _joint_lines(answer: Posterior) -> list[str]:
    joint = answer.joint
    assert joint is not None
    n = len(joint.names)
    columns = list(joint.columns().values())
    spans = [f"{percent(low)} to {percent(high)}" for low, high in zip(*columns[n + 1 :], strict=True)]
    numbers = zip(map(percent, columns[n]), spans or ("",) * len(columns[n]), strict=True)
    longest = 24 if not spans else min(24, max((WIDTH - SPAN) // n - 2, SHORTEST))
    labels = [tuple(shortened(label, longest) for label in row) for row in zip(*columns[:n], strict=True)]
    heads = (*(shortened(name, longest) for name in joint.names), "", "over the class" if spans else "")
    rows = [(*own, *shares) for own, shares in zip(labels, numbers, strict=True)]
    lines = aligned(rows[:MOST_LINES], right=(n,), heads=heads)
    return [*lines, f"  ... and {len(rows) - MOST_LINES:,} more"] if len(rows) > MOST_LINES else lines


def _evidence_words(answer: Posterior) -> str:
    if not answer.given:
        counts = any(marginal.counts is not None for marginal in answer.marginals)
        source = "From a fit to" if not answer.in_table else "Counted in" if counts else "For a table of"
        return f"{source} {counted(answer.rows, 'row')}." if answer.rows else ""
    if answer.density:
        return f"ln density of the evidence: {answer.log_evidence:.4g}."
    words = f"The evidence has probability {_chance(answer.log_evidence)}"
    if answer.matching is None or answer.rows is None:
        return f"{words}."
    about = "" if answer.counted else "about "
    return f"{words}: {about}{round(answer.matching):,} of {counted(answer.rows, 'row')}."


def _chance(logarithm: float) -> str:
    """The probability, by its power of ten where a float would be 0."""
    if logarithm > SMALLEST:
        return f"{min(exp(logarithm), 1.0):.3g}"
    return f"about 1e{round(logarithm / log(10.0))}"


def _sample_words(answer: Posterior) -> str:
    if answer.effective is None:
        return ""
    return f"By weighted samples, worth {answer.effective:,.0f} independent draws; ± is the standard error."


def shortened(text: str, longest: int = LONGEST) -> str:
    text = printable(text)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int] = (), heads: Sequence[str] = ()) -> list[str]:
    """Cells in columns, two blanks apart; columns without a word are left out."""
    every = [tuple(heads), *rows] if heads else list(rows)
    widths = [max((len(row[k]) for row in every), default=0) for k in range(len(every[0]) if every else 0)]
    found = []
    for row in every:
        cells = [
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        ]
        found.append(f"  {'  '.join(cells)}".rstrip())
    return found


def filled(text: str) -> str:
    """Lines of at most 80 columns."""
    return "\n".join(_wrapped(printable(text)))


def _wrapped(text: str) -> Iterable[str]:
    return wrap(text, WIDTH, break_long_words=True, break_on_hyphens=False) or [""]
