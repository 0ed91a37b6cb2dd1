"""The findings about a table as they are printed, the most important first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from arcwise.data.findings.finding import CODES, Finding, Severity
from arcwise.data.recipe import Recipe
from arcwise.html_tables import as_written
from arcwise.printing import cell_in_shell, counted, in_shell, listed, printable

WIDTH = 100
WIDE = 100  # columns with findings from which on they are told code by code
FEW_OPTIONS = 6  # that are printed beside the recipe


@dataclass(frozen=True)
class Report:
    """findings: all of them, in the order of the columns. recipe: a way of reading that makes all proposed changes."""

    label: str
    n_rows: int
    n_columns: int
    findings: tuple[Finding, ...]
    recipe: Recipe

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """Those that matter so much."""
        return tuple(finding for finding in self.findings if finding.severity is severity)

    @property
    def codes(self) -> dict[str, list[str]]:
        """The columns in which each code was found."""
        found: dict[str, list[str]] = {}
        for finding in self.findings:
            found.setdefault(finding.code, []).append(finding.column)
        return found

    @property
    def must_be_settled(self) -> bool:
        """Whether the table cannot be read as it is, or only by guessing."""
        return bool(self.of(Severity.SETTLE))

    def options(self) -> list[str]:
        """All proposed changes as options of the command line, those of one kind together; none if they cannot."""
        if any("name" in finding.change for finding in self.findings):
            return []  # only a recipe gives names to columns
        found: dict[str, list[str]] = {}
        for finding in self.findings:
            for flag, text in finding.options():
                found.setdefault(flag, []).append(text)
        return [f"--{flag} {cell_in_shell(text)}" for flag, texts in found.items() for text in dict.fromkeys(texts)]

    def save_recipe(self, path: str | Path) -> None:
        """Write the recipe with what was found beside each column."""
        self.recipe.save(path, self.comments())

    def comments(self) -> Mapping[str, list[str]]:
        """What was found about each column that is changed."""
        found: dict[str, list[str]] = {}
        for finding in self.findings:
            if finding.change:
                said = CODES[finding.code] if finding.change.get("drop") else finding.evidence
                found.setdefault(finding.column, []).insert(0, f"{finding.code}: {said}")
        return found

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "table": self.label,
            "rows": self.n_rows,
            "columns": self.n_columns,
            "findings": [finding.to_dict() for finding in self.findings],
            "recipe": self.recipe.to_dict(),
        }

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return as_written(str(self))

    def text(self, width: int = WIDTH, *, how: Sequence[str] = ()) -> str:
        """The printed form. how: lines at its end that say how to go on; none: as one does it in Python."""
        lines = [printable(f"{self.label}: {counted(self.n_rows, 'row')}, {counted(self.n_columns, 'column')}")]
        if not self.findings:
            return "\n".join([*lines, "nothing to settle, and nothing odd"])
        told = [f"{len(self.of(one))} {_WORDS[one]}" for one in Severity if self.of(one)]
        lines += [("" if self.must_be_settled else "nothing to settle; ") + ", ".join(told)]
        by_code = len({finding.column for finding in self.findings}) > WIDE
        for severity in Severity:
            found = self.of(severity)
            if found:
                lines += ["", f"{severity.value.upper()}"]
                lines += _summary(found, width) if by_code else _blocks(found, width)
        if any(finding.change for finding in self.findings):
            lines += ["", *(how or _in_python())]
        return "\n".join(lines)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


_WORDS = {
    Severity.SETTLE: "to settle",
    Severity.CHANGES: "may change the answer",
    Severity.NOTE: "worth knowing",
}


def _in_python() -> list[str]:
    return [
        "all proposed changes at once:",
        '  report.save_recipe("clean.toml")',
        '  arcwise.learn(table, recipe="clean.toml")',
    ]


def _blocks(findings: Sequence[Finding], width: int) -> Iterator[str]:
    """A finding a block: the code and the column, what was seen, and what is proposed behind an arrow."""
    code_width = max(len(finding.code) for finding in findings) + 2
    for finding in findings:
        head = f"  {finding.code.ljust(code_width)}"
        indent = " " * len(head)
        name, evidence = printable(finding.column) or "the table", printable(finding.evidence)
        if len(name) > width // 3:  # in a line of its own, whole
            yield f"{head}{name}"
            yield from _filled(evidence, width, indent)
        else:
            yield from _filled(f"{name}  {evidence}", width, head)
        if finding.proposal:
            yield from _filled(printable(finding.proposal), width, f"{indent}→ ")


def _filled(text: str, width: int, head: str) -> list[str]:
    """Lines of this width that begin with the head, or with as many blanks."""
    return wrap(
        text,
        width,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _summary(findings: Sequence[Finding], width: int) -> Iterator[str]:
    """One block a code for tables with very many columns."""
    rows = Counter(finding.code for finding in findings)
    code_width = max(map(len, rows)) + 2
    for code, n in rows.most_common():
        names = listed([printable(finding.column) or "the table" for finding in findings if finding.code == code])
        head = f"  {code.ljust(code_width)}"
        text = f"{counted(n, 'column')} ({CODES[code]}): {names}"
        yield from _filled(text, width, head)


def command_lines(report: Report, path: str, recipe: str | None, *, used: bool = False) -> list[str]:
    """How to go on, on the command line; recipe: the file that was written, or `used` as it was."""
    table = in_shell(path)
    options = report.options()
    if recipe is not None and used:
        lines = [f"what is proposed here is not in {printable(recipe)}; add it there, or give another name to write"]
    elif recipe is not None:
        lines = ["all proposed changes are in the recipe; look at it, then use it:"]
        lines += [f"  arcwise learn {table} --recipe {in_shell(recipe)}"]
    else:
        lines = ["all proposed changes at once:"]
        lines += [f"  arcwise check {table} --recipe clean.toml", f"  arcwise learn {table} --recipe clean.toml"]
    if 0 < len(options) <= FEW_OPTIONS:
        lines += ["or by options:", f"  arcwise learn {table} {' '.join(options)}"]
    return lines
