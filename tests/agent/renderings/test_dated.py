from __future__ import annotations

from dataclasses import replace

import pytest

from agent.interface import Element, Observation, Text
from agent.renderings import dated, painted


def calendar(month: str, *days: str) -> tuple[Text | Element, ...]:
    cells = (Element(10 + at, "link", day) for at, day in enumerate(days))
    return (Element(1, "button", "Prev"), Text(month), Text("Su", "columnheader"), *cells)


def names(*content: Text | Element) -> list[str]:
    return [each.name for each in dated.shown(Observation("", "", content)).elements]


def test_each_day_is_a_date_of_the_month_and_year_above_it() -> None:
    assert names(*calendar("December 2016", "1", "26")) == ["Prev", "12/1/2016", "12/26/2016"]
    two = (*calendar("May 2019", "7"), *calendar("June 2020", "8"))
    assert names(*two) == ["Prev", "5/7/2019", "Prev", "6/8/2020"]


@pytest.mark.parametrize(
    "content",
    [
        (Text("Select 12/26/2016 as the date", "note"), Element(1, "link", "26")),
        (Text("It was in December 2016"), Element(1, "link", "26")),
        (Element(1, "link", "26"), Text("December 2016")),
        (Text("December 2016"), Element(1, "button", "26")),
        (Text("December 2016"), Element(1, "link", "32"), Element(2, "link", "Next")),
    ],
    ids=["no month", "a sentence", "before the month", "no link", "no day"],
)
def test_nothing_else_is_a_date(content: tuple[Text | Element, ...]) -> None:
    page = Observation("", "", content)
    assert dated.render(page) == painted.render(page)


def test_ids_and_all_other_marks_of_a_day_stay() -> None:
    red = (("color", "rgb(255, 0, 0)"),)
    day = Element(30, "link", "26", states=("focused",), colors=red, depth=1)
    page = Observation("http://a/", "Dates", (Text("December 2016"), day))
    assert dated.render(page).split("\n")[-1] == "  [30] link '12/26/2016' focused color=red"
    named = replace(page, content=(page.content[0], replace(day, name="12/26/2016")))
    assert dated.render(page) == painted.render(named)


def test_a_page_of_an_example_is_drawn_again_from_its_lines() -> None:
    lines = "[3] button 'Prev'\ntext 'October 2019'\n[11] link '7'"
    assert dated.redrawn(lines) == lines.replace("'7'", "'10/7/2019'")
