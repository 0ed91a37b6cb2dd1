"""What to type so that a table is read, and edges are known, as they were: a shell's options from a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arcwise.parts.knowledge import Knowledge, split_edge
from arcwise.printing import as_cell, cell_in_shell, in_shell

RECIPE = "RECIPE"  # stands for the file, which may have gone; what it said is in the result


def reading_options(reading: Mapping[str, Any]) -> list[str]:
    """--drop id --units weight=lb:0.4536 --recipe RECIPE."""
    found = []
    for name, value in reading.items():
        if name == "recipe":
            found.append(f"--recipe {RECIPE}")
        elif name in ("missing", "weights"):
            found.append(f"--{name} {in_shell(str(value))}")
        elif name == "ordered":
            found += [f"--{name} {in_shell(_order(column, levels))}" for column, levels in value.items()]
        else:
            found += [f"--{name} {cell_in_shell(text)}" for text in _texts(value)]
    return found


def _order(column: str, levels: Sequence[str]) -> str:
    """size=small,medium,large, or size."""
    return f"{as_cell(column)}={','.join(map(as_cell, levels))}" if levels else as_cell(column)


def _texts(value: Any) -> Iterator[str]:
    """Each thing that an option says, as it is typed; of a column: {"age": [-99]} is age=-99."""
    if isinstance(value, Mapping):
        yield from (f"{column}={text}" if text else column for column, one in value.items() for text in _of_column(one))
    elif isinstance(value, list):
        yield from map(str, value)
    else:
        yield str(value)


def _of_column(value: Any) -> list[str]:
    """{"lb": 0.4536} is lb:0.4536, {"F": "Female"} is F->Female."""
    if isinstance(value, Mapping):
        return [f"{one}->{to}" if isinstance(to, str) else f"{one}:{to}" for one, to in value.items()] or [""]
    return list(map(str, value)) if isinstance(value, list) else [str(value)]


def knowledge_options(known: Knowledge) -> list[str] | None:
    """--required 'a->b' --tier a,b; None where a name with an arrow inside cannot be typed so."""
    edges = [(flag, pair) for flag in ("required", "forbidden") for pair in getattr(known, flag)]
    if any(split_edge("->".join(pair)) != pair for _, pair in edges):
        return None
    found = [f"--{flag} {in_shell('->'.join(pair))}" for flag, pair in edges]
    return found + [f"--tier {','.join(map(cell_in_shell, tier))}" for tier in known.tiers]
