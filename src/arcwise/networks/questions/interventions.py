"""What follows when nodes are set: the truncated network, and how far the equivalence class leaves the effect open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arcwise.checking import Seed, checked, shown
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.networks.models.linear_gaussian import FLOOR, SMALLEST, LinearGaussian
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.table import Table
from arcwise.networks.questions.ask import Found, ImpossibleError, answer, asked_names, check_apart, posterior_of
from arcwise.networks.questions.evidence import Evidence, read_evidence
from arcwise.networks.questions.members import MOST_MEMBERS, Joint, Members, NoModelError, members, sound_pattern
from arcwise.networks.questions.posterior import Marginal, Posterior, Range
from arcwise.networks.questions.ranges import SAME, numbers_of, ranges_of
from arcwise.networks.questions.rows import Rows
from arcwise.printing import listed, printable

if TYPE_CHECKING:
    from arcwise.networks.network import Network


@dataclass(frozen=True, eq=False, repr=False)
class Intervention:
    """`network` is the truncated one: without arrows into what is set. `fitted` is what it was made of."""

    network: Network
    fitted: Network
    setting: Evidence

    @checked
    def query(
        self, names: str | Sequence[str], given: Mapping[str, Any] | None = None, *, joint: bool = False
    ) -> Posterior:
        """As `Network.query`, of what follows when the nodes are set. given: what is seen after that.

        Where the class leaves open how edges at the set nodes point, each probability or mean has its `range`, and a
        warning names the edges.
        """
        wanted, evidence = asked_names(self.network, names), read_evidence(self.network, given)
        check_apart(wanted, evidence)
        check_apart(wanted, self.setting, "asked about and set")
        check_apart(evidence.names, self.setting, "given and set")
        found = self._answer(self.network, wanted, evidence, joint)
        over = self._over_class(wanted, evidence, found)
        marginals = [replace(one, range=span) for one, span in zip(found.marginals, over.marginals, strict=True)]
        result = posterior_of(self.network, wanted, evidence, found._replace(marginals=marginals), Rows(), joint=joint)
        whole = None if result.joint is None else replace(result.joint, range=over.joint)
        done, warnings = tuple(self.setting.words.values()), (*result.warnings, *over.warnings)
        return replace(result, joint=whole, done=done, warnings=warnings)

    @checked
    def sample(self, n: int, seed: Seed = 0) -> Dataset:
        """`n` rows as they would be if the nodes were set."""
        data = self.network.sample_with(self.setting.numbers, n, seed)
        set_to = {name: np.full(data.n_rows, value) for name, value in self.setting.raw.items()}
        columns = (Column(c.name, Kind.CONTINUOUS, set_to[c.name]) if c.name in set_to else c for c in data.columns)
        return replace(data, columns=tuple(columns))

    def __repr__(self) -> str:
        return printable(f"Intervention({', '.join(self.setting.words.values())}; {self.network!r})")

    def _answer(self, network: Network, wanted: Sequence[str], evidence: Evidence, joint: bool = False) -> Found:
        """In a truncated network. What is set is certain there: it takes no part in p(evidence)."""
        known = Evidence(
            {**evidence.codes, **self.setting.codes},
            evidence.weights,
            {**evidence.numbers, **self.setting.numbers},
            {},
            {**evidence.words, **self.setting.words},
            evidence.readings,
            evidence.scale,
        )
        found = answer(network, wanted, known, joint=joint)
        own = 0.0
        for name, value in self.setting.numbers.items():
            column = Column(name, Kind.CONTINUOUS, np.array([value]))
            own += float(network.model(name).log_density(Dataset((column,)))[0])
        return found._replace(log_evidence=found.log_evidence - own)

    def _over_class(self, wanted: Sequence[str], evidence: Evidence, found: Found) -> _OverClass:
        pattern, sound = sound_pattern(self.fitted.dag, self.fitted.pattern)
        notes = [] if sound else [UNSOUND]
        nothing = (None,) * len(wanted)
        graphs = members(self.fitted.dag, pattern, self.setting.names)
        if len(graphs.graphs) < 2:
            return _OverClass(nothing, None, tuple(notes))
        joint, answers, kept, reasons, excluded = Joint(self.fitted), [], [], [], 0
        for graph, chosen in zip(graphs.graphs, graphs.chosen, strict=True):
            try:
                truncated = truncate(joint.on(graph), self.setting)
                answers.append(numbers_of(self._answer(truncated, wanted, evidence, found.joint is not None)))
                kept.append(chosen)
            except NoModelError as reason:
                reasons.append(str(reason))
            except ImpossibleError:
                excluded += 1
        ranges = ranges_of(found, answers)
        marginals, whole = tuple(ranges[: len(wanted)]), ranges[-1] if found.joint is not None else None
        spans = [] if whole is None else [self._widest(wanted, whole)]
        spans = spans or [self._span(one, span) for one, span in zip(found.marginals, marginals, strict=True) if span]
        if spans:
            notes.append(_open_words(_that_matter(graphs, kept, answers), len(answers), spans))
        edges, n_ways = [f"{a} -- {b}" for a, b in graphs.edges], f"{len(graphs.graphs):,} ways"
        if excluded:
            rare = "" if found.effective is None else " or make it too rare to sample"
            notes.append(
                f"{_cannot_tell(edges)}; of {n_ways} {excluded:,} exclude the evidence{rare}, so that nothing follows "
                f"there. {KNOWN}"
            )
        if reasons:
            notes.append(
                f"{_cannot_tell(edges)}; of {n_ways} {len(reasons):,} could not be followed, so that the effect may be "
                f"another: {reasons[0]}"
            )
        if graphs.limited:
            notes.append(
                f"there are more than {MOST_MEMBERS} ways in which these edges may point; so many were looked at"
            )
        return _OverClass(marginals, whole, tuple(notes))

    def _span(self, marginal: Marginal, span: Range) -> str:
        """The widest range of a node, in words."""
        if marginal.probabilities is None:
            return f"the mean of {marginal.name} is from {span.low[0]:.4g} to {span.high[0]:.4g}"
        return self._widest((marginal.name,), span)

    def _widest(self, names: Sequence[str], span: Range) -> str:
        from arcwise.networks.questions.answer_text import percent
        from arcwise.networks.questions.evidence import level_words

        cell = np.unravel_index(int((span.high - span.low).argmax()), span.low.shape)
        words = ", ".join(level_words(self.network, name)[code] for name, code in zip(names, cell, strict=True))
        return f"P({words}) is from {percent(float(span.low[cell]))} to {percent(float(span.high[cell]))}"


class _OverClass(NamedTuple):
    """The range of each marginal and of the joint table, None where all graphs agree; and what is to be said."""

    marginals: tuple[Range | None, ...]
    joint: Range | None
    warnings: tuple[str, ...]


UNSOUND = (
    "no graph has all directions of the learned pattern, so effects are those of the fitted graph and its equivalence "
    "class"
)


def intervene(network: Network, given: Mapping[str, Any] | None, named: Mapping[str, Any]) -> Intervention:
    """See `Network.do`."""
    if given is not None and not isinstance(given, Mapping):  # any name may be that of a node, so nothing is checked
        raise OptionError(f"what is set must be a dict of names and values, as in do({{'x': 1}}), not {shown(given)}")
    values = {**(given or {}), **named}
    if not values:
        raise OptionError("nothing is set; name at least one node, as in do(x=1) or do({'x': 1})")
    setting = read_evidence(network, values, certain=True)
    return Intervention(truncate(network, setting), network, setting)


def truncate(network: Network, setting: Evidence) -> Network:
    """Without the arrows into what is set, which has its value whatever happens; no counts, as nobody saw such rows."""
    edges = [(tail, head) for tail, head in network.dag.edges if head not in setting.words]
    models: list[ConditionalModel] = []
    for model in network.models:
        if model.child in setting.codes:
            models.append(_certain(model, setting.codes[model.child]))
        elif model.child in setting.numbers:
            models.append(_nominal(model, setting.numbers[model.child]))
        else:
            models.append(replace(model, counts=None) if isinstance(model, Table) else model)
    return network.changed(dag=Dag(network.names, edges), models=tuple(models), rows=None, pattern=None, warnings=())


def _certain(model: ConditionalModel, code: int) -> Table:
    shares = np.zeros(len(model.levels))
    shares[code] = 1.0
    return Table(model.child, model.levels, (), (), shares)


def _nominal(model: ConditionalModel, value: float) -> LinearGaussian:
    """A linear Gaussian needs some noise; questions and samples have the value itself."""
    scale = model.scale if isinstance(model, LinearGaussian) else max(abs(value), 1.0)
    return LinearGaussian(model.child, (), value, scale, max(FLOOR * scale, SMALLEST))


def _that_matter(
    graphs: Members, chosen: Sequence[tuple[bool, ...]], answers: Sequence[Sequence[FloatArray]]
) -> list[str]:
    """Edges of which the other direction, all else being as it is, has another answer; all if there is none such."""
    found = []
    for e, (a, b) in enumerate(graphs.edges):
        by_rest: dict[tuple[bool, ...], list[FloatArray]] = {}
        for ways, each in zip(chosen, answers, strict=True):
            by_rest.setdefault((*ways[:e], *ways[e + 1 :]), []).append(np.concatenate([own.ravel() for own in each]))
        both = (pair for pair in by_rest.values() if len(pair) == 2)
        if not all(np.allclose(one, other, rtol=SAME, atol=SAME) for one, other in both):
            found.append(f"{a} -- {b}")
    return found or [f"{a} -- {b}" for a, b in graphs.edges]


def _open_words(edges: Sequence[str], n_graphs: int, spans: Sequence[str]) -> str:
    return f"{_cannot_tell(edges)}; over {n_graphs} ways {'; '.join(spans)}. {KNOWN}"


def _cannot_tell(edges: Sequence[str]) -> str:
    how = "how this edge points" if len(edges) == 1 else "how these edges point"
    return f"the data cannot tell {how}: {listed(edges)}"


KNOWN = "If the arrows of the graph are known to be right, say so: causal() or --causal"
