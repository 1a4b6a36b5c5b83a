"""Type a name in capital or small letters."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [text], [letters] = view.quoted, view.groups("all (upper|lower) case")
    return submit(view, text.upper() if letters == "upper" else text.lower(), [text, letters])


def wrong(view: PageView) -> Advice:
    """Advise typing the name as the instruction shows it: a wrong end for tests."""
    return submit(view, view.quoted[0])


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
