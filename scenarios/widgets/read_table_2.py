"""Find two values in a table of five rows, and type each into its field."""

from __future__ import annotations

from agent.interface import Action, Advice
from scenarios.widgets._page_view import PageView, do, fill
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.read_table import table

FIELDS = 2


def advise(view: PageView) -> Advice:
    typed = values(view)
    return do(*typed, view.click("button", name="Submit")) if len(typed) == FIELDS else do()


def values(view: PageView, *, swapped: bool = False) -> list[Action | None]:
    """Return the actions that fill in the fields; None for a field that is already right."""
    fields, known = view.all("textbox"), table(view)
    labels = [each.name.removesuffix(":") for each in fields]
    if len(fields) != FIELDS or not set(labels) <= set(known):
        return []
    texts = [known[label] for label in (reversed(labels) if swapped else labels)]
    return [fill(field, text) for field, text in zip(fields, texts, strict=True)]


def wrong(view: PageView) -> Advice:
    """Advise typing each value into the other field: a wrong end for tests."""
    return do(*values(view, swapped=True), view.click("button", name="Submit"))


FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes={"wrong": Outcome(wrong)})
