"""The model that suits a graph and its columns."""

from __future__ import annotations

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.graph.dag import Dag


def suited_model(dag: Dag, data: Dataset, discretization: Discretization | None = None) -> str:
    """ "cpt" where every column has levels or thresholds; else "gaussian"; "neural" where that cannot be.

    Linear regressions cannot be where a discrete column has a continuous parent.
    """
    cut = discretization.thresholds if discretization is not None else {}
    continuous = {column.name for column in data.select(dag.names).columns if column.kind is Kind.CONTINUOUS}
    if continuous <= set(cut):
        return "cpt"
    discrete = set(dag.names) - continuous
    return "neural" if any(continuous.intersection(dag.parents(name)) for name in discrete) else "gaussian"
