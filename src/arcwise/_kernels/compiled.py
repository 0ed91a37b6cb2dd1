"""How kernels are compiled.

Every function that Numba compiles costs a tenth of a second of the first run, or more, so what it need not make is left
out: pointers for C (nobody asks for them), and for functions that only kernels call also the way in from Python and a
file in the cache, since their code is part of their callers'.

What makes a kernel slow to compile, and has a plain equal: np.sort, np.unique, np.append, np.full, one array assigned
to a slice of another (two seconds, for a message about shapes), fancy indexing, comparisons of whole arrays, a literal
number handed to a function that is also handed variables (it is compiled twice: write np.int64(0)).

Numba counts references to each array that a function binds, also those in a tuple, so a small function that is handed
many spends its time on that. A *lean* kernel leaves the counting out; it must not make an array of its own, and does
not compile if it does. What that buys, best of five runs: mmpc and pmms on alarm take 2.67 and 2.66 ms for 500 rows,
6.43 and 6.00 for 5000; with counting 2.93 and 2.97, 6.76 and 6.50. Their kernels compile in 23.5 s, with counting in
26.1. The option is Numba's own affair: where it is not known, references are counted.
"""

import os
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from numba import njit
from numba.core import event as events
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

from arcwise import compiling
from arcwise._kernels import own_copies, places
from arcwise._kernels.kept import Kept

KERNEL: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
INNER: dict[str, Any] = {**KERNEL, "no_cpython_wrapper": True}  # for callers in this package only
LEAN: dict[str, Any] = {**KERNEL, "_nrt": False} if hasattr(cpu_target.options, "_nrt") else KERNEL

P = ParamSpec("P")
R = TypeVar("R")


class Compiling:
    """A decorator, with or without further options of Numba's; callers see the function's own signature."""

    def __init__(self, *, kept: bool = False, **options: Any) -> None:
        self._kept, self._options = kept, options

    @overload
    def __call__(self, function: Callable[P, R], /) -> Callable[P, R]: ...
    @overload
    def __call__(self, /, **more: Any) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
    def __call__(self, function: Any = None, /, **more: Any) -> Any:
        if function is None:
            return Compiling(kept=self._kept, **self._options, **more)
        dispatcher = njit(**self._options)(function)
        if self._kept and isinstance(dispatcher, Dispatcher):  # it is the function itself where nothing is compiled
            dispatcher._cache = Kept(function)
        return dispatcher


# A kernel is a function that Python calls; its machine code is kept in a file.
kernel = Compiling(kept=True, **KERNEL, **own_copies.OPTIONS)
inner = Compiling(**INNER)
lean_kernel = Compiling(kept=True, **LEAN, **own_copies.OPTIONS)
lean = Compiling(**LEAN, no_cpython_wrapper=True)


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
                places.tell()
                compiling.begin()
            else:
                compiling.progress()

    def on_end(self, event):
        if self._depth:
            self._depth -= 1
            if self._depth == 0:
                compiling.end()


events.register("numba:compile", Reports())


if hasattr(os, "register_at_fork"):
    # A process that is forked while a thread compiles would find the compiler locked for ever: forking waits for it.
    lock = global_compiler_lock
    os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
