"""Look through three sections for a link, and click it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._tabs import ahead, next_tab
from scenarios.widgets._widget import Widget
from scenarios.widgets.click_tab_2 import OUTCOMES

SECTION = "//h3[@id={}/ancestor::div/@aria-labelledby]"


def advise(view: PageView) -> Advice:
    link = view.click("link", name=view.quoted[0])
    if link:
        return do(link, step="click the link", needs=view.quoted)
    found = ahead(view.quoted[0], SECTION)
    return do(next_tab(view), step="open a section", needs=view.quoted, ahead=found)


STEPS = ("open a section", "click the link")
FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=OUTCOMES, STEPS=STEPS)
