"""Writes src/arcwise/_kernels/needs.json: which kernels each method needs, with the types of their arguments.

    python -m tests.reference.make_needs

Every preset learns from the made-up tables of `arcwise warm`. The kernels that Python called are those that Numba has
loaded or compiled since they were all forgotten.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import arcwise._kernels
from arcwise import catalog
from arcwise._kernels.ahead import KEPT, Need, type_text
from arcwise._kernels.by_address import known
from arcwise._kernels.kept import place
from arcwise.cli.warm import KINDS, OTHERS, run

FOLDER = Path(arcwise._kernels.__file__).parent


def kernels() -> dict[tuple[str, str], Any]:
    """(module, function) -> dispatcher, of all kernels that Python can call."""
    found = {}
    for path in sorted(FOLDER.rglob("*.py")):
        home = place(path, FOLDER)
        module = import_module(f"arcwise._kernels.{home}")
        for name, thing in vars(module).items():
            options = getattr(thing, "targetoptions", {})
            if (
                getattr(thing, "__module__", "") == module.__name__
                and options
                and not options.get("no_cpython_wrapper")
            ):
                found[home, name] = thing
    return found


def used(method: str, kind: str) -> list[tuple[str, str, str]]:
    """The kernels that a method calls for such a table, with the types of their arguments."""
    everything = kernels()
    for dispatcher in everything.values():
        dispatcher._reset_overloads()
    known.clear()
    run(method, kind)
    return sorted(
        (*place, f"({''.join(type_text(one) + ', ' for one in types)})")
        for place, dispatcher in everything.items()
        for types in dispatcher.overloads
    )


def seconds_of(needs: list[tuple[str, str, str]]) -> list[float]:
    """How long each takes in a process that has compiled the ones before."""
    with tempfile.TemporaryDirectory() as cache:
        process = subprocess.Popen(
            [sys.executable, "-m", "arcwise._kernels.ahead"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
        )
        assert process.stdin is not None
        assert process.stdout is not None
        took = []
        for need in needs:
            began = time.monotonic()
            process.stdin.write(" ".join(need) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline().strip()
            assert answer == KEPT, (need, answer)
            took.append(round(time.monotonic() - began, 1))
        process.stdin.close()
        process.wait()
    return took


def main() -> None:
    tasks = [*((method, kind) for method in catalog.METHODS for kind in KINDS), *OTHERS]
    methods = {f"{method} {kind}": used(method, kind) for method, kind in tasks}
    needs = sorted({need for one in methods.values() for need in one})
    entries = [Need(*need, seconds) for need, seconds in zip(needs, seconds_of(needs), strict=True)]
    content = {
        "kernels": [list(entry) for entry in entries],
        "methods": {name: [needs.index(need) for need in one] for name, one in methods.items()},
    }
    lines = [json.dumps(entry) for entry in content["kernels"]]
    tables = [f"{json.dumps(name)}: {json.dumps(places)}" for name, places in content["methods"].items()]
    text = '{"kernels": [\n' + ",\n".join(lines) + '\n],\n"methods": {\n' + ",\n".join(tables) + "\n}}\n"
    (FOLDER / "needs.json").write_text(text, encoding="utf-8")
    print(f"{len(entries)} kernels, {sum(entry.seconds for entry in entries):.0f} s")


if __name__ == "__main__":
    main()
