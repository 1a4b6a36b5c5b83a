from __future__ import annotations

from agent.interface import Element, Observation, Text
from agent.renderings import painted, tree

RED, DARK = "rgb(255, 0, 0)", "rgb(31, 41, 51)"
PAGE = Observation(
    "http://a/",
    "Shapes",
    (
        Element(1, "button", "box", states=("pressed",), colors=(("background-color", RED),)),
        Element(2, "graphics-symbol", "K", colors=(("fill", RED), ("stroke", DARK)), depth=1),
        Text("late", "cell", colors=(("color", "red"),)),
        Element(3, "button", "Submit"),
    ),
)


def test_colours_stand_after_the_states() -> None:
    assert painted.render(PAGE).split("\n")[3:] == [
        "[1] button 'box' pressed background-color=red",
        "  [2] graphics-symbol 'K' fill=red stroke='rgb(31, 41, 51)'",
        "cell 'late' color='red'",
        "[3] button 'Submit'",
    ]


def test_a_name_is_read_back_as_the_colour() -> None:
    assert [node.colors for node in painted.parse(painted.render(PAGE)).content] == [
        node.colors for node in PAGE.content
    ]


def test_without_colours_it_is_the_tree() -> None:
    plain = tree.shown(PAGE)
    assert painted.render(plain) == tree.render(plain)
