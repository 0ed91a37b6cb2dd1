"""Searches over network structures that maximize a score."""

from arcwise.search.hill_climb import HillClimb
from arcwise.search.tabu import Tabu

__all__ = ["HillClimb", "Tabu"]
