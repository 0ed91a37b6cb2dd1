"""Why one of several methods was taken: how well each of them predicted rows that it had not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypedDict

from arcwise.data.text_files import check_content
from arcwise.errors import GraphError
from arcwise.printing import counted, listed, plus_minus, printable

# dropped: behind by more than chance before all folds were judged; untried: there was no time to judge it
Fate = Literal["won", "lost", "dropped", "failed", "untried"]


@dataclass(frozen=True, slots=True)
class Tried:
    """One method in a race. density: mean held-out ln p of a row in nats over so many `folds`, with its standard error.

    No folds: over the rows of the first look, which was enough.
    gap: nats a row that it is behind the winner, by pairs of rows of the folds that both were judged in, with its
    standard error. A density or gap that is infinite, and what was not measured, is None; `impossible` counts the
    held-out rows that the method excludes.
    """

    name: str
    fate: Fate
    folds: int = 0
    density: float | None = None
    error: float | None = None
    gap: float | None = None
    gap_error: float | None = None
    impossible: int = 0
    reason: str = ""
    spec: Mapping[str, Any] | None = None


class TriedContent(TypedDict):
    name: str
    fate: Fate
    folds: int
    density: float | None
    error: float | None
    gap: float | None
    gap_error: float | None
    impossible: int
    reason: str
    spec: dict[str, Any] | None


class ChoiceContent(TypedDict):
    """What `Choice.to_dict` gives."""

    tried: list[TriedContent]
    columns: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """The methods that were tried, the winner first, then the nearest behind it.

    columns: how many of a wide table's columns they were judged by, the most related ones; None: by all.
    """

    tried: tuple[Tried, ...]
    columns: int | None = None

    @property
    def winner(self) -> Tried:
        return self.tried[0]

    def named(self, names: Mapping[str, str]) -> Choice:
        """The same with other names for the methods that `names` has."""
        return replace(self, tried=tuple(replace(one, name=names.get(one.name, one.name)) for one in self.tried))

    def words(self) -> str:
        """ "tried gaussian, steck, kgv; gaussian won by 0.31 ± 0.04 nats a row over steck"."""
        names = listed([printable(one.name) for one in self.tried])
        if len(self.tried) == 1 and self.winner.fate == "untried":
            return f"{names}, the only candidate for such a table"
        part = "" if self.columns is None else f"judged by the {self.columns} columns that are most related"
        rest = "; ".join(words for words in (self._victory(), *self._others(), part) if words)
        return f"tried {names}; {rest}"

    def _victory(self) -> str:
        name, behind = printable(self.winner.name), [one for one in self.tried[1:] if one.fate in ("lost", "dropped")]
        if self.winner.fate == "failed":
            return f"{name} was taken, as none could be judged"
        if self.winner.fate == "untried":
            return f"{name} was taken, as there was no time to judge any"
        if not behind:
            return f"{name} is the only one that could be judged"
        second = behind[0]
        over = f"over {printable(second.name)}"
        if second.gap is None or second.gap_error is None:
            why = f", which calls {counted(second.impossible, 'held-out row')} impossible" * (second.impossible > 0)
            return f"{name} won {over}{why}"
        if second.gap < 0.0:
            return f"{name} was taken {over}, which is {plus_minus(-second.gap, second.gap_error)} nats a row better"
        noise = ", within the noise" if second.gap <= second.gap_error else ""
        return f"{name} won by {plus_minus(second.gap, second.gap_error)} nats a row {over}{noise}"

    def _others(self) -> list[str]:
        early = [printable(one.name) for one in self.tried if one.fate == "dropped"]
        late = [printable(one.name) for one in self.tried[1:] if one.fate == "untried"]
        failed = [
            f"{printable(one.name)} failed: {printable(one.reason)}" for one in self.tried if one.fate == "failed"
        ]
        return [
            *([f"dropped early: {listed(early)}"] if early else []),
            *([f"no time to judge {listed(late)}"] if late else []),
            *failed,
        ]

    def to_dict(self) -> dict[str, Any]:
        return {"tried": [asdict(one) for one in self.tried], "columns": self.columns}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Choice:
        check_content(content, ChoiceContent, GraphError)
        known = TriedContent.__annotations__
        tried = tuple(Tried(**{name: one[name] for name in known}) for one in content["tried"])
        if not tried:
            raise GraphError("entry 'choice.tried' names no method")
        return Choice(tried, content["columns"])
