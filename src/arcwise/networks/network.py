"""Bayesian networks: a graph and a conditional model for each node, whatever its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from arcwise.checking import Seed, checked
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.filled import FilledTable
from arcwise.data.reading.door import Reading, TableLike, read_alike, takes_known_table
from arcwise.data.text_files import as_json, load_json, write_text
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.networks import rows
from arcwise.networks.columns import Drawn, check_shared, continuous_values
from arcwise.networks.inference.bucket_tree import BucketTree, Given
from arcwise.networks.inference.normal import LinearForm, linear_form
from arcwise.networks.models.intervals import Intervals
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.linear_mixture import LinearMixture
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.readings import Readings
from arcwise.networks.models.table import Table
from arcwise.networks.rows import Evidence
from arcwise.networks.soundness import check_network
from arcwise.networks.streams import checked_rows, stream
from arcwise.networks.tables import n_free
from arcwise.printing import counted, printable

if TYPE_CHECKING:
    from arcwise.drawing.relations import Relation
    from arcwise.networks.questions.blankets import Blanket
    from arcwise.networks.questions.interventions import Intervention
    from arcwise.networks.questions.posterior import Posterior
    from arcwise.networks.questions.predictions import Prediction

How = Literal["probable", "draw"]
# The random streams of a node that go by its position: networks with known numbers have always drawn from these.
PURPOSES = {LinearGaussian.kind: ("Gaussian sample",), LinearMixture.kind: ("mixture component", "mixture noise")}


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """p(x) = product of p(x_i | parents of x_i); `models` are in the order of the nodes of `dag`.

    Continuous columns that have `intervals` are nodes with levels: they are cut before a table is read, and within a
    level the intervals say how values are distributed. Those that have `readings` are nodes with hidden states, of
    which values are noisy readings: densities sum over the states. `warnings` say what was doubtful in a fit.
    `response` is the node that a question without a name is about. `numbered`: random streams go by the positions of
    the nodes, not by their names. `rows`: how many the network was fitted to. `pattern`: which directions data and
    knowledge support; None: those that all equivalent graphs share. Two networks are equal when names, models,
    intervals and readings are.
    """

    dag: Dag
    models: tuple[ConditionalModel, ...]
    intervals: tuple[Intervals, ...] = ()
    warnings: tuple[str, ...] = ()
    title: str = ""
    source: str = ""
    response: str | None = None
    numbered: bool = False
    rows: int | None = None
    pattern: Pdag | None = None
    readings: tuple[Readings, ...] = ()

    def __post_init__(self) -> None:
        check_network(self)

    @property
    def names(self) -> tuple[str, ...]:
        return self.dag.names

    @cached_property
    def parents(self) -> tuple[tuple[str, ...], ...]:
        """The parents of each node, in the order of its model: a table has an axis for each."""
        return tuple(model.parents for model in self.models)

    @cached_property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The levels of each node; none of continuous ones."""
        return tuple(model.levels for model in self.models)

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of levels of each node."""
        return tuple(len(levels) for levels in self.states)

    @cached_property
    def cpts(self) -> tuple[FloatArray, ...]:
        """The read-only table of each node: axes are its parents in order, then its own levels."""
        return tuple(table.probabilities for table in self._tables)

    @cached_property
    def n_parameters(self) -> int:
        """Free parameters of a network of tables: (levels - 1) per row."""
        return sum(n_free(cpt.shape) for cpt in self.cpts)

    @property
    def weights(self) -> FloatArray:
        """Of a network of linear Gaussians: weights[i, j] is the slope of node j along its parent i."""
        return self._linear.weights

    @property
    def sds(self) -> FloatArray:
        """Of a network of linear Gaussians: the standard deviation of the noise of each node."""
        return self._linear.sds

    @property
    def means(self) -> FloatArray:
        """Of a network of linear Gaussians: the mean of each node."""
        return self._linear.means

    @cached_property
    def discretization(self) -> Discretization | None:
        """The thresholds at which continuous columns are cut, if any are."""
        return Discretization({cut.column: cut.thresholds for cut in self.intervals}) if self.intervals else None

    def model(self, name: str) -> ConditionalModel:
        """The conditional model of one node."""
        return self.models[self.dag.index(name)]

    def cpt(self, name: str) -> FloatArray:
        """The read-only table of `name`."""
        return self.cpts[self.dag.index(name)]

    @checked
    def sample(self, n: int, seed: Seed = 0) -> Dataset:
        """`n` independent rows; the columns have the names, kinds and levels of the nodes.

        A column that is cut or read gets values again, from the densities of its levels.
        Each node has random streams of its own. O(n * nodes * log levels) for tables. `to_frame` makes a frame of it.
        """
        return self.sample_with({}, n, seed)

    def sample_with(self, values: Mapping[str, float], n: int, seed: int) -> Dataset:
        """The same with the values of some continuous nodes fixed, whatever their models say."""
        n_rows, n_levels = checked_rows(n, len(self.names)), sum(map(bool, self.states))
        drawn = Drawn(n_rows, len(self.names) - n_levels + len(self.numbers))
        for i in self._order:
            model = self.models[i]
            if model.child in values:
                drawn.add(Column(model.child, Kind.CONTINUOUS, np.full(n_rows, values[model.child])))
            else:
                drawn.add(model.sample(drawn, *self._streams(seed, i)))
        for cut in self.numbers.values():
            rng = stream(seed, f"fitted network: values of {cut.column}")
            drawn.add(cut.sample(drawn.column(cut.column).values, rng))
        return Dataset(tuple(drawn.column(name) for name in self.names))

    def read_table(self, data: TableLike, **reading: Unpack[Reading]) -> Dataset:
        """Whatever holds a table, its columns read as the nodes of this network: their kinds and levels, any rows.

        A file or frame that has none of them is an error: names are misspelt, or it is another table.
        """
        known = dict(zip(self.names, self.states, strict=True))
        table = read_alike(data, known, cut=self.numbers, in_order=self._in_order, **reading).repeated()
        if not isinstance(data, Dataset):
            check_shared(table, self.names)
        return table

    @property
    def _in_order(self) -> tuple[str, ...]:
        """The nodes whose levels stand in an order."""
        return tuple(model.child for model in self.models if getattr(model, "ordered", False))

    @takes_known_table
    def log_density(self, data: Dataset, name: str | None = None) -> FloatArray:
        """(n_rows,) ln p of each row in nats: the density of continuous values times the probability of levels.

        Columns are found by name and levels by label, other columns take no part. A column that the network cuts
        counts with the density of its value, so that any two models of the same columns can be compared; given as
        levels, it has no value and counts with their probability. Minus infinity where the network excludes the row.
        With `name`, or a `response`: of that node given its parents alone. Missing cells are summed over: it is the
        density of what is recorded, and that of a node without a value is 1.
        """
        node = self.response if name is None else name
        return rows.log_density(self, data) if node is None else rows.log_density_of_node(self, node, data)

    @takes_known_table
    def log_likelihood(self, data: Dataset) -> FloatArray:
        """`log_density` of a network of levels: the log probability of each row."""
        return self.log_density(data)

    @checked
    def query(
        self,
        names: str | Sequence[str],
        given: Mapping[str, Any] | None = None,
        *,
        joint: bool = False,
        data: TableLike = None,
        **reading: Unpack[Reading],
    ) -> Posterior:
        """What is known of nodes given evidence: query("died", given={"age": 80, "severity": "critical"}).

        names: one node or several, each by itself; with `joint` the table of all together. given: labels of levels,
        numbers of continuous nodes and of columns that the network cuts; several labels in a list mean any of them, a
        mapping of labels to weights how probable the evidence is for each. data: rows in which the evidence is counted.
        Exact for tables and linear Gaussians, by weighted samples with other models.
        """
        from arcwise.networks.questions.ask import query

        return query(self, names, given, joint, None if data is None else self.read_table(data, **reading))

    def do(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Intervention:
        """What follows when nodes are set, not seen: do(treated="yes") or do({"blood pressure": 120}).

        Its `query` and `sample` are those of the graph without the arrows into these nodes (Pearl 2000). Where data
        and knowledge leave directions open, answers say what they are over all graphs of the class.
        """
        from arcwise.networks.questions.interventions import intervene

        return intervene(self, values, named)

    def causal(self) -> Network:
        """The same network whose arrows are known to be right, all of them: what follows from `do` is not in doubt."""
        return self.changed(pattern=Pdag.from_dag(self.dag))

    @checked
    def blanket(self, name: str) -> Blanket:
        """Parents, children and their other parents, which together hide the node from the rest of the network."""
        from arcwise.networks.questions.blankets import blanket_of_network

        return blanket_of_network(self, name)

    @takes_known_table
    def predict(self, name: str, data: Dataset, evidence: Evidence = "all") -> Prediction:
        """The column predicted in each row from what is recorded of the others: values with their probabilities.

        See `expected` for the numbers alone. Also says how many were right, where the table has the column itself. Rows
        whose evidence the network excludes, as `query` would say, have no prediction.
        """
        from arcwise.networks.questions.predictions import predict

        return predict(self, name, data, evidence)

    @takes_known_table
    def expected(self, name: str, data: Dataset, evidence: Evidence = "all") -> FloatArray:
        """(n_rows,) E[name | evidence]; for a discrete column (n_rows, levels): the probability of each level.

        evidence: "all" other columns that the table has, or the "parents" alone. What a row lacks is summed over.
        See `level_probabilities` for columns that the network cuts: their value is the mean over the levels of that of
        the fitted rows. NaN where what bears on the column is impossible; `predict` looks at the whole row.
        """
        found = rows.expected(self, name, data, evidence)
        cut = self.numbers.get(name)
        return found if cut is None else found @ np.array(cut.means)

    @takes_known_table
    def relations(self, name: str, data: Dataset) -> tuple[Relation, ...]:
        """How a column follows each of its parents, the other parents being as in the rows of `data`.

        Friedman's (2001) partial dependence: for each parent some values along it, or its levels, with what is expected
        of the column there. A picture of it is drawn by `draw_relations`.
        """
        from arcwise.networks.questions.relations import relations

        return relations(self, name, data)

    @takes_known_table
    def draw_relations(self, name: str, data: Dataset, path: str | Path) -> None:
        """Write `relations` as a picture (.svg, .png or .pdf): a curve for each parent, over some of the rows."""
        from arcwise.drawing.relations import draw_relations
        from arcwise.networks.questions.relations import relations

        draw_relations(relations(self, name, data), data, path)

    @takes_known_table
    def conditional_mean(self, data: Dataset, name: str | None = None) -> FloatArray:
        """`expected` from the parents alone, by default the response: the predictor of least squared error."""
        node = self.response if name is None else name
        if node is None:
            raise OptionError("the network has no response; give the name of a node")
        return self.expected(node, data, evidence="parents")

    @takes_known_table
    def level_probabilities(self, name: str, data: Dataset, evidence: Evidence = "all") -> FloatArray:
        """(n_rows, levels) the probability of each level of a column that is discrete or cut."""
        if not self.model(name).levels:
            raise DataError(f"node {name!r} has no levels in this network; use expected")
        return rows.expected(self, name, data, evidence)

    @takes_known_table
    def mean_squared_error(self, name: str, data: Dataset, evidence: Evidence = "all") -> float:
        """mean (y - E[y | evidence])^2 of a continuous column, over the rows that have it."""
        missing = data.column(name).missing
        if missing is not None:
            data = data.take(~missing)
            if not data.n_rows:
                raise DataError(f"column {name!r} has no value in any row, so there is no squared error")
        expected = self.expected(name, data, evidence)
        if expected.ndim != 1:
            raise DataError(f"node {name!r} is discrete, so there is no squared error; use log_score")
        with np.errstate(over="ignore"):
            return float(np.mean((continuous_values(data, name) - expected) ** 2))

    @takes_known_table
    def log_score(self, name: str, data: Dataset) -> float:
        """- sum of ln p(y | parents) over the rows that have y: lower is better."""
        return -float(self.log_density(data, name).sum())

    @checked
    def complete(
        self, data: TableLike, *, how: How = "probable", seed: Seed = 0, **reading: Unpack[Reading]
    ) -> FilledTable:
        """The table with its missing cells filled in, and how sure each of them is given what its row has.

        how: "probable", the most probable level and the mean of a number, each cell by itself; "draw", one draw of all
        missing cells of a row together. Columns that are no nodes stay as they are. Only for tables and linear
        Gaussians.
        """
        from arcwise.networks.completing import complete

        known = dict(zip(self.names, self.states, strict=True))
        table = read_alike(data, known, cut=self.numbers, in_order=self._in_order, others=True, **reading)
        return complete(self, table.repeated(), how, seed)

    def marginal(self, name: str) -> FloatArray:
        """Exact distribution of one node, shape (levels,), in a network of tables."""
        return self.joint((name,))

    @checked
    def joint(self, names: Sequence[str]) -> FloatArray:
        """Exact joint distribution, one axis per name in the order given; exponential in the treewidth."""
        wanted = [self.dag.index(name) for name in names]
        if not wanted or len(set(wanted)) < len(wanted):
            raise OptionError(f"the joint of {list(names)} needs at least one name and each name once")
        _ = self._tables  # all nodes must have one
        return self.bucket_tree.joint(wanted, Given({}, {}))[1]

    def covariance(self) -> FloatArray:
        """Exact covariance of a network of linear Gaussians."""
        return self._linear.covariance()

    def standardized(self) -> Network:
        """The same graph and correlations of linear Gaussians with every node at mean 0 and variance 1.

        Without it variances grow along the edges and betray the order of the nodes.
        """
        from arcwise.networks.gaussian import GaussianNetwork

        scale = np.sqrt(np.diag(self.covariance()))
        weights = self.weights * scale[:, None] / scale
        return GaussianNetwork(self.names, weights, self.sds / scale, np.zeros_like(scale))

    @checked
    def renamed(self, new_names: Mapping[str, str]) -> Network:
        """The same network with new names for the nodes that `new_names` mentions (old name to new)."""
        for name in new_names:
            self.dag.index(name)
        called = {name: new_names.get(name, name) for name in self.names}
        return self.changed(
            dag=Dag(called.values(), [(called[a], called[b]) for a, b in self.dag.edges]),
            models=tuple(model.renamed(called) for model in self.models),
            intervals=tuple(replace(cut, column=called[cut.column]) for cut in self.intervals),
            readings=tuple(replace(own, column=called[own.column]) for own in self.readings),
            response=None if self.response is None else called[self.response],
            pattern=None if self.pattern is None else self.pattern.renamed(called),
        )

    @checked
    def reordered(self, names: Iterable[str]) -> Network:
        """The same network with its nodes in this order."""
        dag = self.dag.reordered(names)
        return self.changed(dag=dag, models=tuple(self.model(name) for name in dag.names))

    @checked
    def shuffled(self, seed: Seed) -> tuple[Network, dict[str, str]]:
        """Nodes in random order under random labels (v01, v02, ...), and the new name of each old one.

        Accuracy studies use this: files list parents before children, and a learner that breaks ties by
        position or by name would profit from it.
        """
        rng = stream(seed, "shuffled network")
        width = len(str(len(self.names)))
        labels = rng.permutation(len(self.names))
        new_names = {name: f"v{label + 1:0{width}d}" for name, label in zip(self.names, labels, strict=True)}
        order = [self.names[i] for i in rng.permutation(len(self.names))]
        return self.reordered(order).renamed(new_names), new_names

    def to_bayesian_network(self) -> Network:
        """The network of the levels alone, if every node has a table."""
        from arcwise.networks.discrete import BayesianNetwork

        return BayesianNetwork(self.names, self.states, self.parents, self.cpts)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON."""
        from arcwise.networks.saving import to_dict

        return to_dict(self)

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Network:
        """The inverse of `to_dict`."""
        from arcwise.networks.saving import from_dict

        return from_dict(content)

    @checked
    def save(self, path: str | Path) -> None:
        """Write JSON (gzipped if the name ends in .gz), in one piece or not at all; every bit is kept."""
        write_text(path, as_json(self.to_dict()) + "\n")

    @staticmethod
    @checked
    def load(path: str | Path) -> Network:
        """Read what `save` wrote, now or in an earlier version."""
        return load_json(path, "saved network", Network.from_dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return self.names == other.names and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.dag, tuple(model.kind for model in self.models)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Network, tuple(getattr(self, field.name) for field in fields(Network))

    def __repr__(self) -> str:
        kinds = Counter(model.kind for model in self.models)
        inside = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
        nodes, edges = counted(self.dag.n_nodes, "node"), counted(self.dag.n_edges, "edge")
        title = f"{self.title!r}: " if self.title else ""
        response = f", response {self.response!r}" if self.response else ""
        return printable(f"Network({title}{nodes}, {edges}: {inside}{response})")

    def __str__(self) -> str:
        from arcwise.networks.showing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from arcwise.networks.showing import as_html

        return as_html(self)

    def _content(self) -> list[dict[str, Any]]:
        """What makes a network what it is; the counts that a table was fitted from do not."""
        models = ({k: v for k, v in model.to_dict().items() if k != "counts"} for model in self.models)
        return [*models, *(cut.to_dict() for cut in self.numbers.values())]

    def changed(self, **changes: Any) -> Network:
        """The same network with other values of these fields."""
        return Network(**{field.name: getattr(self, field.name) for field in fields(Network)} | changes)

    @cached_property
    def cuts(self) -> dict[str, Intervals]:
        """The intervals of each column that is cut, by its name."""
        return {cut.column: cut for cut in self.intervals}

    @cached_property
    def read(self) -> dict[str, Readings]:
        """What is known of the readings of each column that is read, by its name."""
        return {own.column: own for own in self.readings}

    @cached_property
    def numbers(self) -> dict[str, Intervals | Readings]:
        """The columns of numbers whose nodes have levels."""
        cuts: dict[str, Intervals | Readings] = dict(self.cuts)
        return cuts | {own.column: own for own in self.readings}

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        for model in self.models:
            if not isinstance(model, Table):
                raise GraphError(
                    f"node {model.child!r} has a {model.kind} model and a discrete network needs tables only; "
                    f"fit with model='cpt'"
                )
        return self.models  # type: ignore[return-value]

    @cached_property
    def bucket_tree(self) -> BucketTree:
        """The tables, prepared for exact questions; what one question prepares is kept for the next.

        Nodes of another kind have no table; whoever asks about what is above them must not ask here.
        """
        tables = [model.probabilities if isinstance(model, Table) else np.ones(1) for model in self.models]
        index = self.dag.index
        return BucketTree(tables, [[index(p) for p in m.parents] if isinstance(m, Table) else [] for m in self.models])

    @cached_property
    def _linear(self) -> LinearForm:
        return linear_form(self.dag, self.models)

    @cached_property
    def _order(self) -> tuple[int, ...]:
        """Positions of the nodes, parents before children."""
        return tuple(self.dag.index(name) for name in self.dag.topological_order)

    def _streams(self, seed: int, i: int) -> list[np.random.Generator]:
        if not self.numbered:
            return [stream(seed, f"fitted network: {self.names[i]}")]
        return [stream(seed, purpose, i) for purpose in PURPOSES.get(self.models[i].kind, ("network sample",))]

    @takes_known_table
    def cut(self, data: Dataset) -> Dataset:
        """The table with continuous columns cut where the nodes have levels; columns may be cut already."""
        return uncut(self.discretization, data).apply(data) if self.discretization else data


FittedNetwork = Network  # as it was called when only fitted networks had models of any kind


def uncut(discretization: Discretization, data: Dataset) -> Discretization:
    """Only the thresholds of columns that are in the table and still continuous."""
    continuous = {column.name for column in data.columns if column.kind is Kind.CONTINUOUS}
    return Discretization({name: cuts for name, cuts in discretization.thresholds.items() if name in continuous})
