"""Compiled kernels in files, so that each is compiled once on a machine.

The name of a file says all that its content depends on: the kernel with a digest of its source and of all that it
imports, Python, Numba, the processor, and the types of the arguments. So no file is ever out of date, processes that
write one at the same time write the same, and no index can disagree with what is there. A file begins with the
checksum of the rest: a damaged one is deleted and its kernel compiled again. No kernel fails for want of a file.
"""

import pickle
import re
import sys
import time
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from uuid import uuid4
from zlib import crc32

import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from arcwise._kernels import places

PYTHON = f"py{sys.version_info.major}{sys.version_info.minor}{getattr(sys, 'abiflags', '')}"
SUFFIX, UNFINISHED = ".nbc", ".tmp"
IMPORTED = re.compile(r"^from arcwise\._kernels\.([\w.]+) import", re.MULTILINE)
FORSAKEN = 3600.0  # seconds after which nobody will finish a file


class Kept:
    """The files of one kernel, in the place of Numba's own cache of a function, of which this is the interface."""

    def __init__(self, function):
        self._module, self._name = function.__module__.removeprefix(f"{__package__}."), function.__qualname__

    @property
    def cache_path(self):
        return str(places.to_write() or places.to_read()[-1])

    def load_overload(self, sig, target_context):
        """What was compiled for these types; None where there is no such file, or none that is whole."""
        target_context.refresh()
        name = self._file_name(sig, target_context.codegen())
        for folder in places.to_read() if name else ():
            path = folder / name
            try:
                content = path.read_bytes()
            except OSError:
                continue
            with suppress(Exception):  # whatever unpickling and linking make of content that is none
                return CompileResult._rebuild(target_context, *pickle.loads(_checked(content)))
            with suppress(OSError):
                path.unlink()
        return None

    def save_overload(self, sig, compiled):
        """Keep what was compiled for these types, if that is possible."""
        name, folder = self._file_name(sig, compiled.codegen), places.to_write()
        if not name or folder is None or compiled.lifted or compiled.library.has_dynamic_globals:
            return
        content = dumps(compiled._reduce())
        try:
            _write(folder / name, crc32(content).to_bytes(4, "big") + content)
        except OSError as error:
            places.give_up(error)
        else:
            self._clean(folder)

    def _file_name(self, sig, codegen):
        """None without the source, as a change of it would go unnoticed."""
        if (state := source_state(self._module)) is None:
            return None
        types = sha256(f"{sig} {codegen.magic_tuple()}".encode()).hexdigest()[:16]
        return f"{self._module}.{self._name}-{state}.{PYTHON}.{types}{SUFFIX}"

    def _clean(self, folder):
        """Delete what older sources left behind, and what was never finished."""
        with suppress(OSError):
            for path in folder.glob(f"{self._module}.{self._name}-*.{PYTHON}.*"):
                old = not is_current(path, self._module)
                if old or (path.suffix == UNFINISHED and path.stat().st_mtime < time.time() - FORSAKEN):
                    path.unlink(missing_ok=True)

    def enable(self):
        pass

    def disable(self):
        pass

    def flush(self):
        """Nothing is out of date."""


def kept_kernels() -> set[str]:
    """module.function of all kernels that are kept for some types."""
    found = set()
    for folder in places.to_read():
        for path in folder.glob(f"*.{PYTHON}.*{SUFFIX}"):
            kernel = path.name.partition("-")[0]
            if is_current(path, kernel.rpartition(".")[0]):
                found.add(kernel)
    return found


def is_current(path: Path, module: str) -> bool:
    return path.name.partition("-")[2].startswith(f"{source_state(module)}.")


def source_state(module: str) -> str | None:
    """Stands for the source of a module's kernels and of all that they call, and for the compiler."""
    return _states().get(module)


@cache
def _states() -> dict[str, str]:
    found = digests(Path(__file__).parent)
    return {name: sha256(f"{text} {numba.__version__}".encode()).hexdigest()[:16] for name, text in found.items()}


def _checked(content: bytes) -> bytes:
    if int.from_bytes(content[:4], "big") != crc32(content[4:]):
        raise ValueError("damaged")
    return content[4:]


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{uuid4().hex}{UNFINISHED}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


def place(path: Path, sources: Path) -> str:
    """counts/cells.py is counts.cells."""
    return ".".join(path.relative_to(sources).with_suffix("").parts)


def digests(sources: Path) -> dict[str, str]:
    """Of each file, by its place (`counts.cells`), together with all that it imports, directly or not.

    A kernel contains those that it calls: by its own file alone it would go on calling old ones after an upgrade.
    """
    texts = {place(path, sources): path.read_text(encoding="utf-8") for path in sorted(sources.rglob("*.py"))}
    imported = {name: set(IMPORTED.findall(text)) for name, text in texts.items()}
    found = {}
    for name in texts:
        below, waiting = {name}, [name]
        while waiting:
            for other in imported.get(waiting.pop(), set()) - below:
                below.add(other)
                waiting.append(other)
        whole = "\0".join(f"{other}\0{texts.get(other, '')}" for other in sorted(below))
        found[name] = sha256(whole.encode()).hexdigest()
    return found
