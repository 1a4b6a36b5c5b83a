"""Drag the shapes of a kind or colour into one box and all others into another, and submit."""

from __future__ import annotations

from agent.interface import Advice, Drag
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._places import Part, part, parts
from scenarios.widgets._shapes import FILLS
from scenarios.widgets._widget import Outcome, Widget

COUNT = 5


def advise(view: PageView, without: int = 0) -> Advice:
    """Advise dragging each shape separately, except the last `without` shapes."""
    wanted, several = view.groups(r"Drag all (.+?)(s| shapes) into the left box")
    left, right = part(view, "left box"), part(view, "right box")
    if left is None or right is None:
        return do()
    pairs = [(each, left if wanted in facts(each) else right) for each in shapes(view)]
    out = [(each, box) for each, box in pairs if not box.holds(each.middle)]
    if len(out) > without:
        shape, box = out[0]
        return do(Drag(shape.element.id, box.element.id), needs=[wanted + several])
    return do(view.click("button", name="Submit"))


def shapes(view: PageView) -> list[Part]:
    return [each for each in parts(view) if not each.name.endswith("box")]


def facts(shape: Part) -> tuple[str, str]:
    """Return the kind and the colour of a shape."""
    return shape.name, FILLS[dict(shape.element.colors)["fill"]]


def partial(view: PageView) -> Advice:
    """Advise leaving one of the five shapes outside: an imperfect end for tests."""
    return advise(view, without=1)


def wrong(view: PageView) -> Advice:
    """Advise submitting without a drag: a wrong end for tests."""
    return advise(view, without=COUNT)


OUTCOMES = {"partial": Outcome(partial, raw=0.84), "wrong": Outcome(wrong)}
FAMILY = Widget(__file__, __doc__, advise, actions=COUNT + 1, outcomes=OUTCOMES)
