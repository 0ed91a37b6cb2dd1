"""Optimal reinsertion: take a column out and put it back in the best way (Moore and Wong 2003)."""
