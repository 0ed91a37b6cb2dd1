"""Every package that arcwise needs goes with a program under the MIT licence, and its tested version is known."""

from __future__ import annotations

import re
from email.message import Message
from importlib.metadata import Distribution

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.reference.requirements import ROOT, closure, declared, normal

# Words of licences that ask nothing of a program that imports the package but to keep notices.
PERMISSIVE = {
    *("MIT", "MIT-CMU", "ISC", "ISC License", "Zlib", "CC0-1.0", "0BSD", "PSF-2.0", "Apache-2.0", "BSD"),
    *("BSD-2-Clause", "BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"),
    *("MIT License", "BSD License", "ISC License (ISCL)", "Apache Software License"),
    "Python Software Foundation License",
}
# Packages whose metadata says nothing, after a look at the licence files they bring.
LOOKED_UP: dict[str, str] = {}


def licences(package: Distribution) -> list[str]:
    """Licences that hold together, from the expression, else the classifiers, else the short text of the metadata."""
    metadata = package.metadata
    if expression := metadata.get("License-Expression"):
        # Of alternatives one may be chosen, so a permissive one counts for all.
        parts = [part.strip("() ") for part in re.split(r"\bAND\b", expression)]
        return [min(re.split(r"\s+OR\s+", part), key=lambda one: one not in PERMISSIVE) for part in parts]
    classifiers = [line for line in metadata.get_all("Classifier") or [] if line.startswith("License ::")]
    names = [line.rpartition(" :: ")[2] for line in classifiers if not line.endswith("OSI Approved")]
    text = (metadata.get("License") or "").strip()
    short = [text] if text and "\n" not in text else []
    return names or short or [LOOKED_UP.get(normal(metadata["Name"]), "unknown")]


class Made:
    """A package with the metadata of a test."""

    def __init__(self, **fields: str) -> None:
        self.metadata = Message()
        for field, value in {"Name": "made", **fields}.items():
            self.metadata[field.replace("_", "-")] = value


def test_every_dependency_has_a_permissive_licence() -> None:
    found = {name: licences(package) for name, package in closure(declared()).items()}
    assert {"numpy", "scipy", "numba", "matplotlib", "polars", "llvmlite"} <= set(found)
    refused = {name: words for name, words in found.items() if not set(words) <= PERMISSIVE}
    assert not refused, refused


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"License": "GNU General Public License (GPL)"}, ["GNU General Public License (GPL)"]),
        ({"License_Expression": "MIT AND GPL-2.0-or-later"}, ["MIT", "GPL-2.0-or-later"]),
        ({"License_Expression": "GPL-2.0-or-later OR MIT"}, ["MIT"]),
        (
            {"Classifier": "License :: OSI Approved :: GNU Affero General Public License v3"},
            ["GNU Affero General Public License v3"],
        ),
        ({"License": "a text\nof many lines"}, ["unknown"]),
        ({}, ["unknown"]),
    ],
)
def test_what_metadata_says(fields: dict[str, str], words: list[str]) -> None:
    assert licences(Made(**fields)) == words  # type: ignore[arg-type]


def test_every_package_that_the_tests_need_has_a_constraint() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    pins = dict(line.split("==") for line in lines)
    assert list(pins) == sorted(pins)
    assert set(closure(declared("dev"))) <= set(pins)
    for requirement in declared("dev"):
        assert requirement.specifier.contains(Version(pins[normal(requirement.name)])), requirement
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.+]*", line) for line in lines)  # no addresses, no paths


def test_a_package_is_followed_through_what_it_needs() -> None:
    found = closure([Requirement("rich")])
    assert {"rich", "markdown-it-py", "mdurl", "pygments"} <= set(found)
    assert "numpy" not in found
