"""Turn the pages of a contact book to a person, and click their number or address."""

from __future__ import annotations

from agent.interface import Advice, Click, Text
from scenarios.widgets._page_view import PageView, click, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget

PROPERTIES = {"phone number": "Phone:", "email": "Email:", "address": "Address:"}
TASK = r"Find (.*) in the contact book and click on their (.*)\."


def advise(view: PageView) -> Advice:
    person, sought = view.groups(TASK)
    if person in view.texts("heading"):
        return do(listed(view).get(PROPERTIES[sought]), step="click", needs=[person, sought])
    return turned(view, person)


def turned(view: PageView, person: str) -> Advice:
    """Advise turning to the next page, or giving up on the last page."""
    onward = view.find("link", name="Next page")
    if onward is None or "disabled" in onward.states:
        return do()
    return do(click(onward), step="find the person", needs=[person])


def listed(view: PageView) -> dict[str, Click]:
    """Return a click on the link after each label, by label."""
    found, label = {}, ""
    for node in view.page.content:
        if isinstance(node, Text):
            label = node.text
        elif label:
            found[label], label = Click(node.id), ""
    return found


def another_property(view: PageView) -> Advice:
    """Advise clicking another property of the right person: a wrong end for tests."""
    to = "email" if "address" in view.instruction else "address"
    return advise(with_instruction(view, r"their .*\.", f"their {to}."))


def another_person(view: PageView) -> Advice:
    """Advise clicking the requested property of another person: a wrong end for tests."""
    person, sought = view.groups(TASK)
    if person in view.texts("heading"):
        turn = view.find("link", name="Next page")
        if turn and "disabled" in turn.states:
            turn = view.find("link", name="Previous page")
        return do(click(turn), step="find the person")
    return do(listed(view).get(PROPERTIES[sought]), step="click")


def neither(view: PageView) -> Advice:
    to = "email" if "address" in view.instruction else "address"
    return another_person(with_instruction(view, r"their .*\.", f"their {to}."))


OUTCOMES = {
    "wrong": Outcome(neither),
    "wrong person": Outcome(another_person, -0.4),
    "partial": Outcome(another_property, 0.4),
}
STEPS = ("find the person", "click")
FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES, STEPS=STEPS)
