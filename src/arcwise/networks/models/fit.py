"""The numbers of a network whose graph is known: one conditional model for each node, from data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from math import prod
from typing import Any

from arcwise.checking import checked
from arcwise.data.complete import check_complete
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.data.states import States
from arcwise.errors import DataError, GraphError, OptionError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.networks.models.bars import EVEN
from arcwise.networks.models.intervals import Intervals
from arcwise.networks.models.kernel import MOST_ROWS, fit_kernel
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.logistic import fit_logistic
from arcwise.networks.models.neural import fit_neural
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.readings import Readings
from arcwise.networks.models.regression import fit_linear_gaussian
from arcwise.networks.models.regressions_by_levels import fit_by_levels
from arcwise.networks.models.smooth import MOST_ROWS as MOST_FITTED
from arcwise.networks.models.smooth import fit_smooth
from arcwise.networks.models.table import MOST_CELLS, PER, SMOOTHING, Per, check_levels, check_prior, fit_table
from arcwise.networks.network import Network, uncut
from arcwise.printing import counted
from arcwise.stats.threads import map_threads

Fitter = Callable[..., ConditionalModel]  # (data, child, parents, **options)


@checked
def fit_gaussian(
    data: Dataset, child: str, parents: tuple[str, ...], *, smoothing: float = SMOOTHING, per: Per = PER
) -> ConditionalModel:
    """A linear Gaussian for a continuous child. For a discrete one a table, or with continuous parents a logistic
    regression; smoothing and per are those of the table, and the regression has the smoothing, too."""
    if data.column(child).kind is Kind.CONTINUOUS:
        return fit_linear_gaussian(data, child, parents)
    if any(data.column(name).kind is Kind.CONTINUOUS for name in parents):
        check_prior(smoothing, per)
        return fit_logistic(data, child, parents, smoothing)
    return fit_table(data, child, parents, smoothing=smoothing, per=per)


@checked
def fit_conditional_gaussian(
    data: Dataset, child: str, parents: tuple[str, ...], *, smoothing: float = SMOOTHING, per: Per = PER
) -> ConditionalModel:
    """A regression for each configuration of the discrete parents of a continuous child; else as `fit_gaussian`.

    Rows that lack a cell of these columns are left out.
    """
    if data.column(child).kind is Kind.CONTINUOUS:
        return fit_by_levels(data, child, parents)
    rows = data.select((child, *parents)).complete_rows()
    return fit_gaussian(rows, child, parents, smoothing=smoothing, per=per)


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of conditional models. fit_node: fits one; its keyword-only parameters are options.

    cuts: continuous columns are nodes with levels, between thresholds, and have the option `within`. expects: missing
    cells are expected from what is recorded. weighs: rows count with their weights as they are. reads: values may be
    readings of hidden states. skips: rows that lack a cell of a family are left out of its fit. most_rows: that a model
    keeps; of more, a sample.
    """

    fit_node: Fitter
    cuts: bool = False
    expects: bool = False
    weighs: bool = False
    reads: bool = False
    skips: bool = False
    most_rows: int | None = None

    @property
    def options(self) -> dict[str, Any]:
        """By name, with their defaults."""
        found = signature(self.fit_node).parameters
        own = {name: p.default for name, p in found.items() if p.kind is Parameter.KEYWORD_ONLY}
        return {**own, "within": EVEN} if self.cuts else own


# What `model` may be.
MODELS: dict[str, Family] = {
    "cpt": Family(fit_table, cuts=True, expects=True, weighs=True),
    "gaussian": Family(fit_gaussian, expects=True, weighs=True),
    "conditional-gaussian": Family(fit_conditional_gaussian, skips=True),
    "kernel": Family(fit_kernel, skips=True, most_rows=MOST_ROWS),
    "neural": Family(fit_neural),
    "smooth": Family(fit_smooth, skips=True, most_rows=MOST_FITTED),
    "states": Family(fit_table, cuts=True, expects=True, reads=True),
}


