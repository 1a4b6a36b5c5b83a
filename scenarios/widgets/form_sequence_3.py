"""Choose an item from a drop-down list, and click one of three buttons."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, choose, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    height, label = view.groups(r'Choose (.*) from the dropdown, .* labeled "(.*)"')
    chosen = choose(view.find("combobox"), height)
    return do(chosen, view.click("button", name=label), needs=[height, label])


def another_height(view: PageView) -> Advice:
    return advise(with_instruction(view, "Choose .* from", "Choose 6ft 2in from"))


def another_button(view: PageView) -> Advice:
    label = "No" if '"Yes"' in view.instruction else "Yes"
    return advise(with_instruction(view, '".*"', f'"{label}"'))


OUTCOMES = {"wrong": Outcome(another_height), "wrong button": Outcome(another_button)}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
