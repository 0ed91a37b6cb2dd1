"""What a learner returns: one frozen record, with everything needed to read, save, compare or repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from arcwise.checking import Seed, checked, shown
from arcwise.data.dataset import Dataset
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import Reading, TableLike, as_dataset, read_alike, takes_known_table
from arcwise.data.states import States, StatesContent
from arcwise.data.text_files import as_json, check_content, load_json, write_text
from arcwise.errors import GraphError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pairs, Pdag, chosen_directions, chosen_words
from arcwise.parts.knowledge import NONE, Knowledge
from arcwise.printing import printable
from arcwise.results.choice import Choice
from arcwise.results.columns import DataContent, DataSummary
from arcwise.results.completion import Completion
from arcwise.results.status import Status
from arcwise.results.strengths import Strengths
from arcwise.results.ties import Ties, ties

if TYPE_CHECKING:
    from arcwise.drawing.picture import Picture
    from arcwise.networks.network import Network
    from arcwise.networks.questions.blankets import Blanket
    from arcwise.results.plotting import Looks
    from arcwise.results.target import About

FORMAT = "arcwise-result-1"
NO_STRENGTHS = "no strengths: learned once, and no score says how much each edge is worth; a bootstrap gives shares"


@dataclass(frozen=True, slots=True)
class Counters:
    """Work done. *Asked* counts every evaluation requested, *computed* those the cache did not hold."""

    score_asked: int = 0
    score_computed: int = 0
    steps: int = 0
    ties: int = 0
    tests: int = 0
    discretization_calls: int = 0

    def __add__(self, other: Counters) -> Counters:
        mine, theirs = asdict(self), asdict(other)
        return Counters(**{key: mine[key] + theirs[key] for key in mine})


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of the way: what was done and the total score after it."""

    phase: str
    step: int
    action: str
    score: float


@dataclass(frozen=True, slots=True)
class Round:
    """One round of discretizing while learning: thresholds, the network learned with them, and their scores.

    start: the initial discretization that the round goes back to; turn 0 is that discretization itself.
    """

    start: str
    turn: int
    joint_score: float
    network_score: float | None
    discretization: Discretization
    graph: Dag

    def to_dict(self) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in RoundContent.__annotations__}
        return {**plain, "discretization": self.discretization.to_dict(), "graph": self.graph.to_dict()}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Round:
        """The inverse of `to_dict`, of content that was checked."""
        cuts, graph = Discretization.from_dict(content["discretization"]), Dag.from_dict(content["graph"])
        plain = {name: content[name] for name in RoundContent.__annotations__}
        return Round(**{**plain, "discretization": cuts, "graph": graph})


