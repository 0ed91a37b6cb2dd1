"""What follows when nodes are set: the truncated network, and how far the equivalence class leaves the effect open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.checking import Seed, checked, shown
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.networks.models.linear_gaussian import FLOOR, SMALLEST, LinearGaussian
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.table import Table
from arcwise.networks.questions.ask import Found, answer, asked_names, check_apart, posterior_of
from arcwise.networks.questions.evidence import Evidence, read_evidence
from arcwise.networks.questions.members import MOST_MEMBERS, Joint, Members, NoModelError, members, sound_pattern
from arcwise.networks.questions.posterior import Marginal, Posterior, Range
from arcwise.networks.questions.rows import Rows
from arcwise.printing import listed, printable

if TYPE_CHECKING:
    from arcwise.networks.network import Network

SAME = 1e-9  # answers that differ by less are equal; of numbers, in standard deviations


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
        check_apart(wanted, self.setting, "set")
        check_apart(evidence.names, self.setting, "set")
        found = self._answer(self.network, wanted, evidence, joint)
        marginals, warnings = self._over_class(wanted, evidence, found)
        result = posterior_of(self.network, wanted, evidence, found._replace(marginals=marginals), Rows(), joint=joint)
        return replace(result, done=tuple(self.setting.words.values()), warnings=(*result.warnings, *warnings))

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

    def _over_class(
        self, wanted: Sequence[str], evidence: Evidence, found: Found
    ) -> tuple[list[Marginal], tuple[str, ...]]:
        """The marginals with their range over the class, and what is to be said about it."""
        pattern, sound = sound_pattern(self.fitted.dag, self.fitted.pattern)
        notes = [] if sound else [UNSOUND]
        own = list(found.marginals)
        graphs = members(self.fitted.dag, pattern, self.setting.names)
        if len(graphs.graphs) < 2:
            return own, tuple(notes)
        joint, answers, kept, reasons = Joint(self.fitted), [], [], []
        for graph, chosen in zip(graphs.graphs, graphs.chosen, strict=True):
            try:
                truncated = truncate(joint.on(graph), self.setting)
            except NoModelError as reason:
                reasons.append(str(reason))
                continue
            answers.append([_numbers(one) for one in self._answer(truncated, wanted, evidence).marginals])
            kept.append(chosen)
        ranges = [_range([each[k] for each in [*answers, [_numbers(one) for one in own]]]) for k in range(len(own))]
        open_ones = [k for k, one in enumerate(own) if _differs(one, ranges[k], found.effective)]
        if open_ones:
            own = [replace(one, range=ranges[k]) if k in open_ones else one for k, one in enumerate(own)]
            edges = _that_matter(graphs, kept, answers)
            notes.append(_open_words(edges, len(answers), [self._span(own[k]) for k in open_ones]))
        if reasons:
            edges = [f"{a} -- {b}" for a, b in graphs.edges]
            notes.append(
                f"the data cannot tell how these edges point: {listed(edges)}; of {len(graphs.graphs):,} ways "
                f"{len(reasons):,} could not be followed, so that the effect may be another: {reasons[0]}"
            )
        if graphs.limited:
            notes.append(
                f"there are more than {MOST_MEMBERS} ways in which these edges may point; so many were looked at"
            )
        return own, tuple(notes)

    def _span(self, marginal: Marginal) -> str:
        """The widest range of a node, in words."""
        from arcwise.networks.questions.answer_text import percent
        from arcwise.networks.questions.evidence import level_words

        assert marginal.range is not None
        low, high = marginal.range.low, marginal.range.high
        if marginal.probabilities is None:
            return f"the mean of {marginal.name} is from {low[0]:.4g} to {high[0]:.4g}"
        k = int((high - low).argmax())
        words = level_words(self.network, marginal.name)[k]
        return f"P({words}) is from {percent(float(low[k]))} to {percent(float(high[k]))}"


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


def _numbers(marginal: Marginal) -> FloatArray:
    """What has a range: the probabilities, or the mean."""
    return np.array([marginal.mean]) if marginal.probabilities is None else marginal.probabilities


def _range(found: Sequence[FloatArray]) -> Range:
    every = np.stack(found)
    return Range(every.min(axis=0), every.max(axis=0))


def _differs(marginal: Marginal, span: Range, effective: float | None) -> bool:
    if effective is not None and marginal.error is not None:
        return bool((span.high - span.low > 4.0 * marginal.error).any())
    unit = 1.0 if marginal.probabilities is not None else max(marginal.sd or 0.0, SMALLEST)
    return bool((span.high - span.low > SAME * unit).any())


def _that_matter(
    graphs: Members, chosen: Sequence[tuple[bool, ...]], answers: Sequence[Sequence[FloatArray]]
) -> list[str]:
    """Edges of which the other direction, all else being as it is, has another answer; all if there is none such."""
    found = []
    for e, (a, b) in enumerate(graphs.edges):
        by_rest: dict[tuple[bool, ...], list[FloatArray]] = {}
        for ways, each in zip(chosen, answers, strict=True):
            by_rest.setdefault((*ways[:e], *ways[e + 1 :]), []).append(np.concatenate(each))
        both = (pair for pair in by_rest.values() if len(pair) == 2)
        if not all(np.allclose(one, other, rtol=SAME, atol=SAME) for one, other in both):
            found.append(f"{a} -- {b}")
    return found or [f"{a} -- {b}" for a, b in graphs.edges]


def _open_words(edges: Sequence[str], n_graphs: int, spans: Sequence[str]) -> str:
    how = "how this edge points" if len(edges) == 1 else "how these edges point"
    return (
        f"the data cannot tell {how}: {listed(edges)}; over {n_graphs} ways {'; '.join(spans)}. If the arrows of the "
        "graph are known to be right, say so: causal() or --causal"
    )
