"""Whether the compiled kernels are still to be made, told from Numba's cache files without importing Numba."""

from __future__ import annotations

import hashlib
import os
import sys
from importlib.metadata import version
from pathlib import Path

from arcwise.cli.screen import note
from arcwise.contracts.monitor import Monitor, Progress

NOTE = "compiling the numerical kernels (first run only, about half a minute) ..."


class Announcing:
    """Passes everything on to `inner`; before the first report of a learner it says that kernels are being compiled.

    A learner reports only once it has found nothing wrong, so a refused run does not speak of compiling.
    """

    def __init__(self, inner: Monitor) -> None:
        self._inner = inner
        self._said = False

    def report(self, progress: Progress) -> None:
        if not self._said:
            self._said = True
            note(NOTE)
        self._inner.report(progress)

    def should_stop(self) -> bool:
        return self._inner.should_stop()


def needs_compiling(kernels: Path | None = None) -> bool:
    """True when no kernel has a usable cache file yet, so that the next call of one starts the compiler.

    Numba keeps an index `module.function-line.py311.nbi` for each function; it holds Numba's version and a stamp of
    the source file (its SHA-256 in newer versions, its time in older ones). One usable index is enough to call the
    cache warm: which kernels a method needs is known to that method only.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return False
    folder = kernels or Path(__file__).resolve().parent.parent / "_kernels"
    sources = [path for path in folder.glob("*.py") if path.stem != "__init__"]
    return not any(_is_usable(index, source) for source in sources for index in _indexes(source))


def cache_folders(folder: Path) -> list[Path]:
    """Where Numba may keep the cache of the sources in `folder`: as configured, beside them, or with the user."""
    # Numba's own name for a source folder inside a shared cache.
    subfolder = f"{folder.name}_{hashlib.sha1(str(folder).encode(), usedforsecurity=False).hexdigest()}"
    configured = os.environ.get("NUMBA_CACHE_DIR")
    if configured:
        return [Path(configured) / subfolder]
    return [folder / "__pycache__", _user_cache() / subfolder]


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "numba" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "numba"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numba"


def _indexes(source: Path) -> list[Path]:
    pattern = f"{source.stem}.*.py{sys.version_info.major}{sys.version_info.minor}*.nbi"
    return [index for folder in cache_folders(source.parent) for index in folder.glob(pattern)]


def _is_usable(index: Path, source: Path) -> bool:
    try:
        content = index.read_bytes()
        newer = index.stat().st_mtime >= source.stat().st_mtime
        stamped = hashlib.sha256(source.read_bytes()).digest() in content
    except OSError:
        return False
    return version("numba").encode() in content and (stamped or newer)
