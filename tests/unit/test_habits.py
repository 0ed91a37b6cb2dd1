"""What Python users expect: edges as text, a line of progress, names that editors complete, help with examples."""

from __future__ import annotations

import inspect
import io
import re
import sys
from dataclasses import dataclass
from itertools import groupby
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

import arcwise
from arcwise.errors import ArcwiseError, GraphError
from arcwise.method_names import MethodName
from arcwise.parts import progress
from arcwise.parts.knowledge import Knowledge, split_edge
from arcwise.parts.meanings import meanings
from arcwise.parts.monitor import Both, Progress
from arcwise.presets import METHODS

RNG = np.random.default_rng(4)
A = RNG.integers(0, 2, 120)
TABLE = {"a": A.astype(str), "b": np.where(RNG.random(120) < 0.9, A, 1 - A).astype(str), "c": A.astype(str)[::-1]}


def edges_of(**known):
    return arcwise.learn(TABLE, "hill-climb", **known).graph.edges


class TestKnowledge:
    @pytest.mark.parametrize("edges", ["b -> a", "b->a", ["b -> a"], ["b->a"], [("b", "a")], [["b", "a"]]])
    def test_required_edges_in_every_way_to_write_them(self, edges):
        assert ("b", "a") in edges_of(required=edges)
        assert ("b", "a") not in edges_of(forbidden=edges)
        assert Knowledge(required=edges).required == (("b", "a"),)

    def test_tiers(self):
        assert ("b", "a") in edges_of(tiers=[["b"], ["a"]])

    def test_all_that_is_known_adds_up(self):
        assert {("b", "a"), ("c", "a")} <= set(edges_of(knowledge={"required": ["b -> a"]}, required=["c -> a"]))
        known = Knowledge(required=["a -> b"], tiers=[["a"]]) + Knowledge(forbidden=["c->a"], tiers=[["c"]])
        assert known == Knowledge(required=[("a", "b")], forbidden=[("c", "a")], tiers=[["a"], ["c"]])
        with pytest.raises(GraphError, match="the edge b -> a is required, but also forbidden"):
            edges_of(knowledge=Knowledge(required=["b -> a"]), forbidden=["b->a"])

    def test_in_bootstrap_and_compare(self):
        shares = arcwise.bootstrap(TABLE, "hill-climb", 3, required=["b -> a"], forbidden=["c -> a", "a -> c"])
        assert shares.between("b", "a").share == 1.0
        assert shares.between("a", "c").share == 0.0
        found = arcwise.compare(TABLE, ["hill-climb"], folds=2, forbidden=["a -> b", "b -> a"])
        assert ("a", "b") not in found.methods[0].pattern.undirected
        assert not {("a", "b"), ("b", "a")} & set(found.methods[0].pattern.directed)

    @pytest.mark.parametrize(
        ("known", "said"),
        [
            ({"required": ["B -> c"]}, "unknown column in the knowledge 'B'; did you mean 'b'?"),
            ({"forbidden": ["a b"]}, "a forbidden edge must be a pair of column names or 'a -> b', not 'a b'"),
            ({"required": ["a -> a"]}, "the required edge a -> a joins a column to itself"),
            ({"tiers": ["a", "b"]}, "a tier must be a list of column names, not 'a'"),
            ({"required": [3]}, "must be"),
            ({"tiers": 5}, "argument 'tiers' of learn must be"),
        ],
    )
    def test_mistakes_are_one_sentence(self, known, said):
        with pytest.raises(ArcwiseError) as error:
            edges_of(**known)
        assert said in str(error.value)

    def test_text_of_an_edge(self):
        assert split_edge(" a b ->c ") == ("a b", "c")
        for text in ("a", "a ->", "-> b", "a -> b -> c", ""):
            assert split_edge(text) is None


class Display:
    """Stands in for IPython's: what was shown, and what it was changed to."""

    def __init__(self):
        self.shown = []

    def __call__(self, thing, *, display_id):
        self.shown.append(thing)
        return SimpleNamespace(update=self.shown.append)


