"""Greedy equivalence search: over classes of networks that no data can tell apart (Chickering 2002)."""
