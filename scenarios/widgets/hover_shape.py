"""Keep the mouse over the coloured square; another square is coloured after a while.

The colour moves on after the mouse was over the square for 0.4 seconds, or after 2 seconds. The
reward is the share of five turns in which the mouse was there; the original gives no reward.
"""

from __future__ import annotations

from agent.interface import LONGEST_WAIT, Advice, Hover, HoverAt, Wait
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._waiting import wait
from scenarios.widgets._widget import Outcome, Widget

BLACK = "rgb(0, 0, 0)"
TURN = 4
"""The number of actions for which the mouse has to stay over a coloured square."""


def coloured(view: PageView) -> Hover | None:
    squares = view.all("button")
    lit = (each for each in squares if dict(each.colors).get("fill", BLACK) != BLACK)
    return next((Hover(each.id) for each in lit), None)


def advise(view: PageView) -> Advice:
    square = coloured(view)
    if square is None:
        return do()
    return do(square, wait(TURN - 1), ahead=[("until another one is", square)] * TURN)


def once(view: PageView) -> Advice:
    """Advise staying over the first square, then leaving and waiting: an imperfect end for
    tests.
    """
    square, picture = coloured(view), view.find("application")
    if square is None or picture is None:
        return do()
    return do(square, wait(TURN - 1), HoverAt(picture.id, (2, 2)), Wait(LONGEST_WAIT))


FAMILY = Widget(
    __file__, __doc__, advise, actions=5 * TURN, outcomes={"partial": Outcome(once, 1 / 5)}
)
