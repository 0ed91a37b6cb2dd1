"""Searches over orders of the columns, with the best parents among those before each."""
