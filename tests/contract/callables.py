"""Every public callable with arguments that it takes, so that each argument in turn can be replaced by a wrong one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

import numpy as np

import arcwise
from arcwise import (
    catalog,
    datasets,
    discretize,
    drawing,
    graph,
    independence,
    metrics,
    networks,
    report,
    running,
    scores,
    study,
)
from arcwise.discretize.hartemink.hartemink import HarteminkPath
from arcwise.graph import io
from arcwise.networks import Network
from arcwise.networks.models.fit import fit, fit_gaussian, read_options
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.neural import fit_neural
from arcwise.networks.models.table import Table, fit_table
from arcwise.parts.knowledge import Knowledge
from arcwise.parts.monitor import SILENT
from arcwise.results.comparison import Comparison
from arcwise.results.result import LearnResult
from arcwise.results.strengths import Strengths
from tests.unit.running.pieces import square

DAG = arcwise.Dag(("a", "b", "c", "d"), [("a", "b"), ("c", "d")])
PATTERN = DAG.cpdag()
STECK = catalog.METHODS["steck"]
READING = {"continuous": (), "discrete": (), "drop": (), "missing": "error", "na": ()}


@dataclass(frozen=True)
class Call:
    """A public callable, the arguments of a call that works, and those whose wrong values are not tried.

    Left out is what takes anything (the object to compare with), or whose every type has a meaning.
    """

    name: str
    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    left_out: frozenset[str] = field(default_factory=frozenset)


@cache
def table() -> arcwise.Dataset:
    rng = np.random.default_rng(5)
    a, c = rng.integers(0, 2, 30), rng.normal(size=30)
    b = np.where(rng.random(30) < 0.9, a, 1 - a)
    columns = {"a": a.astype(str), "b": b.astype(str), "c": c, "d": c + 0.1 * rng.normal(size=30)}
    return arcwise.Dataset.from_frame(columns)


@cache
def levels() -> arcwise.Dataset:
    return discretize.EqualWidth(bins=2).fit(table()).apply(table())


@cache
def numbers() -> arcwise.Dataset:
    return table().select(("c", "d"))


@cache
def result() -> LearnResult:
    return arcwise.learn(table(), "equal-frequency")


@cache
def comparison() -> Comparison:
    return arcwise.compare(numbers(), ("gaussian", "equal-frequency"), folds=2, workers=1)


@cache
def strengths() -> Strengths:
    return arcwise.bootstrap(table(), "equal-frequency", 3, workers=1)


@cache
def network() -> networks.BayesianNetwork:
    return networks.random_discrete_network(DAG, seed=1)


@cache
def fitted() -> Network:
    return fit(DAG, table(), "gaussian")


def functions(folder: str) -> Iterator[Call]:
    """Functions and constructors by their dotted names; `folder` is where files may be written."""
    values = {"names": ("a", "b"), "states": (("x", "y"), ("x", "y")), "parents": ((), ("a",))}
    cpts = ((0.5, 0.5), (0.1, 0.9, 0.5, 0.5))
    n_by_n = {"names": ("a", "b"), "weights": np.zeros((2, 2)), "sds": np.ones(2), "means": np.zeros(2)}
    cuts = discretize.EqualWidth().fit(table())
    io.save(DAG, f"{folder}/g.json")
    io.save(DAG, f"{folder}/g.dot")
    networks.write_bif(network(), f"{folder}/n.bif")
    with open(f"{folder}/t.csv", "w", encoding="utf-8") as file:
        file.write("a,b\n" + "".join(f"{i % 2},{i / 7}\n" for i in range(30)))
    with open(f"{folder}/p.toml", "w", encoding="utf-8") as file:
        file.write('[experiments.a]\nmethods = ["equal-width"]\nsources = ["t.csv"]\nmeasures = ["edges"]\n')
    made: list[tuple[str, Callable[..., Any], dict[str, Any]]] = [
        ("learn", arcwise.learn, {
            "data": table(), "method": "equal-frequency", "knowledge": None, "start": DAG, "seed": 1, "deadline": 60.0,
            "required": ["a -> b"], "forbidden": [("b", "a")], "tiers": [["a"]], "progress": False, "monitor": None}),
        ("compare", arcwise.compare, {
            "data": numbers(), "methods": ("gaussian",), "knowledge": None, "folds": 2, "seed": 1, "budget": 60.0,
            "workers": 1, "scheduler": None, "store": None, "monitor": None}),
        ("Comparison.load", Comparison.load, {"path": f"{folder}/c.json"}),
        ("Comparison.from_dict", Comparison.from_dict, {"content": comparison().to_dict()}),
        ("bootstrap", arcwise.bootstrap, {
            "data": table(), "method": "equal-frequency", "n": 2, "resample": "half", "knowledge": None, "seed": 1,
            "workers": 1, "store": None, "deadline": 60.0, "monitor": None}),
        ("running.run", running.run, {
            "function": square, "tasks": {"a": 1}, "shared": 1, "workers": 1, "store": None, "monitor": SILENT,
            "phase": "running"}),
        ("running.Store", running.Store, {"path": f"{folder}/run.jsonl", "what": {"a": 1}}),
        ("study.load", study.load, {"argument": f"{folder}/p.toml"}),
        ("study.names", study.names, {}),
        ("study.run", study.run, {
            "plan": study.load(f"{folder}/p.toml"), "store": f"{folder}/s.jsonl", "quick": False, "workers": 1,
            "scheduler": None, "retry": False, "monitor": SILENT}),
        ("Strengths.load", Strengths.load, {"path": f"{folder}/strengths.json"}),
        ("Strengths.from_dict", Strengths.from_dict, {"content": strengths().to_dict()}),
        ("methods", arcwise.methods, {}),
        ("options", arcwise.options, {"method": "steck"}),
        ("threads", arcwise.threads, {}),  # a number would count for all other tests
        ("read", arcwise.read, {"path": f"{folder}/t.csv", **READING}),
        ("check", arcwise.check, {"data": f"{folder}/t.csv", **READING}),
        ("code", arcwise.code, {"source": f"{folder}/t.csv", "out": f"{folder}/t.arcwise", "replace": True, **READING}),
        ("Dataset.from_frame", arcwise.Dataset.from_frame, {"frame": {"x": [1.5, 2.5, 3.5]}, "names": None, **READING}),
        ("Dag", arcwise.Dag, {"names": ("a", "b"), "edges": [("a", "b")]}),
        ("Dag.from_adjacency", arcwise.Dag.from_adjacency, {"names": ("a", "b"), "adj": [[0, 1], [0, 0]]}),
        ("Dag.from_dict", arcwise.Dag.from_dict, {"content": DAG.to_dict()}),
        ("Dag.from_modelstring", arcwise.Dag.from_modelstring, {"text": "[a][b|a]"}),
        ("Pdag", arcwise.Pdag, {"names": ("a", "b"), "directed": [("a", "b")], "undirected": (), "bidirected": ()}),
        ("Pdag.from_dag", arcwise.Pdag.from_dag, {"dag": DAG}),
        ("Pdag.from_dict", arcwise.Pdag.from_dict, {"content": PATTERN.to_dict()}),
        ("Pdag.from_matrices", arcwise.Pdag.from_matrices,
         {"names": ("a", "b"), "directed": [[0, 1], [0, 0]], "undirected": None, "bidirected": None}),
        ("Discretization", arcwise.Discretization, {"thresholds": {"c": [0.0, 1.0]}}),
        ("Discretization.from_dict", arcwise.Discretization.from_dict, {"content": {"c": [0.0, 1.0]}}),
        ("Knowledge", Knowledge, {"required": [("a", "b")], "forbidden": ["b -> c"], "tiers": [["a"], ["b"]]}),
        ("Knowledge.from_dict", Knowledge.from_dict, {"content": {"required": [("a", "b")]}}),
        ("LearnResult.load", LearnResult.load, {"path": f"{folder}/r.json"}),
        ("LearnResult.from_dict", LearnResult.from_dict, {"content": result().to_dict()}),
        ("Network.load", Network.load, {"path": f"{folder}/f.json"}),
        ("Network.from_dict", Network.from_dict, {"content": fitted().to_dict()}),
        ("Network", Network, {
            "dag": DAG, "models": fitted().models, "intervals": (), "warnings": (), "title": "t", "source": "s",
            "response": "b", "numbered": True}),
        ("networks.fit", networks.fit, {"dag": DAG, "data": table(), "model": "gaussian", "discretization": None}),
        ("catalog.method", catalog.method, {"name": "steck"}),
        ("catalog.Method", catalog.Method, {one.name: getattr(STECK, one.name) for one in fields(STECK)}),
        ("catalog.name_of", catalog.name_of, {"learner": STECK.learner}),
        ("catalog.from_spec", catalog.from_spec, {"spec": result().spec}),
        ("catalog.configure", catalog.configure, {"part": scores.BDeu(), "options": {"ess": 2}}),
        ("datasets.load", datasets.load, {"name": "cars1"}),
        ("datasets.hospital", datasets.hospital, {"path": f"{folder}/h.csv", "rows": 300, "seed": 1}),
        ("datasets.info", datasets.info, {"name": "cars1"}),
        ("datasets.names", datasets.names, {}),
        ("discretize.refine", discretize.refine, {"data": table(), "dag": DAG, "policy": discretize.Steck()}),
        ("discretize.joint_score", discretize.joint_score, {
            "policy": discretize.Steck(), "data": table(), "dag": DAG,
            "thresholds": discretize.EqualFrequency().fit(table())}),
        ("graph.draw", graph.draw, {
            "graph": DAG, "path": None, "title": "t", "edge_weights": {DAG.edges[0]: 1.0}, "kinds": {"a": "discrete"},
            "target": "a", "weights_are": "share", "weights_words": "w", "against": DAG, "around": "a", "distance": 2,
            "whole": False}),
        ("graph.load", graph.load, {"path": f"{folder}/g.dot"}),
        ("graph.save", graph.save, {"graph": DAG, "path": f"{folder}/h.dot"}),
        ("graph.io.from_cyjs", io.from_cyjs, {"text": io.to_cyjs(DAG)}),
        ("graph.io.from_dot", io.from_dot, {"text": io.to_dot(DAG)}),
        ("graph.io.from_json", io.from_json, {"text": io.to_json(DAG)}),
        ("graph.io.from_graphml", io.from_graphml, {"text": io.to_graphml(DAG)}),
        ("graph.io.to_cyjs", io.to_cyjs, {"graph": DAG}),
        ("graph.io.to_dot", io.to_dot, {"graph": DAG}),
        ("graph.io.to_json", io.to_json, {"graph": DAG}),
        ("graph.io.to_graphml", io.to_graphml, {"graph": DAG}),
        ("graph.io.to_r", io.to_r, {"graph": DAG}),
        ("independence.DSeparation", independence.DSeparation, {"dag": DAG}),
        ("independence.ExactInformation", independence.ExactInformation, {"network": network(), "threshold": 0.01}),
        *((f"metrics.{name}", getattr(metrics, name), {"learned": DAG, "true": DAG})
          for name in ("edge_errors", "orientation_errors", "skeleton_errors")),
        ("metrics.shd", metrics.shd, {"learned": DAG, "true": DAG, "convention": "fu"}),
        ("models.fit.fit", fit, {"dag": DAG, "data": levels(), "model": "cpt", "discretization": cuts, "smoothing": 1.0,
                                 "per": "cell"}),
        ("models.fit.read_options", read_options, {"model": "cpt", "texts": {"smoothing": "2"}}),
        ("models.fit.fit_gaussian", fit_gaussian,
         {"data": table(), "child": "b", "parents": ("a",), "smoothing": 1.0, "per": "cell"}),
        ("models.table.fit_table", fit_table,
         {"data": levels(), "child": "b", "parents": ("a",), "smoothing": 1.0, "per": "cell"}),
        ("models.table.Table", Table, {
            "child": "b", "levels": ("x", "y"), "parents": ("a",), "parent_levels": (("u",),),
            "probabilities": [0.5, 0.5], "ordered": False}),
        ("models.linear_gaussian.LinearGaussian", LinearGaussian,
         {"child": "x", "terms": (), "centre": 0.0, "scale": 1.0, "sd": 1.0}),
        ("networks.fit_neural", fit_neural, {
            "data": numbers(), "child": "d", "parents": ("c",),
            **{name: p.default for name, p in inspect.signature(fit_neural).parameters.items()
               if p.kind is p.KEYWORD_ONLY}, "hidden": 1}),
        ("networks.BayesianNetwork", networks.BayesianNetwork, {**values, "cpts": cpts, "title": "t", "source": "s"}),
        ("networks.BayesianNetwork.load", networks.BayesianNetwork.load, {"path": f"{folder}/n.json"}),
        ("networks.BayesianNetwork.from_dict", networks.BayesianNetwork.from_dict, {"content": network().to_dict()}),
        ("networks.GaussianNetwork", networks.GaussianNetwork, n_by_n),
        ("networks.LinearMixture", networks.LinearMixture, {"weights": [1.0], "coefficients": [[0.0]], "sds": [1.0]}),
        ("networks.MixtureNetwork", networks.MixtureNetwork, {
            "names": ("a",), "parents": ((),), "response": "a",
            "mixtures": (networks.LinearMixture(np.ones(1), np.zeros((1, 1)), np.ones(1)),)}),
        ("networks.add_noise", networks.add_noise, {"data": levels(), "sigma": 0.3, "seed": 1}),
        ("networks.info", networks.info, {"name": "alarm"}),
        ("networks.load", networks.load, {"name": "alarm"}),
        ("networks.names", networks.names, {}),
        ("networks.lambda_network", networks.lambda_network, {"a": 1, "b": 2, "n": 5, "seed": 1, "noise": 0.1}),
        ("networks.v_network", networks.v_network, {"a": 1, "b": 2, "n": 5, "seed": 1, "noise": 0.1}),
        ("networks.meander", networks.meander, {"n": 5, "seed": 1}),
        ("networks.random_dag", networks.random_dag, {"n": 4, "seed": 1, "n_edges": 2, "max_parents": 2}),
        ("networks.random_dag by degree", networks.random_dag, {"n": 4, "seed": 1, "expected_degree": 1.0}),
        ("networks.random_discrete_network", networks.random_discrete_network,
         {"dag": DAG, "seed": 1, "cardinality": (2, 3), "concentration": 1.0}),
        ("networks.random_gaussian_network", networks.random_gaussian_network,
         {"dag": DAG, "seed": 1, "weights": (0.5, 1.5), "sds": (0.5, 1.5)}),
        ("networks.random_mixture_network", networks.random_mixture_network,
         {"n_parents": 2, "n_components": 2, "n_variables": 5, "seed": 1}),
        ("networks.read_bif", networks.read_bif, {"path": f"{folder}/n.bif"}),
        ("networks.write_bif", networks.write_bif, {"net": network(), "path": f"{folder}/m.bif"}),
        ("networks.write_r", networks.write_r, {"net": network(), "path": f"{folder}/m.R"}),
        ("networks.tile", networks.tile, {"net": network(), "copies": 2, "seed": 1, "arcs": 1}),
        ("drawing.draw_heat_map", drawing.draw_heat_map, {
            "shares": np.eye(2), "names": ("a", "b"), "path": f"{folder}/h.svg", "title": "t"}),
        ("drawing.draw_slices", drawing.draw_slices, {
            "data": table(), "x": "c", "y": "d", "given": ["a"], "path": f"{folder}/s.svg", "title": "t"}),
        ("drawing.draw_thresholds", drawing.draw_thresholds, {
            "data": table(), "discretization": cuts, "path": f"{folder}/t.svg", "title": None, "notes": {"c": "n"}}),
        ("report.write", report.write, {
            "result": result(), "data": table(), "path": f"{folder}/page.html", "against": None, "title": "t",
            "target": "a", "command": "arcwise learn", "rows": 10}),
        ("scores.by_node", scores.by_node, {"score": scores.BDeu(), "dag": DAG, "data": levels()}),
        ("scores.total", scores.total, {"score": scores.BDeu(), "dag": DAG, "data": levels()}),
    ]  # fmt: skip
    strengths().save(f"{folder}/strengths.json")
    result().save(f"{folder}/r.json")
    comparison().save(f"{folder}/c.json")
    fitted().save(f"{folder}/f.json")
    network().save(f"{folder}/n.json")
    for name, function, arguments in made:
        yield Call(name, function, arguments)


# Public, but without an argument that could be wrong, in need of a package that tests do without, or made by arcwise.
NOT_CALLED = {
    "ArcwiseError", "Comparison", "Dataset", "Network", "LearnResult", "Strengths", "running.Finished",
    "study.Plan", "study.Results",
    "running.Stopped", "networks.dag_to_pgmpy", "networks.dag_to_pyagrum", "networks.Blanket", "networks.Intervention",
    "networks.Joint", "networks.Marginal", "networks.Posterior", "networks.Prediction", "networks.Range",
    "networks.Relative",
    "networks.to_pgmpy", "networks.to_pyagrum", "networks.NetworkInfo", "datasets.DatasetInfo", "metrics.EdgeErrors",
    "metrics.OrientationErrors", "metrics.SkeletonErrors", "register",  # (the tests of foreign packages call it)
    "drawing.Picture",
    "FittedNetwork", "drawing.draw", "report.draw_slices", "report.draw_thresholds",  # other names of what is called
}  # fmt: skip


def public_functions() -> Iterator[str]:
    """The dotted names of all that `arcwise` and its public modules offer to be called, but for parts and graphs."""
    modules: dict[str, Any] = {"": arcwise}
    modules |= {
        f"{name}.": getattr(arcwise, name) for name in arcwise.__all__ if inspect.ismodule(getattr(arcwise, name))
    }
    made = {part.__name__ for part in catalog.PARTS.values()}
    for prefix, module in modules.items():
        for name in getattr(module, "__all__", ()):
            known = name in made or (prefix and hasattr(arcwise, name)) or f"{prefix}{name}" in NOT_CALLED
            if callable(getattr(module, name)) and not known:
                yield f"{prefix}{name}"


def methods(folder: str) -> Iterator[Call]:
    """Methods of the objects that people hold."""
    data, given = {"data": table()}, {"name": "b", "data": table(), "evidence": "parents"}
    looks = {"target": "a", "against": DAG, "around": "b", "distance": 1, "whole": True}
    owners: dict[Any, dict[str, dict[str, Any]]] = {
        table(): {"head": {"n": 3}, "index": {"name": "a"}, "column": {"name": "a"}, "select": {"names": ("a", "b")}},
        DAG: {
            **{name: {"name": "a"} for name in ("index", "parents", "children", "ancestors", "descendants",
                                                "markov_blanket")},
            "d_separated": {"x": "a", "y": "c", "given": ["b"]},
            "reordered": {"names": ("d", "c", "b", "a")}, "plot": {"path": f"{folder}/dag.svg", "title": "t", **looks},
        },
        PATTERN: {
            **{name: {"name": "a"} for name in ("index", "neighbors", "parents", "children")}, "plot": looks,
            "adjacent": {"a": "a", "b": "b"},
            "reordered": {"names": ("d", "c", "b", "a")},
        },
        result(): {
            "fit": {**data, "model": "cpt"}, "save": {"path": f"{folder}/s.json"}, "read_table": {**data},
            "report": {"path": f"{folder}/own.html", **data},
            "blanket": {"name": "b"}, "plot": {"path": f"{folder}/result.svg", "title": "t", **looks},
        },
        comparison(): {
            "method": {"name": "gaussian"}, "gap": {"a": "gaussian", "b": "equal-frequency"},
            "draw": {"path": f"{folder}/heat.svg"}, "save": {"path": f"{folder}/c2.json"},
        },
        strengths(): {
            "edges": {"least": 0.5}, "between": {"a": "a", "b": "b"}, "network": {"threshold": 0.5},
            "consensus": {"threshold": None}, "weights": {"graph": DAG}, "table": {"least": 0.5},
            "save": {"path": f"{folder}/v.json"}, "plot": {"path": None, "threshold": 0.5, "title": "t", **looks},
        },
        fitted(): {
            "model": {"name": "b"}, "sample": {"n": 3, "seed": 1}, "read_table": {**data}, "log_density": {**data},
            "predict": given, "expected": given, "level_probabilities": given,
            "mean_squared_error": {**given, "name": "d"},
            "log_score": {"name": "b", "data": table()}, "save": {"path": f"{folder}/t.json"},
            "complete": {**data, "how": "draw", "seed": 1}, "blanket": {"name": "b"},
            "query": {"names": "b", "given": {"a": table().column("a").levels[0]}, "joint": True, "data": table()},
        },
        network(): {
            "cpt": {"name": "b"}, "sample": {"n": 3, "seed": 1}, "marginal": {"name": "b"},
            "joint": {"names": ("a", "b")}, "log_likelihood": {"data": network().sample(5, 1)},
            "predict": {"name": "b", "data": network().sample(5, 1)},
            "expected": {"name": "b", "data": network().sample(5, 1)}, "renamed": {"new_names": {"a": "z"}},
            "reordered": {"names": ("d", "c", "b", "a")}, "shuffled": {"seed": 1}, "save": {"path": f"{folder}/u.json"},
        },
        networks.random_gaussian_network(DAG, seed=1): {"sample": {"n": 3, "seed": 1}},
        networks.random_mixture_network(1, 2, n_variables=3, seed=1): {
            "sample": {"n": 3, "seed": 1},
            "conditional_mean": {"data": {"X1": [1.5], "X2": [1.0], "X3": [0.5]}, "name": "X1"},
        },
        discretize.EqualWidth().fit(table()): {"apply": data, "levels": {"name": "c"}, "describe": {"name": "c"}},
        hartemink(): {"at": {"bins": 2}},
        Knowledge(): {"bind": {"names": ("a", "b")}},
    }  # fmt: skip
    for owner, members in owners.items():
        for name, arguments in members.items():
            yield Call(f"{type(owner).__name__}.{name}", getattr(owner, name), arguments)


@cache
def hartemink() -> HarteminkPath:
    return discretize.Hartemink().descend(table())


def parts() -> Iterator[Call]:
    """Every part of the catalog with every option, made and then used on a small table."""
    for kind, part in sorted(catalog.PARTS.items()):
        yield Call(f"part {kind}", _used(part), {option.name: getattr(part(), option.name) for option in fields(part)})


def _used(part: Any) -> Callable[..., Any]:
    def make_and_use(**options: Any) -> None:
        made = part(**options)
        if hasattr(made, "learn"):
            arcwise.learn(levels() if made.kind in ("hill-climb", "tabu", "sampled") else table(), made)
        elif hasattr(made, "bind"):
            bound = made.bind(next(data for data in (table(), levels(), numbers()) if set(data.kinds) <= made.accepts))
            ask = getattr(bound, "local_score", None)
            assert ask(0, [1]) is not None if ask else bound.test(0, 1, []) is not None
        elif hasattr(made, "fit"):
            made.fit(table())
        elif hasattr(made, "column_term"):
            arcwise.learn(numbers(), catalog.LEARNERS["integrated"](policy=made))

    return make_and_use
