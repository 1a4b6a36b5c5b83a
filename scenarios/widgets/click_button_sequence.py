"""Click one button, then another."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def instruction(view: PageView) -> list[str]:
    return view.groups(r"button (\w+), then click button (\w+)")


def advise(view: PageView) -> Advice:
    return press(view, instruction(view))


def wrong(view: PageView) -> Advice:
    return press(view, instruction(view)[::-1])


def press(view: PageView, words: list[str]) -> Advice:
    """Advise clicking, of the buttons with these labels, those not clicked yet."""
    buttons = [view.find("button", name=word) for word in words]
    left = [each for each in buttons if each and "pressed" not in each.states]
    return do(*map(click, left), needs=words)


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
