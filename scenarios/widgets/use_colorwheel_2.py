"""Choose the colour of a sample, within 2 percent; the less alike, the less it is worth."""

from __future__ import annotations

import re

from agent.interface import Advice, Text
from scenarios.widgets import _colors
from scenarios.widgets._colors import Color
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Widget


def sample(view: PageView) -> Color | None:
    """The colour of the sample in the instruction; None where it is not shown."""
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
