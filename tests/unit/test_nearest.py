"""What is suggested for a name that is not known; where nothing is near, nothing is."""

from __future__ import annotations

import pytest

from arcwise import catalog
from arcwise.errors import OptionError, unknown_name
from arcwise.nearest import nearest
from arcwise.other_names import ELSEWHERE

METHODS = tuple(catalog.METHODS)
COMMANDS = ("check", "learn", "bootstrap", "compare", "complete", "score", "metrics", "test", "methods", "query")
COLUMNS = ("petal_width", "PetalLength", "age at start", "x1", "x2", "t", "Größe")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("hc", "hill-climb"),
        ("HC", "hill-climb"),
        ("hillclimbing", "hill-climb"),
        ("hill_climb", "hill-climb"),
        ("climb", "hill-climb"),
        ("ef", "equal-frequency"),
        ("sc", "sparse-candidate"),
        ("freq", "equal-frequency"),
        ("equal", "equal-width equal-frequency"),
        ("tabu-search", "tabu"),
        ("stek", "steck"),
        ("gausian", "gaussian"),
        ("kvg", "kgv"),
        ("kv", "kgv"),
        ("gs", "ges"),
        ("kg", "kgv"),
        ("pcc", "pc"),
        ("automatic", "auto"),
        ("opt", "optimal optimal-reinsertion"),
        ("bn", ""),
        ("k3", "k2"),
        ("steck2", "steck"),
        ("random", ""),
        ("x", ""),
        ("", ""),
        ("--", ""),
    ],
)
def test_methods(name, meant):
    assert nearest(name, METHODS) == tuple(meant.split())


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("lern", "learn"),
        ("boot", "bootstrap"),
        ("comp", "compare complete"),
        ("method", "methods"),
        ("tests", "test"),
        ("qurey", "query"),
        ("plot", ""),
    ],
)
def test_commands(name, meant):
    assert nearest(name, COMMANDS) == tuple(meant.split())


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("petal width", "petal_width"),
        ("PETAL-WIDTH", "petal_width"),
        ("petallength", "PetalLength"),
        ("Age_at_start", "age at start"),
        ("agatstart", "age at start"),
        ("T", "t"),
        ("tt", "t"),
        ("grosse", "Größe"),
        ("x3", None),
        ("petal_width2", "petal_width"),
        ("start", "age at start"),
        ("weight", None),
    ],
)
def test_columns(name, meant):
    assert nearest(name, COLUMNS) == (() if meant is None else (meant,))


def test_many_that_are_near_are_no_answer():
    assert nearest("gene", [f"gene_{letter}" for letter in "abcd"]) == ()
    assert nearest("genee", [f"gen{letter}e" for letter in "abcd"]) == ()


def test_a_name_is_near_itself_whatever_it_is():
    for name in (*METHODS, *COMMANDS, *COLUMNS):
        assert name in nearest(name, [*METHODS, *COMMANDS, *COLUMNS])


def test_an_ending_comes_before_a_later_word():
    assert nearest("parents", ["parent", "one of two parents"]) == ("parent",)
    assert nearest("fu-2006", ["brown-2006", "fu-2005"]) == ("fu-2005",)


def test_the_sentence():
    assert unknown_name("column", "Age", ["age", "sex"]) == "unknown column 'Age'; did you mean 'age'?"
    assert unknown_name("column", "zip", ["age", "sex"]) == "unknown column 'zip'; known: age, sex"
    assert unknown_name("method", "equal", METHODS).endswith("did you mean 'equal-width' or 'equal-frequency'?")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("fges", "greedy equivalence search is called 'ges' here"),
        ("PC.stable", "PC is called 'pc' here"),
        ("iamb", "arcwise has no grow-shrink search for Markov blankets, but 'mmpc' and 'pc' come near"),
        (
            "NOTEARS",
            "arcwise has no continuous optimization of a weighted graph, but 'gaussian' and 'neural' come near",
        ),
        ("nonparanormal", "the Gaussian copula is called 'copula' here"),
        ("rank PC", "arcwise has no PC on ranks, but 'copula' and 'pc' come near"),
        ("GAM", "the search for relations of any smooth shape is called 'smooth' here"),
        ("basis_functions", "the search for relations of any smooth shape is called 'smooth' here"),
        ("CAM", "arcwise has no search for causal additive models, but 'smooth' comes near"),
        ("CLG", "the conditional Gaussian network is called 'conditional-gaussian' here"),
        ("bic-cg", "the conditional Gaussian network is called 'conditional-gaussian' here"),
        ("bic", "'bic' is a score, which a method uses: --method hill-climb --set score=bic"),
        ("fisher-z", "'fisher-z' is a test, which a method uses: --method pc --set test=fisher-z"),
    ],
)
def test_names_of_the_field(name, said):
    with pytest.raises(OptionError) as error:
        catalog.method(name)
    assert said in str(error.value)


def test_names_of_the_field_lead_to_methods_and_hide_none():
    for name, found in ELSEWHERE.items():
        assert name not in METHODS
        assert set(found.methods) <= set(METHODS), name
        assert len(found.methods) == 1 or not found.same, name
