"""Find a user's post and click one of its buttons; some buttons are in a menu."""

from __future__ import annotations

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    user, action = view.groups(r'For the user (@\w+), click on the "(.*)" button')
    button = view.click("button", name=f"{action} {user}")
    more = view.find("button", name=f"More {user}")
    if button is None and more and "expanded" not in more.states:
        item = Click(f'//*[@role="menuitem" and text()="{action}"]')
        ahead = [(f"Open the menu of {user}", Click(more.id)), (action, item)]
        return do(Click(more.id), step="open the menu", needs=[user, action], ahead=ahead)
    button = button or view.click("menuitem", name=action)
    return do(button, step="click the button", needs=[user, action])


def wrong(view: PageView) -> Advice:
    """Advise the same click on another user's post: a wrong end for tests."""
    user = view.groups(r"the user (@\w+),")[0]
    names = [each.name for each in view.all("button") if each.name.startswith("More ")]
    other = next(name for name in names if name != f"More {user}").removeprefix("More ")
    return advise(with_instruction(view, f"user {user},", f"user {other},"))


def wrong_button(view: PageView) -> Advice:
    """Advise clicking another button of the same user: a wrong end for tests."""
    other = "Report" if '"Block"' in view.instruction else "Block"
    return advise(with_instruction(view, '"(.*)"', f'"{other}"'))


OUTCOMES = {"wrong": Outcome(wrong), "wrong button": Outcome(wrong_button)}
STEPS = ("open the menu", "click the button")
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES, STEPS=STEPS)
