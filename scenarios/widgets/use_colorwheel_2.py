"""Choose the colour of a sample; the reward falls beyond a difference of 2 percent."""

from __future__ import annotations

import re

from agent.interface import Advice, Text
from scenarios.widgets import _colors
from scenarios.widgets._colors import Color
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Widget


def sample(view: PageView) -> Color | None:
    """Return the colour of the sample in the instruction, or None if the page does not show it."""
    pictures = (each for each in view.page.content if isinstance(each, Text) and each.role == "img")
    colors = (dict(each.colors).get("background-color", "") for each in pictures)
    found = next((re.findall(r"\d+", color) for color in colors), [])
    return tuple(map(int, found)) if len(found) == 3 else None


def wanted(view: PageView) -> Color:
    color = sample(view)
    assert color
    return color


def advise(view: PageView) -> Advice:
    return _colors.enter(view, sample(view))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=_colors.outcomes(wanted))
