"""The only registry: every kind of part, and the named presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from arcwise.checking import checked, shown
from arcwise.constraint import MMPC, PC, PMMS, TPDA
from arcwise.discretize import (
    Auto,
    Chen,
    Distinct,
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
from arcwise.errors import OptionError, unknown_name
from arcwise.independence import (
    ByKind,
    ChiSquared,
    FisherZ,
    GaussianInformation,
    GSquared,
    Information,
    LikelihoodRatio,
    MultiResolution,
    MutualInformation,
    RecursiveMedian,
)
from arcwise.learners import Hybrid, Integrated, TwoStage
from arcwise.parts.protocols import Discretizer, IndependenceTest, Learner, PolicyScore, Score
from arcwise.parts.spec import inner_parts, option_paths, with_options
from arcwise.scores import (
    AIC,
    BIC,
    K2,
    KGV,
    MDL,
    BDeu,
    BGe,
    DegenerateGaussian,
    Gaussian,
    GaussianBIC,
    LogLikelihood,
    NeuralBIC,
    NeuralPrequential,
    Suited,
)
from arcwise.search import GES, Exhaustive, HillClimb, K2Search, OptimalReinsertion, SparseCandidate, Tabu

Part = TypeVar("Part")

SCORES = {
    part.kind: part
    for part in (
        BDeu, K2, BIC, AIC, MDL, LogLikelihood, KGV, GaussianBIC, BGe, DegenerateGaussian, Gaussian, NeuralPrequential,
        NeuralBIC, Suited,
    )
}  # fmt: skip
TESTS = {
    part.kind: part
    for part in (
        ByKind,
        FisherZ,
        GSquared,
        ChiSquared,
        LikelihoodRatio,
        Information,
        MutualInformation,
        GaussianInformation,
        MultiResolution,
        RecursiveMedian,
    )
}
DISCRETIZERS = {
    part.kind: part for part in (EqualWidth, EqualFrequency, Sturges, Scott, FreedmanDiaconis, Hartemink, Distinct)
}
POLICIES = {part.kind: part for part in (Friedman, Monti, Steck, TopDown, Optimal, Chen)}
LEARNERS = {
    part.kind: part
    for part in (
        HillClimb,
        Tabu,
        K2Search,
        SparseCandidate,
        OptimalReinsertion,
        GES,
        Exhaustive,
        TwoStage,
        Integrated,
        Hybrid,
        PC,
        TPDA,
        MMPC,
        PMMS,
    )
}
STARTS: dict[str, Any] = {**DISCRETIZERS, Auto.kind: Auto}
ROLES: dict[Any, dict[str, Any]] = {
    Learner: LEARNERS,
    Score: SCORES,
    IndependenceTest: TESTS,
    PolicyScore: POLICIES,
    Discretizer: DISCRETIZERS,
}
PARTS: dict[str, Any] = {kind: part for family in (*ROLES.values(), STARTS) for kind, part in family.items()}

ANY_DATA = "continuous, discrete, mixed"
DEFAULT_METHOD = "steck"


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

    def configured(self, options: Mapping[str, Any]) -> Method:
        """The same method with these options: see `configure`."""
        return replace(self, learner=configure(self.learner, options))


def _binning(discretizer: Any, paper: str, summary: str) -> Method:
    learner = TwoStage(discretizer=discretizer)
    return Method(discretizer.kind, "discretize, then learn", ANY_DATA, paper, summary, learner)


def _integrated(policy: Any, paper: str, summary: str, **options: Any) -> Method:
    learner = Integrated(policy=policy, **options)
    return Method(policy.kind, "discretize while learning", ANY_DATA, paper, summary, learner)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        _binning(EqualWidth(), "Fu 2005, III.1", "bins of equal width, then greedy search"),
        _binning(EqualFrequency(), "Fu 2005, III.1", "bins with equally many rows, then greedy search"),
        _binning(Sturges(), "Sturges 1926; Margaritis 2005", "as many equal bins as Sturges' rule says"),
        _binning(Scott(), "Scott 1979; Margaritis 2005", "bins as wide as Scott's rule says"),
        _binning(
            FreedmanDiaconis(),
            "Freedman and Diaconis 1981; Margaritis 2005",
            "bins as wide as the Freedman-Diaconis rule says",
        ),
        _binning(
            Hartemink(),
            "Hartemink 2001; Fu 2005, III.1.2",
            "levels merged where the columns lose least of what they tell about each other",
        ),
        _integrated(
            Friedman(),
            "Friedman and Goldszmidt 1996; Fu 2005, III.2.1",
            "thresholds that shorten the description of network and data",
        ),
        _integrated(
            Monti(),
            "Monti and Cooper 1998; Fu 2005, III.2.2",
            "thresholds that make the data probable, values even within a level",
        ),
        _integrated(
            Steck(),
            "Steck and Jaakkola 2003; Fu 2005, III.2.3",
            "thresholds that predict the data best, by rank",
            search=HillClimb(score=BDeu(arc_prior="sparse")),  # the default must not take noise for relations
        ),
        _integrated(
            Optimal(),
            "Chen, Wheeler and Kochenderfer 2017",
            "the best thresholds of a column, found exactly, instead of greedily chosen ones",
        ),
        _integrated(
            Chen(),
            "Chen, Wheeler and Kochenderfer 2017",
            "thresholds that make a column's neighbours probable, in wide gaps, found exactly",
        ),
        _integrated(
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


@checked
def method(name: str) -> Method:
    """The preset called `name`."""
    try:
        return METHODS[name]
    except KeyError:
        raise OptionError(unknown_name("method", name, METHODS)) from None


@checked
def configure(part: Part, options: Mapping[str, Any]) -> Part:
    """A copy with these options, named by dotted path, with `__` for the dot, or by an unambiguous last word.

    A whole inner part may be given as a part or by its kind (`score="bic"`); the other options are then those of the
    new part, but a search that is given by its kind keeps the score of the one in whose place it comes. A learner may
    also be given by the name of a preset (`search="mmhc"`), and is then as it is there.
    """
    if not is_dataclass(part) or isinstance(part, type):
        raise OptionError(
            f"argument 'part' of configure must be a learner, score, test or discretizer, not {shown(part)}"
        )
    if not options:
        return part
    rest = {name.replace("__", "."): value for name, value in options.items()}
    while swaps := _swaps(part, rest):
        path, name = min(swaps, key=lambda swap: swap[0].count("."))  # an outer part brings its inner ones along
        part = with_options(part, {path: _part_called(rest.pop(name), path, inner_parts(part)[path])})
    paths = option_paths(part)
    for name in rest:
        if "." not in name and _path(paths, name) not in paths:
            short = [path.rpartition(".")[2] for path in paths]
            raise OptionError(unknown_name("option", name, dict.fromkeys([*short, *inner_parts(part), *paths])))
    return with_options(part, {_path(paths, name): value for name, value in rest.items()})


def _swaps(part: Any, named: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(path, name) of every option that names a whole part inside this one."""
    inner = inner_parts(part)
    paths = ((_path(inner, name), name) for name in named)
    return [(path, name) for path, name in paths if path in inner]


