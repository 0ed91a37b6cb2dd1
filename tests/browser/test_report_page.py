"""The report page in a real browser: clicks, keys, search, slider, small screens, dark rooms, hostile names."""

from __future__ import annotations

import json

import numpy as np
import pytest

from arcwise import Dataset
from arcwise.data.dataset import Kind
from arcwise.discretize import EqualFrequency
from tests.browser.made import EVIL, made

EDGES_SHOWN = (
    "[...document.querySelectorAll('g.edge')].filter((one) => getComputedStyle(one).display !== 'none').length"
)
LABELS = "[...document.querySelectorAll('#panel h3')].map((one) => one.textContent)"

GIVEN = (
    "[...document.querySelectorAll('#panel section')].slice(2).map((one) => [one.querySelector('h3').textContent,"
    "[...one.querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),"
    "[...one.querySelectorAll('svg.chart > text.small[text-anchor=end]')].map((text) => text.textContent)"
    ".filter((text) => text.endsWith('rows'))])"
)


def set_slider(page, share: float) -> None:
    page.run(
        f"(() => {{ const one = document.getElementById('strength'); one.value = {1000 * share};"
        "one.dispatchEvent(new Event('input')); })()"
    )


def test_a_click_on_a_column_fills_the_panel_and_fades_the_rest(opened):
    page = opened("small")
    assert page.text("#panel h2") == "Nothing selected"
    page.click("g.node[data-node='4']")
    assert page.text("#panel h2") == "column 4"
    assert page.run("document.querySelector('[role=status]#selected').textContent") == "column 4"
    assert page.run(LABELS)[:2] == ["Markov blanket", "Values"]
    assert page.run("document.querySelectorAll('#panel svg.chart rect').length") > 5
    assert page.run("document.querySelector('g.node.chosen').dataset.node") == "4"
    near = set(page.run("[...document.querySelectorAll('g.node.near')].map((one) => one.dataset.node)"))
    linked = set(
        page.run(
            "[...document.querySelectorAll('#panel .members li')].map((one) => one.querySelector('.link').textContent)"
        )
    )
    assert {f"column {k}" for k in near} == linked
    faded = "getComputedStyle(document.querySelector('g.node:not(.near, .chosen) rect')).opacity"
    assert 0.3 <= float(page.run(faded)) <= 0.45  # it can still be read
    page.press("Escape")
    assert page.text("#panel h2") == "Nothing selected"
    assert page.run("document.querySelectorAll('.chosen, .near').length") == 0


@pytest.mark.parametrize("name", ["small", "counts", "once", "compared"])
def test_every_column_and_edge_can_be_opened(opened, name):
    page = opened(name)
    titles = page.run(
        "[...document.querySelectorAll('g.node, g.edge')].map((one) => {"
        "one.dispatchEvent(new MouseEvent('click', { bubbles: true }));"
        "const panel = document.getElementById('panel');"
        "return [panel.querySelector('h2').textContent, panel.querySelectorAll('.chart').length]; })"
    )
    assert len({title for title, _ in titles}) == len(titles)
    assert all(charts >= 1 for _, charts in titles)


def test_shares_and_rows_in_the_panel_are_those_of_the_table(opened):
    """Of every column given each neighbour, in the table and at the histograms, whichever of the two comes first."""
    _, data = made(200, 400)
    page = opened("large")
    seen = set()
    for node in range(150, 180):
        page.choose(f"g.node[data-node='{node}']")
        for head, table, rows in page.run(GIVEN):
            given = data.names.index(head.removeprefix("Given "))
            groups, labels = grouped(data, given)
            sizes = [int((groups == k).sum()) for k in range(len(labels))]
            seen.add((bool(node % 3), node < given))
            if node % 3:
                assert rows == [f"{size} rows" for size in sizes]
                continue
            own = data.columns[node]
            assert table[0] == [data.names[given], *own.levels, "rows"]
            for k, line in enumerate(table[1:]):
                inside = own.values[groups == k]
                shares = [f"{100 * (inside == m).mean():.0f}%" for m in range(own.cardinality)]
                near = [abs(int(a[:-1]) - int(b[:-1])) for a, b in zip(line[1:-1], shares, strict=True)]
                assert (line[0], max(near) <= 1, line[-1]) == (labels[k], True, str(sizes[k]))
    assert len(seen) == 4


