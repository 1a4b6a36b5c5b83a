"""Click a letter, digit or figure that fits a description."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._shapes import fitting
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [description] = view.groups(r"Click on a (.+)")
    return do(click(next(iter(fitting(view, description)), None)), needs=[description])


def wrong(view: PageView) -> Advice:
    [description] = view.groups(r"Click on a (.+)")
    right = fitting(view, description)
    others = [shape for shape in view.all("graphics-symbol") if shape not in right]
    return do(click(next(iter(others), None)))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
