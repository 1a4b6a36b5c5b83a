"""Find an item of a menu by its name or its icon; some items are in a submenu."""

from __future__ import annotations

from agent.interface import Advice, Hover
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def wanted(view: PageView) -> str:
    """Return a text that the right menu item's name contains and no other item's does."""
    [icon] = view.groups(r"with the (.+) icon\.") or [""]
    return f", icon: {icon}." if icon else f"{view.quoted[-1]},"


def advise(view: PageView) -> Advice:
    items, sought = view.all("menuitem"), wanted(view)
    needs = [sought.strip(",.").removeprefix(" icon: ")]
    for item in items:
        if sought in f"{item.name}.":
            return do(click(item), step="click the item", needs=needs)
    if not items:
        return do(view.click("button", name="Menu"), step="open the menu", needs=["Menu"])
    closed = next((item for item in items if "collapsed" in item.states), None)
    return do(Hover(closed.id) if closed else None, step="open the menu inside", needs=needs)


def wrong(view: PageView) -> Advice:
    """Advise clicking another item of the outer menu: a wrong end for tests."""
    items = view.all("menuitem")
    others = [item for item in items if item.name.startswith(("Save", "Zoom In"))]
    others = [item for item in others if wanted(view) not in f"{item.name}."]
    return do(click(others[0]) if others else view.click("button", name="Menu"))


STEPS = ("open the menu", "open the menu inside", "click the item")
FAMILY = Widget(
    __file__, __doc__, advise, actions=3, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
