"""Searches for the thresholds of one column, and the counts around it that they ask."""
