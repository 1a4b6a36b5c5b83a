"""Find somebody's mail and reply to it, forward it, delete it or mark it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._mail import STEPS, act
from scenarios.widgets._page_view import PageView, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [sender] = scene.heard(r"email by (\w+) and")
    for doing, pattern in (("reply", r'with the text "(.*)"'), ("forward", r"email to (\w+)\.")):
        if found := scene.heard(pattern):
            return act(scene, sender, doing, found[0])
    return act(scene, sender, "trash" if "trash" in scene.told else "star")


def wrong(scene: PageView) -> Advice:
    """The same to another person's mail."""
    sender = scene.heard(r"email by (\w+) and")[0]
    marks = [each.name.partition(" ")[2] for each in scene.all("button")]
    other = next((name for name in marks if name and name != sender and name.istitle()), sender)
    return advise(misheard(scene, rf"email by {sender}\b", f"email by {other}"))


FAMILY = Widget(
    __file__, __doc__, advise, actions=4, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
