"""Type a user name and a password, and log in."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    user, password = scene.quoted
    fields = scene.find(name="Username"), scene.find(name="Password")
    typed = (fill(each, text) for each, text in zip(fields, (user, password), strict=True))
    return do(*typed, scene.click("button", name="Login"), needs=(user, password))


def wrong(scene: PageView) -> Advice:
    return advise(misheard(scene, 'password "', 'password "x'))


FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes={"wrong": Outcome(wrong)})
