"""One browser for all tests, and pages that each of them opens in a tab of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arcwise import Dag
from arcwise.report import write as write_page
from tests.browser.chromium import Chromium, Page, program
from tests.browser.made import EVIL, awkward, made

Opened = Callable[[str], Page]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    if program() is None:
        pytest.skip("there is no Chromium on this machine; install Debian's package chromium to run these tests")
    found = Chromium(tmp_path_factory.mktemp("browser"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages by what is special about them."""
    folder = tmp_path_factory.mktemp("reports")
    found: dict[str, Path] = {}

    def write(name: str, n: int, edges: int, options: dict | None = None, **more) -> None:
        result, data = made(n, edges, **more)
        given = dict(options or {})
        if given.pop("against", False):
            given["against"] = Dag(data.names, [*result.cpdag.directed[2:], (data.names[-1], data.names[0])])
        found[name] = folder / f"{name}.html"
        write_page(result, data, found[name], **given)

    write("small", 8, 9)
    write("once", 8, 9, shares=False)
    write("counts", 8, 9, {"rows": 0})
    write("compared", 8, 9, {"against": True})
    write(
        "evil",
        5,
        5,
        {"title": EVIL, "command": EVIL},
        names=[EVIL, "年龄", "x" * 100, 'a"b', "<img src=x onerror=alert(1)>"],
    )
    result, data = made(4, 3, shares=False)
    nats = dict(zip((*result.cpdag.directed, *result.cpdag.undirected), (-2.5, 0.5, 40.0), strict=True))
    found["required"] = folder / "required.html"
    write_page(replace(result, support=nats), data, found["required"])
    write("empty", 3, 0, shares=False)
    write("single", 1, 0, shares=False)
    write("large", 200, 400)
    found["awkward"] = folder / "awkward.html"
    write_page(*awkward(), found["awkward"])
    found["unanswered"] = folder / "unanswered.html"
    nothing, data = made(4, 0, shares=False)
    write_page(replace(nothing, status="unanswered"), data, found["unanswered"])
    return found


@pytest.fixture
def opened(browser: Chromium, reports: dict[str, Path]) -> Iterator[Opened]:
    """Opens a page by name; at the end no page had an error, a dialog, or a request but for itself."""
    pages: list[tuple[Page, Path]] = []

    def opened(name: str, width: int = 1300, height: int = 900, **preferences: str) -> Page:
        page = browser.page()
        page.size(width, height)
        page.prefer(**preferences)
        page.open(reports[name])
        pages.append((page, reports[name]))
        return page

    yield opened
    for page, path in pages:
        page.look()
        assert (page.troubles, page.dialogs) == ([], [])
        assert [address.partition("#")[0] for address in page.requests] == [path.as_uri()]
        page.close()
