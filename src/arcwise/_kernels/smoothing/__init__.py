"""Kernel smoothing: sums over rows, weighted by how near they are."""