@checked
def from_spec(spec: Mapping[str, Any]) -> Any:
    """The part that `parts.spec.to_spec` described."""
    options = dict(spec)
    kind = options.pop("kind", None)
    if not isinstance(kind, str) or kind not in PARTS:
        raise OptionError(unknown_name("kind of part", kind, PARTS))
    known = [option.name for option in fields(PARTS[kind])]
    for name, value in options.items():
        if name not in known:
            raise OptionError(unknown_name(f"option of {kind}", name, known))
        if isinstance(value, Mapping):
            options[name] = from_spec(value)
        elif isinstance(value, list):  # JSON has no tuples
            options[name] = tuple(value)
    return PARTS[kind](**options)


def _path(paths: Mapping[str, Any], name: str) -> str:
    """The one path that `name` is, or is the last word of; else the name as it is."""
    matches = [path for path in paths if path.rpartition(".")[2] == name]
    if name in paths or "." in name or not matches:
        return name
    if len(matches) > 1:
        raise OptionError(f"option {name!r} is ambiguous; say one of {', '.join(matches)}")
    return matches[0]


def _part_called(value: Any, path: str, present: Any) -> Any:
    """The part of the same family as `present` that a kind or preset names; a part itself is taken as it is."""
    if not isinstance(value, str):
        return value
    family = _family(path, present)
    presets = METHODS if family is LEARNERS else {}
    if value in presets and value not in family:
        return presets[value].learner
    if value not in family:
        raise OptionError(unknown_name(f"value of option {path!r}:", value, dict.fromkeys([*family, *presets])))
    part = family[value]()
    if _has_score(part) and _has_score(present):
        part = replace(part, score=present.score)
    return part


def _has_score(part: Any) -> bool:
    """Whether a score is one of its options."""
    return any(option.name == "score" for option in fields(part))


def _family(path: str, present: Any) -> dict[str, Any]:
    """What can stand in the place of a part, which may be one's own: it is known by what it can do, not by its kind."""
    if path.rpartition(".")[2] == "initial":
        return STARTS
    for role, family in ROLES.items():
        if isinstance(present, role):
            return family
    raise OptionError(
        f"option {path!r} holds {present.kind!r}, which is no learner, score, test or discretizer that a name could "
        "take the place of; give a part instead of a name"
    )
