"""Actions in the three operations of Mind2Web."""

from __future__ import annotations

import pytest

from agent.interface import (
    Back,
    Click,
    Drag,
    Element,
    Goto,
    Hover,
    Note,
    Observation,
    Press,
    Scroll,
    Select,
    Type,
    Wait,
)
from evaluators.mind2web.build.acting import Untellable, operation, parts
from tests.each import for_each

FIELD = Element(1, "searchbox", "Search", states=("focused",))
LONG = Element(2, "link", "word " * 20)
PAGE = Observation("http://store.test/", "Store", (FIELD, LONG))


def shown(action):
    found = operation(action, PAGE)
    return found and (found.op, found.original_op, found.value, found.element.id)


@for_each(
    ("action", "expected"),
    [
        (Click(1), ("CLICK", "CLICK", "", 1)),
        (Click("search"), ("CLICK", "CLICK", "", 1)),
        (Hover(2), ("CLICK", "HOVER", "", 2)),
        (Type(1, "two  words"), ("TYPE", "TYPE", "two words", 1)),
        (Select(1, "Large"), ("SELECT", "SELECT", "Large", 1)),
        (Press("Enter"), ("CLICK", "ENTER", "", 1)),
        (Note("n"), None),
        (Scroll("down"), None),
    ],
)
def test_an_action_is_an_operation_or_no_step(action, expected):
    assert shown(action) == expected


@for_each("action", [Back(), Goto("/"), Press("Tab"), Wait(1), Drag(1, 2), Click("nothing")])
def test_an_action_that_no_operation_tells_is_refused(action):
    with pytest.raises(Untellable):
        shown(action)


def test_typing_with_enter_is_two_actions():
    assert parts(Type(1, "x", enter=True)) == (Type(1, "x"), Press("Enter"))
    assert parts(Click(1)) == (Click(1),)


def test_a_refusal_names_the_verb():
    with pytest.raises(Untellable, match="no operation for go_back"):
        shown(Back())


def test_the_words_of_an_action():
    assert operation(Type(1, "tea"), PAGE).repr == "[searchbox]  Search -> TYPE: tea"
    assert operation(Press("Enter"), PAGE).repr == "[searchbox]  Search -> ENTER"
    words = operation(Click(2), PAGE).repr
    assert words.endswith("... -> CLICK") and len(words) == len("[link]   -> CLICK") + 50
