"""What a process runs on: the memory that it may still take, and the variables of its environment.

Memory is asked for before a table, a graph or a sample of any size is made. A library that meets nonsense in its own
variable ends in a message about something else, or does not end at all: what cannot be meant is told by name.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from arcwise.errors import ArcwiseError, FileError, OptionError

UNKNOWN = 8 * 2**30  # taken to be there where nothing tells
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
MOST_THREADS = 1024  # some libraries start as many as they are told to


def check_fits(
    needed: int, what: str, remedy: str = "keep fewer rows or columns", error: type[ArcwiseError] = FileError
) -> None:
    """Refuse before so many bytes are taken that memory cannot carry them; `what` begins the sentence."""
    free = free_memory()
    if needed > free:
        raise error(
            f"{what} would take about {in_words(needed)} of memory, but only {in_words(free)} are free; {remedy}"
        )


def in_words(n: int) -> str:
    """ "1.5 GiB", "200.0 MiB"."""
    return f"{n / 2**30:,.1f} GiB" if n >= 2**30 else f"{n / 2**20:,.1f} MiB"


def free_memory() -> int:
    """Bytes: the least of what the machine has free, and what the limits of containers and processes leave."""
    left = [_machine(), *(_number(most) - _number(used, 0) for most, used in _GROUPS), _process()]
    return max(0, min(left))


def _machine() -> int:
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return UNKNOWN


def _number(path: str, otherwise: int = 2**63) -> int:
    with suppress(OSError, ValueError):  # not there, or "max"
        return int(Path(path).read_text(encoding="ascii"))
    return otherwise


def _process() -> int:
    """What the limit of address space (ulimit -v) leaves."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 2**63
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return 2**63
    with suppress(OSError, ValueError, IndexError):
        return most - int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    return most


def thread_count(variable: str) -> int | None:
    """The number of threads that a variable asks for; None where it is not set."""
    text = os.environ.get(variable, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_THREADS):
        raise OptionError(
            f"the environment variable {variable} must be a whole number from 1 to {MOST_THREADS}, not {text!r}; "
            "set it to one, or unset it"
        )
    return int(text)


def import_matplotlib() -> None:
    """matplotlib refuses to be imported where MPLBACKEND names a backend that it does not know. We draw without one."""
    if "matplotlib" in sys.modules:
        return
    named = os.environ.pop("MPLBACKEND", None)
    try:
        import matplotlib
    finally:
        if named is not None:
            os.environ["MPLBACKEND"] = named
    if named:
        with suppress(ValueError):
            matplotlib.rcParams["backend"] = named  # as it would have done, for whoever else draws
