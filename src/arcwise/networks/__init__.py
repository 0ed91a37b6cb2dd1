"""Bayesian networks: fitted, bundled, read from files, or random; and data sampled from them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arcwise.networks.bif import read_bif, write_bif
    from arcwise.networks.bundled import NetworkInfo, info, load, names
    from arcwise.networks.discrete import BayesianNetwork
    from arcwise.networks.export import dag_to_pgmpy, dag_to_pyagrum, to_pgmpy, to_pyagrum
    from arcwise.networks.gaussian import GaussianNetwork
    from arcwise.networks.models.fit import fit
    from arcwise.networks.models.linear_mixture import LinearMixture
    from arcwise.networks.models.neural import fit_neural
    from arcwise.networks.network import Network
    from arcwise.networks.questions.blankets import Blanket, Relative
    from arcwise.networks.questions.interventions import Intervention
    from arcwise.networks.questions.posterior import Joint, Marginal, Posterior, Range
    from arcwise.networks.questions.predictions import Prediction
    from arcwise.networks.r_script import write_r
    from arcwise.networks.random import random_dag, random_discrete_network, random_gaussian_network
    from arcwise.networks.simulators import (
        FUNCTION_PAIRS,
        LAMBDA_DAG,
        V_DAG,
        MixtureNetwork,
        add_noise,
        lambda_network,
        meander,
        random_mixture_network,
        v_network,
    )
    from arcwise.networks.tiling import tile

# Where each name lives; it is imported when first used, as a score of neural networks needs none of them.
_HOMES = {
    "bif": "read_bif write_bif",
    "bundled": "NetworkInfo info load names",
    "discrete": "BayesianNetwork",
    "export": "dag_to_pgmpy dag_to_pyagrum to_pgmpy to_pyagrum",
    "gaussian": "GaussianNetwork",
    "models.fit": "fit",
    "models.linear_mixture": "LinearMixture",
    "models.neural": "fit_neural",
    "network": "Network",
    "questions.blankets": "Blanket Relative",
    "questions.interventions": "Intervention",
    "questions.posterior": "Joint Marginal Posterior Range",
    "questions.predictions": "Prediction",
    "r_script": "write_r",
    "random": "random_dag random_discrete_network random_gaussian_network",
    "simulators": "FUNCTION_PAIRS LAMBDA_DAG V_DAG lambda_network meander v_network "
    "MixtureNetwork random_mixture_network add_noise",
    "tiling": "tile",
}

__all__ = [
    "FUNCTION_PAIRS", "LAMBDA_DAG", "V_DAG", "BayesianNetwork", "Blanket", "GaussianNetwork", "Intervention", "Joint",
    "LinearMixture", "Marginal", "MixtureNetwork", "Network", "NetworkInfo", "Posterior", "Prediction", "Range",
    "Relative", "add_noise", "dag_to_pgmpy", "dag_to_pyagrum", "fit", "fit_neural", "info", "lambda_network", "load",
    "meander", "names", "random_dag", "random_discrete_network", "random_gaussian_network", "random_mixture_network",
    "read_bif", "tile", "to_pgmpy", "to_pyagrum", "v_network", "write_bif",
    "write_r",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names.split():
            return getattr(import_module(f"arcwise.networks.{home}"), name)
    raise AttributeError(f"module 'arcwise.networks' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
