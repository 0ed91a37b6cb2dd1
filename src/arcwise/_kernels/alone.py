"""One program at a time compiles kernels ahead for a folder; those that start meanwhile wait for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK = "arcwise.lock"


@contextmanager
def alone(folder: Path, wait: Callable[[], bool]) -> Iterator[None]:
    """Within this block no other program is in such a block for the folder.

    wait() is called as long as one is, and says whether to wait on. A system without locks has all in at once.
    """
    try:
        import fcntl

        file = (folder / LOCK).open("a")
    except (ImportError, OSError):
        yield
        return

    def taken() -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
        return True

    with file:
        while not taken() and wait():
            pass
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_UN)  # a process that was forked meanwhile holds it, too
