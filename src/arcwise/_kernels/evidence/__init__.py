"""Kernels: hidden cells drawn from a network of states, and the states that readings show."""
