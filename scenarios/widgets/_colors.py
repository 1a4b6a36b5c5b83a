"""The form with a colour field and its picker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.interface import Advice, ClickAt
from scenarios.widgets._page_view import PageView, click, do, fill
from scenarios.widgets._widget import Outcome

Color = tuple[int, ...]
"""Red, green and blue, each from 0 to 255."""
FIRST = (0xAB, 0x25, 0x67)
"""The colour that the field has at first."""
Wanted = Callable[[PageView], Color]


def digits(color: Color) -> str:
    """Return the colour in hexadecimal digits, as the field shows it."""
    return "".join(f"{part:02X}" for part in color)


def enter(view: PageView, color: Color | None, needs: Sequence[str] = ()) -> Advice:
    """Advise typing a colour and submitting; without a colour the advice is to give up."""
    if color is None:
        return do()
    field = view.find("textbox", name="Color")
    return do(fill(field, digits(color)), view.click("button", name="Submit"), needs=needs)


def alike(one: Color, other: Color) -> float:
    """Return the page's reward for a colour other than the wanted, from 0 to 1 by their
    likeness.
    """
    return 1 - sum(abs(a - b) for a, b in zip(one, other, strict=True)) / 255 / 3


def far(color: Color) -> Color:
    """Return a colour as unlike this as possible: each part is 0 or 255."""
    return tuple(0 if part > 127 else 255 for part in color)


def outcomes(wanted: Wanted) -> dict[str, Outcome]:
    """Return the task's possible ends other than success, by label.

    Args:
        wanted: Reads the requested colour from the page.
    """
    return {
        "wrong": Outcome(
            lambda view: enter(view, far(wanted(view))),
            lambda view: alike(far(wanted(view)), wanted(view)),
        ),
        "partial": Outcome(
            lambda view: do(view.click("button", name="Submit")),
            lambda view: alike(FIRST, wanted(view)),
        ),
        "partial, with the picker": Outcome(
            pick_red, lambda view: alike((FIRST[0], 0, 0), wanted(view))
        ),
    }


def pick_red(view: PageView) -> Advice:
    """Advise picking the purest red of the picker, as bright as the first colour: a wrong end for
    tests.
    """
    field, pads = view.find("textbox"), view.all("application")
    if field is None or not pads:
        return do(click(field))
    if field.value == digits(FIRST):
        return do(ClickAt(pads[0].id, (0, 0)))
    return do(view.click("button", name="Submit"))
