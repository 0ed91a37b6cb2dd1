"""Monti's simulation: continuous data made from discrete data by Gaussian noise around the state's number."""

from __future__ import annotations

from arcwise.checking import Seed, checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import DataError
from arcwise.networks.columns import continuous_dataset
from arcwise.networks.streams import checked_sd, stream


@takes_table
@checked
def add_noise(data: Dataset, *, sigma: float = 0.35, seed: Seed = 0) -> Dataset:
    """State number (1, 2, ..., r in the order of the levels) plus N(0, sigma^2); every column continuous.

    With sigma 0.35 a value crosses the midpoint to a neighbour with probability 0.1531 if its state is an
    interior one, 0.0766 if it is the first or the last.
    """
    sd = checked_sd("sigma", sigma)
    for column in data.columns:
        if column.kind is not Kind.DISCRETE:
            raise DataError(f"column {column.name!r} is continuous already; add noise to discrete ones only")
    values = (
        column.values + 1.0 + sd * stream(seed, "noise", i).standard_normal(data.n_rows)
        for i, column in enumerate(data.columns)
    )
    return continuous_dataset(data.names, values)
