"""Advice for buttons on somebody's posts that stay pressed."""

from __future__ import annotations

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, do, misheard


def advise(scene: PageView) -> Advice:
    return pressed(scene, 0)


def pressed(scene: PageView, missing: int) -> Advice:
    """Leave the named button pressed on so many posts as are asked for, less those that shall be
    missing, and no other."""
    action, amount, user = asked(scene)
    theirs = scene.all("button", name=f"{action} {user}")
    theirs.sort(key=lambda each: "pressed" not in each.states)
    wanted = theirs[: (len(theirs) if amount == "all" else int(amount)) - missing]
    turned = [
        each for each in scene.all("button") if ("pressed" in each.states) != (each in wanted)
    ]
    clicks = (Click(each.id) for each in turned)
    return do(*clicks, scene.click("button", name="Submit"), needs=[action, amount, user])


def asked(scene: PageView) -> list[str]:
    """The button's name, how many posts or "all", and the user."""
    return scene.heard(r'Click the "(\w+)" button on (all|\d+) posts? by (@\w+)')


def wrong(scene: PageView) -> Advice:
    """One post too few."""
    return pressed(scene, 1)


def wrong_button(scene: PageView) -> Advice:
    """Another button on these posts."""
    other = "Like" if "Reply" in scene.told else "Reply"
    return advise(misheard(scene, '"(.*)"', f'"{other}"'))
