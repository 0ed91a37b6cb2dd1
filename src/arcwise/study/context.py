"""What the experiments of a plan refer to by name: methods and sources, checked before anything is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from arcwise import catalog, datasets
from arcwise.checking import shown
from arcwise.data.dataset import Dataset
from arcwise.data.digest import digest
from arcwise.data.reading.door import Reading, as_dataset
from arcwise.data.text_files import as_json
from arcwise.errors import ArcwiseError, OptionError, unknown_name
from arcwise.networks.bif import read_bif
from arcwise.networks.network import Network
from arcwise.parts.spec import to_spec
from arcwise.study.sources import checked_source

NETWORK_SUFFIXES = (".bif", ".bif.gz")
TABLE_SUFFIXES = (".csv", ".tsv", ".parquet", ".arrow", ".feather", ".csv.gz", ".txt")


@dataclass(frozen=True, slots=True)
class Context:
    """methods, sources: as the plan has them; sources that it does not define are networks, @data sets and files."""

    methods: Mapping[str, Mapping[str, Any]]
    sources: Mapping[str, Mapping[str, Any]]
    folder: Path

    @staticmethod
    def of(methods: Mapping[str, Any], sources: Mapping[str, Any], folder: Path) -> Context:
        tables = {label: {"method": one} if isinstance(one, str) else one for label, one in methods.items()}
        return Context({label: _method(label, one, tables) for label, one in tables.items()}, sources, folder)

    def chosen_methods(self, labels: Any) -> dict[str, Mapping[str, Any]]:
        """Those that an experiment names, in its order; all without a list. Names of presets need no definition."""
        if labels is None:
            return dict(self.methods)
        found = {}
        for label in texts("methods", labels):
            if label in self.methods:
                found[label] = self.methods[label]
            elif label in catalog.METHODS:
                found[label] = _method(label, {"method": label}, {})
            else:
                raise OptionError(unknown_name("method", label, [*self.methods, *catalog.METHODS]))
        return found

    def chosen_sources(self, labels: Any) -> tuple[dict[str, Mapping[str, Any]], dict[str, Any]]:
        """(sources by name, the tables and networks that were read for them, by what is in them)."""
        found: dict[str, Mapping[str, Any]] = {}
        read: dict[str, Any] = {}
        for label in texts("sources", labels):
            entries = dict(self.sources.get(label) or _undefined(label))
            if "data" in entries:
                table = self._read(label, entries)
                key = f"{label} {digest(table)[:16]}"
                found[label], read[key] = {"data": key}, table
                continue
            path = str(entries.get("network", ""))
            if path.lower().endswith(NETWORK_SUFFIXES):
                net = self._network(label, path)
                entries["network"] = f"{label} {sha256(as_json(net.to_dict()).encode()).hexdigest()[:16]}"
                read[entries["network"]] = net
            found[label] = checked_source(label, entries, read)
        if not found:
            raise OptionError('there are no sources; name some: sources = ["alarm"]')
        return found, read

    def _network(self, label: str, path: str) -> Network:
        try:
            return read_bif(self.folder / path)
        except ArcwiseError as error:
            raise OptionError(f"source {label!r}: {error}") from None

    def _read(self, label: str, entries: dict[str, Any]) -> Dataset:
        check_entries(f"source {label!r}", entries, ("data", *Reading.__annotations__))
        where = entries.pop("data")
        if not isinstance(where, str):
            raise OptionError(
                f"data of source {label!r} must be the name of a file or of a data set, not {shown(where)}"
            )
        try:
            given = datasets.load(where[1:]) if where.startswith("@") else str(self.folder / where)
            return as_dataset(given, **entries)
        except ArcwiseError as error:
            raise OptionError(f"source {label!r}: {error}") from None


def _undefined(label: str) -> dict[str, Any]:
    """A source that is named only: a data set of arcwise, a file, or a network."""
    is_data = label.startswith("@") or label.lower().endswith(TABLE_SUFFIXES)
    return {"data": label} if is_data else {"network": label}


def _method(label: str, entries: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What a cell needs to know of a method: the whole learner, or whose it is."""
    rest = dict(entries)
    if "peer" in rest:
        from arcwise.study.peers import checked_peer

        return checked_peer(label, rest)
    name, time_of, times = rest.pop("method", label), rest.pop("time-of", None), rest.pop("times", 1)
    one_off = {"one-off": True} if rest.pop("one-off", False) else {}
    try:
        found = {"spec": to_spec(catalog.method(name, rest).learner), **one_off}
        if time_of is not None:
            if time_of not in others and time_of not in catalog.METHODS:
                raise OptionError(unknown_name("method", time_of, [*others, *catalog.METHODS]))
            other = dict(others.get(time_of, {"method": time_of}))
            found |= {"time-of": to_spec(catalog.method(other.pop("method", time_of), other).learner), "times": times}
        return found
    except ArcwiseError as error:
        raise OptionError(f"method {label!r}: {error}") from None


def check_entries(what: str, entries: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuse entries that nobody reads."""
    names = tuple(known)
    for entry in entries:
        if entry not in names:
            raise OptionError(unknown_name(f"entry of {what}:", entry, names))


def texts(entry: str, value: Any) -> list[str]:
    """A list of different texts."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise OptionError(f"{entry} must be a list of names, not {shown(value)}")
    if len(set(value)) < len(value):
        twice = next(one for one in value if value.count(one) > 1)
        raise OptionError(f"{entry} names {twice!r} twice; name it once")
    return value


def whole(entry: str, value: Any, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(f"{entry} must be a whole number from {least}, not {shown(value)}")
    return value


def numbers(entry: str, value: Any, *, whole_from: int | None = None) -> tuple[Any, ...]:
    """A list of different numbers."""
    if not isinstance(value, list) or not value:
        raise OptionError(f"{entry} must be a list of numbers, not {shown(value)}")
    for one in value:
        if whole_from is not None:
            whole(entry, one, whole_from)
        elif isinstance(one, bool) or not isinstance(one, int | float) or not one >= 0:
            raise OptionError(f"{entry} must be numbers from 0, not {shown(one)}")
    if len(set(value)) < len(value):
        raise OptionError(f"{entry} has {next(one for one in value if value.count(one) > 1)!r} twice; name it once")
    return tuple(value)
