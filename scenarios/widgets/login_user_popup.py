"""Log in, and stay when the page asks whether to leave."""

from __future__ import annotations

from agent.interface import Action, Advice, Element
from scenarios.widgets._page_view import PageView, click, do, fill, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    stay = view.click("button", name="Cancel")
    if stay:
        return do(stay, step="stay")
    user, password = view.quoted
    return do(
        *typed(view.find(name="Username"), user),
        *typed(view.find(name="Password"), password),
        view.click("button", name="Login"),
        step="log in",
        needs=(user, password),
    )


def typed(field: Element | None, text: str) -> list[Action | None]:
    """Return the actions that click a field and type into it.

    The click comes first, because it may bring up the page's question.
    """
    typing = fill(field, text)
    ready = field is None or typing is None or "focused" in field.states
    return [None if ready else click(field), typing]


def wrong(view: PageView) -> Advice:
    return advise(with_instruction(view, 'password "', 'password "x'))


def leave(view: PageView) -> Advice:
    """Advise leaving when the page asks; otherwise log in with a wrong password: a wrong end for
    tests.
    """
    return do(view.click("button", name="OK")) if view.find(name="OK") else wrong(view)


OUTCOMES = {"wrong": Outcome(wrong), "wrong answer": Outcome(leave)}
STEPS = ("log in", "stay")
FAMILY = Widget(__file__, __doc__, advise, actions=6, outcomes=OUTCOMES, STEPS=STEPS)
