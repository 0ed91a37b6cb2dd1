"""Questions about rows with missing cells, whatever the models of the network.

Tables and linear Gaussians sum over what is missing, exactly (`hidden_rows`). With other models a row is asked without
the columns that it lacks, and refused where these say something about the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, Kind
from arcwise.data.row_order import alike
from arcwise.errors import DataError
from arcwise.networks.inference.elimination import with_ancestors
from arcwise.networks.inference.posterior import given_all
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.readings import Readings
from arcwise.networks.models.table import Table


def sums_exactly(models: Sequence[ConditionalModel]) -> bool:
    """Whether missing cells can be summed over."""
    return all(isinstance(model, Table | LinearGaussian) for model in models)


def given_recorded(
    models: Sequence[ConditionalModel], name: str, data: Dataset, readings: Mapping[str, Readings]
) -> FloatArray:
    """`given_all` with what is recorded of the other columns, row by row. readings: see `HiddenRows.of`."""
    nodes = [model.child for model in models if model.child != name and model.child in data.names]
    others = data.select(nodes)
    if others.is_complete and not is_read(others, readings):
        return given_all(models, name, data)
    if sums_exactly(models):
        from arcwise.networks.inference.hidden_rows import HiddenRows

        return HiddenRows.of(models, data, readings=readings).posterior(name)
    own = next(model for model in models if model.child == name)
    found = np.empty((data.n_rows, len(own.levels)) if own.levels else data.n_rows)
    for rows, missing in patterns(others):
        found[rows] = given_all(models, name, data.select(_without(data, missing)).take(rows))
    return found


def is_read(data: Dataset, readings: Mapping[str, Readings]) -> bool:
    """Whether the table has a column of readings, not of levels."""
    return any(column.name in readings and column.kind is Kind.CONTINUOUS for column in data.columns)


def log_density_of_recorded(
    models: Sequence[ConditionalModel], data: Dataset, readings: Mapping[str, Readings]
) -> FloatArray:
    """(n_rows,) ln p of the recorded cells of each row; the table has a column for each node."""
    if sums_exactly(models):
        from arcwise.networks.inference.hidden_rows import HiddenRows

        return HiddenRows.of(models, data, readings=readings).log_densities()
    position = {model.child: i for i, model in enumerate(models)}
    parents = [[position[parent] for parent in model.parents] for model in models]
    table, found = data.select(position), np.zeros(data.n_rows)
    for rows, missing in patterns(table):
        # A missing cell below all that is recorded sums to 1.
        kept = with_ancestors(parents, (i for name, i in position.items() if name not in missing))
        for i in sorted(kept):
            for name in sorted(missing.intersection(models[i].columns)):
                raise DataError(_no_sum(name, models[i]))
            found[rows] += models[i].log_density(table.take(rows))
    return found


def log_density_given_parents(
    models: Sequence[ConditionalModel], name: str, data: Dataset, readings: Mapping[str, Readings]
) -> FloatArray:
    """(n_rows,) ln p(name | its recorded parents); 0 where it is not recorded itself.

    p(x | recorded parents) = p(x, recorded parents) / p(recorded parents).
    """
    own = next(model for model in models if model.child == name)
    table = data.select(own.columns)
    found = np.zeros(data.n_rows)
    for rows, missing in patterns(table):
        if name in missing:
            continue
        some = table.take(rows)
        if not missing and not is_read(some, readings):
            found[rows] = own.log_density(some)
            continue
        if not sums_exactly(models):
            raise DataError(_no_sum(min(missing), own))
        from arcwise.networks.inference.hidden_rows import HiddenRows

        whole, rest = (HiddenRows.of(models, some, hide, readings).log_densities() for hide in ((), (name,)))
        with np.errstate(invalid="ignore"):
            found[rows] = np.where(np.isfinite(rest), whole - rest, -np.inf)
    return found


def patterns(data: Dataset) -> Iterator[tuple[IntArray, set[str]]]:
    """(rows, the names of the columns that they lack), for every pattern of missing cells."""
    names = [column.name for column in data.columns if column.missing is not None]
    masks: list[BoolArray] = [column.missing for column in data.columns if column.missing is not None]
    marks = np.stack(masks, axis=1) if masks else np.zeros((data.n_stored, 0), dtype=np.bool_)
    for rows in alike(marks):
        yield rows, {name for name, gone in zip(names, marks[rows[0]], strict=True) if gone}


def _without(data: Dataset, names: set[str]) -> list[str]:
    return [name for name in data.names if name not in names]


def _no_sum(name: str, model: ConditionalModel) -> str:
    return (
        f"missing cells in {name!r}: there is no exact sum over them, as {model.child!r} has a {model.kind} model; "
        f"fill them in, drop their rows with --missing drop (missing='drop'), or fit with model='cpt' or 'gaussian'"
    )
