"""Find an item in nested menus, which open under the mouse."""

from __future__ import annotations

from agent.interface import Advice, Click, Hover
from scenarios.widgets._page_view import Ahead, PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    path = view.groups(r"Select (.+)")[0].split(">")
    item = view.click("menuitem", name=path[-1])
    if item:
        return do(item, step="click the item", needs=path)
    shown = [found for name in path if (found := view.find("menuitem", name=name))]
    hover = Hover(shown[-1].id) if shown else None
    over = [
        ("Open the menus", Hover(f'//*[text()="{name}"]')) for name in path[len(shown) - 1 : -1]
    ]
    ahead: Ahead = [*over, ("Click the item", Click(f'//*[text()="{path[-1]}"]'))] if shown else []
    return do(hover, step="open the menus", needs=path, ahead=ahead)


def wrong(view: PageView) -> Advice:
    """Advise clicking another item that opens nothing: a wrong end for tests."""
    items = view.all("menuitem")
    ends = [item for item in items if not {"collapsed", "expanded"} & set(item.states)]
    others = [item for item in ends if not view.instruction.endswith(item.name)]
    if others:
        return do(click(others[0]))
    closed = next(item for item in items if "collapsed" in item.states)
    return do(Hover(closed.id))


STEPS = ("open the menus", "click the item")
FAMILY = Widget(
    __file__, __doc__, advise, actions=3, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
