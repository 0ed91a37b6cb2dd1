"""Searches over network structures that maximize a score."""

from arcwise.search.exhaustive import Exhaustive
from arcwise.search.ges import GES
from arcwise.search.hill_climb import HillClimb
from arcwise.search.k2 import K2Search
from arcwise.search.optimal_reinsertion import OptimalReinsertion
from arcwise.search.sparse_candidate import SparseCandidate
from arcwise.search.tabu import Tabu

__all__ = ["GES", "Exhaustive", "HillClimb", "K2Search", "OptimalReinsertion", "SparseCandidate", "Tabu"]
