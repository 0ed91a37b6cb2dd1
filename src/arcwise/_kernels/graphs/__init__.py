"""Moves, patterns and sets of parents of graphs."""
