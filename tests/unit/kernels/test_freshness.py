"""A kernel is compiled anew when a kernel that it calls has changed, wherever that one stands."""

from __future__ import annotations

import pytest

from arcwise._kernels.kept import digests


@pytest.fixture
def sources(tmp_path):
    """top imports middle, middle imports bottom, apart stands apart."""
    (tmp_path / "bottom.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "middle.py").write_text("from arcwise._kernels.bottom import x\n", encoding="utf-8")
    (tmp_path / "top.py").write_text("import numpy\n\nfrom arcwise._kernels.middle import x\n", encoding="utf-8")
    (tmp_path / "apart.py").write_text("y = 2\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "new"), [("bottom", ["bottom", "middle", "top"]), ("top", ["top"]), ("apart", ["apart"])]
)
def test_what_imports_a_changed_file_is_not_what_it_was(sources, changed, new):
    before = digests(sources)
    assert digests(sources) == before
    with (sources / f"{changed}.py").open("a", encoding="utf-8") as file:
        file.write("z = 3\n")
    now = digests(sources)
    assert sorted(name for name in now if now[name] != before[name]) == new


def test_files_that_import_each_other_end(sources):
    (sources / "bottom.py").write_text("from arcwise._kernels.top import x\n", encoding="utf-8")
    assert len(digests(sources)) == 4
