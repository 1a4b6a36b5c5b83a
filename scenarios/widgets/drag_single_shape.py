"""Drag a circle, rectangle or triangle in a direction, and submit."""

from __future__ import annotations

from scenarios.widgets._widget import Widget
from scenarios.widgets.drag_circle import OUTCOMES, advise

FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
