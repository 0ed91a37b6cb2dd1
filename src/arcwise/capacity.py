"""What fits into this machine's memory: asked before a table, a graph or a sample of any size is made."""

from __future__ import annotations

import os
from functools import cache

from arcwise.errors import OptionError

UNKNOWN = 1 << 36  # bytes that are assumed where the system does not tell


@cache
def memory() -> int:
    """Bytes that the machine has, free or not."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return UNKNOWN


def check_room(n_bytes: int, what: str, remedy: str) -> None:
    """Refuse what would take more than half of the memory; one sentence with both sizes."""
    if 2 * n_bytes > memory():
        room = f"more than half of this machine's memory of {_size(memory())}"
        raise OptionError(f"{what} would take {_size(n_bytes)}, {room}; {remedy}")


def _size(n_bytes: int) -> str:
    return f"{n_bytes // 10**9:,} GB" if n_bytes >= 10**10 else f"{n_bytes / 1e9:.1f} GB"
