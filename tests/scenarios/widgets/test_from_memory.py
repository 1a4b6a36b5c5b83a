"""Advice that goes on where a page shows less than before, or nothing of it at all."""

from __future__ import annotations

from dataclasses import replace

from agent.interface import REMEMBERED, Click, Element, Note, Observation, Press, Text
from scenarios.widgets import ascending_numbers, compose, drag_shapes_2, simon_says, use_slider_2
from scenarios.widgets._page_view import PageView
from scenarios.widgets._shapes import facts
from sites.widgets import compositions
from tests.each import for_each


def page(*content: Element | Text) -> Observation:
    return Observation("http://w/", "Page", content)


BOXES = page(
    Element(1, "button", "box (10, 20)", value="2"),
    Element(2, "button", "box (30, 40)", value="1"),
    Element(3, "button", "box (50, 60)", value="3"),
)
NOTE = Text(
    "The numbers in ascending order: box (30, 40), then box (10, 20), then box (50, 60)", REMEMBERED
)


def covered(*pressed: int) -> tuple[Element, ...]:
    return tuple(
        replace(box, value=None, states=("pressed",) * (box.id in pressed))
        for box in BOXES.elements
    )


def numbers(*content: Element | Text) -> list[object]:
    view = PageView("Click on the numbers in ascending order.", page(*content))
    return list(ascending_numbers.advise(view).actions)


def test_numbers_are_noted_and_clicked() -> None:
    assert numbers(*BOXES.content) == [Note(NOTE.text), Click(2), Click(1), Click(3)]


def test_covered_numbers_are_clicked_by_the_note_and_by_nothing_else() -> None:
    assert numbers(*covered(2), NOTE) == [Click(1), Click(3)]
    assert numbers(*covered(2, 1), NOTE) == [Click(3)]
    assert numbers(*covered(2)) == []
    assert numbers(*covered(2), Text(NOTE.text)) == [], "what a page says is no note"
    assert numbers(*covered(2)[1:], NOTE) == [], "one of them is not shown"


def test_a_slider_that_has_the_focus_is_not_clicked_again() -> None:
    ends = Text("0"), Text("20")
    first, button = Element(1, "slider", "Slider 1", value="3"), Element(2, "button", "Submit")
    others = [Element(n, "slider", f"Slider {n}", value="1") for n in (3, 4)]
    instruction = "Set the sliders to the combination [4,1,1] and submit."
    for slider, focus in ((first, [Click(1)]), (replace(first, states=("focused",)), [])):
        view = PageView(instruction, page(*ends, slider, *others, button))
        wanted = [*focus, Press("ArrowRight"), Click(2)]
        assert list(use_slider_2.advise(view).actions) == wanted


@for_each(("wanted", "needed"), [("rectangles", "rectangles"), ("red shapes", "red shapes")])
def test_what_is_dragged_is_called_as_the_task_calls_it(wanted: str, needed: str) -> None:
    shape = Element(
        3,
        "graphics-symbol",
        "rectangle from (2, 62) to (18, 78)",
        colors=(("fill", "rgb(255, 0, 0)"),),
    )
    boxes = [
        Element(1, "graphics-symbol", "left box from (3, 5) to (73, 55)"),
        Element(2, "graphics-symbol", "right box from (84, 5) to (154, 55)"),
    ]
    task = f"Drag all {wanted} into the left box, and everything else into the right box."
    advice = drag_shapes_2.advise(PageView(task, page(*boxes, shape)))
    assert advice.needs == ((needed,),) and needed in task


def test_how_long_is_to_be_watched() -> None:
    assert simon_says.until_shown("Watch: 0 of 3 shown so far") == 21
    assert simon_says.until_shown("Watch: 3 of 3 shown so far") == simon_says.LIT


def test_a_composition_of_which_no_box_is_shown_is_given_up() -> None:
    board = compose.Board(compositions.draw(3, 0), "Do it.", page(Text("nothing of it")))
    assert board.boxes == {} and compose.advise(board).actions == ()


def test_a_shape_whose_colour_is_not_shown_has_none() -> None:
    shown = Element(1, "graphics-symbol", "small A", colors=(("fill", "rgb(255, 0, 0)"),))
    assert "red" in facts(shown) and "" in facts(replace(shown, colors=()))
