"""Actions that a page offers: inputs that it needs and declares, and notes.

Few pages need dragging, pointing at a place of a picture, marking a text or waiting. The verbs for
these are in the grammar of actions like all others, but prompts need not describe them. If a page
declares such a verb (`Observation.inputs`), its observation describes the verb, so that every
method has it on that page and on no other. Notes are offered in the same way if the engine keeps
them (`Observation.notes`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.interface import LONGEST_WAIT, SHORTEST_WAIT, Observation


@dataclass(frozen=True, slots=True)
class Offer:
    """The syntax of a verb that a page can offer, and its description."""

    syntax: str
    meaning: str


WAIT = "wait"

OFFERS = {
    "drag": Offer("drag [id] [id]", "press on the first element, release on the second"),
    "click_at": Offer(
        "click_at [id] [x,y]",
        "click at a place of the element, in pixels from its upper left corner",
    ),
    "hover_at": Offer(
        "hover_at [id] [x,y]",
        "move the mouse to a place of the element, in pixels from its upper left corner",
    ),
    "draw": Offer(
        "draw [id] [x,y x,y ...]",
        "press at the first place of the element, move through the others, release at the last; all"
        " in pixels from the element's upper left corner",
    ),
    "mark_text": Offer("mark_text [id] [text]", "select this text of the element with the mouse"),
    "scroll_in": Offer("scroll_in [id] [up|down]", "scroll what the element holds by its height"),
    WAIT: Offer(
        "wait [seconds]",
        f"do nothing and let {SHORTEST_WAIT:g} to {LONGEST_WAIT:g} seconds pass on the page",
    ),
}
"""The inputs that pages can declare: syntax and description, by verb."""


NOTE = "note"
MOST_NOTES, LONGEST_NOTE = 24, 240
"""MOST_NOTES is the most notes that are kept in an episode, and LONGEST_NOTE the most characters of
each.
"""
NOTES = Offer(
    "note [text]",
    f"write down a fact, which every later page shows beside it; {MOST_NOTES} notes of"
    f" {LONGEST_NOTE} characters at most",
)


def described(verb: str) -> str:
    """Return a line with the syntax and the description of a verb, as pages that offer the verb
    show it.
    """
    return f"{OFFERS[verb].syntax}: {OFFERS[verb].meaning}"


def with_inputs(operations: Iterable[str], *pages: Observation) -> tuple[str, ...]:
    """Return the verbs of a prompt, together with those that these pages declare, and with `note`
    if the engine keeps notes.
    """
    inputs = (verb for page in pages for verb in page.inputs)
    notes = (NOTE for page in pages if page.notes is not None)
    return tuple(dict.fromkeys((*operations, *inputs, *notes)))
