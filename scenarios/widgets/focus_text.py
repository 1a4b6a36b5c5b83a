"""Put the cursor into the text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Widget


def advise(scene: PageView) -> Advice:
    return do(scene.click("textbox"))


FAMILY = Widget(__file__, __doc__, advise, actions=1)
