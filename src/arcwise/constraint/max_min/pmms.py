"""Max-min parents and children in polynomial time, for every column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arcwise.checking import checked
from arcwise.constraint.options import check_options
from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Dataset
from arcwise.graph.dag import Dag
from arcwise.independence import ByKind
from arcwise.parts.knowledge import NONE, Knowledge
from arcwise.parts.monitor import SILENT, Monitor
from arcwise.parts.protocols import IndependenceTest
from arcwise.results.result import LearnResult


@checked
@dataclass(frozen=True, kw_only=True)
class PMMS:
    """MMPC with the least association looked for greedily: the member of CPC that leaves least joins S, while it helps.

    A new member of CPC costs O(|S|) tests for an X whose S stays, at most O(|CPC| |S|). Options: see MMPC.
    """

    kind: ClassVar[str] = "pmms"
    reference: ClassVar[str] = "Brown, Tsamardinos and Aliferis 2005"

    test: IndependenceTest = ByKind()
    alpha: float | None = None
    symmetric: bool = True
    max_given: int | None = None

    def __post_init__(self) -> None:
        check_options(self)

    @takes_table
    def learn(
        self,
        data: Dataset,
        *,
        rng: np.random.Generator,
        knowledge: Knowledge = NONE,
        monitor: Monitor = SILENT,
        start: Dag | None = None,
    ) -> LearnResult:
        """The skeleton: undirected edges in `cpdag`, no `graph`."""
        from arcwise.constraint.max_min.all_targets import learn_skeleton

        return learn_skeleton(self, data, greedy=True, knowledge=knowledge, monitor=monitor, start=start)
