"""Kernels with copies of their own of all functions that they call.

Numba links what a kernel calls as *weak* code: of two kernels with a copy of one function both run the copy that was
loaded first. Copies are optimized together with what is around them, and a sum in vector instructions has another last
bit in another copy. So the last bits of a result would depend on what the process had run before, and on whether it had
compiled a kernel or read it from a file.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

WEAK, OWN = "linkonce_odr", "internal"


class Library(JITCodeLibrary):
    """The code of one kernel."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            # Numba's counters of references (NRT_incref, ...) have names of C: it looks for calls of them later.
            if not function.is_declaration and function.linkage.name == WEAK and function.name.startswith("_ZN"):
                function.linkage = OWN
                function.name += f".{self.name}"  # the loader knows code by its name alone, whoever it belongs to
        super()._optimize_final_module()


class OwnCopies(Compiler):
    def compile_extra(self, func: Callable[..., Any]) -> Any:
        types = sha256(str(self.state.args).encode()).hexdigest()[:16]
        library = Library(self.state.targetctx.codegen(), f"{func.__module__}.{func.__qualname__}.{types}")
        library.enable_object_caching()  # as Numba does for one that it makes
        self.state.library = library
        return super().compile_extra(func)


# All of this is Numba's own affair: where it has changed, copies are shared.
OPTIONS: dict[str, Any] = {"pipeline_class": OwnCopies} if hasattr(JITCodeLibrary, "_optimize_final_module") else {}
