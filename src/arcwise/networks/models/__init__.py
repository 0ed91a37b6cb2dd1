"""Conditional distributions of one column given others: tables, regressions, mixtures, neural networks."""
