"""Parts and presets that are registered by hand, and entry points that cannot be used: a sentence each."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import arcwise
from arcwise import catalog, compiling
from arcwise.data.dataset import Dataset, Kind
from arcwise.discretize import Discretization
from arcwise.errors import OptionError
from arcwise.scores import BDeu


@pytest.fixture(autouse=True)
def as_before(monkeypatch):
    """A catalog that each test may change."""
    all_known = (*catalog.ROLES.values(), catalog.PARTS, catalog.METHODS, catalog.SOURCES)
    kept = [(known, dict(known)) for known in all_known]
    monkeypatch.setattr(compiling, "_record", compiling._Record())
    monkeypatch.delenv(compiling.QUIET, raising=False)
    catalog.look_around.cache_clear()
    yield
    for known, content in kept:
        known.clear()
        known.update(content)
    catalog.look_around.cache_clear()


@dataclass(frozen=True, kw_only=True)
class Thirds:
    """Every column cut into three. And more."""

    kind: ClassVar[str] = "thirds"
    lower: float = 1 / 3

    def fit(self, data: Dataset) -> Discretization:
        numbers = [column for column in data.columns if column.kind is Kind.CONTINUOUS]
        return Discretization({one.name: np.quantile(one.values, [self.lower, 2 / 3]) for one in numbers})


PRESET = replace(catalog.METHODS["hill-climb"], name="climb-far", learner=arcwise.search.HillClimb(restarts=3))


def test_what_is_registered_is_found():
    arcwise.register(Thirds, PRESET)
    data = arcwise.datasets.load("cars1")
    result = arcwise.learn(data, "thirds", lower=0.25)
    assert len(result.discretization.thresholds["mpg"]) == 2
    assert arcwise.learn(data, result.spec).method == "two-stage"
    assert catalog.method("thirds").summary == "Every column cut into three. And more"
    assert catalog.method("climb-far").learner.restarts == 3
    assert {"thirds", "climb-far"} <= {method.name for method in arcwise.methods()}


def test_what_is_registered_again_is_replaced():
    arcwise.register(Thirds, PRESET)
    arcwise.register(dataclass(frozen=True)(type("Thirds", (Thirds,), {"__doc__": "Anew."})))
    assert catalog.method("thirds").summary == "Anew"
    arcwise.register(replace(PRESET, summary="further"))
    assert catalog.method("climb-far").summary == "further"


def test_a_part_that_becomes_another_is_in_one_family_only():
    arcwise.register(Thirds)
    arcwise.register(dataclass(frozen=True)(type("Thirds", (BDeu,), {"kind": "thirds"})))
    assert "thirds" in catalog.SCORES
    assert "thirds" not in {**catalog.DISCRETIZERS, **catalog.METHODS}


def part(of: type = Thirds, **members: object) -> type:
    return dataclass(frozen=True, kw_only=True)(type("Odd", (of,), members))


@pytest.mark.parametrize(
    ("odd", "sentence"),
    [
        (part(kind="bic"), "the name 'bic' is taken by arcwise; choose another"),
        (part(kind="mmhc"), "the name 'mmhc' is taken by arcwise; choose another"),
        (replace(PRESET, name="tabu"), "the name 'tabu' is taken by arcwise; choose another"),
        (
            part(kind="Two Words"),
            "the name 'Two Words' must be of small letters and digits, with hyphens between words",
        ),
        (part(kind=3), "the class Odd has no kind, the word by which a part is called"),
        (part(__annotations__={"bins": int}), "each option of Odd needs a default: .*'bins'"),
        (part(of=object, kind="odd"), "Odd lacks what its protocol asks for; see Learner, Score, IndependenceTest, .*"),
        (type("Odd", (), {}), "the class Odd is neither a preset nor the class of a part, which is a frozen dataclass"),
        (Thirds(), "'thirds' is neither a preset nor the class of a part, which is a frozen dataclass"),
    ],
)
def test_what_cannot_be_registered(odd, sentence):
    before = dict(catalog.PARTS), dict(catalog.METHODS)
    with pytest.raises(OptionError, match=f"^{sentence}$"):
        arcwise.register(part(kind="fine"), odd)
    assert before == (catalog.PARTS, catalog.METHODS)  # all or none


@pytest.mark.parametrize("wrong", [None, 3, "steck", [Thirds], {}, print, int, np.zeros(3), object()])
def test_things_that_are_no_parts(wrong):
    with pytest.raises(OptionError, match="neither a preset nor the class of a part"):
        arcwise.register(wrong)


def package(folder: Path, name: str, points: str, module: str = "") -> None:
    """An installed package: metadata as pip writes them, and a module of the same name."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[arcwise.parts]\n{points}\n", "utf-8")
    (folder / f"{name}.py").write_text(module, "utf-8")


PARTS = """
from tests.foreign.test_registered import Thirds, part
Quarters = part(kind="quarters")
Alike = part(kind="quarters")
Taken = part(kind="steck")
raise_at_use = 3
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed packages; what is imported from it is forgotten after the test."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) == str(tmp_path / f"{name}.py"):
            del sys.modules[name]


def test_broken_packages_are_named_and_left_out(site, capsys):
    package(site, "early", "a = early:Quarters\nb = early:Taken\nc = early:raise_at_use\nd = early:Nowhere", PARTS)
    package(site, "late", "a = late:Thirds\nb = late:Alike", PARTS)
    package(site, "never", "a = never:Thirds", "raise SystemExit('gone\\naway')")
    assert {"quarters", "thirds"} <= {method.name for method in arcwise.methods()}
    assert len(arcwise.methods()) == len(catalog.METHODS)  # once looked around is enough
    assert capsys.readouterr().err.splitlines() == [
        "arcwise: the package 'early' brings 'early:Taken', which is left out: the name 'steck' is taken by arcwise; "
        "choose another",
        "arcwise: the package 'early' brings 'early:raise_at_use', which is left out: 3 is neither a preset nor the "
        "class of a part, which is a frozen dataclass",
        "arcwise: the package 'early' brings 'early:Nowhere', which is left out: AttributeError: module 'early' has no "
        "attribute 'Nowhere'",
        "arcwise: the package 'late' brings 'late:Alike', which is left out: the name 'quarters' is taken by the "
        "package 'early'; choose another",
        "arcwise: the package 'never' brings 'never:Thirds', which is left out: SystemExit: gone away",
    ]
    assert arcwise.learn(arcwise.datasets.load("cars1"), "quarters").discretization is not None


def test_metadata_that_cannot_be_read(site, capsys):
    package(site, "torn", "no equals sign")
    assert len(arcwise.methods()) == len(catalog.METHODS)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("arcwise: parts of other packages are left out: the metadata of one cannot be read (")


def test_what_registers_itself_and_is_an_entry_point_is_one(site, capsys):
    package(site, "both", "a = both:Quarters", PARTS + "import arcwise\narcwise.register(Quarters)\n")
    assert catalog.method("quarters").name == "quarters"
    assert capsys.readouterr().err == ""


def test_own_names_cost_no_look_around(monkeypatch):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **options: pytest.fail("looked around"))
    arcwise.learn(arcwise.datasets.load("cars1"), "equal-width", score="bic", search="tabu")
    catalog.from_spec({"kind": "bic"})
