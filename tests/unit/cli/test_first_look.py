"""What a newcomer sees: `arcwise` alone, pages of help, wrong words, options of every command, completion in shells."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from typer.main import get_command

from arcwise.cli.commands import GROUPS, Arcwise, app
from arcwise.cli.first_look import TEXT
from arcwise.cli.program import ELSEWHERE

PROGRAM = "from arcwise.cli.main import run; run()"


def options_of(command):
    return {flag for one in command.params for flag in one.opts}


def commands():
    """Every command by its words, also those inside others."""
    found = {}
    for name, command in get_command(app).commands.items():
        inner = getattr(command, "commands", None)
        found |= {name: command} if inner is None else {f"{name} {one}": inner[one] for one in inner}
    return found


class TestFirstLook:
    def test_it_is_short_and_names_what_there_is(self, arcwise):
        done = arcwise()
        assert (done.code, done.err) == (0, "")
        assert done.out == TEXT
        lines = TEXT.splitlines()
        assert len(lines) <= 20
        assert max(map(len, lines)) <= 80
        known = get_command(app).commands
        for line in lines:
            words = line.split("   ")[0].split() if line.startswith("  ") else []
            if len(words) > 1 and not words[1].startswith("-"):
                assert {word for word in words if word.startswith("--")} <= options_of(known[words[1]]) | {"--help"}

    def test_the_page_of_help_has_every_command_once_in_a_group(self, arcwise):
        done = arcwise("--help")
        assert done.out == arcwise("-h").out
        assert max(map(len, done.out.splitlines())) <= 80
        assert "..." not in done.out.partition("Options:")[2]
        for title, names in Arcwise.GROUPS.items():
            assert f"\n{title}:\n" in done.out
            for name in names:
                assert len(re.findall(rf"^  {name}  ", done.out, re.M)) == 1
        assert len([one for group in GROUPS.values() for one in group]) == len(get_command(app).commands)

    @pytest.mark.parametrize("words", sorted(commands()))
    def test_every_command_takes_h_threads_and_v(self, arcwise, words):
        done = arcwise(*words.split(), "-h")
        assert done.code == 0
        assert "-h, --help" in done.out
        assert {"--threads", "--verbose", "-v"} <= options_of(commands()[words])


class TestWrongWords:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["lern"], "unknown command 'lern'; did you mean 'learn'?"),
            (["Learn"], "unknown command 'Learn'; did you mean 'learn'?"),
            (["comp"], "did you mean 'compare' or 'complete'?"),
            (["xyz"], "; see arcwise --help"),
            (["plot"], "unknown command 'plot'; use arcwise draw"),
            (["my data.csv"], "unknown command 'my data.csv'; to learn from it: arcwise learn 'my data.csv'"),
            (["@cars1"], "to learn from it: arcwise learn @cars1"),
            (["learn", "@cars1", "--metod", "pc"], "arcwise learn has no option --metod; did you mean --method?"),
            (["learn", "@cars1", "--foo"], "arcwise learn has no option --foo; see arcwise learn --help"),
            (["--verson"], "arcwise has no option --verson; did you mean --version?"),
            (["study", "tabels"], "unknown command 'tabels'; did you mean 'tables'?"),
            (["study", "xyz"], "; see arcwise study --help"),
            (["learn", "cars1"], "cars1 does not exist; the bundled data set of this name is @cars1"),
            (["study", "run", "fu2005"], "unknown study 'fu2005'; did you mean 'fu-2005'? (a plan of your own"),
            (["learn", "@cars1", "--method", "hc"], "unknown method 'hc'; did you mean 'hill-climb'?"),
            (["learn", "@car", "--method", "hc"], "did you mean"),
        ],
    )
    def test_one_line_with_what_was_meant(self, arcwise, words, said):
        done = arcwise(*words)
        assert done.code == 2
        assert done.out == ""
        assert done.err.count("\n") == 1
        assert said in done.err

    def test_words_from_elsewhere_lead_to_commands(self):
        known = get_command(app).commands
        for word, use in ELSEWHERE.items():
            assert word not in known
            assert use.startswith("--") or use.split()[0] in known


class TestThreads:
    @pytest.fixture(autouse=True)
    def as_before(self, monkeypatch):
        monkeypatch.setenv("ARCWISE_THREADS", "2")

    @pytest.mark.parametrize("place", [0, 4])
    def test_the_graph_does_not_depend_on_their_number(self, arcwise, weather, place):
        words = ["learn", weather, "--method", "steck", "--json"]
        found = []
        for threads in ("1", "3"):
            done = arcwise(*words[:place], "--threads", threads, *words[place:])
            assert done.code == 0, done.err
            assert os.environ["ARCWISE_THREADS"] == threads
            found.append(re.sub(r'"elapsed": [\d.e-]+|"learned_at": "[^"]*"', "", done.out))
        assert found[0] == found[1]

    @pytest.mark.parametrize("number", ["0", "-1", "2000", "many"])
    def test_numbers_that_are_none(self, arcwise, weather, number):
        done = arcwise("learn", weather, "--threads", number)
        assert done.code == 2
        assert done.err.count("\n") == 1
        assert "threads" in done.err

    def test_in_python(self):
        import arcwise

        assert arcwise.threads() == 2
        assert arcwise.threads(3) == 3 == arcwise.threads()
        assert os.environ["ARCWISE_THREADS"] == "3"
        with pytest.raises(arcwise.ArcwiseError, match="the number of threads must be a whole number from 1"):
            arcwise.threads(0)
        with pytest.raises(arcwise.ArcwiseError, match="argument 'n' of threads must be a whole number or none"):
            arcwise.threads("2")


class TestVerbose:
    def test_steps_and_their_times_stand_on_stderr(self, arcwise, weather):
        words = ["learn", weather, "--method", "equal-frequency", "--out", "r.json"]
        before = arcwise(*words)
        done = arcwise(*words, "-v")
        lines = done.err.splitlines()
        assert re.fullmatch(r"arcwise \S+, Python [\d.]+, \d+ threads?", lines[0])
        steps = [re.fullmatch(r" +\d+\.\d\d s  (.*)", line) for line in lines[1:]]
        told = [step[1] for step in steps if step and not step[1].startswith("compiling")]
        assert told == [f"reading {weather}", "computing", "writing r.json", "in all"]
        assert arcwise("--verbose", *words).err.splitlines()[0] == lines[0]
        assert re.sub(r"[\d.]+ s\b", "", done.out.replace(" -v", "")) == re.sub(r"[\d.]+ s\b", "", before.out)
        assert "reading" not in arcwise(*words).err  # the next command is silent again


class TestCompletion:
    def ask(self, line):
        """What bash is offered at the end of the line; it has each word in a line, and an @ is one of its own."""
        words = re.sub("@", " @ ", line).split()
        asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
        environment = {**os.environ, "_ARCWISE_COMPLETE": "complete_bash", **asked}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return [line for line in done.stdout.split("\n") if line]

    @pytest.mark.parametrize(
        ("line", "offered"),
        [
            ("arcwise boo", ["bootstrap"]),
            ("arcwise learn x.csv --method st", ["sturges", "steck"]),
            ("arcwise learn x.csv --metho", ["--method"]),
            ("arcwise learn @car", ["@cars1"]),
            ("arcwise learn t.csv --drop ag", ["age", "agent no"]),
            ("arcwise learn t.csv --drop sex,age", ["sex,age", "sex,agent no"]),
            ("arcwise learn @cars1 --drop w", ["weight"]),
            ("arcwise learn none.csv --drop ag", []),
            ("arcwise learn t", []),
        ],
    )
    def test_what_is_offered(self, line, offered, tmp_path):
        (tmp_path / "t.csv").write_text("age,sex,agent no\n1,2,3\n", encoding="utf-8")
        assert self.ask(line) == offered

    def test_a_script_for_bash(self):
        chosen = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # no shell runs the tests
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, "--show-completion", "bash"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **chosen},
        )
        assert done.returncode == 0
        assert "_ARCWISE_COMPLETE=complete_bash" in done.stdout
