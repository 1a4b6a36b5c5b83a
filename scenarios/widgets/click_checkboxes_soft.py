"""Tick the boxes whose words mean about the same as the words in the instruction."""

from __future__ import annotations

import re
from functools import cache

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, tick, with_instruction
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.click_checkboxes import STEPS, all_but_one, credit, opposite
from sites.widgets import originals
from sites.widgets.world import FOLDER

NAMED = r"words similar to (.*) and click Submit"


Groups = tuple[frozenset[str], ...]
"""Groups of words with about the same meaning."""


def meant(view: PageView, groups: Groups | None = None) -> list[str]:
    """Return the labels that mean the same as the words in the instruction.

    Args:
        groups: The groups of similar words; None takes the page's own groups.
    """
    [words] = view.groups(NAMED)
    boxes, known = view.all("checkbox"), _groups() if groups is None else groups
    return [
        box.name
        for box in boxes
        if any(similar(box.name, word, known) for word in words.split(", "))
    ]


def similar(one: str, two: str, groups: Groups) -> bool:
    """Return whether two words are equal or belong to the same group."""
    return one == two or any(one in group and two in group for group in groups)


@cache
def _groups() -> Groups:
    text = (FOLDER / "static" / "synonyms.js").read_text(encoding="utf-8")
    [listed] = re.findall(r"`(.*?)`", text, re.DOTALL)
    return tuple(frozenset(line.split()) for line in listed.strip().splitlines())


@cache
def _original_groups() -> Groups:
    listed = re.findall(r"^ +\[('.*')\],$", originals.text("click-checkboxes-soft"), re.MULTILINE)
    return tuple(frozenset(re.findall(r"'(.*?)'", line)) for line in listed)


def advise_original(view: PageView) -> Advice:
    return advise(view, _original_groups())


def advise(view: PageView, groups: Groups | None = None) -> Advice:
    [words] = view.groups(NAMED)
    boxes = tick(view.all("checkbox"), meant(view, groups))
    return do(*boxes, view.click("button", name="Submit"), needs=words.split(", "))


def literal(view: PageView) -> PageView:
    """Return the view with an instruction that names the labels themselves."""
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
    on_original=advise_original,
)
