"""Learn the structure of Bayesian networks from continuous, discrete and mixed data.

    data = arcwise.read("data.csv")              # or take any data frame as it is
    print(data.report())                         # what in it needs a second look
    result = arcwise.learn(data, progress=True)  # print(result), or leave it to a notebook
    result.report("net.html", data)              # a page to click through and send
    print(arcwise.bootstrap(data))               # how sure each edge is

`arcwise.methods()` lists the methods, `arcwise.options("steck")` what one of them can be told, and
`help(arcwise.learn)` explains what everything begins with. There are tables to try it on: `arcwise.datasets.names()`.
"""

from __future__ import annotations

from importlib import import_module

from arcwise import forking as _forking  # noqa: F401  (it notes every fork from now on)

TYPE_CHECKING = False  # as in typing, which takes longer to import than all that the command line needs to be in charge
if TYPE_CHECKING:
    from typing import Any

    from arcwise import (
        catalog,
        confidence,
        constraint,
        data,
        datasets,
        discretize,
        drawing,
        errors,
        graph,
        independence,
        judging,
        learners,
        metrics,
        models,
        networks,
        parts,
        report,
        results,
        running,
        scores,
        search,
        sklearn,  # noqa: F401  (see _WITH_AN_EXTRA)
        stats,
        study,
    )
    from arcwise.api import bootstrap, compare, learn
    from arcwise.catalog import methods, options, register
    from arcwise.data.dataset import Dataset
    from arcwise.data.discretization import Discretization
    from arcwise.data.findings import check
    from arcwise.data.reading.door import read
    from arcwise.data.rows.coding import code
    from arcwise.errors import ArcwiseError
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import Pdag
    from arcwise.networks.network import FittedNetwork, Network
    from arcwise.parts.knowledge import Knowledge
    from arcwise.results.comparison import Comparison
    from arcwise.results.result import LearnResult
    from arcwise.results.strengths import Strengths
    from arcwise.stats.threads import threads

    __version__: str

# Where each public name lives; it is imported when first used, so that `import arcwise` is instant.
_HOMES = {
    "bootstrap": "arcwise.api",
    "compare": "arcwise.api",
    "learn": "arcwise.api",
    "methods": "arcwise.catalog",
    "options": "arcwise.catalog",
    "register": "arcwise.catalog",
    "check": "arcwise.data.findings",
    "code": "arcwise.data.rows.coding",
    "read": "arcwise.data.reading.door",
    "threads": "arcwise.stats.threads",
    "ArcwiseError": "arcwise.errors",
    "Comparison": "arcwise.results.comparison",
    "Dag": "arcwise.graph.dag",
    "Dataset": "arcwise.data.dataset",
    "Discretization": "arcwise.data.discretization",
    "FittedNetwork": "arcwise.networks.network",
    "Knowledge": "arcwise.parts.knowledge",
    "LearnResult": "arcwise.results.result",
    "Network": "arcwise.networks.network",
    "Pdag": "arcwise.graph.pdag",
    "Strengths": "arcwise.results.strengths",
}

__all__ = [
    "ArcwiseError", "Comparison", "Dag", "Dataset", "Discretization", "FittedNetwork", "Knowledge", "LearnResult",
    "Network", "Pdag", "Strengths", "__version__", "bootstrap", "catalog", "check", "code", "compare", "confidence",
    "constraint", "data", "datasets", "discretize", "drawing", "errors", "graph", "independence", "judging", "learn",
    "learners", "methods", "metrics", "models", "networks", "options", "parts", "read", "register", "report",
    "results", "running", "scores", "search", "stats", "study", "threads",
]  # fmt: skip
_WITH_AN_EXTRA = ("sklearn",)  # not in __all__: `from arcwise import *` works without the package that they need


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("arcwise")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in __all__ or name in _WITH_AN_EXTRA:
        return import_module(f"arcwise.{name}")
    raise AttributeError(f"module 'arcwise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_WITH_AN_EXTRA])
