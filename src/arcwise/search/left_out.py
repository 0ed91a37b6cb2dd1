"""What a limit on the size of tables keeps a search from looking at."""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import Dataset
from arcwise.parts.protocols import BoundScore, ToggleScore
from arcwise.printing import listed


def left_out(columns: Dataset, max_table: int | None, bound: BoundScore) -> list[str]:
    """One sentence with the pairs of columns that no edge within `max_table` can join. Toggle scores have no tables."""
    if max_table is None or isinstance(bound, ToggleScore):
        return []
    cards = np.maximum(columns.cardinalities, 1)
    pairs = np.argwhere(np.triu(np.multiply.outer(cards, cards) > max_table, 1)).tolist()
    if not pairs:
        return []
    names = [f"{columns.names[u]!r} and {columns.names[v]!r}" for u, v in pairs]
    return [f"max_table = {max_table:,} permits no edge between {listed(names)}; raise it, or leave it out"]
