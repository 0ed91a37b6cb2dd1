"""Folders for compiled kernels: that of NUMBA_CACHE_DIR, the one beside the kernels, and the user's own.

Kernels are read from all of them and written to the first that can be written. So a machine on which nobody can write
finds those that were compiled when it was built, and one that has none still compiles them for itself. A folder that
the user names and that can be written is the only one.
"""

import tempfile
from functools import cache
from hashlib import sha1
from pathlib import Path

from numba.core import config
from numba.misc.appdirs import AppDirs

from arcwise.compiling import not_kept, remark

VARIABLE = "NUMBA_CACHE_DIR"
HERE = Path(__file__).parent


@cache
def to_read() -> tuple[Path, ...]:
    """In the order of precedence; they need not exist."""
    folder, reasons = _first()
    return (folder,) if config.CACHE_DIR and folder is not None and not reasons else tuple(_all())


def to_write() -> Path | None:
    """The first that can be written; None where none can, or one that could cannot any more."""
    return None if _full else _first()[0]


def give_up(error: OSError) -> None:
    """A kernel could not be written: no other one is tried in this process."""
    if not _full:
        _full.append(error)
        reason = error.strerror or type(error).__name__
        not_kept(
            f"compiled kernels cannot be kept in {_first()[0]} ({reason}), so the next run compiles them again; "
            f"make room there, or set {VARIABLE} to another folder"
        )


def tell() -> None:
    """What a user should know of the folders, now that a kernel is compiled."""
    folder, reasons = _first()
    if folder is None:
        not_kept(f"compiling numerical kernels, as every run will: they cannot be kept, as {unwritable()}")
    elif config.CACHE_DIR and reasons:
        remark(
            f"{VARIABLE} names {config.CACHE_DIR}, which cannot be written ({reasons[0][1]}); "
            f"compiled kernels are kept in {folder}"
        )


def unwritable() -> str:
    """Why there is nowhere to write to, and what to do about it."""
    if _full:
        return f"{_first()[0]} cannot be written ({_full[0].strerror}); set {VARIABLE} to a folder that can"
    tried = ", ".join(f"{folder} ({reason})" for folder, reason in _first()[1])
    return f"none of these folders can be written: {tried}; set {VARIABLE} to one that can"


_full: list[OSError] = []  # what ended writing in this process


@cache
def _first() -> tuple[Path | None, list[tuple[Path, str]]]:
    """The first folder that can be written, and those before it with the reasons why they cannot."""
    reasons = []
    for folder in _all():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            reasons.append((folder, error.strerror or type(error).__name__))
        else:
            return folder, reasons
    return None, reasons


def _all() -> list[Path]:
    source = Path(__file__).absolute().parent  # each installation has a folder of its own, named as Numba would
    install = f"{source.name}_{sha1(str(source).encode(), usedforsecurity=False).hexdigest()}"
    given = [Path(config.CACHE_DIR).absolute() / install] if config.CACHE_DIR else []
    home = Path(AppDirs(appname="numba", appauthor=False).user_cache_dir)
    homes = [home / install] if home.is_absolute() else []  # a user without a home has "~"
    return [*given, HERE / "__pycache__", *homes]
