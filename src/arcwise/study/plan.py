"""A plan: what a study measures, in TOML; what of it is quick; the tables and figures that are made of it.

A plan has [methods] and [sources] by name, [experiments] that combine them, and [tables] and [figures] of what they
measure. docs/studies.md explains every entry.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from arcwise.checking import checked, shown
from arcwise.data.text_files import parsed, read_text
from arcwise.errors import ArcwiseError, FileError, OptionError, unknown_name
from arcwise.study.cells import Axes, Cell, Experiment, cells_of
from arcwise.study.context import Context, check_entries

ENTRIES = (
    "title", "publication", "about", "limit", "methods", "sources", "experiments", "tables", "figures", "findings",
)  # fmt: skip
LIMIT = 600.0  # seconds of one cell
PLAN, EXPECTED, NOTES, RESULTS = "plan.toml", "expected.csv", "notes.md", "results.jsonl"


@dataclass(frozen=True, slots=True)
class Planned:
    """An experiment, and the values along its axes that are its quick part (all, where an axis is not named)."""

    experiment: Experiment
    quick: Axes


@checked
@dataclass(frozen=True)
class Plan:
    """limit: the seconds that one cell may take. folder: where the plan is, with what goes with it."""

    name: str
    title: str
    experiments: Mapping[str, Planned]
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    figures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    findings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    publication: str = ""
    about: str = ""
    limit: float = LIMIT
    folder: Path | None = None

    def cells(self, *, quick: bool = False) -> list[Cell]:
        """In the order in which they are worked on."""
        found: list[Cell] = []
        for name, planned in self.experiments.items():
            axes = planned.experiment.axes()
            found += cells_of(name, planned.experiment, {**axes, **planned.quick} if quick else axes)
        return found

    def shared(self) -> dict[str, Any]:
        """What cells need beside their tasks."""
        return {key: one for planned in self.experiments.values() for key, one in planned.experiment.shared().items()}

    @cached_property
    def has_quick(self) -> bool:
        return any(planned.quick for planned in self.experiments.values())

    def text_of(self, name: str) -> str | None:
        """A file beside the plan, such as its notes; None where there is none."""
        path = None if self.folder is None else self.folder / name
        return read_text(path) if path is not None and path.is_file() else None


def names() -> tuple[str, ...]:
    """The studies that come with arcwise."""
    return tuple(sorted(one.name for one in _home().iterdir() if (one / PLAN).is_file()))


@checked
def load(argument: str | Path) -> Plan:
    """A study that comes with arcwise, by its name, or the plan in a TOML file."""
    text = str(argument)
    if text.lower().endswith(".toml"):
        path = Path(text)
        return read_plan(read_text(path), path.stem if path.name != PLAN else path.resolve().parent.name, path.parent)
    if text not in names():
        raise OptionError(unknown_name("study", text, names()) + " (a plan of your own is a file that ends in .toml)")
    folder = _home() / text
    return read_plan(read_text(folder / PLAN), text, folder)


def _home() -> Path:
    return Path(str(files("arcwise") / "studies"))


def read_plan(text: str, name: str, folder: Path) -> Plan:
    """The plan that a text is; an error names the entry."""
    try:
        content = parsed(lambda: tomllib.loads(text))
    except FileError as error:
        raise FileError(f"the plan {name!r} is not TOML ({error}); mend that place") from None
    try:
        return _plan(content, name, folder)
    except ArcwiseError as error:
        raise OptionError(f"the plan {name!r}: {error}") from None


def _plan(content: Mapping[str, Any], name: str, folder: Path) -> Plan:
    from arcwise.study.experiments import KINDS

    check_entries("the plan", content, ENTRIES)
    for entry in ("methods", "sources", "experiments", "tables", "figures", "findings"):
        _check_tables(entry, content.get(entry, {}))
    if not content.get("experiments"):
        raise OptionError("there is no experiment in it; write one below [experiments.NAME]")
    context = Context.of(content.get("methods", {}), content.get("sources", {}), folder)
    experiments = {}
    for own, entries in content["experiments"].items():
        kind = entries.get("kind", "learn")
        if kind not in KINDS:
            raise OptionError(unknown_name(f"kind of experiment {own!r}:", kind, KINDS))
        rest = {key: value for key, value in entries.items() if key not in ("kind", "quick")}
        experiment = _named(f"experiment {own!r}", lambda: KINDS[kind].read(rest, context))  # noqa: B023
        experiments[own] = Planned(experiment, _quick(own, entries.get("quick", {}), experiment.axes()))
    limit = content.get("limit", LIMIT)
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0:
        raise OptionError(f"limit must be a number of seconds above 0, not {shown(limit)}")
    texts = {entry: str(content.get(entry, "")) for entry in ("publication", "about")}
    return Plan(
        name,
        str(content.get("title", name)),
        experiments,
        content.get("tables", {}),
        content.get("figures", {}),
        content.get("findings", {}),
        **texts,
        limit=float(limit),
        folder=folder,
    )


def _named(what: str, make: Callable[[], Experiment]) -> Experiment:
    try:
        return make()
    except ArcwiseError as error:
        raise OptionError(f"{what}: {error}") from None


def _check_tables(entry: str, content: Any) -> None:
    if not isinstance(content, Mapping):
        raise OptionError(f"[{entry}] must hold tables by name, not {shown(content)}")
    for name, one in content.items():
        if not isinstance(one, Mapping) and not (entry == "methods" and isinstance(one, str)):
            raise OptionError(f"[{entry}.{name}] must be a table of entries, not {shown(one)}")


def _quick(name: str, quick: Any, axes: Axes) -> Axes:
    """Some of the values along the axes: so the quick part is a part of the whole."""
    if not isinstance(quick, Mapping):
        raise OptionError(f"the quick part of experiment {name!r} must name values along its axes")
    found: dict[str, Sequence[Any]] = {}
    for axis, values in quick.items():
        if axis not in axes:
            raise OptionError(unknown_name(f"axis of experiment {name!r}:", axis, axes))
        chosen = values if isinstance(values, list) else [values]
        strange = [value for value in chosen if value not in axes[axis]]
        if strange or not chosen:
            known = ", ".join(map(str, axes[axis]))
            raise OptionError(
                f"the quick part of experiment {name!r} takes some of its own values along {axis!r} ({known}), not "
                f"{shown(strange[0] if strange else chosen)}"
            )
        found[axis] = tuple(chosen)
    return found
