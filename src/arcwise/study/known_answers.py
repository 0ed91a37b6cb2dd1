"""Simulated tables of columns X, Y and mostly Z of which it is known whether X and Y are independent.

Margaritis's (2005) Lambda and V networks and MEANDER, of X and Y given Z; and two tables in the manner of his Figure 1,
of X and Y given nothing, which a histogram of 3 by 3 bins cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arcwise.data.dataset import Dataset
from arcwise.networks.columns import continuous_dataset
from arcwise.networks.simulators import FUNCTION_PAIRS, lambda_network, meander, v_network
from arcwise.networks.streams import stream

PAIRS = tuple(f"f{a} f{b}" for a, b in FUNCTION_PAIRS)
WIGGLE = 0.01  # around the diagonals of each cell


@dataclass(frozen=True, slots=True)
class Known:
    """independent: X and Y, given `given`. simulate(rows, seed, *pair, noise): the last two where it has functions.

    With the same seed a shorter table is the head of a longer one.
    """

    simulate: Callable[..., Dataset]
    independent: bool
    given: tuple[str, ...] = ("Z",)
    has_functions: bool = False

    def table(self, rows: int, seed: int, functions: str | None = None, noise: float | None = None) -> Dataset:
        if not self.has_functions:
            return self.simulate(rows, seed)
        a, b = FUNCTION_PAIRS[PAIRS.index(functions or PAIRS[0])]
        return self.simulate(a, b, rows, seed, **({} if noise is None else {"noise": float(noise)}))


def diagonals(rows: int, seed: int) -> Dataset:
    """X and Y even on [0, 1]; in each of 3 by 3 equal squares points lie around the diagonal: strongly dependent."""
    x, e = stream(seed, "diagonals", 0).random(rows), stream(seed, "diagonals", 1).standard_normal(rows)
    third = stream(seed, "diagonals", 2).integers(0, 3, rows)
    y = (third + (3 * x + WIGGLE * e) % 1) / 3
    return continuous_dataset(("X", "Y"), (x, y))


def even_square(rows: int, seed: int) -> Dataset:
    """X and Y even on [0, 1] and independent."""
    return continuous_dataset(("X", "Y"), [stream(seed, "even square", part).random(rows) for part in range(2)])


KNOWN: dict[str, Known] = {
    "lambda": Known(lambda_network, independent=True, has_functions=True),
    "v": Known(v_network, independent=False, has_functions=True),
    "meander": Known(meander, independent=True),
    "diagonals": Known(diagonals, independent=False, given=()),
    "even square": Known(even_square, independent=True, given=()),
}
