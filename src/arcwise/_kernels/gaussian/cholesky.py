"""The Cholesky factor of a correlation matrix C, a column at a time: whatever is asked of C is asked here.

With members in the factor, C[members, members] = L L', and for a column g

    L y = C[members, g],   pivot(g) = 1 - y'y = the share of its variance that the members leave over.

The product of the pivots is the determinant, and what the members leave of two columns a and b has the covariance
c_ab - y_a . y_b. A member whose pivot is not above a floor is redundant: its scale is 0, so that it adds nothing to
any column after it (as in a pseudo-inverse).
"""

from math import sqrt
from typing import NamedTuple

from arcwise._kernels.compiled import lean
from arcwise._kernels.types import FloatArray, IntArray

WIDE = 12  # members from which on a sum goes by vector instructions


class Factor(NamedTuple):
    """rows[c, :c]: row c of L, scale[c]: the inverse of its diagonal element, members[c]: its column."""

    rows: FloatArray
    scale: FloatArray
    members: IntArray


@lean(forceinline=True)  # a call that hands over five arrays takes as long as a small set
def project(corr, column, members, size, known, rows, scale, y):
    """Fill y[known:size] for a column, the entries before being there, and return its pivot."""
    pivot = 1.0
    for c in range(known):
        pivot -= y[c] * y[c]
    for c in range(known, size):
        value = corr[column, members[c]]
        if c < WIDE:
            for e in range(c):
                value -= rows[c, e] * y[e]
        else:
            value -= _dot(rows, c, y)
        value *= scale[c]
        y[c] = value
        pivot -= value * value
    return pivot


@lean(fastmath={"reassoc", "nsz"})  # sums by vector instructions
def _dot(rows, c, y):
    total = 0.0
    for e in range(c):
        total += rows[c, e] * y[e]
    return total


@lean
def inverse_root(pivot, floor):
    """The scale of a member."""
    return 1.0 / sqrt(pivot) if pivot > floor else 0.0


@lean
def covariance(own, y, other, size):
    """c_ab - y_a . y_b, where c_ab is `own`."""
    for c in range(size):
        own -= y[c] * other[c]
    return own


@lean
def sort_in(columns, size, column):
    """Insert a column into the first `size`, which ascend."""
    place = size
    while place > 0 and columns[place - 1] > column:
        columns[place] = columns[place - 1]
        place -= 1
    columns[place] = column
