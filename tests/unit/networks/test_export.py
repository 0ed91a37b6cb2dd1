from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from arcwise import networks
from arcwise.errors import OptionError
from arcwise.networks import load


@pytest.mark.parametrize(
    ("export", "package", "modules"),
    [
        (lambda: networks.to_pgmpy(load("child")), "pgmpy", ["pgmpy", "pgmpy.models"]),
        (lambda: networks.dag_to_pgmpy(load("child").dag), "pgmpy", ["pgmpy", "pgmpy.base"]),
        (lambda: networks.to_pyagrum(load("child")), "pyagrum", ["pyagrum"]),
        (lambda: networks.dag_to_pyagrum(load("child").dag), "pyagrum", ["pyagrum"]),
    ],
)
def test_a_missing_library_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, export: Callable[[], Any], package: str, modules: list[str]
) -> None:
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)  # type: ignore[arg-type]  # None blocks the import
    with pytest.raises(OptionError, match=f"needs the package {package}; run: pip install {package}"):
        export()


def test_public_names_exist() -> None:
    assert sorted(networks.__all__, key=str.casefold) == sorted(set(networks.__all__), key=str.casefold)
    for name in networks.__all__:
        assert hasattr(networks, name), name
