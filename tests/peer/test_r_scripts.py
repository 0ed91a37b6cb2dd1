"""R runs our scripts and has the same names, edges and numbers.

Twice: with the package bnlearn, and with R alone, where functions of the same names that do what bnlearn's manual
says take its place. So what R itself makes of quotes, escapes, arrays and numbers is seen wherever there is an R.
"""

from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from arcwise.graph import Dag, Pdag, save
from arcwise.networks import BayesianNetwork, GaussianNetwork, Network, load, write_r

NASTY = (
    'say "hi"', "back\\slash\\", "two\nlines", "größe 温 😀", "graph", "\\n", "\\u0041", "</script>", "#", "\ttab",
    '"); system("touch hacked', "'); file.create('hacked') #", "`x`", "TRUE", "NA", "NULL", "\x1b[31m", " blank ",
)  # fmt: skip
SIGNS = (*NASTY, "a[1]", "x|y", "b:c")

# What bnlearn's manual says of these functions, as far as scripts use them.
STAND_IN = r"""
library <- function(...) invisible(NULL)
model2network <- function(string) {
  terms <- strsplit(substr(string, 2, nchar(string) - 1), "][", fixed = TRUE)[[1]]
  families <- strsplit(terms, "|", fixed = TRUE)
  arcs <- do.call(rbind, lapply(families, function(f)
    if (length(f) > 1) cbind(from = strsplit(f[2], ":", fixed = TRUE)[[1]], to = f[1])))
  list(nodes = vapply(families, `[`, "", 1), arcs = arcs)
}
empty.graph <- function(nodes) list(nodes = nodes, arcs = NULL)
`arcs<-` <- function(x, check.cycles = TRUE, value) { x$arcs <- value; x }
nodes <- function(x) x$nodes
arcs <- function(x) if (is.null(x$arcs)) matrix("", 0, 2) else x$arcs
custom.fit <- function(x, dist) {
  stopifnot(setequal(names(dist), x$nodes))
  lapply(dist, function(d) if (is.list(d)) list(coefficients = d$coef, sd = d$sd) else list(prob = as.table(d)))
}
"""
# Strings go through the pipe as numbers of their characters, so that no encoding comes between.
ASK = r"""
spell <- function(x) cat(paste(utf8ToInt(enc2utf8(x)), collapse = " "), "\n", sep = "")
"""


@pytest.fixture(params=["R alone", "bnlearn"])
def prelude(request: pytest.FixtureRequest) -> str:
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed: apt-get install r-base-core")
    if request.param == "R alone":
        return STAND_IN
    asked = ["Rscript", "--vanilla", "-e", 'quit(status = !requireNamespace("bnlearn", quietly = TRUE))']
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip('the package bnlearn is not installed in R: install.packages("bnlearn")')
    return ""


