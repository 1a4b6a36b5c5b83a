"""Keep the mouse in a circle that moves.

The circle starts to move when the mouse enters it, and moves along five legs in 3 seconds (10 in
the original). The reward is the share of this time with the mouse inside, and 1 from nine tenths
on.
"""

from __future__ import annotations

from agent.interface import Advice, Hover, HoverAt, Wait
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget

SECONDS = 3


def circle(view: PageView) -> Hover | None:
    found = view.find("button", name="circle")
    return Hover(found.id) if found else None


def advise(view: PageView) -> Advice:
    """Advise hovering on the circle's middle, which stays inside the circle during an action."""
    on = circle(view)
    return do(on, ahead=[("the whole time", on)] * 10 * SECONDS if on else ())


def once(view: PageView) -> Advice:
    """Advise entering the circle, leaving it, and waiting: an imperfect end for tests."""
    picture = view.find("application")
    away = HoverAt(picture.id, (1, 1)) if picture else None
    return do(circle(view), away, Wait(SECONDS))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=10 * SECONDS,
    outcomes={"partial": Outcome(once, 0.1 / SECONDS)},
)
