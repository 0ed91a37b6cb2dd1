"""Random streams that never overlap, and the check of a requested number of rows."""

from __future__ import annotations

from math import isfinite
from operator import index
from zlib import crc32

import numpy as np

from arcwise.errors import OptionError
from arcwise.machine import check_fits
from arcwise.printing import counted


def stream(seed: int, purpose: str, *part: int) -> np.random.Generator:
    """The generator that belongs to this seed, purpose and part (usually the position of a node).

    Keying by purpose keeps `add_noise(net.sample(n, seed=1), seed=1)` sound: one shared stream would make
    the noise a function of the sampled states. Keying by node makes a sample independent of the order in
    which nodes are visited, and a short sample the head of a longer one with the same seed.
    """
    if seed < 0:
        raise OptionError(f"seed {seed} is negative; give an integer of 0 or more")
    return np.random.default_rng([seed, crc32(purpose.encode()), *part])


SCRATCH = 4  # columns of numbers that drawing one column takes beside those drawn so far


def checked_rows(n: int, n_columns: int) -> int:
    """`n` as a positive int, of which memory can hold a table with so many columns."""
    rows = index(n)
    if rows < 1:
        raise OptionError(f"cannot sample {rows} rows; ask for 1 or more")
    needed, what = 8 * rows * (n_columns + SCRATCH), f"a sample of {rows:,} rows and {counted(n_columns, 'column')}"
    check_fits(needed, what, "ask for fewer rows", OptionError)
    return rows


def checked_sd(what: str, sd: float) -> float:
    """A standard deviation, which may be 0."""
    if not (isfinite(sd) and sd >= 0):
        raise OptionError(f"{what} {sd!r} is no standard deviation; give a finite number of 0 or more")
    return sd
