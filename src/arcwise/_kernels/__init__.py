"""Compiled arithmetic: arrays and scalars in, arrays out. Imports NumPy and Numba only.

Every kernel has a slow, obvious twin in tests/oracle. Kernels release the GIL and never touch Python objects.
"""