class TestProgress:
    def test_a_log_has_a_line_now_and_then(self, monkeypatch, capsys):
        monkeypatch.setattr(progress, "LOG_SECONDS", 0.0)
        arcwise.learn(TABLE, "hill-climb", progress=True)
        lines = capsys.readouterr().err.splitlines()
        assert lines
        assert all(re.match(r"arcwise: \d+:\d\d  \S|arcwise: compiling", line) for line in lines)

    def test_a_short_run_leaves_no_line_in_a_log(self, capsys):
        arcwise.learn(TABLE, "hill-climb")
        arcwise.learn(TABLE, "hill-climb", progress=True)
        assert "step" not in capsys.readouterr().err

    def test_a_terminal_has_one_line_that_disappears(self, monkeypatch):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "120")
        arcwise.learn(TABLE, "hill-climb", progress=True)
        written = stream.getvalue()
        assert "Ctrl-C: stop with the best" in written
        assert written.count("\n") <= 1
        assert written.endswith(("\x1b[2K", "\x1b[?25h"))

    def test_a_notebook_has_one_display_that_is_changed(self, monkeypatch):
        display = Display()
        shell = SimpleNamespace(kernel=object())
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
        monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
        monkeypatch.setattr(progress, "NOTEBOOK_SECONDS", 0.0)
        arcwise.bootstrap(TABLE, "hill-climb", 3, progress=True, workers=1)
        texts = [str(line) for line in display.shown]
        assert texts[0] == "starting"
        assert len(texts) > 2
        assert texts[-1].startswith("done in ")
        assert display.shown[-1]._repr_html_().startswith("<pre")
        with pytest.raises(ZeroDivisionError):
            arcwise.learn(TABLE, "hill-climb", progress=True, monitor=lambda report: 1 / 0)
        assert str(display.shown[-1]).startswith("ended after ")

    def test_a_terminal_session_of_ipython_is_no_notebook(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=SimpleNamespace))
        assert progress._notebook() is None

    def test_with_a_monitor_both_are_told(self, monkeypatch, capsys):
        monkeypatch.setattr(progress, "LOG_SECONDS", 0.0)
        seen = []
        arcwise.compare(TABLE, ["hill-climb"], folds=2, progress=True, monitor=seen.append)
        assert seen
        assert capsys.readouterr().err

    def test_either_of_two_may_stop(self):
        class Stopping(progress.Watcher):
            def should_stop(self):
                return True

        assert Both(progress.Watcher(), Stopping()).should_stop()
        assert Both(Stopping(), progress.Watcher()).should_stop()
        assert not Both(progress.Watcher(), progress.Watcher()).should_stop()

    def test_names_in_a_line_command_no_terminal(self):
        watcher = progress.Watcher()
        watcher.report(Progress("search", 3, -1.5, "added \x1b[2Ja -> <b>", 0.5))
        assert watcher.line().endswith("search  step 3  50%  score -1.50  added \\x1b[2Ja -> <b>")
        assert "&lt;b&gt;" in progress.Line(watcher.line())._repr_html_()


