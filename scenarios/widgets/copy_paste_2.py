"""Copy one of three texts into a field."""

from __future__ import annotations

from dataclasses import replace

from agent.interface import Advice
from scenarios.widgets._copying import copy
from scenarios.widgets._page_view import PageView, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    nth, ordinal = scene.heard(r"from the ((\d)\w+) text area")[0], scene.heard(r"the (\d)")[0]
    return replace(copy(scene, int(ordinal)), needs=((nth,),))


def wrong(scene: PageView) -> Advice:
    other = "1st" if "3rd" in scene.told else "3rd"
    return advise(misheard(scene, r"\d\w+ text area", f"{other} text area"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
