"""Actions that are offered beside a page: inputs that it needs and declares, and notes.

Few pages need a drag, a place of a picture, a text to mark, a wait. Such a verb is in the grammar
of actions like any other, and prompts need not tell of it. An observation of a page that declares
it (`Observation.inputs`) says what it does, so that every method has it there and nowhere else.
Notes are offered in the same way where they are kept (`Observation.notes`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.interface import LONGEST_WAIT, SHORTEST_WAIT, Observation


@dataclass(frozen=True, slots=True)
class Offer:
    """How a verb is written, and what it does."""

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
"""By verb."""


NOTE = "note"
MOST_NOTES, LONGEST_NOTE = 24, 240
"""So many notes are kept, of so many characters each at most."""
NOTES = Offer(
    "note [text]",
    f"write down a fact, which every later page shows beside it; {MOST_NOTES} notes of"
    f" {LONGEST_NOTE} characters at most",
)


def described(verb: str) -> str:
    """A verb as a page that needs it tells of it."""
    return f"{OFFERS[verb].syntax}: {OFFERS[verb].meaning}"


def with_inputs(operations: Iterable[str], *pages: Observation) -> tuple[str, ...]:
    """The operations of a prompt, the inputs that these pages declare, and the one for notes where
    these are kept beside them."""
    inputs = (verb for page in pages for verb in page.inputs)
    notes = (NOTE for page in pages if page.notes is not None)
    return tuple(dict.fromkeys((*operations, *inputs, *notes)))
