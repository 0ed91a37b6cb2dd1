"""A table from an argument: a file, or a bundled data set such as @abalone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from arcwise.cli.arguments import split_names

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset, Missing


def read_table(
    argument: str,
    continuous: Iterable[str] | None = None,
    discrete: Iterable[str] | None = None,
    drop: Iterable[str] | None = None,
    missing: str = "error",
) -> Dataset:
    """The data, with the columns typed as the options say."""
    from arcwise.data.reading import read
    from arcwise.data.missing import check_policy

    check_policy(missing)
    choices = {
        "continuous": split_names(continuous),
        "discrete": split_names(discrete),
        "drop": split_names(drop),
    }
    if not argument.startswith("@"):
        return read(argument, missing=cast("Missing", missing), **choices)
    from arcwise import datasets

    return _retyped(datasets.load(argument[1:]), **choices)


def _retyped(data: Dataset, continuous: Sequence[str], discrete: Sequence[str], drop: Sequence[str]) -> Dataset:
    """The same rows, with these columns read anew and the others as they were; bundled data has no gaps."""
    from arcwise.data.frames import from_frame
    from arcwise.data.validate import settle_choices

    kept, kinds = settle_choices(data.names, continuous, discrete, drop)
    data = data.select(kept)
    if not kinds:
        return data
    cells = {name: _cells(data, name) for name in kinds}
    fresh = from_frame(cells, continuous=continuous, discrete=discrete)
    columns = tuple(fresh.column(name) if name in kinds else data.column(name) for name in kept)
    decisions = {decision.column: decision for decision in (*data.decisions, *fresh.decisions)}
    return replace(data, columns=columns, decisions=tuple(decisions[n] for n in kept if n in decisions))


def _cells(data: Dataset, name: str) -> Any:
    column = data.column(name)
    if not column.levels:
        return column.values
    return [column.levels[code] for code in column.values]
