"""The rows of one file, coded and written to their place in the store."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import BoolArray, Kind
from arcwise.data.rows.batches import Batch, Reader, changed
from arcwise.data.rows.draft import Draft
from arcwise.data.rows.header import CODES, MISSING, NUMBERS, WEIGHTS
from arcwise.data.rows.lookups import Unknown
from arcwise.data.rows.parts import Part
from arcwise.data.rows.passes import Stop
from arcwise.data.rows.planning import Plan, Planned
from arcwise.data.rows.progress import Meter
from arcwise.data.rows.sketch import Sketch


def write_part(
    k: int, part: Part, reader: Reader, plan: Plan, draft: Draft, meter: Meter, stop: Stop
) -> dict[str, Any]:
    """Write all rows of a file; what is to be remembered of it: checksums, and sketches of its numbers."""
    start, end = draft.header.stretches[k : k + 2]
    sums: dict[tuple[str, int], int] = dict.fromkeys(draft.header.keys.values(), 0)
    sketches = {one.name: Sketch() for one in plan.columns if one.column.kind is Kind.CONTINUOUS}
    row = start
    try:
        for batch in reader.batches(part):
            kept = plan.kept(batch) if plan.sieves else None
            n_rows = batch.n_rows if kept is None else int(np.count_nonzero(kept))
            if row + n_rows > end:
                raise Unknown
            for one in plan.columns:
                stop.check()
                values, missing = _cells(one, batch, kept)
                _put(draft, one, row, values, missing, sums)
                if one.name in sketches:
                    there = values if missing is None else values[~missing]
                    sketches[one.name] = sketches[one.name].add(there)
                meter.add(batch.n_rows / len(plan.columns), part.size * batch.share / len(plan.columns))
            if draft.header.weighted and plan.weights is not None:
                counts = plan.weights.lookup(batch.column(plan.weights.name))[0]
                draft.put(row, {(WEIGHTS, 0): (counts if kept is None else counts[kept]).astype(np.int64)}, sums)
            row += n_rows
    except Unknown:
        raise changed(part) from None
    if row != end:
        raise changed(part)
    return {
        "part": k,
        "sums": {f"{file}:{place}": value for (file, place), value in sums.items()},
        "sketches": {name: sketch.to_dict() for name, sketch in sketches.items()},
    }


def _cells(one: Planned, batch: Batch, kept: BoolArray | None) -> tuple[NDArray[Any], BoolArray | None]:
    values, missing = one.lookup(batch.column(one.name))
    if kept is None:
        return values, missing
    return values[kept], None if missing is None else missing[kept]


def _put(
    draft: Draft,
    one: Planned,
    row: int,
    values: NDArray[Any],
    missing: BoolArray | None,
    sums: dict[tuple[str, int], int],
) -> None:
    keys = draft.header.keys
    cells = {keys[CODES if one.column.kind is Kind.DISCRETE else NUMBERS, one.name]: values}
    if one.lookup.lacks:
        cells[keys[MISSING, one.name]] = np.zeros(len(values), dtype=np.bool_) if missing is None else missing
    draft.put(row, cells, sums)
