"""Mistakes about where: every action with a place has some that are plausible, and wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.interface import (
    Action,
    Advice,
    Click,
    ClickAt,
    Drag,
    Draw,
    Element,
    Hover,
    HoverAt,
    MarkText,
    Observation,
    ScrollIn,
)
from agent.llm.simulated.misplaced import BESIDE, CLEARLY, misplaced
from agent.llm.simulated.mistakes import Situation, believe, named
from tests.each import for_each
from tests.measuring import DEEP, draws

PAGE = Observation(
    "http://w/",
    "Picture",
    (
        Element(1, "application", "picture 100 x 80, blue point (30, 40), black point (70, 20)"),
        Element(2, "graphics-symbol", "box from (10, 10) to (30, 20)"),
        Element(3, "graphics-symbol", "circle from (30, 40) to (40, 50)"),
        Element(4, "graphics-symbol", "square from (60, 60) to (70, 70)"),
        Element(5, "paragraph", "one two three"),
        Element(6, "paragraph", "four five"),
        Element(7, "button", "Submit"),
    ),
)
CIRCLE = ((40, 40), (50, 50), (40, 60), (30, 50), (40, 40))
RIGHT = {
    "a click at a place": ClickAt(1, (30, 40)),
    "the mouse at a place": HoverAt(1, (30, 40)),
    "a stroke": Draw(1, ((30, 40), (70, 20))),
    "a circle": Draw(1, CIRCLE),
    "a drag": Drag(3, 2),
    "a text": MarkText(5, "one two three"),
    "a scroll": ScrollIn(5, "down"),
    "the mouse over something": Hover(3),
}


def wrong(right: Action, page: Observation = PAGE) -> list[Action]:
    return list(misplaced(right, page))


@for_each("kind", RIGHT)
def test_each_has_mistakes_and_is_none_of_them(kind: str) -> None:
    right = RIGHT[kind]
    found = wrong(right)
    assert right not in found and len(set(found)) == len(found)
    assert bool(found) != isinstance(right, Hover), "an element is mistaken for another elsewhere"


def test_a_place_is_another_that_is_named_or_one_beside() -> None:
    places = {each.at for each in wrong(ClickAt(1, (30, 40))) if isinstance(each, ClickAt)}
    assert {(70, 20), (20, 15), (65, 65)} <= places, "points, and the middles of boxes"
    assert (35, 45) not in places, "too near to be another one"
    assert (50, 40) in places and (30 - BESIDE[0], 40) in places
    assert all(0 <= x < 100 and 0 <= y < 80 for x, y in places), "all in the picture"
    assert all(max(abs(x - 30), abs(y - 40)) > CLEARLY for x, y in places)


def test_where_no_size_is_named_a_place_may_lie_anywhere_below_and_right() -> None:
    bare = replace(PAGE, content=(Element(1, "slider", "Colour"),))
    assert ClickAt(1, (42, 30)) in wrong(ClickAt(1, (10, 30)), bare)
    assert all(each.at[0] >= 0 for each in wrong(ClickAt(1, (10, 30)), bare))  # type: ignore[attr-defined]


def test_a_stroke_goes_the_other_way_or_begins_or_ends_elsewhere() -> None:
    paths = [each.path for each in wrong(RIGHT["a stroke"]) if isinstance(each, Draw)]
    assert ((30, 40), (-10, 60)) in paths, "the other way"
    assert ((30, 40), (20, 15)) in paths and ((20, 15), (70, 20)) in paths
    assert all(len(path) == 2 and (path[0] == (30, 40) or path[1] == (70, 20)) for path in paths)


def test_a_longer_path_is_left_halfway_or_drawn_elsewhere() -> None:
    first, *others = [each.path for each in wrong(RIGHT["a circle"]) if isinstance(each, Draw)]
    assert first == CIRCLE[:2]
    moved = [
        {(x - a, y - b) for (x, y), (a, b) in zip(path, CIRCLE, strict=True)} for path in others
    ]
    assert moved and all(len(by) == 1 and by != {(0, 0)} for by in moved), "as a whole"


def test_a_drag_ends_on_something_else_of_the_same_kind() -> None:
    assert wrong(Drag(3, 2)) == [Drag(3, 4)], "not on itself, and not on the button"


def test_a_part_of_a_text_is_marked_or_another_text() -> None:
    found = wrong(RIGHT["a text"])
    assert found == [MarkText(5, "two three"), MarkText(5, "one two"), MarkText(6, "four five")]
    assert MarkText(5, "wor") in wrong(MarkText(5, "word"))


def test_a_scroll_goes_the_other_way() -> None:
    assert wrong(ScrollIn(5, "down")) == [ScrollIn(5, "up")]
    assert wrong(ScrollIn(5, "up")) == [ScrollIn(5, "down")]


def test_an_action_without_a_place_has_none() -> None:
    assert wrong(Click(7)) == []


@for_each("kind", RIGHT)
def test_a_model_of_no_skill_errs_in_place_and_in_the_ways_of_all_actions(kind: str) -> None:
    """Whoever knows no mistake of a kind would be right instead."""
    right, kinds = RIGHT[kind], set[str]()
    for seed in draws(300 if DEEP else 100):
        decision = believe(f"{seed}", 0.0, Situation(Advice("mark", (right, Click(7))), PAGE))
        assert decision.action != right
        kinds.add(decision.mistake)
    where = {"wrong value"} if misplaced_at_all(right) else {"look-alike"}
    assert {*where, "skips a step", "another element", "premature stop"} <= kinds


def misplaced_at_all(right: Action) -> bool:
    return any(misplaced(right, PAGE))


@pytest.mark.wide
@for_each("skill", [0.3, 0.7])
def test_places_are_wrong_as_often_as_other_things(skill: float) -> None:
    advice = Advice("mark", (ClickAt(1, (30, 40)),))
    found = [believe(f"{seed}", skill, Situation(advice, PAGE)) for seed in draws(2000)]
    share = sum(bool(each.mistake) for each in found) / len(found)
    assert share == pytest.approx(1 - skill, abs=0.03)


def test_the_same_place_is_mistaken_in_the_same_way_on_a_page_that_is_numbered_otherwise() -> None:
    """Draws go by words, and so do the elements that are mistaken."""
    moved = replace(PAGE, content=tuple(replace(each, id=each.id + 9) for each in PAGE.elements))
    for right, other in ((ClickAt(1, (30, 40)), ClickAt(10, (30, 40))), (Drag(3, 2), Drag(12, 11))):
        assert named(right, PAGE) == named(other, moved)
        for seed in range(100):
            one = believe(f"{seed}", 0.0, Situation(Advice("mark", (right,)), PAGE))
            two = believe(f"{seed}", 0.0, Situation(Advice("mark", (other,)), moved))
            assert named(one.action, PAGE) == named(two.action, moved)
