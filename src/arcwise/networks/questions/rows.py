"""How many rows an answer is about: counted in a table, or in the counts that the network was fitted from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import Dataset, IntArray
from arcwise.networks.columns import level_cells
from arcwise.networks.models.table import Table
from arcwise.networks.questions.evidence import Evidence

if TYPE_CHECKING:
    from arcwise.networks.network import Network


@dataclass(frozen=True, slots=True)
class Rows:
    """total: of the fit, or of the table. matching: those with the evidence, None if they were not counted.

    counts: of those, the rows with each level of a node. in_table: they are rows of a table, not of the fit.
    """

    total: int | None = None
    matching: int | None = None
    counts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    in_table: bool = False


def counted_rows(network: Network, wanted: Sequence[str], evidence: Evidence, data: Dataset | None) -> Rows:
    """Evidence that is not certain, and numbers that hardly any row has exactly, are not counted."""
    total = network.rows if data is None else data.n_rows
    if evidence.weights or evidence.numbers or network.read.keys() & evidence.codes.keys():
        return Rows(total, in_table=data is not None)
    if data is not None:
        return _in_table(network, wanted, evidence, network.cut(data))
    counts = _in_counts(network, wanted, evidence)
    if counts:
        return Rows(total, sum(next(iter(counts.values()))), counts)
    return Rows(total)


def _in_table(network: Network, wanted: Sequence[str], evidence: Evidence, data: Dataset) -> Rows:
    there = np.ones(data.n_rows, dtype=np.bool_)
    for name, code in evidence.codes.items():
        codes, missing = level_cells(data, name, network.model(name).levels)
        there &= (codes == code) & ~missing
    counts = {}
    for name in wanted:
        levels = network.model(name).levels
        if levels and name in data.names and name not in network.read:
            codes, missing = level_cells(data, name, levels)
            own = np.bincount(codes[there & ~missing], minlength=len(levels))
            counts[name] = tuple(own.tolist())
    return Rows(data.n_rows, int(there.sum()), counts, in_table=True)


def _in_counts(network: Network, wanted: Sequence[str], evidence: Evidence) -> dict[str, tuple[int, ...]]:
    """From tables that have a node and all of the evidence in their family."""
    found: dict[str, tuple[int, ...]] = {}
    for model in network.models:
        if isinstance(model, Table) and model.counts is not None and evidence.codes.keys() <= model.columns.keys():
            members = [name for name in wanted if name in model.columns and name not in found]
            found |= {name: _sums(model, model.counts, name, evidence) for name in members}
    return found


def _sums(model: Table, counts: IntArray, name: str, evidence: Evidence) -> tuple[int, ...]:
    members = (*model.parents, model.child)
    chosen = counts[tuple(evidence.codes.get(member, slice(None)) for member in members)]
    left = [member for member in members if member not in evidence.codes]
    own = chosen.sum(axis=tuple(axis for axis, member in enumerate(left) if member != name))
    return tuple(int(count) for count in own)
