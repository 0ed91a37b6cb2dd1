"""The command line of the benchmarks: what is asked for is measured, and nothing is silently left out."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import OPTIONS, PARTS, main, takes


def test_accuracy_measures_the_rows_and_methods_that_are_asked_for(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    main(["accuracy", "--rows", "80", "--networks", "child", "--methods", "equal width 2", "KGV", "hill-climb"])
    lines = (tmp_path / "benchmarks/results/accuracy.md").read_text().splitlines()
    assert lines[0] == "| method | SHD, 80 rows | ratio, 80 rows: ours / published |"
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        "| equal width 3",
        "| equal width 2",
        "| KGV",
        "| hill-climb",
    ]
    assert all(line in capsys.readouterr().out for line in lines[2:3])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["accuracy", "--methods", "KGW"], "unknown method 'KGW'; did you mean 'KGV' or 'kgv'?"),
        (["tiles", "--rows", "500"], "tiles does not take --rows; name the part that does: hill-climb"),
        (["hill-climb", "--methods", "KGV"], "hill-climb does not take --methods; name the part that does: accuracy"),
        (["--rows", "500"], "does not take --rows"),
        (["accurcy"], "no part 'accurcy'"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_sentence(arguments, words, capsys):
    with pytest.raises(SystemExit):
        main(arguments)
    assert words in capsys.readouterr().err


def test_every_option_has_a_part_that_takes_it():
    for option in OPTIONS:
        assert any(takes(part, option) for part in PARTS)
    assert takes("accuracy", "rows")
    assert not takes("neural-training", "rows")
