"""What a kernel's compiled form depends on: the file that it stands in, and those of the kernels that it calls.

A kernel contains those that it calls, and they may stand in another file: after an upgrade it would go on calling the
old ones if its own file were all that is looked at.
"""

import re
from hashlib import sha256
from pathlib import Path

IMPORTED = re.compile(r"^from arcwise\._kernels\.([\w.]+) import", re.MULTILINE)


def place(path: Path, sources: Path) -> str:
    """counts/cells.py is counts.cells."""
    return ".".join(path.relative_to(sources).with_suffix("").parts)


def digests(sources: Path) -> dict[str, str]:
    """Of each file, by its place (`counts.cells`), together with all that it imports, directly or not."""
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
