"""Networks as plain lists and numbers. There are two layouts: one for tables alone, one for models of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, TypedDict

from arcwise.checking import misfit
from arcwise.data.scales import stand_in_order
from arcwise.data.text_files import check_content
from arcwise.errors import GraphError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.networks import tables
from arcwise.networks.discrete import BayesianNetwork
from arcwise.networks.models.intervals import Intervals, IntervalsContent
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.readings import Readings, ReadingsContent
from arcwise.networks.models.table import Table
from arcwise.networks.network import Network

TABLES, ANY = "discrete-bn-1", "arcwise-fitted-network-2"
# Every kind of conditional model that a file may hold, and where its class is: imported when a file has one.
KINDS = {
    "cpt": "table.Table",
    "gaussian": "linear_gaussian.LinearGaussian",
    "logistic": "logistic.Logistic",
    "regressions-by-levels": "regressions_by_levels.RegressionsByLevels",
    "linear-mixture": "linear_mixture.LinearMixture",
    "kernel-density": "kernel.KernelDensity",
    "kernel-table": "kernel.KernelTable",
    "softmax-network": "neural.SoftmaxNetwork",
    "mixture-density-network": "neural.MixtureDensityNetwork",
    "smooth-curves": "smooth.SmoothCurves",
    "smooth-levels": "smooth.SmoothLevels",
}


class NodeContent(TypedDict):
    name: str
    states: list[str]
    parents: list[str]
    cpt: list[float]


class TablesContent(TypedDict):
    """A network of tables; a file may leave out its name and source."""

    nodes: list[NodeContent]


class _Optional(TypedDict, total=False):
    title: str
    source: str
    response: str
    numbered: bool
    rows: int
    pattern: dict[str, Any]


class _Later(TypedDict, total=False):
    """What files of earlier versions have not."""

    readings: list[ReadingsContent]


class AnyContent(_Optional, _Later):
    """A network of models of any kind; graph and models are checked where they are read."""

    graph: dict[str, Any]
    models: list[dict[str, Any]]
    intervals: list[IntervalsContent]
    warnings: list[str]


def to_dict(net: Network) -> dict[str, Any]:
    """Tables are flat, in C order."""
    extras = (net.intervals, net.readings, net.warnings, net.response, net.rows, net.pattern)
    plain = not any(extras) and net.numbered
    if plain and all(isinstance(one, Table) and one.ordered == stand_in_order(one.levels) for one in net.models):
        rows = zip(net.names, net.states, net.parents, net.cpts, strict=True)
        nodes = [
            {"name": name, "states": list(states), "parents": list(parents), "cpt": cpt.ravel().tolist()}
            for name, states, parents, cpt in rows
        ]
        return {"format": TABLES, "name": net.title, "source": net.source, "nodes": nodes}
    optional = {name: getattr(net, name) for name in _Optional.__annotations__}
    optional["pattern"] = None if net.pattern is None else net.pattern.to_dict()
    return {
        "format": ANY,
        "graph": net.dag.to_dict(),
        "models": [model.to_dict() for model in net.models],
        "intervals": [cut.to_dict() for cut in net.intervals],
        "readings": [own.to_dict() for own in net.readings],
        "warnings": list(net.warnings),
        **{name: value for name, value in optional.items() if value},
    }


def from_dict(content: Mapping[str, Any]) -> Network:
    """The inverse of `to_dict`."""
    layout = content.get("format") if isinstance(content, Mapping) else None
    if layout == TABLES:
        return _of_tables(content)
    if layout != ANY:
        raise GraphError(
            f'this is no network: it must be a mapping with "format": "{ANY}" or "{TABLES}"; one that an earlier '
            "version fitted may have to be fitted again"
        )
    check_content(content, AnyContent, GraphError)
    optional = {name: content[name] for name in _Optional.__annotations__ if name in content}
    if "pattern" in optional:
        optional["pattern"] = Pdag.from_dict(optional["pattern"])
    return Network(
        dag=Dag.from_dict(content["graph"]),
        models=tuple(_read_model(model, i) for i, model in enumerate(content["models"])),
        intervals=tuple(Intervals.from_dict(cut) for cut in content["intervals"]),
        readings=tuple(Readings.from_dict(own) for own in content.get("readings", ())),
        warnings=tuple(content["warnings"]),
        **optional,
    )


def _of_tables(content: Mapping[str, Any]) -> Network:
    check_content(content, TablesContent, GraphError)
    nodes = content["nodes"]
    names, states, parents, cpts = (tuple(node[key] for node in nodes) for key in NodeContent.__annotations__)
    title, source = (str(content.get(key) or "") for key in ("name", "source"))
    net = BayesianNetwork(names, states, parents, cpts, title, source)
    for model, given in zip(net.models, cpts, strict=True):
        tables.check_sums(model.child, given, model.parents, list(model.columns.values()))
    return net


def _read_model(content: Mapping[str, Any], number: int) -> ConditionalModel:
    kind = content.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise GraphError(unknown_name("kind of model", kind, KINDS))
    module, name = KINDS[kind].split(".")
    model: type[ConditionalModel] = getattr(import_module(f"arcwise.networks.models.{module}"), name)
    wrong = misfit(content, model.content)
    if wrong is not None:
        raise GraphError(f"in the {kind} model {number + 1}, {wrong}")
    return model.from_dict(content)
