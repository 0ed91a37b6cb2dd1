"""Less effort for each of many graphs: chance in a search averages out, as chance in the rows does."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from arcwise.parts.protocols import PatientLearner

Part = TypeVar("Part")


def hasty(part: Part) -> Part:
    """The learner with patient searches inside it made hasty; options that the user set stand."""
    if isinstance(part, PatientLearner):
        return part.hasty()  # type: ignore[return-value]
    values = {option.name: getattr(part, option.name) for option in fields(part)}  # type: ignore[arg-type]
    changed = {name: new for name, old in values.items() if (new := _hasty(old)) is not old}
    return replace(part, **changed) if changed else part  # type: ignore[type-var]


def _hasty(value: Any) -> Any:
    """The same object where nothing in it is in a hurry."""
    if isinstance(value, tuple):
        members = tuple(_hasty(member) for member in value)
        return members if any(new is not old for new, old in zip(members, value, strict=True)) else value
    return hasty(value) if is_dataclass(value) else value
