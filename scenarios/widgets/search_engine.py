"""Search for a name and click the result of a certain rank, on any results page."""

from __future__ import annotations

import re

from agent.interface import Advice, Click, Type
from scenarios.widgets._page_view import Ahead, PageView, click, do, fill, with_instruction
from scenarios.widgets._widget import Outcome, Widget

EACH = 3
"""The number of results on each page of results."""


def advise(view: PageView) -> Advice:
    query, written, rank = view.groups(r'enter "(.*)" and press "Search", .* click the ((\d+)\w+)')
    first = shown(view, query)
    if not first:
        typed = fill(view.find("textbox", name="Search for"), query)
        search = view.click("button", name="Search")
        found = ahead(query, int(rank)) if typed and search else ()
        return do(typed, search, step="search", needs=[query], ahead=found)
    at = int(rank) - first
    if 0 <= at < EACH:
        return do(click(view.all("link")[at]), step="click the result", needs=[written])
    page = (int(rank) - 1) // EACH + 1
    return do(view.click("link", name=f"Page {page}"), step="find the page", needs=[written])


def ahead(query: str, rank: int) -> Ahead:
    """Return the actions of the whole task; the rank determines the page and the place on it."""
    page, place = (rank - 1) // EACH + 1, (rank - 1) % EACH + 1
    remark = f"A page has {EACH} results: number {rank} is the {place}. of page {page}"
    turned = [] if page == 1 else [(remark, Click(f'//*[text()="Page {page}"]'))]
    return [
        ("Search", Type('//*[@id="search-text"]', query)),
        ("Search", Click('//*[@id="search"]')),
        *turned,
        (remark, Click(f'(//*[@id="page-content"]//a)[{place}]')),
    ]


def shown(view: PageView, query: str) -> int:
    """Return the rank of the first result on the page, or 0 if the query has no results yet."""
    status = " ".join(view.texts("status"))
    found = re.search(rf'Results (\d+) .* for "{re.escape(query)}"', status)
    return int(found[1]) if found else 0


def wrong(view: PageView) -> Advice:
    """Advise clicking the result of another rank: a wrong end for tests."""
    return advise(
        with_instruction(view, r"the \d", "the 2" if "the 1" in view.instruction else "the 1")
    )


def wrong_search(view: PageView) -> Advice:
    """Advise clicking a result of another search: a wrong end for tests."""
    return advise(with_instruction(view, r'enter ".*?"', 'enter "Nobody"'))


OUTCOMES = {"wrong": Outcome(wrong), "wrong search": Outcome(wrong_search)}
STEPS = ("search", "find the page", "click the result")
FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=OUTCOMES, STEPS=STEPS)
