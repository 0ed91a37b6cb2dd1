"""A table in a few letters, to know it again."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from arcwise.data.dataset import Dataset, Kind, code_dtype


def digest(table: Dataset) -> str:
    """64 letters that depend on every name, kind, level, cell and weight, and on their order."""
    found = sha256()
    for column in table.columns:
        found.update(
            repr((column.name, column.kind.value, column.levels, column.ordered)).encode("utf-8", "surrogatepass")
        )
        # However wide codes are stored: those of a store have the width that its widest column needs.
        dtype = np.dtype(code_dtype(column.cardinality)) if column.kind is Kind.DISCRETE else column.values.dtype
        found.update(column.values.astype(dtype.newbyteorder("<")).tobytes())
        found.update(b"" if column.missing is None else column.missing.tobytes())
    found.update(b"" if table.weights is None else table.weights.astype("<i8").tobytes())
    return found.hexdigest()