def grouped(data: Dataset, k: int) -> tuple[np.ndarray, tuple[str, ...]]:
    """Codes of a column's levels, or of quarters of its rows, and what the page calls them."""
    column = data.columns[k]
    if column.kind is Kind.DISCRETE:
        return column.values, column.levels
    cuts = EqualFrequency(bins=4).fit(data.select([column.name]))
    return (column.values[:, None] >= cuts.thresholds[column.name]).sum(axis=1), cuts.intervals(column.name)


def test_a_click_on_an_edge_shows_both_columns(opened):
    page = opened("small")
    key = page.run("(() => { const one = document.querySelector('g.edge'); return one.dataset.edge; })()")
    page.choose(f"g.edge[data-edge='{key}']")
    words = page.text("#panel")
    assert all(f"column {k}" in words for k in key.split("-"))
    assert "share of the 100" in words
    assert page.run(LABELS) == ["Strength", "Together"]
    page.choose("g.edge[data-edge='3-4']")
    assert "column 4 for each group of column 3" in page.text("#panel")
    page.choose("g.edge[data-edge='5-6']")
    assert "column 5 for each group of column 6" in page.text("#panel")


def test_rows_are_drawn_only_where_the_page_has_some(opened):
    points = {}
    for name in ("small", "counts"):
        page = opened(name)
        points[name] = page.run(
            "Math.max(...[...document.querySelectorAll('g.edge')].map((one) => {"
            "one.dispatchEvent(new MouseEvent('click', { bubbles: true }));"
            "return document.querySelectorAll('#panel circle').length; }))"
        )
        assert (page.text("footer").endswith("and no row.")) == (name == "counts")
    assert points["small"] > 100
    assert points["counts"] == 0


def test_search_lists_matches_and_enter_takes_the_first(opened):
    page = opened("large")
    page.run("document.getElementById('search').focus()")
    page.type("mn 19")
    matches = page.run("[...document.querySelectorAll('#matches [role=option]')].map((one) => one.textContent)")
    assert matches == ["column 19", *(f"column {k}" for k in range(190, 200))]
    page.press("ArrowDown", "Enter")
    assert page.text("#panel h2") == "column 190"
    assert page.run("document.getElementById('matches').hidden")
    seen = "document.querySelector('g.node.chosen').getBoundingClientRect().width"
    assert page.run(seen) > 40  # near enough to be read
    page.run("document.getElementById('search').select()")
    page.type("no such thing")
    assert page.text("#matches") == "No column has this in its name."


def test_the_slider_hides_weak_edges_and_counts_the_others(opened):
    page = opened("small")
    assert page.run(EDGES_SHOWN) == 9
    set_slider(page, 0.7)
    strong = page.run(
        "JSON.parse(document.getElementById('content').textContent).edges.filter((e) => e.strength >= 0.7).length"
    )
    assert 0 < strong < 9
    assert page.run(EDGES_SHOWN) == strong
    assert page.text("#strength-value") == f"70%: {strong} of 9 edges"
    assert page.run("document.querySelectorAll('#edges table')[0].tBodies[0].rows.length") == strong
    set_slider(page, 0.25)
    listed = page.run(
        "[...document.querySelectorAll('#edges table')[1].tBodies[0].rows].map((row) => row.cells[2].textContent)"
    )
    assert all(int(text.strip("%")) >= 25 for text in listed)


def test_edges_that_a_score_is_better_off_without_are_shown_at_first(opened):
    page = opened("required")
    assert page.run("document.querySelectorAll('g.edge:not(.weak)').length") == 3
    assert page.text("#strength-value") == "-2.5 nats: 3 of 3 edges"
    set_slider(page, 0.001)
    assert page.run("document.querySelectorAll('g.edge:not(.weak)').length") == 2


def test_no_slider_where_no_strength_is_known(opened):
    page = opened("once")
    assert page.run("getComputedStyle(document.getElementById('slider')).display") == "none"
    assert "learned once" in page.text("#limits")
    assert page.text("#limits code") == "--bootstrap 200"


