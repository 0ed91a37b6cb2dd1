"""A table from an argument: a file, or a bundled data set such as @abalone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from arcwise.cli.arguments import split_names

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset, Missing


def read_table(
    argument: str,
    continuous: Iterable[str] | None = None,
    discrete: Iterable[str] | None = None,
    drop: Iterable[str] | None = None,
    missing: str = "error",
    na: Iterable[str] | None = None,
) -> Dataset:
    """The data, with the columns typed as the options say."""
    from arcwise.data.missing import check_policy
    from arcwise.data.reading.door import as_dataset

    check_policy(missing)
    return as_dataset(
        opened(argument),
        continuous=split_names(continuous),
        discrete=split_names(discrete),
        drop=split_names(drop),
        missing=cast("Missing", missing),
        na=split_names(na),
    )


def opened(argument: str) -> Dataset | str:
    """The bundled data set that `@name` means; else a path, as it is."""
    if not argument.startswith("@"):
        return argument
    from arcwise import datasets

    return datasets.load(argument[1:])
