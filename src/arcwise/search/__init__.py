"""Searches over network structures that maximize a score."""

from arcwise.search.best import Best
from arcwise.search.exact.exhaustive import Exhaustive
from arcwise.search.ges.ges import GES
from arcwise.search.greedy.hill_climb import HillClimb
from arcwise.search.greedy.tabu import Tabu
from arcwise.search.k2 import K2Search
from arcwise.search.orders.boss import Boss
from arcwise.search.reinsertion.optimal_reinsertion import OptimalReinsertion
from arcwise.search.sparse_candidate.sparse_candidate import SparseCandidate

__all__ = [
    "GES", "Best", "Boss", "Exhaustive", "HillClimb", "K2Search", "OptimalReinsertion", "SparseCandidate", "Tabu",
]  # fmt: skip
