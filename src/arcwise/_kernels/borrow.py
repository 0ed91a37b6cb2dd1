"""Compiling kernels that only borrow their arrays.

Numba counts references to each array that a function binds, so a small function that is handed tuples of arrays spends
its time on that: a call of associations.ask, which has forty of them, takes 437 ns, and 86 ns without. A kernel that
makes no array of its own can leave the counting out; one that makes an array all the same does not compile.
"""

from numba import njit

borrowing = njit(cache=True, nogil=True, _nrt=False)  # the option is Numba's own name for its reference counts
