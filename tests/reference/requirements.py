"""What arcwise needs to run or to be tested, followed through the metadata of what is installed."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def declared(*extras: str) -> list[Requirement]:
    """The requirements in pyproject.toml, with those of the extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    found = [Requirement(line) for line in lines]
    inner = {extra for one in found if one.name == project["name"] for extra in one.extras} - set(extras)
    return declared(*extras, *inner) if inner else [one for one in found if one.name != project["name"]]


def closure(requirements: list[Requirement]) -> dict[str, Distribution]:
    """Every installed package that these need, directly or through others, by its normal name."""
    found: dict[str, Distribution] = {}
    followed: set[tuple[str, str]] = set()
    waiting = list(requirements)
    while waiting:
        requirement = waiting.pop()
        name = normal(requirement.name)
        package = found.setdefault(name, distribution(requirement.name))
        for extra in {"", *requirement.extras}:
            if (name, extra) not in followed:
                followed.add((name, extra))
                needs = [Requirement(line) for line in package.requires or []]
                waiting += [need for need in needs if need.marker is None or need.marker.evaluate({"extra": extra})]
    return dict(sorted(found.items()))


def normal(name: str) -> str:
    """One spelling for a package: lower case, hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()
