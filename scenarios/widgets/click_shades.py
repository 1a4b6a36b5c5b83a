"""Pick all boxes whose colour is a shade of red, green or blue."""

from __future__ import annotations

import re

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, click, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget

PRIMARIES = ("red", "green", "blue")


def advise(view: PageView) -> Advice:
    [color] = view.groups(r"shades of (\w+)")
    boxes = [box for box in view.all("button") if box.name.startswith("box ")]
    turned = [box for box in boxes if (shade(box) == color) != ("pressed" in box.states)]
    return do(*map(click, turned), view.click("button", name="Submit"), needs=[color])


def shade(box: Element) -> str:
    """Return the primary colour that is strongest in a box."""
    amounts = [int(part) for part in re.findall(r"\d+", dict(box.colors)["background-color"])]
    return PRIMARIES[amounts.index(max(amounts))]


def wrong(view: PageView) -> Advice:
    other = "red" if "green" in view.instruction else "green"
    return advise(with_instruction(view, r"shades of \w+", f"shades of {other}"))


def too_few(view: PageView) -> Advice:
    """Advise picking all right boxes but the first: an imperfect end for tests."""
    advice = advise(view)
    return do(*advice.actions[1:])


OUTCOMES = {"wrong": Outcome(wrong), "wrong, one too few": Outcome(too_few)}
FAMILY = Widget(__file__, __doc__, advise, actions=7, outcomes=OUTCOMES)
