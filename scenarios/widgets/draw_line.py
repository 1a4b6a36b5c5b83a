"""Draw a horizontal or vertical line through a dot.

Straightness and length earn 0.8 of the reward, and nearness to the dot 0.2. The full reward needs a
spread below 1.5 pixels across and above 5 pixels along the line, and a distance within 6 pixels.
The spread is the standard deviation over all points of the mouse (the original uses only the last
point).
"""

from __future__ import annotations

from agent.interface import Advice, Draw, Place
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget

HALF = 24
DRAWN = r"drawn from \((\d+), (\d+)\) to \((\d+), (\d+)\)"


def advise(view: PageView) -> Advice:
    return line(view, 0)


def line(view: PageView, aside: int) -> Advice:
    """Advise drawing the line this many pixels beside the dot, and submitting once it is drawn."""
    picture, dots = _picture.find(view), _picture.points("dot", view)
    kind = view.groups(r"Draw a (\w+) line")
    if picture is None or not dots or not kind:
        return do()
    [(x, y)] = [_picture.rounded(dot) for dot in dots]
    path: tuple[Place, ...] = ((x - HALF, y + aside), (x + HALF, y + aside))
    if kind == ["vertical"]:
        path = ((x + aside, y - HALF), (x + aside, y + HALF))
    if _picture.numbers(DRAWN, view) == [(*path[0], *path[1])]:
        return _picture.submit(view)
    return do(Draw(picture.id, path), needs=kind)


def beside(view: PageView) -> Advice:
    return line(view, 12)


def across(view: PageView) -> Advice:
    """Advise drawing a line in the other direction: a wrong end for tests."""
    other = "vertical" if "horizontal" in view.instruction else "horizontal"
    return advise(with_instruction(view, r"Draw a \w+ line", f"Draw a {other} line"))


OUTCOMES = {
    "wrong": Outcome(_picture.submit),
    "partial": Outcome(beside, 0.8 + 0.2 * 0.5),
    "partial, the other way": Outcome(across, -0.8 * 0.1 + 0.2),
}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
