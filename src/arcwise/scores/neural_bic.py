"""BIC with a network for every family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.networks.models.training import DEFAULT, Training
from arcwise.parts.protocols import BoundScore


@checked
@dataclass(frozen=True, kw_only=True)
class NeuralBIC:
    """ln p(child | parents, weights) - (d / 2) ln N, with the d weights of a network trained on all rows.

    The same networks as those of NeuralPrequential in one training instead of a dozen. The weights of one output do not
    count, since a softmax only knows differences. components: most normal densities of a continuous column;
    the best number counts. hidden: fewest hidden units. decay: precision of the weights' prior. restarts: random
    starts. iterations: most of a training. seed: of the starts.
    """

    kind: ClassVar[str] = "neural-bic"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = False
    reference: ClassVar[str] = "Monti and Cooper 1998; Schwarz 1978"

    components: int = DEFAULT.components
    hidden: int = DEFAULT.hidden
    decay: float = DEFAULT.decay
    restarts: int = DEFAULT.restarts
    iterations: int = DEFAULT.iterations
    seed: int = DEFAULT.seed

    def __post_init__(self) -> None:
        self._training()

    @takes_table
    def bind(self, data: Dataset) -> BoundScore:
        from arcwise.networks.models.order import bic_of
        from arcwise.scores.neural_score import NeuralScore

        training = self._training()
        return NeuralScore(data, lambda task: bic_of(task, training), hidden=self.hidden, seed=self.seed)

    def _training(self) -> Training:
        return Training(
            components=self.components,
            hidden=self.hidden,
            decay=self.decay,
            restarts=self.restarts,
            iterations=self.iterations,
            seed=self.seed,
        )
