"""Fit a network that estimates P(child | parents), whatever the kinds of the columns."""

from __future__ import annotations

from collections.abc import Sequence

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import DataError
from arcwise.networks.models.arrangement import in_random_order
from arcwise.networks.models.densities import prior_share
from arcwise.networks.models.inputs import Input, Standard, encode, on_grid, sd_floor
from arcwise.networks.models.mixture_density import MixtureDensityNetwork
from arcwise.networks.models.order import fit_network
from arcwise.networks.models.perceptron import Perceptron
from arcwise.networks.models.softmax import SoftmaxNetwork
from arcwise.networks.models.training import DEFAULT, Order, Training, make_task


@takes_table
@checked
def fit_neural(
    data: Dataset,
    child: str,
    parents: Sequence[str],
    *,
    components: int = DEFAULT.components,
    order: Order = DEFAULT.order,
    hidden: int = DEFAULT.hidden,
    decay: float = DEFAULT.decay,
    prior: float = DEFAULT.prior,
    restarts: int = DEFAULT.restarts,
    iterations: int = DEFAULT.iterations,
    seed: int = DEFAULT.seed,
) -> SoftmaxNetwork | MixtureDensityNetwork:
    """A softmax network for a discrete child, a mixture density network for a continuous one; see `Training`.

    The order of the parents and of the rows does not matter, nor do names and units: both go by their contents.
    """
    training = Training(
        components=components, order=order, hidden=hidden, decay=decay,
        prior=prior, restarts=restarts, iterations=iterations, seed=seed,
    )  # fmt: skip
    if not data.n_rows:
        raise DataError(f"the table has no rows; fitting a model of {child!r} needs at least 1")
    table, places = in_random_order(data.select([child, *sorted(parents)]), seed)
    column = table.column(child)
    known = tuple(Input.of(table.columns[j]) for j in places if j > 0)
    read = on_grid(encode(known, table))
    if column.kind is Kind.DISCRETE:
        fit = fit_network(make_task(read, column.values, hidden, levels=column.cardinality), training)
        network, share = Perceptron.of(fit.task, fit.weights), prior_share(fit.task, prior)
        return SoftmaxNetwork(child, column.levels, known, network, share, column.ordered)
    standard = Standard.of(column.values)
    z = on_grid(standard.standardized(column.values))
    fit = fit_network(make_task(read, z, hidden, floor=sd_floor(z)), training)
    network, share = Perceptron.of(fit.task, fit.weights), prior_share(fit.task, prior)
    return MixtureDensityNetwork(child, standard, known, network, fit.task.floor, share)
