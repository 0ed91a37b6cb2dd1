"""Searches that change one arc at a time: hill climbing and tabu search."""