def answers(prelude: str, script: str, questions: str, folder: Path) -> list[str]:
    """The lines that R prints after `script`, a file in `folder`."""
    (folder / "ask.R").write_text(f'{prelude}{ASK}source("{script}")\n{questions}', "utf-8")
    command = ["Rscript", "--vanilla", "ask.R"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (folder / "hacked").exists()
    return done.stdout.splitlines()


def spelled(lines: list[str]) -> list[str]:
    return ["".join(chr(int(code)) for code in line.split()) for line in lines]


def graph_in_r(prelude: str, graph: Dag | Pdag, folder: Path) -> tuple[set[str], list[tuple[str, str]]]:
    save(graph, folder / "net.R")
    questions = 'for (n in nodes(graph)) spell(n)\ncat("arcs\\n")\nfor (n in t(arcs(graph))) spell(n)\n'
    lines = answers(prelude, "net.R", questions, folder)
    cut = lines.index("arcs")
    names, ends = spelled(lines[:cut]), spelled(lines[cut + 1 :])
    assert len(names) == len(graph.names)
    return set(names), sorted(zip(ends[::2], ends[1::2], strict=True))


@pytest.mark.parametrize("names", [NASTY, SIGNS], ids=["model string", "arcs"])
def test_a_dag(prelude: str, tmp_path: Path, names: tuple[str, ...]) -> None:
    edges = [*pairwise(names), (names[0], names[7]), (names[3], names[7])]
    assert graph_in_r(prelude, Dag(names, edges), tmp_path) == (set(names), sorted(edges))


def test_a_dag_without_edges(prelude: str, tmp_path: Path) -> None:
    assert graph_in_r(prelude, Dag(["a", "b"]), tmp_path) == ({"a", "b"}, [])


def test_a_pattern_has_lines_in_both_directions(prelude: str, tmp_path: Path) -> None:
    """A triangle of lines and a cycle of arrows, which patterns may have; and an edge with conflicting evidence."""
    lines = [(SIGNS[0], SIGNS[1]), (SIGNS[1], SIGNS[2]), (SIGNS[0], SIGNS[2])]
    arrows = [(SIGNS[4], SIGNS[5]), (SIGNS[5], SIGNS[10]), (SIGNS[10], SIGNS[4]), (SIGNS[18], SIGNS[1])]
    conflict = (SIGNS[2], SIGNS[11])
    found = graph_in_r(prelude, Pdag(SIGNS, arrows, lines, [conflict]), tmp_path)
    both = [*lines, conflict]
    assert found == (set(SIGNS), sorted([*arrows, *both, *((b, a) for a, b in both)]))


UNEVEN = BayesianNetwork(
    names=("child", "a", 'b "2"', "c"),
    states=(("lo", "mid", "hi"), ("a1", "größer\n"), ("b1", '"; stop("', "b3"), ("1", "2", "3", "TRUE")),
    parents=(('b "2"', "c", "a"), (), ("a",), ()),
    cpts=(
        np.random.default_rng(5).dirichlet(np.ones(3), size=(3, 4, 2)),
        np.array([0.3, 0.7]),
        np.random.default_rng(6).dirichlet(np.ones(3), size=2),
        np.array([1e-9, 0.2, 0.3, 0.5 - 1e-9]),
    ),
)


@pytest.mark.parametrize("net", [UNEVEN, load("child")], ids=["uneven", "child"])
def test_tables(prelude: str, tmp_path: Path, net: Network) -> None:
    """Every probability, found in R by the labels of its states."""
    write_r(net, tmp_path / "net.R")
    questions = r"""
for (n in names(network)) {
  p <- network[[n]]$prob
  cells <- as.data.frame(p, stringsAsFactors = FALSE)
  cat("node\n"); spell(n)
  for (d in if (length(dim(p)) > 1) names(dimnames(p)) else n) spell(d)
  cat("cells\n")
  for (i in seq_len(nrow(cells))) {
    for (j in seq_len(ncol(cells) - 1)) spell(cells[i, j])
    cat(format(cells[i, ncol(cells)], digits = 17), "\n", sep = "")
  }
}"""
    lines = answers(prelude, "net.R", questions, tmp_path)
    starts = [i for i, line in enumerate(lines) if line == "node"]
    assert len(starts) == len(net.names)
    states = dict(zip(net.names, net.states, strict=True))
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        cut = lines.index("cells", start)
        name, *axes = spelled(lines[start + 1 : cut])
        assert axes[0] == name
        parents = net.parents[net.names.index(name)]
        assert set(axes[1:]) == set(parents)
        cells, width = lines[cut + 1 : end], len(axes) + 1
        assert len(cells) == net.cpt(name).size * width
        for k in range(0, len(cells), width):
            labels = dict(zip(axes, spelled(cells[k : k + width - 1]), strict=True))
            place = tuple(states[axis].index(labels[axis]) for axis in (*parents, name))
            assert float(cells[k + width - 1]) == pytest.approx(net.cpt(name)[place], rel=1e-12)


def test_regressions(prelude: str, tmp_path: Path) -> None:
    weights = np.zeros((3, 3))
    weights[0, 1], weights[0, 2], weights[1, 2] = 1 / 3, -2e-7, 1e5
    net = GaussianNetwork(("x", "y", 'z "3"'), weights, np.array([1.0, 0.1, 7.0]), np.array([3.0, -1.0, 0.5]))
    write_r(net, tmp_path / "net.R")
    questions = r"""
for (n in c("x", "y", "z \"3\"")) {
  k <- network[[n]]$coefficients
  cat(format(c(k["(Intercept)"], k[sort(setdiff(names(k), "(Intercept)"))], network[[n]]$sd), digits = 17), "\n")
}"""
    found = [[float(number) for number in line.split()] for line in answers(prelude, "net.R", questions, tmp_path)]
    constant = 0.5 + 2e-7 * 3.0 + 1e5
    wanted = [[3.0, 1.0], [-1.0 - 1.0, 1 / 3, 0.1], [constant, -2e-7, 1e5, 7.0]]
    assert found == [pytest.approx(row, rel=1e-12) for row in wanted]
