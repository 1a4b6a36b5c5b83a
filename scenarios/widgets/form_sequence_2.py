"""Choose one of three radio buttons, type a number into one of three fields, and submit."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill, tick, with_instruction
from scenarios.widgets._widget import Outcome, Widget

TASK = r'Check the (\d\w\w) radio button and enter the number "(.*)" into the (\d\w\w) textbox'


def advise(view: PageView) -> Advice:
    radio, number, place = view.groups(TASK)
    chosen = f"Radio button {radio[0]}"
    checked = tick(view.all("radio", name=chosen), [chosen])
    fields = view.all("textbox")
    texts = {each.name: number if each.name == f"Textbox {place[0]}" else "" for each in fields}
    typed = [fill(each, texts[each.name]) for each in fields]
    submit = view.click("button", name="Submit")
    return do(*checked, *typed, submit, needs=[radio, number, place])


def another(view: PageView, kind: str) -> Advice:
    """Advise using another radio button, or another field, and doing the rest right: a wrong end
    for tests.
    """
    to = "2nd" if f"1st {kind}" in view.instruction else "1st"
    return advise(with_instruction(view, rf"\d\w\w {kind}", f"{to} {kind}"))


def another_radio(view: PageView) -> Advice:
    return another(view, "radio")


def another_field(view: PageView) -> Advice:
    return another(view, "textbox")


def another_number(view: PageView) -> Advice:
    return advise(with_instruction(view, r'number "', 'number "1'))


OUTCOMES = {
    "wrong": Outcome(another_number),
    "wrong radio button": Outcome(another_radio),
    "wrong field": Outcome(another_field),
}
FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes=OUTCOMES)