class TestNames:
    def test_the_type_has_the_names_of_the_presets(self):
        assert sorted(get_args(MethodName)) == sorted(METHODS)

    def test_any_other_text_is_a_name_and_the_message_is_short(self):
        with pytest.raises(ArcwiseError, match="did you mean 'steck'"):
            arcwise.learn(TABLE, "stek")
        with pytest.raises(ArcwiseError) as error:
            arcwise.learn(TABLE, 5)
        assert str(error.value).startswith("argument 'method' of learn must be text or a Method or ")

    def test_help_lists_the_presets_by_family(self):
        text = inspect.getdoc(arcwise.learn)
        block = re.search(r"The presets:\n\n(.*?)\n\n", text, re.S)[1]
        found = {}
        for line in block.splitlines():
            family, names = line[4:35].strip(), line[35:]
            family = family or list(found)[-1]
            found.setdefault(family, []).extend(name.strip() for name in names.split(",") if name.strip())
        families = {}
        for family, methods in groupby(METHODS.values(), lambda one: one.family):
            families.setdefault(family, []).extend(one.name for one in methods)
        assert found == families

    def test_help_of_the_package_runs(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        arcwise.datasets.load("cars1").to_polars()[:80].write_csv("data.csv")
        block = re.search(r"\n\n((?:    .*\n)+)", arcwise.__doc__)[1]
        script = block.replace("    ", "").replace("arcwise.learn(data,", "arcwise.learn(data, 'gaussian',")
        exec(script.replace("bootstrap(data)", "bootstrap(data, 'gaussian', 3)"), {"arcwise": arcwise})
        assert (tmp_path / "net.html").exists()
        for name in re.findall(r"arcwise\.(\w+)", arcwise.__doc__):
            assert name in dir(arcwise)

    @pytest.mark.parametrize("function", [arcwise.learn, arcwise.bootstrap, arcwise.compare])
    def test_help_has_an_example_that_runs(self, function, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        arcwise.datasets.load("cars1").to_polars()[:80].write_csv("cars.csv")
        lines = re.findall(r"^    (?=\S)(.*(?:arcwise\.|print\().*)$", inspect.getdoc(function), re.M)
        assert lines
        script = "\n".join(lines).replace(" 200,", " 3,")
        exec(script, {"arcwise": arcwise})


class TestTables:
    def test_methods_are_a_tuple_that_prints_by_family(self, monkeypatch):
        monkeypatch.setenv("COLUMNS", "80")
        found = arcwise.methods()
        assert isinstance(found, tuple)
        assert [one.name for one in found] == list(METHODS)
        text = str(found)
        assert text == repr(found)
        assert max(map(len, text.splitlines())) <= 80
        for one in found:
            assert len(re.findall(rf"^  {one.name}\*? ", text, re.M)) == 1
        for family in {one.family for one in found}:
            assert text.splitlines().count(family) == 1
        assert found._repr_html_().count("<table") == len({one.family for one in found})

    @pytest.mark.parametrize("name", sorted(METHODS))
    @pytest.mark.parametrize("width", [60, 80, 120])
    def test_options_can_be_given_as_they_are_listed(self, name, width, monkeypatch):
        monkeypatch.setenv("COLUMNS", str(width))
        found = arcwise.options(name)
        assert {one.path for one in found} >= set(METHODS[name].options)
        for one in found:
            assert one.meaning, one.path
            assert one.allowed, one.path
            if one.short:
                assert one.path.rpartition(".")[2] == one.short
        lists = [one.path for one in found if isinstance(one.default, tuple)]
        settings = {one.path: one.default for one in found if one.path in METHODS[name].options}
        kept = {path: default for path, default in settings.items() if path not in lists}
        assert arcwise.catalog.configure(METHODS[name].learner, kept) == METHODS[name].learner
        text = str(found)
        assert max(len(line) for line in text.splitlines() if " = " not in line) <= width  # what is typed is not cut
        for one in found:
            within = any(one.path.startswith(f"{path}.") for path in lists)
            assert within or re.search(rf"^  {re.escape(one.path)} ", text, re.M), one.path
        assert "<table" in found._repr_html_()

    def test_options_of_a_misspelt_method(self):
        with pytest.raises(ArcwiseError, match="did you mean 'steck'"):
            arcwise.options("stek")
        assert arcwise.options(METHODS["pc"]).method is METHODS["pc"]

    def test_options_of_every_part_have_a_meaning(self):
        for kind, part in arcwise.catalog.PARTS.items():
            for option, words in meanings(part).items():
                assert words, f"{kind}.{option}"
                assert words.count("(") == words.count(")")

    def test_a_part_of_ones_own_without_a_docstring_has_no_meanings(self):
        @dataclass(frozen=True)
        class Own:
            width: int = 1
            score: float = 2.0

        assert meanings(Own) == {"width": "", "score": "what networks are judged by"}
