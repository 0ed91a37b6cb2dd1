"""Scores by neural networks, one trained for every family."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import check_positive
from arcwise.networks.models.training import DEFAULT, Order, Training
from arcwise.parts.protocols import BoundScore
from arcwise.scores.options import ArcPrior, check_arc_prior, log_arc_prior


@checked
@dataclass(frozen=True, kw_only=True)
class NeuralPrequential:
    """sum_t sum_{l in batch t} ln p(x_l | parents_l, weights trained on all rows before batch t).

    The prequential score of Monti and Cooper: how well networks trained on the rows so far predict the next ones.
    Rows come in one random order, which the whole search keeps. The first rows are predicted without data, alike for
    all parents. seed: decides the order of the rows, with their contents. lam: growth of a batch, as a share of the
    rows seen so far. components: most normal densities of a continuous column. order: how the number of densities is
    chosen, once for a family. hidden: fewest hidden units. decay: precision of the weights' prior. prior: rows that the
    distribution before any data is worth. restarts: random starts of each training beside the weights of the one
    before. iterations: most steps of a training. arc_prior: a factor on the network's prior for each arc (1: none); a
    parent that tells nothing costs hardly anything else, since weights that do not help stay small.
    """

    kind: ClassVar[str] = "neural-prequential"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    model: ClassVar[str] = "neural"
    reads_rows: ClassVar[frozenset[Kind]] = frozenset(Kind)
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
        check_arc_prior(self)
        check_positive(self, "lam")
        _training(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.scores.neural_score import NeuralScore, prequential

        training = _training(self)
        return NeuralScore(
            data,
            lambda task: prequential(task, training, self.lam),
            hidden=self.hidden,
            seed=self.seed,
            log_arc_prior=log_arc_prior(self.arc_prior, data.n_columns),
        )


@checked
@dataclass(frozen=True, kw_only=True)
class NeuralBIC:
    """ln p(child | parents, weights) - (d / 2) ln N, with the d weights of a network trained on all rows.

    The same networks as those of NeuralPrequential in one training instead of a dozen. The weights of one output do not
    count, since a softmax only knows differences. components: most normal densities of a continuous column;
    the best number counts. hidden: fewest hidden units. decay: precision of the weights' prior. restarts: random
    starts. iterations: most steps of a training. seed: of the starts.
    """

    kind: ClassVar[str] = "neural-bic"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    model: ClassVar[str] = "neural"
    reads_rows: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = False
    reference: ClassVar[str] = "Monti and Cooper 1998; Schwarz 1978"

    components: int = DEFAULT.components
    hidden: int = DEFAULT.hidden
    decay: float = DEFAULT.decay
    restarts: int = DEFAULT.restarts
    iterations: int = DEFAULT.iterations
    seed: int = DEFAULT.seed

    def __post_init__(self) -> None:
        _training(self)

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.networks.models.neural import bic_of
        from arcwise.scores.neural_score import NeuralScore

        training = _training(self)
        return NeuralScore(data, lambda task: bic_of(task, training), hidden=self.hidden, seed=self.seed)


def _training(options: NeuralPrequential | NeuralBIC) -> Training:
    """What options say about trainings; the rest is as usual."""
    names = {field.name for field in fields(options)}
    return Training(**{field.name: getattr(options, field.name) for field in fields(Training) if field.name in names})
