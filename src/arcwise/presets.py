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
from arcwise.learners import Automatic, HiddenStates, Hybrid, Integrated, Refined, TwoStage
from arcwise.parts.protocols import Learner
from arcwise.parts.spec import option_paths
from arcwise.scores import (
    K2,
    KGV,
    BDeu,
    ConditionalGaussian,
    Copula,
    DegenerateGaussian,
    Gaussian,
    GaussianBIC,
    NeuralPrequential,
    Suited,
)
from arcwise.search import GES, Best, Boss, Exhaustive, HillClimb, K2Search, OptimalReinsertion, SparseCandidate, Tabu

ANY_DATA = "continuous, discrete, mixed"
DEFAULT_METHOD = "auto"


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


def _alone(family: str, learner: Any, summary: str, name: str = "", paper: str = "") -> Method:
    """A learner as it is; its own kind and paper unless the preset has others."""
    return Method(name or learner.kind, family, ANY_DATA, paper or learner.reference, summary, learner)


DIRECT, TESTS, HYBRID, SEARCH = "directly from continuous data", "independence tests", "hybrid", "search and score"
NEURAL = NeuralPrequential.reference
ON_BINS = TwoStage(discretizer=EqualFrequency(), search=K2Search(score=K2(), first=HillClimb(), max_parents=3))
# A method without a published search has the search and the prior that find most: docs/benchmarks.md, dense networks.
COUNTED = BDeu(arc_prior="sparse")
LINEAR = Gaussian(continuous=GaussianBIC(arc_prior="sparse"), mixed=DegenerateGaussian(arc_prior="sparse"))
BY_LEVELS = ConditionalGaussian(least_rows=10, arc_prior="sparse")  # fewer rows tell no slope: its page has figures
EITHER = Suited(discrete=COUNTED, otherwise=LINEAR)

STECK = Integrated(policy=Steck(), search=Boss(score=COUNTED))
MONTI_ORDERS = Integrated(policy=Monti(), search=Boss(score=COUNTED))
LINEAR_ORDERS, KERNEL_CLIMB = Boss(score=LINEAR), HillClimb(score=KGV())
# Methods that differ in what they take the values for; what wins where is in docs/comparing.md.
CANDIDATES = (LINEAR_ORDERS, STECK, MONTI_ORDERS, KERNEL_CLIMB, HiddenStates())
# Of levels there is one view. Without the prior densities gain less than .07 nats a row, and distances grow by a tenth.
CANDIDATES_OF_LEVELS = (STECK,)
# What `compare` compares unless told: one method of each way to go about it, quick ones first.
COMPARED = ("gaussian", "equal-frequency", "steck", "kgv", "hidden-states", "mmhc", "pc")
COMPARED_OF_LEVELS = ("boss", "ges", "hill-climb", "mmhc", "pc", "tpda")

