"""Compiled kernels that are out of date are forgotten.

Numba keeps a compiled kernel as long as the file it stands in stays the same. But a kernel contains those that it
calls, and they may stand in another file: after an upgrade it would go on calling the old ones. So beside the cache
there is a note of what each file was when its kernels were compiled, all the files that it imports included.
"""

import json
import re
from hashlib import sha256
from pathlib import Path

NOTE = "arcwise-kernels.json"
IMPORTED = re.compile(r"^from arcwise\._kernels\.(\w+) import", re.MULTILINE)


def forget_stale(sources: Path, cache: Path) -> list[str]:
    """Delete the index of every kernel whose file, or one below it, is not what it was; which files these are."""
    now = digests(sources)
    try:
        before = json.loads((cache / NOTE).read_text(encoding="utf-8"))
        stale = [name for name in now if before.get(name) != now[name]]
    except (OSError, ValueError, AttributeError):  # no note, or no note of ours
        stale = list(now)
    if stale:
        for name in stale:
            for index in cache.glob(f"{name}.*.nbi"):
                index.unlink(missing_ok=True)
        (cache / NOTE).write_text(json.dumps(now, indent=1), encoding="utf-8")
    return stale


def digests(sources: Path) -> dict[str, str]:
    """Of each file together with all that it imports, directly or not."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(sources.glob("*.py"))}
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
