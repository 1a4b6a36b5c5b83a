"""Choose a named colour; the reward falls beyond a difference of 2 percent."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets import _colors
from scenarios.widgets._colors import Color
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Widget

COLORS = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "aqua": (0, 255, 255),
    "blue": (0, 0, 255),
    "gray": (128, 128, 128),
    "green": (0, 128, 0),
    "lime": (0, 255, 0),
    "maroon": (128, 0, 0),
    "navy": (0, 0, 128),
    "olive": (128, 128, 0),
    "purple": (128, 0, 128),
    "red": (255, 0, 0),
    "silver": (192, 192, 192),
    "teal": (0, 128, 128),
    "yellow": (255, 255, 0),
    "pink": (255, 192, 203),
    "magenta": (255, 0, 255),
    "gold": (255, 215, 0),
    "orange": (255, 165, 0),
}
"""The red, green and blue parts of colours, by the names that browsers give them."""


def wanted(view: PageView) -> Color:
    [name] = view.groups(r"Select (\w+) with the color picker")
    return COLORS[name]


def advise(view: PageView) -> Advice:
    return _colors.enter(view, wanted(view), needs=view.groups(r"Select (\w+) with"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=_colors.outcomes(wanted))
