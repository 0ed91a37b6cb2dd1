"""Thresholds of one column: cutting, merging, exact partitions."""
