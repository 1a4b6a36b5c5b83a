"""The shapes of a picture that fit a description."""

from __future__ import annotations

from agent.interface import Element
from scenarios.widgets._page_view import PageView

FILLS = {
    "rgb(255, 0, 0)": "red",
    "rgb(0, 128, 0)": "green",
    "rgb(0, 0, 255)": "blue",
    "rgb(0, 255, 255)": "aqua",
    "rgb(0, 0, 0)": "black",
    "rgb(255, 0, 255)": "magenta",
    "rgb(255, 255, 0)": "yellow",
}


def fitting(view: PageView, description: str) -> list[Element]:
    """Return the shapes that fit all words of a description, such as `small red letter`."""
    words = set(description.split())
    return [shape for shape in view.all("graphics-symbol") if words <= facts(shape)]


def facts(shape: Element) -> set[str]:
    """Return the words that describe a shape: its size, colour, text and kind."""
    size, text = shape.name.split(" ")
    kind = "shape" if len(text) > 1 else "digit" if text.isdigit() else "letter"
    return {size, FILLS.get(dict(shape.colors).get("fill", ""), ""), text, kind, "item"}