@takes_table
@checked
def fit(
    dag: Dag,
    data: Dataset,
    model: str = "cpt",
    *,
    discretization: Discretization | None = None,
    states: Mapping[str, States] | None = None,
    **options: Any,
) -> Network:
    """Fit every node of `dag` to the columns of the same names; nodes are shared over the threads.

    model: "cpt" gives every node a table; "gaussian" continuous nodes a linear regression and discrete ones a table, or
    a logistic regression where a parent is continuous; "conditional-gaussian" the same, with a regression of its own
    for each configuration of discrete parents; "neural" continuous nodes a mixture density network and discrete ones a
    softmax network; "smooth" sums of curves of the parents, and logistic regressions on such curves; "kernel" every
    node a density by product kernels; "states" every node a table, of hidden states where a column has `states`.
    discretization: thresholds at which continuous columns are cut first; the network then cuts new data, too.
    states: those behind the values of continuous columns, to begin with.
    options: those of the model: `smoothing` and `per` of tables (see `fit_table`) and `within`, how values lie within a
    level ("even", "histogram" or "kernel", see `bars`); or those of `fit_neural`.
    Missing cells are expected from what is recorded (see `expectation`); "neural" refuses them; "kernel", "smooth" and
    "conditional-gaussian" leave out the rows of a family that have some.
    """
    family = family_of(model)
    _check_options(family, model, options)
    if not dag.names:
        raise GraphError("the graph has no nodes; give it at least one to fit")
    if not family.weighs or discretization is not None:
        data = data.repeated()
    table = data.select(dag.names)
    if not family.expects and not family.skips:
        check_complete(table, f"the model {model!r} (cpt and gaussian do without)")
    if data.n_rows == 0:
        raise DataError("the table has no rows; fitting a network needs at least 1")
    read = _read_columns(family, model, table, states or {})
    cuts = uncut(discretization or Discretization({}), table).thresholds
    cuts = {name: own for name, own in cuts.items() if name not in read}
    within = options.pop("within", EVEN)
    numbers = [column for column in table.columns if column.name in cuts]
    intervals = tuple(Intervals.of(column, cuts[column.name], within) for column in numbers)
    table = Discretization(cuts).apply(table)
    if family.expects:
        _check_size(dag, table, read)

    def fit_node(name: str) -> ConditionalModel:
        return family.fit_node(table, name, dag.parents(name), **options)

    unsettled = _sampled(family, table)
    readings: tuple[Readings, ...] = ()
    models: tuple[ConditionalModel, ...]
    if read:
        models, readings, unsettled = _fit_read(dag, table, read, options)
    elif table.is_complete or family.skips:
        models = tuple(map_threads(fit_node, dag.names))
    else:
        models, unsettled = _fit_incomplete(dag, table, family, options)
    warnings = (*data.warnings, *unsettled, *(doubt for fitted in models for doubt in _doubts(fitted, table)))
    return Network(dag, models, intervals, warnings, readings=readings, rows=data.n_rows)


def _sampled(family: Family, table: Dataset) -> list[str]:
    """What is doubtful where models are not made of all rows."""
    found = []
    if family.skips and not table.is_complete:
        found.append("rows with missing cells are left out of the models of the columns that lack them")
    if family.most_rows is not None and table.n_rows > family.most_rows:
        found.append(f"each model is of a random sample of {family.most_rows:,} of the {table.n_rows:,} rows")
    return found


def _read_columns(family: Family, model: str, table: Dataset, states: Mapping[str, States]) -> dict[str, States]:
    """The states of the columns that are readings of them: numbers, in this table."""
    if states and not family.reads:
        raise OptionError(f"the model {model!r} has no hidden states; leave `states` out, or fit with model='states'")
    numbers = [column.name for column in table.columns if column.kind is Kind.CONTINUOUS]
    return {name: states[name] for name in numbers if name in states}


def _fit_read(
    dag: Dag, table: Dataset, read: Mapping[str, States], options: Mapping[str, Any]
) -> tuple[tuple[ConditionalModel, ...], tuple[Readings, ...], list[str]]:
    from arcwise.networks.models.expectation import Prior  # these compile kernels
    from arcwise.networks.models.hidden_states import fit_hidden_states

    prior = Prior(**options)
    check_prior(*prior)
    check_levels(column for column in table.columns if column.name not in read)
    return fit_hidden_states(dag, table, read, prior)


