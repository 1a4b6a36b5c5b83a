"""Count the shapes that fit a description."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._shapes import fitting
from scenarios.widgets._widget import Outcome, Widget


def counted(view: PageView) -> str:
    [description] = view.groups(r"How many (.+)s are there")
    return str(len(fitting(view, description)))


def advise(view: PageView) -> Advice:
    [description] = view.groups(r"How many (.+)s are there")
    return do(view.click("button", name=counted(view)), needs=[f"{description}s"])


def wrong(view: PageView) -> Advice:
    others = [button for button in view.all("button") if button.name != counted(view)]
    return do(click(others[0]))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
