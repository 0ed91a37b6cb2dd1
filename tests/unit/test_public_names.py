"""What `import arcwise` offers: names that are there at once, and nothing heavy until they are used."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import arcwise

ROOT = Path(__file__).parents[2]
DESIGNED = """
    read learn bootstrap compare methods Dataset.from_frame Strengths.table Strengths.network Strengths.consensus
    Dag Pdag Knowledge Network LearnResult.dag LearnResult.fit LearnResult.blanket
    Network.predict Network.expected Network.query Network.do Network.blanket
    Network.sample Network.log_density Network.save Network.load
    scores.BDeu scores.K2 scores.BIC scores.AIC scores.MDL scores.LogLikelihood scores.GaussianBIC scores.BGe scores.KGV
    scores.NeuralPrequential scores.total
    independence.GSquared independence.ChiSquared independence.FisherZ independence.RecursiveMedian
    independence.MultiResolution independence.DSeparation
    discretize.EqualWidth discretize.EqualFrequency discretize.Sturges discretize.Scott discretize.FreedmanDiaconis
    discretize.Hartemink discretize.Friedman discretize.Monti discretize.Steck discretize.Optimal discretize.TopDown
    networks.load networks.read_bif networks.tile networks.add_noise networks.fit
    networks.BayesianNetwork networks.fit_neural
    sklearn.StructureLearner sklearn.Discretizer sklearn.NetworkClassifier sklearn.NetworkRegressor
    datasets.load metrics.shd metrics.edge_errors metrics.skeleton_errors
    drawing.draw report.draw_thresholds graph.draw models.fit.fit models.network.FittedNetwork models.neural.fit_neural
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", dir(arcwise))
def test_every_name_is_an_attribute_after_import(name: str) -> None:
    done = run("-c", f"import arcwise; arcwise.{name}; assert {name!r} in dir(arcwise)")
    assert done.returncode == 0, done.stderr


def test_every_public_room_is_known() -> None:
    """A folder of the package is public unless it is named here or begins with an underscore."""
    internal = {"cli"}
    rooms = {path.parent.name for path in Path(arcwise.__file__).parent.glob("[!_]*/__init__.py")} - internal
    assert len(rooms) > 15
    lines = (f"arcwise.{room}; assert {room!r} in dir(arcwise)" for room in sorted(rooms))
    assert run("-c", "\n".join(["import arcwise", *lines])).stderr == ""
    assert rooms <= set(dir(arcwise))


def test_designed_names_are_there_after_import() -> None:
    done = run("-c", "import arcwise\n" + "\n".join(f"arcwise.{name}" for name in DESIGNED.split()))
    assert done.stderr == ""


def test_import_loads_nothing_heavy() -> None:
    heavy = ("numpy", "polars", "numba", "scipy", "narwhals", "typer", "matplotlib", "sklearn")
    done = run("-c", f"import sys, arcwise; print([name for name in {heavy!r} if name in sys.modules])")
    assert done.stdout.strip() == "[]"


def test_version() -> None:
    assert arcwise.__version__ == version("arcwise")


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lern'"):
        arcwise.lern  # noqa: B018


def documented_calls() -> list[str]:
    """What the documents call by a dotted name below `arcwise`."""
    found: set[str] = set()
    for document in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        found |= set(re.findall(r"\barcwise(?:\.[A-Za-z_]\w*)+(?=\()", document.read_text(encoding="utf-8")))
    return sorted(found)


def test_the_compiler_is_loaded_when_learning_begins_not_before() -> None:
    names = "arcwise.learn, arcwise.methods(), arcwise.networks.Network"
    done = run("-c", f"import sys, arcwise; {names}; print('numba' in sys.modules)")
    assert done.stdout.strip() == "False"


def test_documented_calls_resolve_after_import() -> None:
    names = documented_calls()
    assert "arcwise.report.draw_thresholds" in names
    assert "arcwise.networks.fit" in names
    script = "import arcwise\n" + "\n".join(names)
    done = run("-c", script)
    assert done.returncode == 0, done.stderr


def test_python_dash_m() -> None:
    done = run("-m", "arcwise", "--version")
    assert (done.returncode, done.stdout) == (0, f"arcwise {version('arcwise')}\n")
    assert run("-m", "arcwise", "lern").returncode == 2


def test_without_scikit_learn_only_its_estimators_are_missing() -> None:
    hidden = "import sys; sys.modules['sklearn'] = None\n"  # as if it were not installed
    assert run("-c", hidden + "from arcwise import *; learn, metrics.shd").stderr == ""
    done = run("-c", hidden + "import arcwise.sklearn")
    (last,) = done.stderr.splitlines()[-1:]
    assert last.startswith("ImportError: arcwise.sklearn needs scikit-learn")
    assert last.endswith("install it with pip install 'arcwise[sklearn]'")
