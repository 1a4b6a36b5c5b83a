"""Press a given button on all posts of a user, and press no other button."""

from __future__ import annotations

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return pressed(view, 0)


def pressed(view: PageView, missing: int) -> Advice:
    """Advise pressing only the named button, on the requested number of posts.

    Args:
        missing: The number of posts to leave out.
    """
    action, amount, user = asked(view)
    theirs = view.all("button", name=f"{action} {user}")
    theirs.sort(key=lambda each: "pressed" not in each.states)
    wanted = theirs[: (len(theirs) if amount == "all" else int(amount)) - missing]
    turned = [each for each in view.all("button") if ("pressed" in each.states) != (each in wanted)]
    clicks = (Click(each.id) for each in turned)
    return do(*clicks, view.click("button", name="Submit"), needs=[action, amount, user])


def asked(view: PageView) -> list[str]:
    """Return the button's name, the number of posts or "all", and the user."""
    return view.groups(r'Click the "(\w+)" button on (all|\d+) posts? by (@\w+)')


def wrong(view: PageView) -> Advice:
    """Advise pressing the button on one post too few: a wrong end for tests."""
    return pressed(view, 1)


def wrong_button(view: PageView) -> Advice:
    """Advise pressing another button on these posts: a wrong end for tests."""
    other = "Like" if "Reply" in view.instruction else "Reply"
    return advise(with_instruction(view, '"(.*)"', f'"{other}"'))


OUTCOMES = {"wrong": Outcome(wrong), "wrong button": Outcome(wrong_button)}
FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES)
