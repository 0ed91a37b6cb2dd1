"""Discretizers that look at one column at a time."""
