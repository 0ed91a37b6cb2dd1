"""Networks with known parameters: bundled, read from files, or random; and data sampled from them."""

from __future__ import annotations

from arcwise.networks.bif import read_bif, write_bif
from arcwise.networks.bundled import NetworkInfo, info, load, names
from arcwise.networks.export import dag_to_pgmpy, dag_to_pyagrum, to_pgmpy, to_pyagrum
from arcwise.networks.gaussian import GaussianNetwork
from arcwise.networks.margaritis import FUNCTION_PAIRS, LAMBDA_DAG, V_DAG, lambda_network, meander, v_network
from arcwise.networks.mixtures import LinearMixture, MixtureNetwork, random_mixture_network
from arcwise.networks.network import BayesianNetwork
from arcwise.networks.noise import add_noise
from arcwise.networks.random import random_dag, random_discrete_network, random_gaussian_network
from arcwise.networks.tiling import tile

__all__ = [
    "FUNCTION_PAIRS",
    "LAMBDA_DAG",
    "V_DAG",
    "BayesianNetwork",
    "GaussianNetwork",
    "LinearMixture",
    "MixtureNetwork",
    "NetworkInfo",
    "add_noise",
    "dag_to_pgmpy",
    "dag_to_pyagrum",
    "info",
    "lambda_network",
    "load",
    "meander",
    "names",
    "random_dag",
    "random_discrete_network",
    "random_gaussian_network",
    "random_mixture_network",
    "read_bif",
    "tile",
    "to_pgmpy",
    "to_pyagrum",
    "v_network",
    "write_bif",
]
