"""One column predicted from the others, row by row: values, and how probable they are."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, Kind
from arcwise.errors import DataError, OptionError
from arcwise.html_tables import as_written
from arcwise.networks.columns import check_shared, level_cells, number_cells
from arcwise.networks.inference.incomplete import sums_exactly
from arcwise.networks.inference.possible import possible_rows
from arcwise.printing import counted, printable

if TYPE_CHECKING:
    import polars as pl

    from arcwise.networks.network import Network

SHOWN = 12  # rows when printed


@dataclass(frozen=True, eq=False, repr=False)
class Prediction:
    """values: the most probable label of each row, the first of equal ones; or the mean of a number.

    probabilities: (rows, levels) of a column with levels, also of one that the network cuts, whose values are numbers.
    sds: how far numbers are from their means; None where that is not known. codes, numbers: what the table itself has
    in this column, -1 and NaN where a cell is missing, None without such a column; no evidence is made of it.
    """

    name: str
    values: NDArray[Any]
    levels: tuple[str, ...] = ()
    probabilities: FloatArray | None = None
    sds: FloatArray | None = None
    codes: IntArray | None = None
    numbers: FloatArray | None = None
    warnings: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        return len(self.values)

    @property
    def likeliest(self) -> IntArray:
        """(rows,) the code of the most probable level."""
        return self._shares.argmax(axis=1)

    def accuracy(self) -> float:
        """The share of rows whose level is predicted right, of those in which the table has it."""
        shares, codes = self._with_codes()
        return float(((shares.argmax(axis=1) == codes) & ~np.isnan(shares[:, 0])).mean())

    def log_score(self) -> float:
        """The mean of - ln P(actual level) over the rows in which the table has it: lower is better."""
        shares, codes = self._with_codes()
        with np.errstate(divide="ignore"):
            return -float(np.log(np.nan_to_num(shares[np.arange(len(codes)), codes])).mean())

    def mean_squared_error(self) -> float:
        """Of a number, over the rows in which the table has it."""
        if self._labelled:
            raise DataError(f"column {self.name!r} has levels and no numbers, so there is no squared error")
        there = np.zeros(0, dtype=np.bool_) if self.numbers is None else ~np.isnan(self.numbers)
        if self.numbers is None or not there.any():
            raise self._nothing_known
        return float(np.mean((self.values[there] - self.numbers[there]) ** 2))

    def table(self) -> pl.DataFrame:
        """A polars table: the value, and its sd or the probability of each level."""
        import polars as pl

        found: dict[str, Any] = {self.name: pl.Series(self.values.tolist(), dtype=self._type())}
        if self.sds is not None:
            found[_free("sd", found)] = self.sds
        if self.probabilities is not None:
            for level, own in zip(self.levels, self.probabilities.T, strict=True):
                found[_free(f"P({level})", found)] = own
        return pl.DataFrame(found)

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"name": self.name, "values": _plain(self.values)}
        if self.probabilities is not None:
            found |= {"levels": list(self.levels), "probabilities": [_plain(row) for row in self.probabilities]}
        if self.sds is not None:
            found["sds"] = _plain(self.sds)
        return {**found, "warnings": list(self.warnings)}

    def __repr__(self) -> str:
        return printable(f"Prediction({self.name}: {counted(self.n_rows, 'row')})")

    def __str__(self) -> str:
        from arcwise.networks.questions.answer_text import aligned, filled, shortened

        rows = [(f"row {n + 1}", *self._cells(n)) for n in range(min(self.n_rows, SHOWN))]
        lines = [f"{shortened(self.name)} of {counted(self.n_rows, 'row')}", "", *aligned(rows, right=(2,))]
        lines += [f"  ... and {self.n_rows - SHOWN:,} more"] if self.n_rows > SHOWN else []
        return "\n".join([*lines, *(filled(f"warning: {warning}") for warning in self.warnings)])

    def _repr_html_(self) -> str:
        return as_written(str(self))

    def _cells(self, n: int) -> tuple[str, str]:
        """(the value of a row, how sure it is)."""
        from arcwise.networks.questions.answer_text import percent, shortened

        value = self.values[n]
        if _lost(value):
            return "impossible row", ""
        if self._labelled:
            return shortened(str(value)), percent(float(self._shares[n].max()))
        return f"{value:.4g}", "" if self.sds is None else f"sd {self.sds[n]:.3g}"

    @property
    def _labelled(self) -> bool:
        return self.values.dtype == object

    @property
    def _shares(self) -> FloatArray:
        if self.probabilities is None:
            raise DataError(f"column {self.name!r} is a number without levels; use mean_squared_error")
        return self.probabilities

    def _with_codes(self) -> tuple[FloatArray, IntArray]:
        """Of the rows in which the table has a level."""
        shares = self._shares
        there = np.zeros(0, dtype=np.bool_) if self.codes is None else self.codes >= 0
        if self.codes is None or not there.any():
            raise self._nothing_known
        return shares[there], self.codes[there]

    @property
    def _nothing_known(self) -> DataError:
        return DataError(f"the table has no value of {self.name!r} to compare predictions with")

    def _type(self) -> Any:
        import polars as pl

        return pl.String if self._labelled else pl.Float64


def predict(network: Network, name: str, data: Dataset, evidence: Any) -> Prediction:
    """See `Network.predict`."""
    check_shared(data, network.names)
    own, cut = network.model(name), network.numbers.get(name)
    codes, numbers = _actual(network, name, data)
    unsaid = _nothing_said(network, name, data)
    if not own.levels:
        means, sds = _moments(network, name, data, evidence)
        excluded, unchecked = _excluded(network, name, data, evidence)
        means, sds = np.where(excluded, np.nan, means), None if sds is None else np.where(excluded, np.nan, sds)
        return Prediction(name, means, sds=sds, numbers=numbers, warnings=(*unsaid, *_doubts(means), *unchecked))
    shares = network.level_probabilities(name, data, evidence)
    excluded, unchecked = _excluded(network, name, data, evidence)
    shares = np.where(excluded[:, None], np.nan, shares)
    warnings = (*unsaid, *_doubts(shares[:, 0]), *unchecked)
    if cut is not None:
        means, sds = cut.moments(shares)
        return Prediction(name, means, own.levels, shares, sds, codes, numbers, warnings)
    labels = np.array([*own.levels, None], dtype=object)
    likeliest = np.where(np.isnan(shares[:, 0]), len(own.levels), shares.argmax(axis=1))
    return Prediction(name, labels[likeliest], own.levels, shares, codes=codes, warnings=warnings)


def _moments(network: Network, name: str, data: Dataset, evidence: Any) -> tuple[FloatArray, FloatArray | None]:
    if not sums_exactly(network.models):
        return network.expected(name, data, evidence), None
    from arcwise.networks.inference.hidden_rows import HiddenRows
    from arcwise.networks.rows import check_evidence

    check_evidence(evidence)
    table, hide = _recorded(network, name, data, evidence)
    return HiddenRows.of(network.models, table, hide).moments(name)


def _recorded(network: Network, name: str, data: Dataset, evidence: Any) -> tuple[Dataset, tuple[str, ...]]:
    """(the table, the columns of it that are no evidence): a table without columns would have no rows, either."""
    table, parents = network.cut(data), network.model(name).parents
    if evidence == "parents":
        return (table.select(parents), (name,)) if parents else (table, network.names)
    return table, (name,)


def _excluded(network: Network, name: str, data: Dataset, evidence: Any) -> tuple[BoolArray, tuple[str, ...]]:
    """(rows whose evidence is impossible, also where that has no bearing on the column; what could not be checked)."""
    table, hide = _recorded(network, name, data, evidence)
    try:
        return ~possible_rows(network.models, table, hide, network.read), ()
    except OptionError:  # the sums over what is missing would be too large
        return np.zeros(data.n_rows, dtype=np.bool_), (UNCHECKED,)


UNCHECKED = "too many missing cells depend on each other to tell which rows the network excludes; give more columns"


def _actual(network: Network, name: str, data: Dataset) -> tuple[IntArray | None, FloatArray | None]:
    """What the table has in the column that is predicted."""
    if name not in data.names:
        return None, None
    codes = numbers = None
    if data.column(name).kind is Kind.CONTINUOUS:
        values, missing = number_cells(data, name)
        numbers = np.where(missing, np.nan, values)
    if network.model(name).levels and name not in network.read:  # the state behind a reading is not recorded
        found, missing = level_cells(network.cut(data), name, network.model(name).levels)
        codes = np.where(missing, -1, found.astype(np.intp))
    return codes, numbers


def _doubts(found: FloatArray) -> tuple[str, ...]:
    wrong = int(np.isnan(found).sum())
    if not wrong:
        return ()
    rows = "1 row is" if wrong == 1 else f"{wrong:,} rows are"
    return (f"{rows} impossible under the network and not predicted; fit it with smoothing above 0",)


def _nothing_said(network: Network, name: str, data: Dataset) -> tuple[str, ...]:
    others = set(network.names) - {name}
    if not others or others & set(data.names):
        return ()
    return (f"the table has no other column of the network, so every row of {name!r} is predicted alike; check names",)


def _lost(value: Any) -> bool:
    return value is None or (isinstance(value, float) and isnan(value))


def _plain(values: NDArray[Any]) -> list[Any]:
    """JSON has no NaN."""
    return [None if _lost(value) else value for value in values.tolist()]


def _free(name: str, taken: dict[str, Any]) -> str:
    while name in taken:
        name += "_"
    return name