# fmt: off
_PRESETS = (
    _alone("chosen by the data", Automatic(candidates=CANDIDATES, levels=CANDIDATES_OF_LEVELS),
           "tries several, takes what predicts new rows best", "auto"),
    binning(EqualWidth(), "Fu 2005, III.1", "bins of equal width, then greedy search"),
    binning(EqualFrequency(), "Fu 2005, III.1", "bins with equally many rows, then greedy search"),
    binning(Sturges(), "Sturges 1926; Margaritis 2005", "as many equal bins as Sturges' rule says"),
    binning(Scott(), "Scott 1979; Margaritis 2005", "bins as wide as Scott's rule says"),
    binning(FreedmanDiaconis(), "Freedman and Diaconis 1981; Margaritis 2005",
            "bins as wide as the Freedman-Diaconis rule says"),
    binning(Hartemink(), "Hartemink 2001; Fu 2005, III.1.2",
            "fine bins merged where columns lose least information"),
    integrated(Friedman(), "Friedman and Goldszmidt 1996; Fu 2005, III.2.1",
               "thresholds that shorten the description of the data"),
    integrated(Monti(), "Monti and Cooper 1998; Fu 2005, III.2.2",
               "thresholds that make the values themselves probable"),
    _alone("discretize while learning", MONTI_ORDERS,
           "monti, with a search over orders that keeps edges few",
           "monti-orders", f"Monti and Cooper 1998; {Boss.reference}"),
    integrated(Steck(), "Steck and Jaakkola 2003; Fu 2005, III.2.3",
               "thresholds that predict the data best, by rank", search=Boss(score=COUNTED)),
    integrated(Optimal(), "Chen, Wheeler and Kochenderfer 2017",
               "steck, with the best thresholds found exactly"),
    integrated(Chen(), "Chen, Wheeler and Kochenderfer 2017",
               "thresholds in wide gaps that make neighbours probable"),
    integrated(TopDown(), "Tran 2013",
               "thresholds removed while the description gets shorter"),
    _alone("hidden states", HiddenStates(),
           "values as noisy readings of a few states"),
    _alone(DIRECT, KERNEL_CLIMB,
           "relations of any shape, by kernels; no thresholds",
           "kgv", "Bach and Jordan 2003; Fu 2005, III.3.1"),
    _alone(DIRECT, Boss(score=KGV(sigma="rows", transform="normal-scores")),
           "kgv on ranks, as wide as rows allow; search over orders",
           "kernel-orders", f"{KGV.reference}; {Boss.reference}"),
    _alone(DIRECT, LINEAR_ORDERS,
           "linear relations with normal noise; search over orders",
           "gaussian", f"{Gaussian.reference}; {Boss.reference}"),
    _alone(DIRECT, Boss(score=BY_LEVELS),
           "a linear regression for each configuration of levels",
           "conditional-gaussian", f"{ConditionalGaussian.reference}; {Boss.reference}"),
    _alone(DIRECT, Boss(score=Copula()),
           "monotone relations, by ranks; search over orders",
           "copula", f"Harris and Drton 2013; {Boss.reference}"),
    _alone(DIRECT, Refined(),
           "relations of any smooth shape, by ranks; search over orders",
           "smooth"),
    _alone(DIRECT, K2Search(score=NeuralPrequential(), max_parents=3),
           "parents chosen by small neural networks (slow)", "neural", NEURAL),
    _alone("discretize, then learn", ON_BINS,
           "the search of neural on equally frequent bins (fast)",
           "neural-discretized", NEURAL),
    _alone(TESTS, PC(), "edges removed by tests; directions by what separates"),
    _alone(TESTS, PC(test=RecursiveMedian()), "PC with a test that assumes no shape of the relations",
           "pc-recursive-median", "Margaritis 2005"),
    _alone(TESTS, TPDA(), "edges added and removed by mutual information"),
    _alone(TESTS, MMPC(),
           "which columns are neighbours; no directions"),
    _alone(TESTS, PMMS(), "the same in polynomial time; no directions"),
    _alone(HYBRID, Hybrid(skeleton=MMPC()), "neighbours by MMPC, then tabu search among their edges",
           "mmhc", "Tsamardinos, Brown and Aliferis 2006"),
    _alone(HYBRID, Hybrid(skeleton=PMMS()), "neighbours by PMMS, then tabu search among their edges",
           "pmmhc", "Brown, Tsamardinos and Aliferis 2005"),
    _alone(SEARCH, HillClimb(score=Suited()), "add, delete or reverse edges while the score rises"),
    _alone(SEARCH, Tabu(score=Suited()), "greedy search that walks on past local optima"),
    _alone(SEARCH, GES(), "greedy search over classes of equivalent networks"),
    _alone(SEARCH, Boss(), "search over orders of the columns"),
    _alone(SEARCH, Best(of=(Boss(score=EITHER), GES(score=EITHER), Tabu(score=EITHER))),
           "the best-scored network of boss, ges and tabu"),
    _alone(SEARCH, K2Search(), "parents chosen among earlier columns, in a given order", "k2"),
    _alone(SEARCH, SparseCandidate(),
           "search among a few candidate parents of each column"),
    _alone(SEARCH, OptimalReinsertion(),
           "columns taken out and put back where they fit best"),
    _alone(SEARCH, Exhaustive(), "the network with the highest score, up to 28 columns"),
)
# fmt: on
METHODS: dict[str, Method] = {method.name: method for method in _PRESETS}
