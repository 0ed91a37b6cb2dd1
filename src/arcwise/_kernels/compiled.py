"""How kernels are compiled.

Every function that Numba compiles costs a tenth of a second of the first run, or more, so what it need not make is left
out: pointers for C (nobody asks for them), and for functions that only kernels call also the way in from Python and a
file in the cache, since their code is part of their callers'.

What makes a kernel slow to compile, and has a plain equal: np.sort, np.unique, np.append, np.full, one array assigned
to a slice of another (two seconds, for a message about shapes), fancy indexing, comparisons of whole arrays, a literal
number handed to a function that is also handed variables (it is compiled twice: write np.int64(0)).

Numba counts references to each array that a function binds, so a small function that is handed tuples of arrays spends
its time on that: a call of associations.ask, which has thirty of them, takes 437 ns, and 86 ns without. A *lean* kernel
leaves the counting out; it must not make an array of its own, and does not compile if it does.
"""

from contextlib import suppress
from pathlib import Path

from numba import njit
from numba.core import event as events

from arcwise import compiling
from arcwise._kernels.freshness import forget_stale

KERNEL = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
INNER = {"nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}  # for callers in this package only
LEAN = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": False}  # the last is Numba's own name for its reference counts

kernel, inner = njit(**KERNEL), njit(**INNER)
lean_kernel, lean = njit(cache=True, **LEAN), njit(no_cpython_wrapper=True, **LEAN)


class Reports(events.Listener):
    """Tells arcwise.compiling of kernels that are compiled; what others compile is none of our business.

    Numba compiles one function at a time, and those that it calls within it.
    """

    def __init__(self) -> None:
        self._depth = 0

    def on_start(self, event):
        if self._depth or event.data["dispatcher"].py_func.__module__.startswith("arcwise."):
            self._depth += 1
            if self._depth == 1:
                compiling.begin()
            else:
                compiling.progress()

    def on_end(self, event):
        if self._depth:
            self._depth -= 1
            if self._depth == 0:
                compiling.end()


events.register("numba:compile", Reports())


@kernel
def _anything():
    """Never called: it tells where Numba keeps the kernels."""
    return 0


def cache_folder() -> Path | None:
    """Where kernels are kept; None where they are not, or where the compiler is switched off."""
    stats = getattr(_anything, "stats", None)
    return None if stats is None or stats.cache_path is None else Path(stats.cache_path)


with suppress(OSError):  # a cache that cannot be written is not up to date, nor can it be made so
    if (folder := cache_folder()) is not None:
        forget_stale(Path(__file__).parent, folder)
