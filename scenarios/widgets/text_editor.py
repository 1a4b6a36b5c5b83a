"""Give a word or the whole text a style or a colour in a text editor, and submit."""

from __future__ import annotations

import re

from agent.interface import Action, Advice, Click, Element, MarkText
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget

BUTTONS = {"bold": "bold", "italics": "italic", "underlined": "underline"}
SAYS = (
    r"(?:give|make) (the text )?(\S+)"
    r" the (?:style (bold|italics|underlined)|color (\w+)) and press"
)
STYLED = re.compile(r"\[(.+?): .+?\]")


def advise(view: PageView) -> Advice:
    word, what, style, hue = view.groups(SAYS)
    editor = view.find("textbox")
    if editor is None or editor.value is None:
        return do()
    if STYLED.search(editor.value):
        return do(view.click("button", name="Submit"))
    palette = [each for each in view.all("button") if each.name.startswith("color ")]
    if hue and palette:
        return do(Click(shade(palette, hue).id), needs=[hue])
    text = what if word else editor.value
    marked = None if editor.name.endswith(f", marked: {text}") else MarkText(editor.id, text)
    return do(marked, press(view, style), needs=[what, style or hue])


def press(view: PageView, style: str | None) -> Action | None:
    """Return a click on the button of a style, or of the palette without a style."""
    return view.click("button", name=BUTTONS[style] if style else "text color")


def shade(palette: list[Element], hue: str) -> Element:
    """Return the swatch whose colour is nearest to the pure colour of that name."""
    return min(palette, key=lambda each: far(each.name, PURE[hue]))


PURE = {
    "red": (255, 0, 0),
    "orange": (255, 165, 0),
    "yellow": (255, 255, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "purple": (128, 0, 128),
}


def far(name: str, pure: tuple[int, int, int]) -> int:
    """Return the squared distance between a colour and the colour in a swatch's name."""
    shown = bytes.fromhex(name.removeprefix("color #"))
    return sum((one - other) ** 2 for one, other in zip(shown, pure, strict=True))


def wrong(view: PageView) -> Advice:
    """Advise submitting the text as it is: a wrong end for tests."""
    return do(view.click("button", name="Submit"))


def misplaced(view: PageView) -> Advice:
    """Advise giving the whole text another style: a wrong end for tests."""
    editor = view.find("textbox")
    if editor is None or editor.value is None or STYLED.search(editor.value):
        return do(view.click("button", name="Submit"))
    style = "italic" if "bold" in view.instruction else "bold"
    whole = MarkText(editor.id, editor.value)
    marked = None if editor.name.endswith(f", marked: {editor.value}") else whole
    return do(marked, view.click("button", name=style))


OUTCOMES = {"wrong": Outcome(wrong), "wrong style": Outcome(misplaced)}
FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=OUTCOMES)
