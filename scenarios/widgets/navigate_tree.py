"""Open folders of a file tree until a name is found, and click it."""

from __future__ import annotations

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    found = view.click("treeitem", name=view.quoted[0])
    if found:
        return do(found, step="click it", needs=view.quoted)
    [name, *_] = view.quoted
    folder = f'//li[ul//span[text()="{name}"]]/span'
    ahead = [
        ("Open the folder that holds it", Click(folder)),
        ("Click it", Click(f'//span[text()="{name}"]')),
    ]
    return do(opened(view), step="open folders", needs=view.quoted, ahead=ahead)


def opened(view: PageView) -> Click | None:
    """Return a click on the first closed folder, or None."""
    closed = [each for each in view.all("treeitem") if "collapsed" in each.states]
    return click(next((each for each in closed if each.name not in view.quoted), None))


def wrong(view: PageView) -> Advice:
    """Advise clicking another file: a wrong end for tests."""
    entries = [each for each in view.all("treeitem") if each.name not in view.quoted]
    files = [each for each in entries if not {"collapsed", "expanded"} & {*each.states}]
    return do(click(files[0]) if files else opened(view))


STEPS = ("open folders", "click it")
FAMILY = Widget(
    __file__, __doc__, advise, actions=5, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
