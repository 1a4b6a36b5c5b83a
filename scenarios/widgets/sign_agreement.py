"""Read an agreement to its end, sign it, and agree or cancel; or only cancel."""

from __future__ import annotations

from agent.interface import Advice, ScrollIn
from scenarios.widgets._page_view import PageView, click, do, fill, with_instruction
from scenarios.widgets._widget import Outcome, Widget

TASK = r'enter the name "(.*)" then press "(.*)"'


def advise(view: PageView) -> Advice:
    signed = view.groups(TASK)
    if not signed:
        return do(view.click("button", name="Cancel"), step="press", needs=["cancel"])
    name, label = signed
    field, button = view.find("textbox", name="Name"), view.find("button", name=label)
    if field is None or button is None:
        return do()
    if "disabled" in field.states:
        return scrolled(view)
    return do(fill(field, name), click(button), step="press", needs=[name, label])


def scrolled(view: PageView) -> Advice:
    texts = [each for each in view.all("textbox") if each.name.startswith("User agreement")]
    return do(*(ScrollIn(each.id, "down") for each in texts), step="scroll to the end")


def another_button(view: PageView) -> Advice:
    """Advise doing all right except for the final button: a wrong end for tests."""
    signed = view.groups(TASK)
    if signed:
        label = "Agree" if signed[1] == "Cancel" else "Cancel"
        return advise(with_instruction(view, r'press ".*"', f'press "{label}"'))
    agree = view.find("button", name="Agree")
    return scrolled(view) if agree and "disabled" in agree.states else do(click(agree))


def unsigned(view: PageView) -> Advice:
    """Advise signing with no name; if no name is asked for, press the wrong button: a wrong end for
    tests.
    """
    if not view.groups(TASK):
        return another_button(view)
    return advise(with_instruction(view, r'name ".*?"', 'name ""'))


OUTCOMES = {"wrong": Outcome(another_button), "wrong, not signed": Outcome(unsigned)}
STEPS = ("scroll to the end", "press")
FAMILY = Widget(__file__, __doc__, advise, actions=24, outcomes=OUTCOMES, STEPS=STEPS)
