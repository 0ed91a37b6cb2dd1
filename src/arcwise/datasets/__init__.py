"""Real data sets that come with arcwise, those of the study by Fu (2005), and a messy table to practise on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files

from arcwise.checking import checked
from arcwise.data.dataset import Dataset
from arcwise.data.levels import are_numbers
from arcwise.data.provenance import NOT_KNOWN
from arcwise.data.reading.door import read
from arcwise.datasets.hospital import hospital
from arcwise.datasets.sources import INFOS, DatasetInfo
from arcwise.errors import OptionError, unknown_name

__all__ = ["DatasetInfo", "hospital", "info", "load", "names"]


def names() -> tuple[str, ...]:
    """The names that `load` and `info` take, in alphabetical order."""
    return tuple(sorted(entry.name for entry in INFOS))


@checked
def info(name: str) -> DatasetInfo:
    """Size, source, licence, citation and peculiarities of a data set."""
    for entry in INFOS:
        if entry.name == name:
            return entry
    raise OptionError(unknown_name("data set", name, names()))


@checked
@cache
def load(name: str) -> Dataset:
    """A data set with the kinds of its columns declared. Datasets are immutable, so each is read once."""
    entry = info(name)
    with as_file(files(__package__) / "files" / f"{name}.csv") as path:
        header, first = (line.split(",") for line in path.read_text(encoding="utf-8").split("\n", 2)[:2])
        in_order = {name for name, cell in zip(header, first, strict=True) if are_numbers((cell,))} & {*entry.discrete}
        kinds = {"discrete": {*entry.discrete} - in_order, "continuous": {*header} - {*entry.discrete}}
        table = read(path, ordered=in_order, discrete=kinds["discrete"], continuous=kinds["continuous"])
    return replace(table, provenance=NOT_KNOWN)  # the kinds are the data set's own: nobody need say them again
