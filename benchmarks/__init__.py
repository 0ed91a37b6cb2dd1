"""Measurements side by side with other libraries. Needs the `peers` extra; run with `make bench`."""
