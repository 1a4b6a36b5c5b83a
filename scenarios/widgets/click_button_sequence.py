"""Click one button, then another."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def told(scene: PageView) -> list[str]:
    return scene.heard(r"button (\w+), then click button (\w+)")


def advise(scene: PageView) -> Advice:
    return press(scene, told(scene))


def wrong(scene: PageView) -> Advice:
    return press(scene, told(scene)[::-1])


def press(scene: PageView, words: list[str]) -> Advice:
    """Click those of these words that were not clicked yet."""
    buttons = [scene.find("button", name=word) for word in words]
    left = [each for each in buttons if each and "pressed" not in each.states]
    return do(*map(click, left), needs=words)


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
