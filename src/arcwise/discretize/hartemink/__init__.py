"""Hartemink's discretizer: merge levels where it loses least information about the other columns."""
