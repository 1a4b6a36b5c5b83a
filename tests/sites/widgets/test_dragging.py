"""What is dragged on the task pages: parts of pictures, items of lists, times of a calendar."""

from __future__ import annotations

import re

import pytest

from agent.interface import Click, Drag, Draw
from scenarios.widgets._places import parts
from tests.sites.widgets.conftest import page_view


def names(page, role):
    return [each.name for each in page.seen.elements if each.role == role]


def test_a_part_stays_in_its_picture_wherever_the_mouse_goes(visit):
    async def dragged(page):
        page.seen = await page.lane.act(Drag(names(page, "graphics-symbol")[0], "Submit"))
        low = parts(page_view("", page.seen))[0]
        page.seen = await page.lane.act(Draw(low.element.name, ((9, 9), (300, -120))))
        return low, parts(page_view("", page.seen))[0]

    low, high = visit("widgets/drag-box/0", dragged)
    assert (low.bottom, high.right, high.top) == (100, 154, 0)
    assert (low.right - low.left, high.bottom - high.top) == (28, 28)


@pytest.mark.parametrize(
    ("moved", "onto", "order"),
    [(0, 2, [1, 2, 0, 3]), (3, 1, [0, 3, 1, 2]), (1, 1, [0, 1, 2, 3]), (0, None, [1, 2, 3, 0])],
)
def test_an_item_takes_the_place_that_it_is_dropped_at(visit, moved, onto, order):
    """Below the list it is the last one."""

    async def dragged(page):
        first = names(page, "listitem")
        target = "Submit" if onto is None else first[onto]
        page.seen = await page.lane.act(Drag(f"//li[{moved + 1}]", f'//*[.="{target}"]'))
        return first, names(page, "listitem")

    first, after = visit("widgets/drag-sort-numbers/0", dragged)
    assert after == [first[n] for n in order]


def test_a_click_on_an_item_is_no_drag(visit):
    async def clicked(page):
        page.seen = await page.lane.act(Click(names(page, "listitem")[0]))
        return page.seen.error, page.world.snapshot()["verdicts"]

    assert visit("widgets/drag-items/0", clicked) == (None, [])


def test_a_new_event_ends_where_another_one_is(visit):
    """Gym is from 1pm to 2:30pm; what is cancelled is gone."""

    async def made(page):
        found = []
        for start, end in (
            ("12pm to 12:30pm", "3pm to 3:30pm"),
            ("3pm to 3:30pm", "12am to 12:30am"),
        ):
            page.seen = await page.lane.act(Drag(start, end))
            found += [each for each in names(page, "gridcell") if each.startswith("New")]
            page.seen = await page.lane.act(Click("Cancel"))
        return found, names(page, "gridcell"), names(page, "textbox")

    found, cells, fields = visit("widgets/daily-calendar/0", made)
    assert found == ["New event, 12pm to 1pm", "New event, 2:30pm to 3:30pm"]
    assert "Gym, 1pm to 2:30pm" in cells and "12pm to 12:30pm" in cells and fields == []


def test_while_an_event_waits_for_its_name_no_other_is_begun(visit):
    async def made(page):
        for cell in ("12pm to 12:30pm", "4pm to 4:30pm"):
            page.seen = await page.lane.act(Click(cell))
        return [each for each in names(page, "gridcell") if each.startswith("New")]

    assert visit("widgets/daily-calendar/0", made) == ["New event, 12pm to 12:30pm"]


@pytest.mark.parametrize(
    ("handle", "by", "size"),
    [("right edge", (20, 30), (85, 50)), ("lower edge", (20, 30), (65, 80)),
     ("lower right corner", (20, 30), (85, 80)), ("lower right corner", (-200, -200), (20, 20))],
)  # fmt: skip
def test_an_edge_moves_one_side_and_a_corner_two(visit, handle, by, size):
    async def dragged(page):
        path = ((3, 3), (3 + by[0], 3 + by[1]))
        page.seen = await page.lane.act(Draw(f"{handle} of the textarea", path))
        return names(page, "textbox")

    [name] = visit("widgets/resize-textarea/0", dragged)
    assert tuple(map(int, re.findall(r"\d+", name))) == size
