"""The answer to a question: how probable the levels of nodes are, what their numbers may be, given what is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.errors import DataError, GraphError, unknown_name

if TYPE_CHECKING:
    import polars as pl

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # of the quantiles


@dataclass(frozen=True, eq=False)
class Range:
    """Lowest and highest over all graphs of the equivalence class: of each probability, or of the mean."""

    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False)
class Marginal:
    """What is known about one node: `probabilities` of its levels, or what its number may be.

    words: each level in a sentence. Of a column that is cut also mean and sd of the value. counts: rows of the evidence
    with each level, where they could be counted. error: the standard error of what was sampled, of each probability or
    of the mean. range: where data and knowledge leave open what follows from setting something.
    """

    name: str
    levels: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    probabilities: FloatArray | None = None
    mean: float | None = None
    sd: float | None = None
    quantiles: Mapping[float, float] = field(default_factory=dict)
    counts: tuple[int, ...] | None = None
    error: FloatArray | None = None
    range: Range | None = None

    def probability(self, level: str) -> float:
        """Of one level, by its label."""
        if self.probabilities is None:
            raise DataError(f"node {self.name!r} is a number and has no levels; use mean, sd and quantiles")
        if level not in self.levels:
            raise DataError(f"node {self.name!r}: {unknown_name('level', level, self.levels)}")
        return float(self.probabilities[self.levels.index(level)])

    @property
    def likeliest(self) -> str | None:
        """The label of the most probable level, the first of equal ones; None for a number."""
        return None if self.probabilities is None else self.levels[int(self.probabilities.argmax())]

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"name": self.name}
        if self.probabilities is not None:
            found |= {"levels": list(self.levels), "words": list(self.words)}
            found["probabilities"] = self.probabilities.tolist()
        if self.mean is not None:
            found |= {"mean": self.mean, "sd": self.sd}
        if self.quantiles:
            found["quantiles"] = {f"{share:g}": value for share, value in self.quantiles.items()}
        if self.counts is not None:
            found["counts"] = list(self.counts)
        if self.error is not None:
            found["error"] = self.error.tolist()
        if self.range is not None:
            found["range"] = {"low": self.range.low.tolist(), "high": self.range.high.tolist()}
        return found


@dataclass(frozen=True, eq=False)
class Joint:
    """P(names | evidence): `probabilities` has an axis for each name, and so has its `range`."""

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    probabilities: FloatArray
    range: Range | None = None

    def columns(self) -> dict[str, list[Any]]:
        """A line for each combination of levels: these, then the probability, then its range if it has one."""
        cells = np.indices(self.probabilities.shape).reshape(len(self.names), -1)
        found: dict[str, list[Any]] = {
            name: [own[code] for code in codes.tolist()]
            for name, own, codes in zip(self.names, self.levels, cells, strict=True)
        }
        numbers = {"probability": self.probabilities}
        numbers |= {} if self.range is None else {"low": self.range.low, "high": self.range.high}
        for name, values in numbers.items():
            free = next(f"{name}{'_' * k}" for k in range(len(found) + 1) if f"{name}{'_' * k}" not in found)
            found[free] = values.ravel().tolist()
        return found

    def to_dict(self) -> dict[str, Any]:
        levels = [list(own) for own in self.levels]
        found: dict[str, Any] = {"names": list(self.names), "levels": levels}
        found["probabilities"] = self.probabilities.ravel().tolist()
        if self.range is not None:
            found["range"] = {"low": self.range.low.ravel().tolist(), "high": self.range.high.ravel().tolist()}
        return found


@dataclass(frozen=True, eq=False)
class Posterior:
    """Answers about nodes, in the order they were asked for.

    given, done: what was seen and what was set, in words. log_evidence: ln of the probability of what was seen, or of
    its density (`density`) where it has numbers. rows: of the fit, or (`in_table`) of the table that was given;
    matching: how many of them have the evidence, counted or (`counted` false) expected. effective: how many
    independent draws an answer by sampling is worth; None: it is exact.
    """

    marginals: tuple[Marginal, ...]
    given: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    joint: Joint | None = None
    log_evidence: float = 0.0
    density: bool = False
    rows: int | None = None
    matching: float | None = None
    counted: bool = False
    in_table: bool = False
    effective: float | None = None
    warnings: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(marginal.name for marginal in self.marginals)

    @property
    def evidence_probability(self) -> float | None:
        """p(evidence), 0 if too small for a float; None where the evidence has numbers: see `log_evidence`."""
        return None if self.density else min(exp(self.log_evidence), 1.0)

    @property
    def exact(self) -> bool:
        return self.effective is None

    def __getitem__(self, name: str) -> Marginal:
        for marginal in self.marginals:
            if marginal.name == name:
                return marginal
        raise GraphError(unknown_name("node", name, self.names))

    def table(self) -> pl.DataFrame:
        """A polars table. One line for each level, or for each number; of a joint, for each combination of levels.

        Columns without a value are left out.
        """
        import polars as pl

        if self.joint is not None:
            return pl.DataFrame(self.joint.columns())
        types: dict[str, Any] = {"name": pl.String, "level": pl.String, "probability": pl.Float64, "rows": pl.Float64}
        types |= dict.fromkeys(("mean", "sd", "error", "low", "high"), pl.Float64)
        quantiles = {f"q{100 * share:g}": pl.Float64 for share in SHARES}
        lines = [line for marginal in self.marginals for line in self._lines(marginal)]
        whole = pl.DataFrame(lines, schema=types | quantiles, orient="row")
        return whole.select(column for column in whole.columns if whole[column].null_count() < len(whole))

    def _lines(self, marginal: Marginal) -> list[dict[str, Any]]:
        error, span = marginal.error, marginal.range
        quantiles = {f"q{100 * share:g}": value for share, value in marginal.quantiles.items()}
        many = () if marginal.probabilities is None else tuple(enumerate(marginal.probabilities.tolist()))
        if not many:
            numbers = {"mean": marginal.mean, "sd": marginal.sd, **quantiles}
            doubt = {"error": None if error is None else float(error[0])}
            wide = {} if span is None else {"low": float(span.low[0]), "high": float(span.high[0])}
            return [{"name": marginal.name, **numbers, **doubt, **wide}]
        found = []
        for code, share in many:
            line = {"name": marginal.name, "level": marginal.levels[code], "probability": share}
            line["rows"] = self.expected_rows(marginal, code)
            line |= {} if error is None else {"error": float(error[code])}
            line |= {} if span is None else {"low": float(span.low[code]), "high": float(span.high[code])}
            found.append(line)
        return found

    def expected_rows(self, marginal: Marginal, code: int) -> float | None:
        """How many rows of the evidence have this level: counted where that could be, else expected."""
        if marginal.counts is not None:
            return float(marginal.counts[code])
        if self.matching is None or marginal.probabilities is None:
            return None
        return self.matching * float(marginal.probabilities[code])

    def without_value(self, marginal: Marginal) -> int:
        """How many rows of the evidence, counted in a table, lack a value of this node."""
        if not self.in_table or marginal.counts is None or self.matching is None:
            return 0
        return round(self.matching) - sum(marginal.counts)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON."""
        plain = {name: getattr(self, name) for name in ("density", "rows", "matching", "counted", "in_table")}
        plain["effective"] = self.effective
        return {
            "given": list(self.given),
            "done": list(self.done),
            "exact": self.exact,
            "log_evidence": self.log_evidence if isfinite(self.log_evidence) else None,
            **plain,
            "answers": [marginal.to_dict() for marginal in self.marginals],
            **({} if self.joint is None else {"joint": self.joint.to_dict()}),
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        from arcwise.networks.questions.answer_text import as_text

        return as_text(self)

    def __repr__(self) -> str:
        from arcwise.printing import printable

        about = ", ".join((*self.done, *self.given))
        return printable(f"Posterior({', '.join(self.names)}{' given ' if about else ''}{about})")

    def _repr_html_(self) -> str:
        from arcwise.networks.questions.answer_text import as_html

        return as_html(self)
