"""What one search leaves to the next on the same columns, some of which have been cut anew in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcwise.data.dataset import Column, Dataset

if TYPE_CHECKING:
    from arcwise.search.greedy.cache import ScoreCache


class Memory:
    """Scores of families whose columns have not changed. For one search, score and knowledge only.

    A column is unchanged when it is the same object: columns are immutable.
    """

    def __init__(self) -> None:
        self._columns: tuple[Column, ...] = ()
        self._cache: ScoreCache | None = None

    def hand_over(self, cache: ScoreCache, data: Dataset) -> None:
        """Give `cache` what still holds, and remember it for the next time."""
        if self._cache is not None:
            cache.inherit(self._cache, {i for i, c in enumerate(data.columns) if c is not self._columns[i]})
        self._columns, self._cache = data.columns, cache