def _fit_incomplete(
    dag: Dag, table: Dataset, family: Family, options: Mapping[str, Any]
) -> tuple[tuple[ConditionalModel, ...], list[str]]:
    from arcwise.networks.models.expectation import Prior, fit_incomplete  # it compiles kernels

    prior = Prior(**options)
    check_prior(*prior)
    for name in dag.names:
        if family.cuts:
            check_levels((table.column(name),))
        for parent in dag.parents(name) if table.column(name).kind is Kind.DISCRETE else ():
            if table.column(parent).kind is Kind.CONTINUOUS:
                raise DataError(
                    f"column {name!r} is discrete and its parent {parent!r} continuous, and cells are missing: what "
                    f"they were cannot be expected exactly; fill them in (complete), or give thresholds for {parent!r} "
                    f"with discretization="
                )
    return fit_incomplete(dag, table, prior)


@checked
def read_options(model: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """The options of a model from text, each as its function wants it."""
    family = family_of(model)
    _check_options(family, model, texts)
    options: dict[str, Any] = {}
    for name, text in texts.items():
        kind = type(family.options[name])
        try:
            options[name] = kind(text)
        except ValueError:
            wanted = {int: "a whole number", float: "a number"}[kind]
            raise OptionError(f"option {name!r} of model {model!r} must be {wanted}, not {text!r}") from None
    return options


@checked
def family_of(model: str) -> Family:
    """What a model is by name."""
    if model not in MODELS:
        raise OptionError(unknown_name("model", str(model), MODELS))
    return MODELS[model]


def _check_options(family: Family, model: str, options: Mapping[str, Any]) -> None:
    for option in options:
        if option not in family.options:
            raise OptionError(unknown_name(f"option of model {model!r}", option, family.options))


def _check_size(dag: Dag, data: Dataset, read: Mapping[str, States]) -> None:
    """Refuse tables that are too large together; each by itself may be small enough."""
    cards = {name: len(read[name]) if name in read else data.column(name).cardinality for name in dag.names}
    cells = {name: prod(cards[n] for n in (*dag.parents(name), name)) for name in dag.names}
    if sum(cells.values()) > MOST_CELLS:
        largest = max(cells, key=cells.__getitem__)
        total, parents = sum(cells.values()), counted(len(dag.parents(largest)), "parent")
        raise DataError(
            f"the tables have {total:,} cells in all ({8 * total / 1e9:,.1f} GB), more than {MOST_CELLS:,}; that of "
            f"{largest!r} with {parents} is the largest: use fewer parents or levels"
        )


def _doubts(model: ConditionalModel, data: Dataset) -> list[str]:
    """What is doubtful about a fitted regression; tables are smoothed, so nothing is about them."""
    if not isinstance(model, LinearGaussian):
        return []
    child = data.column(model.child)
    n_rows = data.n_rows - data.missing_counts().get(child.name, 0)
    if _is_constant(child):
        return [f"column {child.name!r} is constant, so its noise is nominal: sd {model.sd:.3g}"]
    inputs = sum(max(data.column(name).cardinality - 1, 1) for name in model.parents)
    if n_rows <= inputs + 1:
        return [
            f"the parents of column {child.name!r} make {counted(inputs, 'input')} for {counted(n_rows, 'row')}, so "
            f"the residuals say little about its noise"
        ]
    if model.determined:
        return [
            f"column {child.name!r} is a linear function of its parents, so its noise is nominal: sd {model.sd:.3g}"
        ]
    return []


def _is_constant(column: Column) -> bool:
    return bool((column.recorded == column.recorded[0]).all())


def suited_model(dag: Dag, data: Dataset, discretization: Discretization | None = None) -> str:
    """ "cpt" where every column has levels or thresholds, else "gaussian"."""
    cut = discretization.thresholds if discretization is not None else {}
    continuous = {column.name for column in data.select(dag.names).columns if column.kind is Kind.CONTINUOUS}
    return "cpt" if continuous <= set(cut) else "gaussian"
