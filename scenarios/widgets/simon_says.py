"""Watch four buttons light up, and press them in the same order.

A button's name lists its positions in the order, because an observer remembers these. A button
lights up every 600 ms.
"""

from __future__ import annotations

import re

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._waiting import idle, wait
from scenarios.widgets._widget import Outcome, Widget

BUTTONS = 4
EVERY, LIT = 6, 3
"""The number of actions from one light to the next, and while a button is lit."""


def advise(view: PageView, *, beside: int = 0) -> Advice:
    """Advise watching to the end, and then pressing each button.

    Args:
        beside: How many places after the right button the pressed button is; 0 is right.
    """
    buttons, status = view.all("button"), " ".join(view.texts("status"))
    turn = re.search(r"Your turn: (\d+) of (\d+) pushed", status)
    if len(buttons) != BUTTONS or not (turn or "Watch" in status):
        return do()
    if not turn:
        shown_in = until_shown(status)
        ahead = idle(buttons[0], shown_in, "watch to the end")
        return do(wait(shown_in), step="watch", ahead=ahead)
    begun, count = int(turn[1]), int(turn[2])
    order = {number: at for at, button in enumerate(buttons) for number in lit(button)}
    left = [order[number] for number in range(begun + 1, count + 1) if number in order]
    return do(*(click(buttons[(at + beside) % BUTTONS]) for at in left), step="push")


def until_shown(status: str) -> int:
    """Return the number of actions until all lights have been shown."""
    [shown, count] = map(int, re.findall(r"\d+", status))
    return EVERY * (count - shown) + LIT


def lit(button: Element) -> list[int]:
    """Return the positions in the order at which the button was lit."""
    _, _, numbers = button.name.partition(" as number ")
    return [int(number) for number in re.findall(r"\d+", numbers)]


def wrong(view: PageView) -> Advice:
    return advise(view, beside=1)


STEPS = ("watch", "push")
FAMILY = Widget(
    __file__, __doc__, advise, actions=38, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
