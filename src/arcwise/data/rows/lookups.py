"""From the cells of a batch to what is stored of them: codes or numbers, and which of them are missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import BoolArray
from arcwise.data.rows.survey import How, missing_cells, numbers_in

if TYPE_CHECKING:
    import polars as pl


class Unknown(Exception):
    """A cell that was not there when the file was looked through: somebody has changed the file since."""


class Lookup(Protocol):
    """What becomes of cells. lacks: whether some of them are missing."""

    @property
    def lacks(self) -> bool: ...

    def __call__(self, cells: pl.Series) -> tuple[NDArray[Any], BoolArray | None]:
        """(values, where they are missing): codes or numbers, 0 or NaN where missing."""


@dataclass(frozen=True)
class ByCell:
    """One value for each different cell. found: these cells, a null last; values: of each; missing: which are none."""

    found: pl.Series
    values: NDArray[Any]
    missing: BoolArray

    @property
    def lacks(self) -> bool:
        return bool(self.missing.any())

    def __call__(self, cells: pl.Series) -> tuple[NDArray[Any], BoolArray | None]:
        places = self._places(cells)
        values = self.values.take(places)
        if not self.lacks:
            return values, None
        return values, self.missing.take(places)

    def _places(self, cells: pl.Series) -> NDArray[Any]:
        """Where each cell is among those that are known; the null, if there is one, is the last."""
        import polars as pl

        if cells.dtype in (pl.String, pl.Categorical, pl.Enum):
            try:
                known = cells.cast(self._texts).to_physical()
            except pl.exceptions.PolarsError:
                raise Unknown from None
            if not cells.null_count():
                return known.to_numpy()
            return self._with_null(known.cast(pl.UInt32).fill_null(len(self.found) - 1).to_numpy())
        values = _as_plain(cells)
        order, ordered = self._ordered
        near = np.minimum(np.searchsorted(ordered, values), max(len(ordered) - 1, 0))
        same = ordered[near] == values if len(ordered) else np.zeros(len(values), dtype=np.bool_)
        places = order[near] if len(ordered) else np.zeros(len(values), dtype=np.intp)
        gone = _nulls_and_nans(cells)
        if not gone.any() and same.all():
            return places
        if (gone | same).all() and self._gone >= 0:
            return np.where(gone, self._gone, places)
        raise Unknown

    def _with_null(self, places: NDArray[Any]) -> NDArray[Any]:
        if self.found.null_count() != 1:
            raise Unknown
        return places

    @staticmethod
    def of(found: pl.Series, values: NDArray[Any], missing: BoolArray | None) -> ByCell:
        """The same for cells in any order."""
        order = np.argsort(found.is_null().to_numpy(), kind="stable")
        gone = np.zeros(len(found), dtype=np.bool_) if missing is None else missing
        blank = np.nan if values.dtype.kind == "f" else 0
        return ByCell(found.gather(order), np.where(gone, blank, values).astype(values.dtype)[order], gone[order])

    @cached_property
    def _texts(self) -> pl.Enum:
        import polars as pl

        return pl.Enum(self.found.drop_nulls())

    @cached_property
    def _ordered(self) -> tuple[NDArray[np.intp], NDArray[Any]]:
        """(places of the cells in the order of their values, these values); null and NaN are none."""
        plain = _as_plain(self.found)
        kept = np.flatnonzero(~_nulls_and_nans(self.found))
        order = kept[np.argsort(plain[kept], kind="stable")]
        return order, plain[order]

    @cached_property
    def _gone(self) -> int:
        """The place of null or NaN; both are missing. -1 if there is none."""
        gone = _nulls_and_nans(self.found)
        return int(np.argmax(gone)) if gone.any() else -1


@dataclass(frozen=True)
class AsNumbers:
    """Numbers as they are, or as text spells them."""

    how: How
    lacks: bool

    def __call__(self, cells: pl.Series) -> tuple[NDArray[Any], BoolArray | None]:
        values = numbers_in(cells).astype(np.float64, copy=False)
        if not self.lacks:
            if np.isnan(values).any():
                raise Unknown
            return values, None
        gone = missing_cells(cells, self.how) | np.isnan(values)
        return np.where(gone, np.nan, values), gone


def _as_plain(cells: pl.Series) -> NDArray[Any]:
    """Numbers that are equal where the cells are; those of null mean nothing."""
    import polars as pl

    whole = cells.cast(pl.UInt8) if cells.dtype == pl.Boolean else cells.to_physical()
    return whole.fill_null(0).to_numpy()


def _nulls_and_nans(cells: pl.Series) -> BoolArray:
    gone = cells.is_null()
    return (gone | cells.is_nan().fill_null(True)).to_numpy() if cells.dtype.is_float() else gone.to_numpy()
