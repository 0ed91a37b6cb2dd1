"""Scores and tests from a correlation matrix."""
