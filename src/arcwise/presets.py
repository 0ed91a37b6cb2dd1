"""The named presets: what can follow `--method`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arcwise.checking import checked
from arcwise.constraint import MMPC, PC, PMMS, TPDA
from arcwise.discretize import (
    Chen,
    EqualFrequency,
    EqualWidth,
    FreedmanDiaconis,
    Friedman,
    Hartemink,
    Monti,
    Optimal,
    Scott,
    Steck,
    Sturges,
    TopDown,
)
from arcwise.independence import RecursiveMedian
from arcwise.learners import Hybrid, Integrated, TwoStage
from arcwise.parts.protocols import Learner
from arcwise.parts.spec import option_paths
from arcwise.scores import K2, KGV, BDeu, Gaussian, NeuralPrequential, Suited
from arcwise.search import GES, Exhaustive, HillClimb, K2Search, OptimalReinsertion, SparseCandidate, Tabu

ANY_DATA = "continuous, discrete, mixed"
DEFAULT_METHOD = "steck"


@checked
@dataclass(frozen=True, slots=True)
class Method:
    """A preset: a learner under the word that follows `--method`."""

    name: str
    family: str
    accepts: str
    paper: str
    summary: str
    learner: Learner

    @property
    def options(self) -> dict[str, Any]:
        """Every option by dotted path, with its default."""
        return option_paths(self.learner)


def binning(discretizer: Any, paper: str, summary: str) -> Method:
    learner = TwoStage(discretizer=discretizer)
    return Method(discretizer.kind, "discretize, then learn", ANY_DATA, paper, summary, learner)


def integrated(policy: Any, paper: str, summary: str, **options: Any) -> Method:
    learner = Integrated(policy=policy, **options)
    return Method(policy.kind, "discretize while learning", ANY_DATA, paper, summary, learner)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        binning(EqualWidth(), "Fu 2005, III.1", "bins of equal width, then greedy search"),
        binning(EqualFrequency(), "Fu 2005, III.1", "bins with equally many rows, then greedy search"),
        binning(Sturges(), "Sturges 1926; Margaritis 2005", "as many equal bins as Sturges' rule says"),
        binning(Scott(), "Scott 1979; Margaritis 2005", "bins as wide as Scott's rule says"),
        binning(
            FreedmanDiaconis(),
            "Freedman and Diaconis 1981; Margaritis 2005",
            "bins as wide as the Freedman-Diaconis rule says",
        ),
        binning(
            Hartemink(),
            "Hartemink 2001; Fu 2005, III.1.2",
            "levels merged where the columns lose least of what they tell about each other",
        ),
        integrated(
            Friedman(),
            "Friedman and Goldszmidt 1996; Fu 2005, III.2.1",
            "thresholds that shorten the description of network and data",
        ),
        integrated(
            Monti(),
            "Monti and Cooper 1998; Fu 2005, III.2.2",
            "thresholds that make the data probable, values even within a level",
        ),
        integrated(
            Steck(),
            "Steck and Jaakkola 2003; Fu 2005, III.2.3",
            "thresholds that predict the data best, by rank",
            search=HillClimb(score=BDeu(arc_prior="sparse")),  # the default must not take noise for relations
        ),
        integrated(
            Optimal(),
            "Chen, Wheeler and Kochenderfer 2017",
            "the best thresholds of a column, found exactly, instead of greedily chosen ones",
        ),
        integrated(
            Chen(),
            "Chen, Wheeler and Kochenderfer 2017",
            "thresholds that make a column's neighbours probable, in wide gaps, found exactly",
        ),
        integrated(
            TopDown(),
            "Tran 2013",
            "thresholds removed from all there could be while the description gets shorter",
        ),
        Method(
            "kgv",
            "directly from continuous data",
            ANY_DATA,
            "Bach and Jordan 2003; Fu 2005, III.3.1",
            "greedy search with the kernel generalized variance: no thresholds, no linearity",
            HillClimb(score=KGV()),
        ),
        Method(
            "gaussian",
            "directly from continuous data",
            ANY_DATA,
            Gaussian.reference,
            "greedy search with linear relations and normal noise; the score is chosen by the kinds of the columns",
            HillClimb(score=Gaussian()),
        ),
        Method(
            "neural",
            "directly from continuous data",
            ANY_DATA,
            NeuralPrequential.reference,
            "greedy parents by how well small neural networks foretell rows that they have not seen",
            K2Search(score=NeuralPrequential(), max_parents=3),
        ),
        Method(
            "neural-discretized",
            "discretize, then learn",
            ANY_DATA,
            NeuralPrequential.reference,
            "the same search on bins with equally many rows; fit neural networks to the result with model=neural",
            TwoStage(discretizer=EqualFrequency(), search=K2Search(score=K2(), first=HillClimb(), max_parents=3)),
        ),
        Method(
            "pc",
            "independence tests",
            ANY_DATA,
            PC.reference,
            "edges removed by independence tests, the rest pointed by what separates the ends",
            PC(),
        ),
        Method(
            "pc-recursive-median",
            "independence tests",
            ANY_DATA,
            "Margaritis 2005",
            "PC with a test that assumes no shape of the relations",
            PC(test=RecursiveMedian()),
        ),
        Method(
            "tpda",
            "independence tests",
            ANY_DATA,
            TPDA.reference,
            "edges drafted, added and removed by how much columns tell about each other",
            TPDA(),
        ),
        Method(
            "mmpc",
            "independence tests",
            ANY_DATA,
            MMPC.reference,
            "which columns are neighbours: those that no set of neighbours makes independent; no directions",
            MMPC(),
        ),
        Method(
            "pmms",
            "independence tests",
            ANY_DATA,
            PMMS.reference,
            "the same in polynomial time, with the separating sets looked for greedily",
            PMMS(),
        ),
        Method(
            "mmhc",
            "hybrid",
            ANY_DATA,
            "Tsamardinos, Brown and Aliferis 2006",
            "neighbours by MMPC, then tabu search among their edges",
            Hybrid(skeleton=MMPC()),
        ),
        Method(
            "pmmhc",
            "hybrid",
            ANY_DATA,
            "Brown, Tsamardinos and Aliferis 2005",
            "neighbours by PMMS, then tabu search among their edges",
            Hybrid(skeleton=PMMS()),
        ),
        Method(
            "hill-climb",
            "search and score",
            ANY_DATA,
            HillClimb.reference,
            "greedy search: add, delete or reverse an arc while the score rises",
            HillClimb(score=Suited()),
        ),
        Method(
            "tabu",
            "search and score",
            ANY_DATA,
            Tabu.reference,
            "greedy search that walks on past local optima",
            Tabu(score=Suited()),
        ),
        Method(
            "ges",
            "search and score",
            ANY_DATA,
            GES.reference,
            "greedy search over equivalence classes: edges added while the score rises, then removed",
            GES(),
        ),
        Method(
            "k2",
            "search and score",
            ANY_DATA,
            K2Search.reference,
            "greedy choice of parents for each column among those before it in an order",
            K2Search(),
        ),
        Method(
            "sparse-candidate",
            "search and score",
            ANY_DATA,
            SparseCandidate.reference,
            "tabu search among a few candidate parents of each column, chosen anew after every search",
            SparseCandidate(),
        ),
        Method(
            "optimal-reinsertion",
            "search and score",
            ANY_DATA,
            OptimalReinsertion.reference,
            "one column at a time taken out and put back with the best parents and children it could have",
            OptimalReinsertion(),
        ),
        Method(
            "exhaustive",
            "search and score",
            ANY_DATA,
            Exhaustive.reference,
            "the network with the highest score of all, for up to 28 columns",
            Exhaustive(),
        ),
    )
}
