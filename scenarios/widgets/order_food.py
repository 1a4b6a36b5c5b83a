"""Order two items of a menu by their names, or several by their type, such as vegan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.interface import Action, Advice, Click, Element, Text
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


@dataclass(frozen=True)
class Item:
    """An item of the menu, and the buttons that order one less and one more."""

    name: str
    types: Sequence[str]
    ordered: int
    remove: Element
    add: Element

    def turned(self, to: int) -> list[Click]:
        """Return the clicks that change the ordered number of this item to `to`."""
        button = self.add if to > self.ordered else self.remove
        return [Click(button.id)] * abs(to - self.ordered)


def advise(view: PageView) -> Advice:
    names = view.groups(r"Order one of each item: (.*)")
    found = menu(view)
    if names:
        wanted = names[0].split(", ")
        clicks = [each.turned(int(each.name in wanted)) for each in found]
        return ordered(view, clicks, wanted)
    amount, kind = view.groups(r"Order (\d+) items that are (.*)")
    return ordered(view, of_type(found, kind, int(amount)), [amount, kind])


def ordered(view: PageView, clicks: Sequence[list[Click]], needs: Sequence[str]) -> Advice:
    actions: list[Action | None] = [click for each in clicks for click in each]
    return do(*actions, view.click("button", name="Order!"), needs=needs)


def of_type(found: Sequence[Item], kind: str, amount: int) -> list[list[Click]]:
    """Return the clicks that order items of a type only, in the requested number.

    Items of the type that are already ordered are kept.
    """
    others = [each.turned(0) for each in found if kind not in each.types]
    fitting = [each for each in found if kind in each.types]
    missing = amount - sum(each.ordered for each in fitting)
    changed = []
    for each in fitting:
        to = max(0, each.ordered + missing)
        changed.append(each.turned(to))
        missing -= to - each.ordered
    return [*others, *changed]


def menu(view: PageView) -> list[Item]:
    """Return the items of the menu; an icon between two items belongs to the second."""
    found: list[Item] = []
    types: list[str] = []
    remove, count = None, 0
    for node in view.page.content:
        if isinstance(node, Text):
            if node.role == "img":
                types.append(node.text)
            elif remove and node.text.isdecimal():
                count = int(node.text)
        elif node.name.startswith("remove "):
            remove, count = node, 0
        elif node.name.startswith("add "):
            name = node.name.removeprefix("add ")
            if remove and remove.name == f"remove {name}":
                found.append(Item(name, types, count, remove, node))
            remove, types = None, []
    return found


def one_more(view: PageView) -> Advice:
    """Return the actions that order what is asked for and one extra item.

    Tests use this wrong order and expect that the scorer rejects it.
    """
    *clicks, submit = advise(view).actions
    return do(*clicks, Click(menu(view)[0].add.id), submit)


def nothing(view: PageView) -> Advice:
    return do(view.click("button", name="Order!"))


OUTCOMES = {"wrong": Outcome(one_more), "wrong, nothing": Outcome(nothing)}
FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES)
