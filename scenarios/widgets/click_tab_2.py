"""Look through three tabs for a link, and click it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._tabs import ahead, next_tab
from scenarios.widgets._widget import Outcome, Widget

TAB = '//a[@href=concat("#", {}/ancestor::div[@role="tabpanel"]/@id)]'


def advise(view: PageView) -> Advice:
    link = view.click("link", name=view.quoted[0])
    if link:
        return do(link, step="click the link", needs=view.quoted)
    found = ahead(view.quoted[0], TAB)
    return do(next_tab(view), step="find the tab", needs=view.quoted, ahead=found)


def wrong(view: PageView) -> Advice:
    others = [each for each in view.all("link") if each.name not in view.quoted]
    return do(click(others[0]) if others else next_tab(view))


OUTCOMES = {"wrong": Outcome(wrong)}
STEPS = ("find the tab", "click the link")
FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes=OUTCOMES, STEPS=STEPS)
