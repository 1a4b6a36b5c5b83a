"""Tick the boxes whose words mean about the same as those that are named."""

from __future__ import annotations

import re
from functools import cache

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, tick, with_instruction
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.click_checkboxes import STEPS, all_but_one, credit, opposite
from sites.widgets.world import FOLDER

NAMED = r"words similar to (.*) and click Submit"


def meant(view: PageView) -> list[str]:
    """The labels that mean what the instruction names."""
    [words] = view.groups(NAMED)
    boxes = view.all("checkbox")
    return [box.name for box in boxes if any(similar(box.name, word) for word in words.split(", "))]


def similar(one: str, two: str) -> bool:
    """Whether two words of the page's list are of one group."""
    return one == two or any(one in group and two in group for group in _groups())


@cache
def _groups() -> tuple[frozenset[str], ...]:
    text = (FOLDER / "static" / "synonyms.js").read_text(encoding="utf-8")
    [listed] = re.findall(r"`(.*?)`", text, re.DOTALL)
    return tuple(frozenset(line.split()) for line in listed.strip().splitlines())


def advise(view: PageView) -> Advice:
    [words] = view.groups(NAMED)
    boxes = tick(view.all("checkbox"), meant(view))
    return do(*boxes, view.click("button", name="Submit"), needs=words.split(", "))


def literal(view: PageView) -> PageView:
    """The view with the labels themselves in its instruction."""
    return with_instruction(view, NAMED, f"{', '.join(meant(view))} and click Submit")


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=7,
    outcomes={
        "wrong": Outcome(lambda view: opposite(literal(view))),
        "partial": Outcome(lambda view: all_but_one(literal(view)), credit),
    },
    STEPS=STEPS,
)
