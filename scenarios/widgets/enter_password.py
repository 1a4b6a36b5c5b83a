"""Type the same password into two fields."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [password] = view.quoted
    return typed(view, password, password)


def wrong(view: PageView) -> Advice:
    [password] = view.quoted
    return typed(view, password, f"{password}x")


def typed(view: PageView, first: str, second: str) -> Advice:
    return do(
        fill(view.find("textbox", name="Password"), first),
        fill(view.find("textbox", name="Verify password"), second),
        view.click("button", name="Submit"),
        needs=view.quoted,
    )


FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes={"wrong": Outcome(wrong)})
