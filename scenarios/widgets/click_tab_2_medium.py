"""Click a link in the first of two tabs, or in the second if the first lacks it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._tabs import next_tab
from scenarios.widgets._widget import Widget
from scenarios.widgets.click_tab_2 import OUTCOMES, STEPS


def advise(view: PageView) -> Advice:
    link = view.click("link", name=view.quoted[0])
    if link:
        return do(link, step="click the link", needs=view.quoted)
    return do(next_tab(view), step="find the tab", needs=view.quoted)


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes=OUTCOMES, STEPS=STEPS)
