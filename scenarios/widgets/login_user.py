"""Type a user name and a password, and log in."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    user, password = view.quoted
    fields = view.find(name="Username"), view.find(name="Password")
    typed = (fill(each, text) for each, text in zip(fields, (user, password), strict=True))
    return do(*typed, view.click("button", name="Login"), needs=(user, password))


def wrong(view: PageView) -> Advice:
    return advise(with_instruction(view, 'password "', 'password "x'))


FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes={"wrong": Outcome(wrong)})
