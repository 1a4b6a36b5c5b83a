"""Find somebody's mail and reply to it, forward it, delete it or mark it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._mail import STEPS, act
from scenarios.widgets._page_view import PageView, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [sender] = view.groups(r"email by (\w+) and")
    for doing, pattern in (("reply", r'with the text "(.*)"'), ("forward", r"email to (\w+)\.")):
        if found := view.groups(pattern):
            return act(view, sender, doing, found[0])
    return act(view, sender, "trash" if "trash" in view.instruction else "star")


def wrong(view: PageView) -> Advice:
    """The same to another person's mail."""
    sender = view.groups(r"email by (\w+) and")[0]
    marks = [each.name.partition(" ")[2] for each in view.all("button")]
    other = next((name for name in marks if name and name != sender and name.istitle()), sender)
    return advise(with_instruction(view, rf"email by {sender}\b", f"email by {other}"))


FAMILY = Widget(
    __file__, __doc__, advise, actions=4, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
