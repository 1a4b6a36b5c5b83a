"""Keep the mouse in a circle that moves.

It begins to move when the mouse comes in, and goes five legs in 3 seconds (in the original 10). The
reward is the share of this time that the mouse was inside, and 1 from nine tenths on.
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
    """In the time that an action takes, the middle does not leave the circle."""
    on = circle(view)
    return do(on, ahead=[("the whole time", on)] * 10 * SECONDS if on else ())


def once(view: PageView) -> Advice:
    """Go in, then away, and wait."""
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