def test_with_the_keyboard_alone(opened):
    page = opened("small")
    for _ in range(30):
        page.press("Tab")
        if page.run("document.activeElement.classList.contains('node')"):
            break
    else:
        pytest.fail("no column is reached by Tab")
    first = page.run("document.activeElement.dataset.node")
    moves = ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft")
    reached = set()
    for key in moves * 3:
        page.press(key)
        reached.add(page.run("document.activeElement.dataset.node"))
    assert len(reached | {first}) > 3
    page.press("Enter")
    assert page.text("#panel h2") == f"column {page.run('document.activeElement.dataset.node')}"
    page.press("e", "Enter")
    assert page.run("document.querySelector('g.edge.chosen').dataset.edge") == page.run(
        "document.activeElement.dataset.edge"
    )
    before = page.run("document.querySelector('#stage svg').getAttribute('viewBox')")
    page.press("+")
    closer = page.run("document.querySelector('#stage svg').getAttribute('viewBox')")
    page.press("0")
    assert float(closer.split()[2]) < float(before.split()[2])
    assert page.run("document.querySelectorAll('g.node[tabindex=\"0\"]').length") == 1
    outline = "getComputedStyle(document.querySelector('#theme')).outlineStyle"
    page.run("document.querySelector('#theme').focus()")
    page.press("Tab")
    assert page.run(outline.replace("#theme", "#print")) == "solid"


def test_hostile_names_stay_text(opened):
    page = opened("evil")
    assert page.text("h1") == EVIL
    assert page.run("document.title") == EVIL
    for k in (1, 2, 3, 4, 0):
        page.choose(f"g.node[data-node='{k}']")
    assert page.text("#panel h2") == EVIL
    assert EVIL in page.text("#origin pre").replace("'\"'\"'", "'")
    assert page.run("document.querySelectorAll('script').length") == 2
    assert page.run("document.querySelectorAll('img, iframe, object').length") == 0


@pytest.mark.parametrize("name", ["small", "evil", "compared", "single", "large"])
def test_four_hundred_pixels_are_enough(opened, name):
    page = opened(name, 400, 800)
    page.choose("g.node")
    page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.run("document.documentElement.scrollWidth") == 400
    top, bottom = page.run(
        "[document.getElementById('panel').getBoundingClientRect().top,"
        "document.getElementById('stage').getBoundingClientRect().bottom]"
    )
    assert top >= bottom


def luminance(page, selector: str, what: str) -> float:
    colour = page.run(f"getComputedStyle(document.querySelector({json.dumps(selector)})).{what}")
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_room_and_can_be_read(opened, scheme):
    page = opened("small", color_scheme=scheme)
    paper = luminance(page, "body", "backgroundColor")
    assert (paper < 0.1) == (scheme == "dark")
    box = luminance(page, "g.node rect", "fill")
    assert contrast(paper, luminance(page, "body", "color")) > 7
    assert contrast(box, luminance(page, "g.node text", "fill")) > 7
    assert contrast(luminance(page, "#panel", "backgroundColor"), luminance(page, "#headline", "color")) > 4.5
    assert contrast(paper, luminance(page, ".link", "color")) > 4.5
    assert contrast(paper, luminance(page, "g.edge.directed path:not(.broad)", "stroke")) > 3
    page.click("#theme")
    assert (luminance(page, "body", "backgroundColor") < 0.1) == (scheme == "light")


def test_on_paper_there_are_no_controls_and_it_is_light(opened, tmp_path):
    page = opened("small", media="print", color_scheme="dark")
    assert page.run("getComputedStyle(document.querySelector('.tools')).display") == "none"
    assert luminance(page, "body", "color") < 0.1
    page.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_tables_are_sorted_and_filtered(opened):
    page = opened("small")
    column = "[...document.querySelectorAll('#edges tbody')[0].rows].map((row) => parseInt(row.cells[3].textContent))"
    assert page.run(column) == sorted(page.run(column), reverse=True)
    page.run("document.querySelectorAll('#edges th button')[3].click()")
    assert page.run(column) == sorted(page.run(column))
    assert page.run("document.querySelectorAll('#edges th')[3].getAttribute('aria-sort')") == "ascending"
    compared = opened("compared")
    for _ in range(2):  # down, then up; edges of the other graph alone have no strength
        shares = compared.run(
            "[...document.querySelectorAll('#edges tbody')[0].rows].map((row) => row.cells[3].textContent)"
        )
        assert shares.index("") == len(shares) - shares.count("")
        compared.run("document.querySelectorAll('#edges th button')[3].click()")
    page.run("document.querySelector('#columns input').focus()")
    page.type("mn 3")
    assert page.run("[...document.querySelectorAll('#columns tbody tr')].map((row) => row.cells[0].textContent)") == [
        "column 3"
    ]


