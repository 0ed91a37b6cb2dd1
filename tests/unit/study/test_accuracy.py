"""The study `accuracy`: every method is in it, its tables can be made, and the guide to methods comes from it."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from arcwise import catalog
from arcwise.networks.table_kinds import FAMILIES, TABLE_KINDS
from arcwise.presets import CANDIDATES
from arcwise.study import Results, load, run
from arcwise.study.experiments.learning import Learning
from arcwise.study.findings import findings_of
from arcwise.study.guide import guide_text
from arcwise.study.peers.catalog import PEERS
from arcwise.study.plan import RESULTS, Plan, Planned
from arcwise.study.tables import tables_of

ROOT = Path(__file__).parents[3]
PLACE = re.compile(r"\{\{[^{}]*\}\}")


@pytest.fixture(scope="module")
def plan() -> Plan:
    return load("accuracy")


def experiment(plan: Plan, name: str) -> Learning:
    found = plan.experiments[name].experiment
    assert isinstance(found, Learning)
    return found


def test_every_method_and_every_peer_takes_part(plan):
    methods = {name for own in plan.experiments for name in experiment(plan, own).methods}
    assert set(catalog.METHODS) <= methods
    peers = {own["peer"] for own in experiment(plan, "kinds").methods.values() if "peer" in own}
    assert peers == set(PEERS)


def test_sizes_and_kinds(plan):
    kinds = experiment(plan, "kinds")
    assert kinds.rows == (500, 2000, 10000, 50000)
    assert {source.get("simulate", "network") for source in kinds.sources.values()} == {
        "network", "linear", "additive", "mixed",
    }  # fmt: skip
    assert set(kinds.measures) >= {"shd", "f1", "density", "seconds", "program"}


def test_ordinary_columns_are_of_all_kinds_by_family(plan):
    ordinary = experiment(plan, "ordinary")
    assert ordinary.sources == {kind: {"simulate": kind, "nodes": 20, "edges": 30} for kind in TABLE_KINDS}
    assert ordinary.rows == (200, 1000, 5000)
    groups = plan.tables["ordinary"]["column-groups"]
    assert {name: tuple(kinds) for name, kinds in groups.items()} == {
        {"margins": "odd margins"}.get(family, family): kinds for family, kinds in FAMILIES.items()
    }
    for family, kinds in groups.items():
        assert plan.tables[f"ordinary, {family}"]["where"] == {"source": kinds}


def test_ordinary_columns_are_learned_by_the_usual_methods_and_every_peer(plan):
    methods = experiment(plan, "ordinary").methods
    presets = {name for name, own in methods.items() if "peer" not in own}
    assert presets == {
        "auto", "boss", "conditional-gaussian", "copula", "gaussian", "ges", "hidden-states", "hill-climb",
        "kernel-orders", "kgv", "mmhc", "pc", "smooth", "steck",
    }  # fmt: skip
    assert {own["peer"] for own in methods.values() if "peer" in own} == set(PEERS)
    assert {name: methods[name] for name in presets} == {
        name: experiment(plan, "kinds").methods[name] for name in presets
    }


def test_the_best_single_method_is_of_what_auto_chooses_from_and_more(plan):
    """All candidates of auto are among them: it is held against what it could have chosen, and others."""
    singles = plan.tables["density, less the best's"]["best"]["best single"]["of"]
    for name in ("edges, relative", "distance of the best single"):
        assert plan.tables[name]["best"]["best single"]["of"] == singles
    specs = [catalog.METHODS[name].learner for name in singles]
    assert all(candidate in specs for candidate in CANDIDATES)
    assert "auto" not in singles


def test_tables_findings_and_guide_can_be_made_of_nothing(plan):
    """Every row and column that they name is there before anything was run."""
    nothing = Results(plan, (), len(plan.cells()))
    tables = tables_of(nothing)
    assert all(one.verdict == "not decided: numbers are missing" for one in findings_of(plan.findings, tables))
    text = guide_text(nothing, plan.text_of("choosing.md"))
    assert "{{" not in text
    assert f"0 of {len(plan.cells()):,} cells" in text


def test_the_guide_is_its_template_filled_in(plan):
    """What stands between the numbers is the template's; and all of it, where the results are stored with the study."""
    template, guide = plan.text_of("choosing.md"), (ROOT / "docs" / "choosing.md").read_text("utf-8")
    fixed = [re.escape(part) for part in PLACE.split(template)]
    assert re.fullmatch(".*?".join(fixed), guide), "write it anew with study.guide.write_guide"
    stored = plan.folder / RESULTS
    if stored.is_file():
        assert guide == guide_text(Results.load(plan, stored), template)


def test_methods_that_the_guide_names_are_methods(plan):
    template = plan.text_of("choosing.md")
    named = set(re.findall(r"\[`([a-z0-9-]+)`\]\(methods/", template))
    assert {"auto", "gaussian", "hidden-states", "copula", "smooth"} <= named <= set(catalog.METHODS)


@pytest.mark.slow
def test_a_cell_of_each_experiment_and_a_peer(plan, tmp_path):
    few = {"rows": [500], "run": [1]}
    chosen = {
        "kinds": {**few, "source": ["sparse"], "method": ["gaussian", "pybnesian bic"]},
        "few": {**few, "source": ["few-mixed"], "method": ["exhaustive"]},
        "neighbours": {**few, "source": ["mixed"], "method": ["pmms"]},
        "ordinary": {"rows": [200], "source": ["latent-classes"], "method": ["copula"]},
    }
    experiments = {name: Planned(experiment(plan, name), quick) for name, quick in chosen.items()}
    small = Plan("small", "A part", experiments, limit=60)
    results = run(small, tmp_path / "a.jsonl", quick=True, workers=1)
    missing = [] if find_spec("pybnesian") else ["pybnesian bic"]
    assert [row.cell.place["method"] for row in results.failed] == missing
    assert all("pip install 'arcwise[peers]'" in str(row.error) for row in results.failed)
    assert [row.values["f1"] > 0.4 for row in results.rows if row.error is None] == [True] * (5 - len(missing))
