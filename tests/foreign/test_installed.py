"""A package with a score, a test, a discretizer, a search and a preset, installed: found by name, everywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent / "package"
PROGRAM = "from arcwise.cli.main import run; run()"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has put the package, with the metadata that it writes."""
    source, target = tmp_path_factory.mktemp("source") / "package", tmp_path_factory.mktemp("target")
    shutil.copytree(PACKAGE, source)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--target", target]
    subprocess.run([*pip, *offline, source], check=True)
    assert next(target.glob("weather_parts-1.0.dist-info/entry_points.txt"))
    return target


def run(folder: Path, *arguments: str) -> str:
    path = os.pathsep.join([str(folder), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "120", "ARCWISE_QUIET": "1"}  # no word of compiling
    done = subprocess.run(
        [sys.executable, "-c", *arguments], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_by_name_in_python(installed):
    script = """
import sys, arcwise
from arcwise import catalog
data = arcwise.datasets.load("cars1")
arcwise.learn(data, "hill-climb", score="degenerate-gaussian")
assert "weather_parts" not in sys.modules  # nobody has asked for it

forest = arcwise.learn(data, "forest-of-halves")
assert {len(cuts) for cuts in forest.discretization.thresholds.values()} == {1}
assert forest.graph.n_edges == arcwise.learn(data, "halves", search="best-forest", score="right-guesses").graph.n_edges
assert {len(forest.graph.parents(name)) for name in data.names} == {0, 1}
again = arcwise.learn(data, forest.spec)  # as saved: the kinds in it are found
assert (again.cpdag, again.score, again.method) == (forest.cpdag, forest.score, "forest-of-halves")

levels = catalog.DISCRETIZERS["halves"](quantile=0.4).fit(data).apply(data)
dear = arcwise.learn(levels, "best-forest", score="right-guesses", price=100)
assert dear.graph.n_edges < arcwise.learn(levels, "best-forest", score="right-guesses").graph.n_edges
assert arcwise.learn(data, "pc", test="sign-correlation").cpdag.n_edges > 3
assert arcwise.learn(data, "steck", initial="halves").discretization is not None
found = {method.name: method for method in arcwise.methods()}
assert found["best-forest"].paper == found["forest-of-halves"].paper == "Weather 2026"
assert found["halves"].options["discretizer.quantile"] == 0.5
try:
    arcwise.learn(data, "best-forrest")
except arcwise.ArcwiseError as error:
    print(error)
"""
    assert run(installed, script) == "unknown method 'best-forrest'; did you mean 'best-forest'?\n"


COMMANDS = {
    "methods": "best-forest",
    "methods forest-of-halves": "search.score.price",
    "learn @cars1 --method best-forest --set score=kgv": "best-forest: 392 rows, 8 columns",
    "learn @cars1 -m halves --set search=best-forest --set score=right-guesses --details": "(right-guesses, price 3)",
    "learn @cars1 --method pc --set test=sign-correlation": "pc: 392 rows, 8 columns",
    "learn @cars1 --method forest-of-halves --out forest.json": "forest-of-halves: 392 rows",
    "discretize @cars1 --method halves --set quantile=0.25 --drop cylinders,origin": "halves: 392 rows, 6 of 6",
    "test @abalone height rings --test sign-correlation": "sign-correlation",
    "score @cars1 forest.json": "(right-guesses, price 3), on columns cut at the result's thresholds",
    "score @cars1 forest.json --score right-guesses --set price=2 --discretize halves": "(right-guesses, price 2)",
}


def test_by_name_on_the_command_line(installed):
    assert "search.score.price" in run(installed, PROGRAM, "methods", "forest-of-halves")
    script = "import sys; from arcwise.cli.main import main\n"
    script += "for line in sys.argv[1:]: print('$', line, main(line.split()), flush=True)"
    printed = run(installed, script, *COMMANDS)
    for command, shown in COMMANDS.items():
        output, found, printed = printed.partition(f"$ {command} 0\n")
        assert found, printed
        assert shown in output, output
    assert json.loads((installed / "forest.json").read_text("utf-8"))["method"] == "forest-of-halves"