@dataclass(frozen=True, eq=False)
class LearnResult:
    """The learned network. `cpdag` is what data and knowledge support; `graph` is one member of that class.

    `graph` is None where no DAG has the pattern that was found, as with bidirected edges; `dag()` has one for all.
    `choice` tells which methods were tried where one was chosen, as by auto.
    `model` is the conditional model that assumes what the method assumes, for `fit`; None: whatever suits the columns.
    `knowledge` is what was known beforehand: edges that must or must not be there, and tiers.
    `support` has for each edge of `graph`, (tail, head), the nats that the score of the search falls without it alone.
    """

    cpdag: Pdag
    graph: Dag | None = None
    score: float | None = None
    discretization: Discretization | None = None
    separating_sets: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    trace: tuple[TraceStep, ...] = ()
    rounds: tuple[Round, ...] = ()
    states: Mapping[str, States] = field(default_factory=dict)
    completion: Completion | None = None
    choice: Choice | None = None
    model: str | None = None
    bootstrap: Strengths | None = None
    support: Mapping[tuple[str, str], float] = field(default_factory=dict)
    counters: Counters = Counters()
    status: Status = "converged"
    warnings: tuple[str, ...] = ()
    # Filled in by arcwise.learn, which alone knows them. scored_with: the score that was used, as the kinds chose it.
    method: str = ""
    spec: Mapping[str, Any] = field(default_factory=dict)
    scored_with: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    knowledge: Knowledge = NONE
    elapsed: float = 0.0
    data: DataSummary | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return self.cpdag.names

    @property
    def strengths(self) -> Strengths | None:
        """How often each edge was found, where the table was learned from more than once: resampled, or with draws."""
        if self.bootstrap is not None:
            return self.bootstrap
        return self.completion.strengths if self.completion else None

    @property
    def ties(self) -> Ties:
        """How strong each edge is: its share of the graphs where there are several, else what the score says of it."""
        return ties(self.cpdag, self.strengths, self.support)

    @property
    def found_by(self) -> Mapping[str, Any]:
        """The specification of the learner that found it: `spec`, or where one was chosen that of the winner."""
        return (self.choice.winner.spec if self.choice else None) or self.spec

    @property
    def only_skeleton(self) -> bool:
        """Whether nothing is known of directions, not even which of them fit together."""
        known = self.cpdag.directed or self.cpdag.bidirected or self.separating_sets
        return self.graph is None and not known

    def dag(self) -> Dag:
        """`graph`; where there is none, a DAG with the edges of the pattern that keeps what it can of its directions.

        `by_convention` has the edges that point as they do for no better reason than their names. GraphError for a
        skeleton, whose directions were not looked for.
        """
        if self.graph is not None:
            return self.graph
        if self.only_skeleton:
            raise GraphError(
                f"this is a result of {self.method or 'a skeleton learner'} whose edges have no directions; learn a "
                "graph, with mmhc or pmmhc for example"
            )
        return self.cpdag.best_effort_extension()[0]

    @property
    def by_convention(self) -> Pairs:
        """The edges of `dag()`, (tail, head), whose direction neither data nor knowledge decided."""
        return chosen_directions(self.cpdag, self.dag())

    @property
    def convention(self) -> str:
        """One line about `by_convention`; empty for the graph of a search, which is as good as any of its class."""
        return chosen_words(self.cpdag, self.dag()) if self.score is None else ""

    def __str__(self) -> str:
        from arcwise.results.summary import as_text

        return as_text(self)

    @checked
    def summary(
        self, *, details: bool = False, types: bool = False, all_edges: bool = False, width: int | None = None
    ) -> str:
        """What `str` gives, with more of it: the counters of the search, every column, every edge of large networks."""
        from arcwise.results.summary import WIDTH, Wanted, as_text

        return as_text(self, WIDTH if width is None else width, Wanted(details, types, all_edges))

    def __repr__(self) -> str:
        method = printable(self.method or "graph")
        return f"LearnResult({method}: {len(self.names)} columns, {self.cpdag.n_edges} edges)"

    def _repr_html_(self) -> str:
        from arcwise.results.summary import as_html

        return as_html(self)

    @checked
    def plot(self, path: str | Path | None = None, *, title: str | None = None, **looks: Unpack[Looks]) -> Picture:
        """A picture that notebooks show; with a path, such as "net.svg", it is written there, too.

        It has the strengths of edges and the kinds of columns. looks: target, a column that stands out, with its Markov
        blanket; against, the true graph or that of another result, to see the differences; around, a column to
        draw only it and what is at most `distance` edges away; whole, to draw more than 60 columns one by one.
        """
        from arcwise.results.plotting import plot_result

        return plot_result(self, path, title, **looks)

    @checked
    def blanket(self, name: str) -> Blanket:
        """Parents, children, neighbours without a direction and spouses of a column, with the strengths of their edges.

        They are those of `ties`: shares where the table was learned from more than once, else nats of the score.
        """
        from arcwise.networks.questions.blankets import blanket_of

        known, strengths = self.ties, self.strengths
        why = "" if known.measure else NO_STRENGTHS
        graphs = None if strengths is None else strengths.graphs
        return blanket_of(
            self.cpdag, name, lambda a, b: (known.of(a, b), why), known.measure, graphs=graphs, words=known.words
        )

    @takes_known_table
    @checked
    def about(self, name: str, data: Dataset) -> About:
        """One column first: its Markov blanket with directions and strengths, and how it differs between their levels.

        data: the table that was learned from. The differences are comparisons in it, not effects of an intervention.
        """
        from arcwise.results.target import about

        if name not in self.names:
            raise GraphError(unknown_name("column", name, self.names))
        return about(self, name, data)

    def read_table(self, data: TableLike, **reading: Unpack[Reading]) -> Dataset:
        """Whatever holds a table, its columns read with the kinds and levels of the table that was learned from."""
        if self.data is None:
            return as_dataset(data, **reading)
        known = {column.name: column.levels for column in self.data.columns}
        in_order = [column.name for column in self.data.columns if column.ordered]
        return read_alike(data, known, in_order=in_order, **reading)

    @takes_known_table
    def fit(self, data: Dataset, model: str | None = None, **options: Any) -> Network:
        """The graph, `dag()`, with numbers estimated from `data`: a network that samples, predicts and gives densities.

        model: "cpt", tables (continuous columns cut at the result's thresholds); "gaussian", linear and logistic
        regressions; "neural", small neural networks; "states", tables of the result's hidden states and densities of
        their readings; none: that of the method, `fitted_with`. options: see `arcwise.networks.fit`. The warnings tell
        what was chosen by convention.
        """
        from arcwise.networks.models.fit import family_of, fit

        dag = self.dag()
        model = self.fitted_with(data) if model is None else model
        family = family_of(model)
        cuts, states = self.discretization if family.cuts else None, self.states if family.reads else None
        net = fit(dag, data, model, discretization=cuts, states=states, **options)
        warnings = (self.convention, *net.warnings) if self.convention else net.warnings
        return replace(net, warnings=warnings, pattern=self.cpdag)

    @takes_known_table
    def fitted_with(self, data: Dataset) -> str:
        """What `fit` takes for `model` by itself: the method's, or where that is not known, what suits the columns."""
        from arcwise.networks.models.fit import suited_model

        return suited_model(self.dag(), data, self.discretization) if self.model is None else self.model

    @checked
    def report(self, path: str | Path, data: TableLike, **options: Any) -> None:
        """Write a page to look at: one HTML file with the network, its columns and edges, and what it does not say.

        data: the table that was learned from. options: see `arcwise.report.write`.
        """
        import_module("arcwise.report").write(self, data, path, **options)  # a room above this one

    @checked
    def save(self, path: str | Path) -> None:
        """Write the whole result as JSON, in one piece or not at all."""
        write_text(path, as_json(self.to_dict(), indent=1) + "\n")

    @staticmethod
    @checked
    def load(path: str | Path) -> LearnResult:
        """Read what `save` wrote."""
        return load_json(path, "saved arcwise result", LearnResult.from_dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "method": self.method,
            "spec": dict(self.spec),
            "scored_with": dict(self.scored_with),
            "seed": self.seed,
            "knowledge": self.knowledge.to_dict(),
            "status": self.status,
            "elapsed": self.elapsed,
            "score": self.score,
            "cpdag": self.cpdag.to_dict(),
            "graph": self.graph.to_dict() if self.graph else None,
            "discretization": self.discretization.to_dict() if self.discretization else None,
            "separating_sets": [[a, b, list(given)] for (a, b), given in self.separating_sets.items()],
            "states": {name: states.to_dict() for name, states in self.states.items()},
            "completion": self.completion.to_dict() if self.completion else None,
            "choice": self.choice.to_dict() if self.choice else None,
            "model": self.model,
            "bootstrap": self.bootstrap.to_dict() if self.bootstrap else None,
            "support": [[a, b, nats] for (a, b), nats in self.support.items()],
            "counters": asdict(self.counters),
            "trace": [[s.phase, s.step, s.action, s.score] for s in self.trace],
            "rounds": [r.to_dict() for r in self.rounds],
            "warnings": list(self.warnings),
            "data": self.data.to_dict() if self.data else None,
            "versions": dict(self.versions),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> LearnResult:
        """The inverse of `to_dict`; GraphError names the entry that is not as it was written."""
        found = isinstance(content, Mapping) and content.get("format")
        if found != FORMAT:
            raise GraphError(f"its format is {shown(found or None)}, not {FORMAT!r}")
        check_content(content, ResultContent, GraphError)
        scored_with = content.get("scored_with", {})  # older results have none
        for place, spec in (("spec", content["spec"]), ("scored_with", scored_with)):
            if spec:
                _check_spec(spec, place)
        cuts, data = content["discretization"], content["data"]
        pattern = Pdag.from_dict(content["cpdag"])
        graph = None if content["graph"] is None else Dag.from_dict(content["graph"])
        rounds = tuple(Round.from_dict(r) for r in content["rounds"])
        for one in (graph, *(r.graph for r in rounds)):
            if one is not None and set(one.names) != set(pattern.names):
                raise GraphError("its graphs have different nodes")
        completion = None if content.get("completion") is None else Completion.from_dict(content["completion"])
        bootstrap = None if content.get("bootstrap") is None else Strengths.from_dict(content["bootstrap"])
        for place, strengths in (
            ("completion", completion.strengths if completion else None),
            ("bootstrap", bootstrap),
        ):
            if strengths is not None and set(strengths.names) != set(pattern.names):
                raise GraphError(f"entry {place!r} is about other columns than its graphs have")
        known = Knowledge.from_dict(content.get("knowledge", {}))
        known.bind(pattern.names)
        support = {(a, b): nats for a, b, nats in content.get("support", ())}
        if not set(support) <= set(graph.edges if graph else ()):
            raise GraphError("entry 'support' is about other edges than its graph has")
        return LearnResult(
            cpdag=pattern,
            graph=graph,
            discretization=Discretization.from_dict(cuts) if cuts is not None else None,
            separating_sets={(a, b): tuple(given) for a, b, given in content["separating_sets"]},
            trace=tuple(TraceStep(*step) for step in content["trace"]),
            rounds=rounds,
            states={name: States.from_dict(states) for name, states in content.get("states", {}).items()},
            completion=completion,
            choice=None if content.get("choice") is None else Choice.from_dict(content["choice"]),
            model=content.get("model"),
            bootstrap=bootstrap,
            support=support,
            knowledge=known,
            counters=Counters(**{name: content["counters"][name] for name in CounterContent.__annotations__}),
            warnings=tuple(content["warnings"]),
            scored_with=scored_with,
            data=DataSummary.from_dict(data) if data else None,
            **{name: content[name] for name in ("score", "status", "method", "spec", "seed", "elapsed", "versions")},
        )


def _check_spec(spec: Mapping[str, Any], place: str) -> None:
    """Every part says what kind it is; whether the kind is known is asked when the part is made again."""
    kind = spec.get("kind") if isinstance(spec, Mapping) else spec
    if not isinstance(spec, Mapping) or not isinstance(kind, str):
        raise GraphError(f"entry {place!r} must have a kind in words, not {shown(kind)}")
    for name, value in spec.items():
        if isinstance(value, Mapping):
            _check_spec(value, f"{place}.{name}")


class CounterContent(TypedDict):
    score_asked: int
    score_computed: int
    steps: int
    ties: int
    tests: int
    discretization_calls: int


class RoundContent(TypedDict):
    start: str
    turn: int
    joint_score: float
    network_score: float | None
    discretization: dict[str, list[float]]
    graph: dict[str, Any]


class _LaterResult(TypedDict, total=False):
    """What older results have not."""

    states: dict[str, StatesContent]
    model: str | None
    support: list[tuple[str, str, float]]
    knowledge: dict[str, Any]


class ResultContent(_LaterResult):
    """What `LearnResult.to_dict` gives; graphs are checked where they are read."""

    method: str
    spec: dict[str, Any]
    seed: Seed | None
    status: Status
    elapsed: float
    score: float | None
    cpdag: dict[str, Any]
    graph: dict[str, Any] | None
    discretization: dict[str, list[float]] | None
    separating_sets: list[tuple[str, str, list[str]]]
    counters: CounterContent
    trace: list[tuple[str, int, str, float]]
    rounds: list[RoundContent]
    warnings: list[str]
    data: DataContent | None
    versions: dict[str, str]
