"""The prequential score of Monti and Cooper: how well networks trained on the rows so far predict the next ones."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import OptionError
from arcwise.networks.models.training import DEFAULT, Order, Training
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import ArcPrior, check_arc_prior, log_arc_prior


@checked
@dataclass(frozen=True, kw_only=True)
class NeuralPrequential:
    """sum_t sum_{l in batch t} ln p(x_l | parents_l, weights trained on all rows before batch t).

    Rows come in one random order, which `seed` and their contents decide and the whole search keeps; batches grow by
    `lam` of the rows seen so far. The first rows are predicted without data, alike for all parents. components: most
    normal densities of a continuous column, chosen once for a family by `order` (bic or hold-out). hidden: fewest
    hidden units. decay: precision of the weights' prior. prior: rows that the distribution before any data is worth.
    restarts: random starts of each training beside the weights of the one before. iterations: most of a training.
    arc_prior: a factor on the network's prior for each arc (1: none); a parent that tells nothing costs hardly anything
    else, since weights that do not help stay small.
    """

    kind: ClassVar[str] = "neural-prequential"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = False
    reference: ClassVar[str] = "Monti and Cooper 1998"

    lam: float = 0.5
    components: int = DEFAULT.components
    order: Order = DEFAULT.order
    hidden: int = DEFAULT.hidden
    decay: float = DEFAULT.decay
    prior: float = DEFAULT.prior
    restarts: int = DEFAULT.restarts
    iterations: int = DEFAULT.iterations
    seed: int = DEFAULT.seed
    arc_prior: ArcPrior = 0.1

    def __post_init__(self) -> None:
        check_arc_prior(self.arc_prior)
        if not (isfinite(self.lam) and self.lam > 0):
            raise OptionError(f"option 'lam' must be a number above 0, not {self.lam!r}")
        self._training()

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.neural_score import NeuralScore
        from arcwise.scores.prequential import prequential

        training = self._training()
        return NeuralScore(
            data,
            lambda task: prequential(task, training, self.lam),
            hidden=self.hidden,
            seed=self.seed,
            log_arc_prior=log_arc_prior(self.arc_prior, data.n_columns),
        )

    def _training(self) -> Training:
        return Training(
            components=self.components,
            order=self.order,
            hidden=self.hidden,
            decay=self.decay,
            prior=self.prior,
            restarts=self.restarts,
            iterations=self.iterations,
            seed=self.seed,
        )
