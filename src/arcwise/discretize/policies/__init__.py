"""Scores of thresholds by the network around a column, one a file."""
