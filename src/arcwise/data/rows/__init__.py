"""Rows that need not fit into memory: where they come from, how they are coded and mapped, and room for more."""
