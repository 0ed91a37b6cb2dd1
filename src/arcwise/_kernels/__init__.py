"""Compiled arithmetic: arrays and scalars in, arrays out. Imports NumPy and Numba only.

Every kernel has a slow, obvious twin in tests/oracle. Kernels release the GIL and never touch Python objects.
"""

from arcwise.machine import thread_count

thread_count("NUMBA_NUM_THREADS")  # no kernel uses such threads, but Numba cannot be imported where this is nonsense