@pytest.mark.parametrize("width", [400, 1300])
def test_a_link_in_a_table_further_down_leads_to_the_panel(opened, width):
    page = opened("small", width, 800)
    page.click("#columns tbody tr:nth-child(4) .link")
    assert page.text("#panel h2") == "column 3"
    top = page.run("document.getElementById('panel').getBoundingClientRect().top")
    assert -5 < top < 500
    assert page.run("document.activeElement.id") == "panel"
    page.press("Escape")
    assert page.text("#panel h2") == "Nothing selected"


def test_differences_are_counted_and_drawn(opened):
    page = opened("compared")
    kinds = ("same", "turned", "added", "missing")
    drawn = {kind: page.run(f"document.querySelectorAll('g.edge.{kind}').length") for kind in kinds}
    counted = page.run("JSON.parse(document.getElementById('content').textContent).difference")
    assert drawn == {kind: counted[kind] for kind in drawn}
    assert drawn["missing"] == 1
    colours = [
        page.run(f"getComputedStyle(document.querySelector('g.edge.{kind} path:not(.broad)')).stroke")
        for kind in kinds
        if drawn[kind]
    ]
    assert len(set(colours)) == len(colours) >= 3
    assert f"{counted['shd']} is the structural Hamming distance" in page.text("#differences")


def test_awkward_columns_can_be_opened(opened):
    page = opened("awkward")
    texts = page.run(
        "[...document.querySelectorAll('g.node, g.edge')].map((one) => {"
        "one.dispatchEvent(new MouseEvent('click', { bubbles: true }));"
        "return document.getElementById('panel').innerText; })"
    )
    words = "\n".join(texts)
    assert "No value is recorded." in words
    assert "always 2.5" in words
    assert "other levels" in words
    assert "The tests contradict each other about the direction." in words
    assert "-0.5, 0.5" in words


def test_a_run_without_an_answer_says_so(opened):
    page = opened("unanswered")
    assert "stopped before it had found anything" in page.text("#panel")
    assert "Nothing was found" in page.text("#limits")


def test_a_network_without_edges(opened):
    page = opened("empty")
    assert page.text("#edges").endswith("The network has no edges.")
    page.click("g.node[data-node='1']")
    assert "No edge joins this column to another." in page.text("#panel")


def test_the_wheel_scrolls_the_page_until_the_network_is_clicked(opened):
    page = opened("small")
    box = (
        "(() => { const b = document.querySelector('#stage').getBoundingClientRect(); return [b.x + 30, b.y + 30]; })()"
    )
    view = "document.querySelector('#stage svg').getAttribute('viewBox')"
    x, y = page.run(box)
    before = page.run(view)
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100)
    assert page.run(view) == before
    page.run("document.querySelector('g.node[tabindex=\"0\"]').focus()")
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100)
    assert float(page.run(view).split()[2]) < float(before.split()[2])


def test_two_fingers_zoom(opened):
    page = opened("small", 400, 800)
    page.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    page.run("document.getElementById('stage').scrollIntoView({block: 'center'})")
    x, y = page.middle("#stage")
    view = "document.querySelector('#stage svg').getAttribute('viewBox').split(' ').map(Number)"
    before = page.run(view)

    def touch(kind: str, apart: float) -> None:
        places = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}] if apart else []
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=places)

    touch("touchStart", 30)
    for apart in (40, 60, 80, 100):
        touch("touchMove", apart)
    touch("touchEnd", 0)
    assert page.run(view)[2] < 0.7 * before[2]
    assert page.text("#panel h2") == "Nothing selected"


def test_dragging_moves_the_network_and_selects_nothing(opened):
    page = opened("small")
    x, y = page.middle("g.node")
    view = "document.querySelector('#stage svg').getAttribute('viewBox').split(' ').map(Number)"
    before = page.run(view)
    page.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
    for step in (20, 40, 60):
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + step, y=y, button="left", buttons=1)
    page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + 60, y=y, button="left", clickCount=1)
    after = page.run(view)
    assert after[0] < before[0]
    assert after[2:] == pytest.approx(before[2:])
    assert page.text("#panel h2") == "Nothing selected"
