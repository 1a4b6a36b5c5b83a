"""Mark three numbers as odd or even."""

from __future__ import annotations

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget

NUMBERS = 3


def advise(view: PageView, *, mistakes: int = 0) -> Advice:
    """Advise marking the numbers, the first `mistakes` of these wrongly."""
    odd = [each for each in view.all("button") if each.name.startswith("Odd: ")]
    even = [each for each in view.all("button") if each.name.startswith("Even: ")]
    if [number(each) for each in odd] != [number(each) for each in even]:
        return do()
    right = [one if number(one) % 2 else two for one, two in zip(odd, even, strict=True)]
    left = [two if one in right else one for one, two in zip(odd, even, strict=True)]
    marked = left[:mistakes] + right[mistakes:]
    clicks = [click(each) for each in marked if "pressed" not in each.states]
    return do(*clicks, view.click("button", name="Submit"))


def number(button: Element) -> int:
    return int(button.name.rpartition(" ")[2])


def one(view: PageView) -> Advice:
    return advise(view, mistakes=1)


def two(view: PageView) -> Advice:
    return advise(view, mistakes=2)


def all_of_them(view: PageView) -> Advice:
    return advise(view, mistakes=NUMBERS)


OUTCOMES = {
    "wrong": Outcome(all_of_them),
    "partial": Outcome(one, 1 / 3),
    "partial, one right": Outcome(two, -1 / 3),
}
FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=OUTCOMES)
