"""`python -m tests.golden.compare [preset ...]`: where answers differ from the frozen ones, bit for bit.

It is for changes that must change nothing, on the machine that froze the answers: elsewhere last digits may differ.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from arcwise import catalog
from tests.golden.freeze import FOLDER, answer


def differences(method: str) -> list[str]:
    """One line for each entry of an answer that is not as it was."""
    frozen: dict[str, dict[str, Any]] = json.loads((FOLDER / f"{method}.json").read_text("utf-8"))
    found = []
    for table, before in frozen.items():
        now = json.loads(json.dumps(answer(method, table)))
        keys = [key for key in before.keys() | now.keys() if before.get(key) != now.get(key)]
        found += [f"{method}, {table}, {key}: {before.get(key)!r} -> {now.get(key)!r}"[:400] for key in sorted(keys)]
    return found


def main() -> int:
    found = [line for method in sys.argv[1:] or catalog.METHODS for line in differences(method)]
    print("\n".join(found) or "all answers are as they were")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
