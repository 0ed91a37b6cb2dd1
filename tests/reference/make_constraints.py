"""Writes constraints.txt: the version of every package that the tests ran with.

    make constraints

Only what arcwise and its tests need is written down, not everything that happens to be installed.
"""

from __future__ import annotations

from tests.reference.requirements import ROOT, closure, declared

HEADER = """\
# The versions that the tests ran with, for `pip install -c constraints.txt`; `make setup` uses them.
# Written by `make constraints` from what was installed for arcwise and its tests, under Python 3.11 on Linux.
# Each has wheels for Python 3.11 to 3.13. What only other systems need is left to pip.
"""


def text() -> str:
    """The whole file."""
    return HEADER + "".join(f"{name}=={package.version}\n" for name, package in closure(declared("dev")).items())


if __name__ == "__main__":
    (ROOT / "constraints.txt").write_text(text(), "utf-8")
