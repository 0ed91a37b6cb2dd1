"""The program run inside this process: what it prints and its exit code."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from arcwise.cli.main import main


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


Program = Callable[..., Run]


@pytest.fixture
def arcwise(capsys: pytest.CaptureFixture[str]) -> Program:
    def run(*arguments: object) -> Run:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Run(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def weather(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small table in which `wet` follows `rain`, `sprinkler` stands apart and `warm` is a number."""
    import numpy as np

    rng = np.random.default_rng(4)
    rain = rng.random(300) < 0.4
    wet = np.where(rng.random(300) < 0.9, rain, ~rain)
    warm = 20 - 8 * rain + rng.normal(size=300)
    sprinkler = rng.integers(0, 2, size=300)
    path = tmp_path_factory.mktemp("data") / "weather.csv"
    rows = [f"{r},{w},{t:.3f},{s}" for r, w, t, s in zip(rain, wet, warm, sprinkler, strict=True)]
    path.write_text("\n".join(["rain,wet,warm,sprinkler", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test starts in an empty folder of its own, on a screen of known width."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    assert not os.listdir()
