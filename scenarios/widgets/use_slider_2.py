"""Set three sliders with the keys, and submit."""

from __future__ import annotations

from agent.interface import Action, Advice, Press
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.use_slider import way, wrong


def advise(view: PageView) -> Advice:
    wanted = view.groups(r"combination \[(\d+),(\d+),(\d+)\]")
    handles = view.all("slider")
    ends = [int(text) for text in view.texts("text")]
    if len(handles) != len(wanted) or not ends:
        return do()
    actions: list[Action | None] = []
    for handle, value in zip(handles, wanted, strict=True):
        keys = way(int(handle.value or 0), int(value), min(ends), max(ends))
        focus = None if "focused" in handle.states else click(handle)
        actions += [focus, *map(Press, keys)] if keys else []
    return do(*actions, view.click("button", name="Submit"), needs=wanted)


FAMILY = Widget(__file__, __doc__, advise, actions=16, outcomes={"wrong": Outcome(wrong)})
