"""The kernels of a method compiled before it needs them, in several processes at once.

In one process Numba compiles one function after the other. `needs.json` lists the kernels that each method needs for
tables of numbers, of levels and of both, with the types of their arguments (`python -m tests.reference.make_needs`
writes it). What is missing in the cache is handed out to processes, each of which is this module run by itself:
it reads a kernel a line and answers with a line when that kernel is in the cache. Whatever goes wrong there, or is not
listed, is compiled where it is needed, as ever. Programs that start at the same time do not compile the same: one does,
and the others wait for it.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
LOOK = 0.05  # seconds between two looks at whether all are done, or nobody wants them any more
LOOK_AGAIN = 0.2  # seconds between two looks at what another program has compiled
PATIENCE = 60.0  # seconds without a new kernel, after which another program is not waited for
KEPT, UNKEPT, FAILED = "kept", "unkept", "failed"  # what a process answers


class Need(NamedTuple):
    """A kernel for certain types of arguments; seconds: about how long it takes, to begin with the longest."""

    module: str
    function: str
    types: str
    seconds: float


@cache
def _listed() -> dict[str, list[Need]]:
    content = json.loads((HERE / "needs.json").read_text(encoding="utf-8"))
    kernels = [Need(*entry) for entry in content["kernels"]]
    return {table: [kernels[i] for i in places] for table, places in content["methods"].items()}


def missing(method: str, kind: str) -> list[Need]:
    """What a method needs for tables of this kind and the cache does not have, the longest first."""
    from numba.core import config

    from arcwise._kernels import places

    if config.DISABLE_JIT or places.to_write() is None:  # nothing is compiled, or nothing kept
        return []
    return sorted(_unkept(_listed().get(f"{method} {kind}", ())), key=lambda need: -need.seconds)


def _unkept(needs: Sequence[Need]) -> list[Need]:
    from arcwise._kernels.kept import kept_kernels

    known = kept_kernels()
    return [need for need in needs if f"{need.module}.{need.function}" not in known]


def compile_ahead(
    needs: Sequence[Need], workers: int, ready: Callable[[int], None], unwanted: Callable[[], bool]
) -> None:
    """Compile these kernels in so many processes. ready(n) is told how many are done; unwanted() ends it early."""
    from arcwise._kernels import places
    from arcwise._kernels.alone import alone

    left, since = list(needs), time.monotonic()

    def wait() -> bool:
        nonlocal left, since
        time.sleep(LOOK_AGAIN)
        before, left = left, _unkept(needs)
        since = time.monotonic() if len(left) < len(before) else since
        ready(len(needs) - len(left))
        return bool(left) and not unwanted() and time.monotonic() < since + PATIENCE

    folder = places.to_write()
    with nullcontext() if folder is None else alone(folder, wait):
        _compile(left, workers, lambda done: ready(len(needs) - len(left) + done), unwanted)


def _compile(needs: Sequence[Need], workers: int, ready: Callable[[int], None], unwanted: Callable[[], bool]) -> None:
    waiting, done = list(needs), []
    home: dict[str, object] = {}  # of each module: the first process to take a kernel of it
    lock = threading.Lock()

    def take(process):
        """Kernels of one module share functions, which a process compiles once: its own first, then nobody's."""
        with lock:
            for owners in ((process,), (None,), tuple(processes)):
                for need in waiting:
                    if home.get(need.module) in owners:
                        home.setdefault(need.module, process)
                        waiting.remove(need)
                        return need
        return None

    def feed(process):
        while (need := take(process)) is not None:
            try:
                process.stdin.write(f"{need.module} {need.function} {need.types}\n")
                process.stdin.flush()
                answer = process.stdout.readline().strip()
            except (OSError, ValueError):  # the process is gone
                return
            if answer == UNKEPT:  # nor would the others be: the program compiles them for itself
                with lock:
                    waiting.clear()
            if answer not in (KEPT, FAILED):
                return
            done.append(need)

    processes = [_start() for _ in range(min(workers, len(needs)))]
    threads = [threading.Thread(target=feed, args=(process,), daemon=True) for process in processes if process]
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads) and not unwanted():
            ready(len(done))
            time.sleep(LOOK)
        ready(len(done))
    finally:
        for process in processes:
            if process:
                process.kill()
                process.wait()


def _start():
    path = os.pathsep.join([str(HERE.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    try:
        return subprocess.Popen(
            [sys.executable or "", "-m", "arcwise._kernels.ahead"],  # a program that embeds Python has none
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # a Ctrl-C is for the program, which ends this process
        )
    except OSError:
        return None


def find(module, function):
    """The dispatcher of a kernel."""
    return getattr(import_module(f"arcwise._kernels.{module}"), function)


def read_types(text):
    """The types of a kernel's arguments, from their names; named tuples are classes of kernel modules."""
    from numba import types

    names = {"Array": types.Array, "Tuple": types.BaseTuple.from_types, "none": types.none}
    names |= {str(scalar): scalar for scalar in (types.bool_, *types.number_domain)}
    names["named"] = lambda place: find(*place.rsplit(".", 1))
    return eval(text, {"__builtins__": {}}, names)


def type_text(found):
    """The inverse of `read_types` for one type."""
    from numba import types

    if isinstance(found, types.Array):
        return f"Array({found.dtype}, {found.ndim}, {found.layout!r}, {not found.mutable})"
    if isinstance(found, types.BaseNamedTuple):
        one = found.instance_class
        home = f"{one.__module__.removeprefix(f'{__package__}.')}.{one.__name__}"
        return f"Tuple([{', '.join(map(type_text, found))}], named({home!r}))"
    if isinstance(found, types.BaseTuple):
        return f"Tuple([{', '.join(map(type_text, found))}])"
    return str(types.unliteral(found))


def main():
    from arcwise._kernels import places

    for line in sys.stdin:
        module, function, text = line.rstrip("\n").split(" ", 2)
        try:
            find(module, function).compile(read_types(text))
            print(UNKEPT if places.to_write() is None else KEPT, flush=True)
        except Exception:
            print(FAILED, flush=True)  # it will fail again where it is needed, and be told there


if __name__ == "__main__":
    main()
