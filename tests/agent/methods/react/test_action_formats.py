"""How a model writes its next move."""

from __future__ import annotations

import pytest

from agent.interface import Click, Element, Observation, Reply, Stop, Type
from agent.methods.react.action_formats import FORMATS, ParsedReply
from tests.each import for_each

WEBSHOP, WEBARENA = FORMATS["webshop"], FORMATS["webarena"]


@for_each(
    ("text", "move"),
    [
        ("click[Buy Now]", ParsedReply("click[Buy Now]", action=Click("Buy Now"))),
        ("Action: click[Next >]", ParsedReply("click[Next >]", action=Click("Next >"))),
        ("  CLICK[ a ]  ", ParsedReply("click[a]", action=Click("a"))),
        ("click[size [m]]", ParsedReply("click[size [m]]", action=Click("size [m]"))),
        ("search[a, b]", ParsedReply("search[a, b]", action=Type("", "a, b", enter=True))),
        ("think[so]", ParsedReply("think[so]", thought="so")),
        (
            "type[Subject][Hi [you]]",
            ParsedReply("type[Subject][Hi [you]]", action=Type("Subject", "Hi [you]")),
        ),
        ("type[Subject][]", ParsedReply("type[Subject][]", action=Type("Subject", ""))),
        ("stop[]", ParsedReply("stop[]", action=Stop(""))),
        ("click[a]\nThen I will buy it.", ParsedReply("click[a]", action=Click("a"))),
        ("\n\nclick[a]", ParsedReply("click[a]", action=Click("a"))),
    ],
)
def test_webshop_moves(text, move):
    assert WEBSHOP.read(Reply((text,))) == move


@pytest.mark.parametrize(
    "text", ["", "click", "click a", "do[a]", "Sure! click[a]", "[a]", "clickk[a]"]
)
def test_what_is_no_webshop_move_is_refused_in_words_for_the_model(text):
    with pytest.raises(ValueError, match=r"think\[\.\.\.\], search\[\.\.\.\]"):
        WEBSHOP.read(Reply((text,)))


@pytest.mark.parametrize("text", ["type[Subject]", "type[][Hi]", "type[]"])
def test_whoever_types_names_the_field(text):
    with pytest.raises(ValueError, match="names no field; write type"):
        WEBSHOP.read(Reply((text,)))


def test_a_long_refusal_is_cut():
    with pytest.raises(ValueError) as refused:
        WEBSHOP.read(Reply(("x" * 10_000,)))
    assert len(str(refused.value)) < 300


def test_a_search_finds_its_field():
    page = Observation("u", "t", (Element(4, "button", "Search"), Element(7, "searchbox", "")))
    assert WEBSHOP.resolve(Type("", "mats", enter=True), page) == Type(7, "mats", enter=True)
    assert WEBSHOP.resolve(Click("a"), page) == Click("a")
    assert WEBSHOP.resolve(Type("Subject", "mats"), page) == Type("Subject", "mats")


def test_a_search_where_there_is_no_field_is_left_to_fail():
    page = Observation("u", "t", (Element(1, "button", "Buy"),))
    resolved = WEBSHOP.resolve(Type("", "mats", enter=True), page)
    assert isinstance(resolved, Type) and isinstance(resolved.target, str) and resolved.target


def test_webarena_turns():
    move = WEBARENA.read(Reply(("Thought: it fits\nand is cheap\nAction: click [12]",)))
    assert move.action == Click(12) and move.thought == "it fits\nand is cheap"
    assert WEBARENA.read(Reply(("Action: stop [42]",))).action == Stop("42")


def test_an_action_alone_is_a_turn():
    move = WEBARENA.read(Reply(("click [12]",)))
    assert (move.action, move.thought) == (Click(12), "")


@for_each(
    "text",
    [
        "Thought: it fits\nAction: click[a]",
        "click [a]",
        "click(a)",
        'click("a")',
        "`click[a]`",
        "I press ```click[a]``` now.",
        "click[a] # the first one",
        "click[a], which is the first one",
    ],
)
def test_webshop_moves_in_the_habits_of_models(text):
    assert WEBSHOP.read(Reply((text,))) == ParsedReply("click[a]", action=Click("a"))


def test_a_field_and_its_text_in_parentheses():
    move = WEBSHOP.read(Reply(('type("Subject", "Hi, you")',)))
    assert move.action == Type("Subject", "Hi, you")


def test_an_error_names_only_what_was_offered():
    with pytest.raises(ValueError, match=r"is none of think\[\.\.\.\], search\[\.\.\.\];"):
        WEBSHOP.read(Reply(("buy[a]",)), ("think", "search"))
    with pytest.raises(ValueError, match="begins with none of click, stop; write `Action:`"):
        WEBARENA.read(Reply(("I look",)), ("click", "stop"))


@pytest.mark.parametrize("text", ["", "Thought: only this", "click [12]\nclick [13]"])
def test_a_turn_without_an_action_is_refused(text):
    with pytest.raises(ValueError, match="is no action"):
        WEBARENA.read(Reply((text,)))
