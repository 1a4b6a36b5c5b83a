from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.actions import GRAMMAR, LONGEST, VERBS, BadAction, call, describe, parse, show
from agent.interface import (
    Action,
    Back,
    Click,
    ClickAt,
    Drag,
    Draw,
    Forward,
    Goto,
    Hover,
    HoverAt,
    KeyboardType,
    MarkText,
    Note,
    Press,
    Respond,
    Scroll,
    ScrollIn,
    Select,
    Stop,
    Tab,
    Type,
    Wait,
)
from agent.offered import OFFERS
from agent.plugins import UnknownName
from tests.each import for_each
from tests.measuring import DEEP

PRINTED = [
    (Click(12), "click [12]"),
    (Click("Buy Now"), "click [Buy Now]"),
    (Click("12"), 'click ["12"]'),
    (Click("//a[@id='x'][1]"), "click [//a[@id='x'][1]]"),
    (Click("(//a)[1]"), "click [(//a)[1]]"),
    (Click('"Foo"'), 'click [""Foo""]'),
    (Click(" x"), 'click [" x"]'),
    (Type(3, "bus stop"), "type [3] [bus stop]"),
    (Type(3, ""), "type [3] []"),
    (Type(3, "a", enter=True), "type [3] [a] [press_enter_after=1]"),
    (Type(3, "a [b] c"), "type [3] [a [b] c]"),
    (Type(3, "a ] [b"), "type [3] [a \\] \\[b]"),
    (Type(3, "a\nb\\c"), "type [3] [a\\nb\\\\c]"),
    (KeyboardType("a]b"), "keyboard_type [a\\]b]"),
    (Select(4, "Size 8"), "select [4] [Size 8]"),
    (Hover(4), "hover [4]"),
    (Drag(3, 7), "drag [3] [7]"),
    (Press("Control+a"), "press [Control+a]"),
    (Press("Control+["), "press [Control+\\[]"),
    (Press(" "), "press [\\u0020]"),
    (Scroll("down"), "scroll [down]"),
    (ClickAt(4, (20, -3)), "click_at [4] [20,-3]"),
    (HoverAt("map", (0, 9)), "hover_at [map] [0,9]"),
    (Draw(4, ((1, 2), (30, 40), (5, 6))), "draw [4] [1,2 30,40 5,6]"),
    (MarkText(4, "a [b]"), "mark_text [4] [a [b]]"),
    (ScrollIn(4, "up"), "scroll_in [4] [up]"),
    (Wait(0.5), "wait [0.5]"),
    (Wait(2), "wait [2]"),
    (Goto("http://a/?q=[1]"), "goto [http://a/?q=[1]]"),
    (Back(), "go_back"),
    (Forward(), "go_forward"),
    (Tab(1), "tab_focus [1]"),
    (Tab(1, close=True), "tab_close [1]"),
    (Respond(True), "accept_dialog"),
    (Respond(True, "Ann"), "accept_dialog [Ann]"),
    (Respond(False), "dismiss_dialog"),
    (Note("so far $3"), "note [so far $3]"),
    (Stop("42"), "stop [42]"),
    (Stop(), "stop []"),
]


@for_each(("action", "text"), PRINTED)
def test_each_action_has_one_printed_form(action: Action, text: str) -> None:
    assert show(action) == text
    assert parse(text) == action


@for_each(
    ("text", "action"),
    [
        ("  CLICK [12] ", Click(12)),
        ("Click[12]", Click(12)),
        ("`click [12]`", Click(12)),
        ("```\nclick [12]\n```", Click(12)),
        ("click [12].", Click(12)),
        ("`click [12]`.", Click(12)),
        ("click [ 12 ]", Click(12)),
        ("click [007]", Click(7)),
        ("click [123456789012]", Click("123456789012")),
        ('click ["(red)"]', Click("(red)")),
        ("click [Buy Now.]", Click("Buy Now.")),
        ("Go_Back.", Back()),
        ("type [3] [bus stop]", Type(3, "bus stop")),
        ("type [3] [x] [press_enter_after=0]", Type(3, "x")),
        ("type [3] [x] [1]", Type(3, "x", enter=True)),
        ("type [3] [x] [0]", Type(3, "x")),
        ("type [3]\n[two\nlines]", Type(3, "two\nlines")),
        ("type [3] [C:\\data]", Type(3, "C:\\data")),
        ("type [3] [ x ]", Type(3, " x ")),
        ("scroll [UP]", Scroll("up")),
        ("wait [ .5 s ]", Wait(0.5)),
        ("Wait[3 Seconds]", Wait(3)),
        ("wait [0.12345]", Wait(0.123)),
        ("press [ Enter ]", Press("Enter")),
        ("stop", Stop()),
        ("note [stop [now]]", Note("stop [now]")),
        ("goto [stop]", Goto("stop")),
    ],
)
def test_replies_of_models_are_read(text: str, action: Action) -> None:
    assert parse(text) == action


@for_each(
    ("text", "why"),
    [
        ("", r"'' is no action: it begins with none of click, type, .*stop"),
        ("fly [3]", r"'fly \[3\]' is no action: it begins with none of click"),
        ("clicks [3]", "begins with none of"),
        ("please stop", "begins with none of"),
        ("go back", "begins with none of"),
        ("click", r"it has 0 arguments; write click \[id\]"),
        ("click 12", r"'12' stands outside the brackets"),
        ("click []", r"this one is empty; write click \[id\]"),
        ("click [3] [4]", r"it has 2 arguments; write click \[id\]"),
        ("click [3] and wait", r"'and wait' stands outside the brackets"),
        ("click [3]\nclick [4]", r"stands outside the brackets"),
        ("click [3", "a bracket is not closed"),
        ("click [a [b]", "a bracket is not closed"),
        ("click [3]]", "outside the brackets"),
        ("type [3]", r"it has 1 argument; write type \[id\] \[text\]"),
        ("type [3] [x] [2]", "press_enter_after=1 or press_enter_after=0"),
        ("scroll [left]", "the direction is up or down"),
        ("wait", r"it has 0 arguments; write wait \[seconds\]"),
        ("wait [a while]", r"a number from 0.1 to 10; write wait \[seconds\]"),
        ("wait [0]", "a number from 0.1 to 10"),
        ("wait [-1]", "a number from 0.1 to 10"),
        ("wait [10.5]", "a number from 0.1 to 10"),
        ("wait [1e1]", "a number from 0.1 to 10"),
        ("tab_focus [two]", "the index of a tab is a number"),
        ("tab_focus [-1]", "the index of a tab is a number"),
        ("note", r"write note \[text\]"),
        ("go_back [2]", "it has 1 argument; write go_back"),
        ("dismiss_dialog [x]", "write dismiss_dialog"),
        ("stop [a] [b]", r"write stop \[answer\]"),
    ],
)
def test_anything_else_is_refused_with_what_is_accepted(text: str, why: str) -> None:
    with pytest.raises(BadAction, match=why):
        parse(text)


def test_a_long_text_is_refused_in_a_short_message() -> None:
    assert parse(f"note [{'x' * (LONGEST - 7)}]") == Note("x" * (LONGEST - 7))
    with pytest.raises(BadAction, match="longer than 20000 characters") as caught:
        parse(f"note [{'x' * (LONGEST - 6)}]")
    assert len(str(caught.value)) < 300


def test_many_brackets_cost_no_time_or_stack() -> None:
    deep = "[" * 9_000 + "]" * 9_000
    assert parse(f"note [{deep}]") == Note(deep)
    with pytest.raises(BadAction, match="not closed"):
        parse("note " + "[" * 19_000)


texts = st.one_of(
    st.text(max_size=12),
    st.text("[]\\\"'`. \n1/(a", max_size=12),
    st.sampled_from(("\\u0020", "\ud800", "\u2028", "] [press_enter_after=1", "stop []", "12.")),
)
places = st.tuples(*[st.integers(-9999, 9999)] * 2)
targets = st.integers(0, 999_999_999) | texts.filter(bool)
actions = st.one_of(
    st.builds(Click, targets),
    st.builds(Type, targets, texts, st.booleans()),
    st.builds(Select, targets, texts),
    st.builds(Hover, targets),
    st.builds(Drag, targets, targets),
    st.builds(KeyboardType, texts),
    st.builds(Press, texts),
    st.builds(Scroll, st.sampled_from(("up", "down"))),
    st.builds(ClickAt, targets, places),
    st.builds(HoverAt, targets, places),
    st.builds(Draw, targets, st.lists(places, min_size=2, max_size=9).map(tuple)),
    st.builds(MarkText, targets, texts),
    st.builds(ScrollIn, targets, st.sampled_from(("up", "down"))),
    st.builds(Wait, st.integers(100, 10_000).map(lambda ms: ms / 1000)),
    st.builds(Goto, texts),
    st.builds(Tab, st.integers(0, 99), st.booleans()),
    st.builds(Respond, st.just(True), texts),
    st.builds(Note, texts),
    st.builds(Stop, texts),
    st.sampled_from((Back(), Forward(), Respond(False))),
)


@given(actions)
@settings(max_examples=600 if DEEP else 150, derandomize=True, deadline=None)
def test_what_is_printed_is_read_back(action: Action) -> None:
    printed = show(action)
    assert parse(printed) == action
    assert parse(f"`{printed}`.") == action
    assert len(printed.splitlines()) == 1
    printed.encode()


@given(st.one_of(st.text(max_size=30), actions.map(show).map(lambda text: text[1:] + text[:1])))
@settings(max_examples=200 if DEEP else 60, derandomize=True, deadline=None)
def test_any_text_is_an_action_or_refused(text: str) -> None:
    try:
        action = parse(text)
    except BadAction:
        return
    assert parse(show(action)) == action


def test_the_grammar_is_described_from_the_same_table() -> None:
    lines = describe().split("\n")
    verbs = [line.split(":")[0].split(" ")[0] for line in lines[:-1]]
    printed = dict.fromkeys(show(action).split(" ")[0] for action, _ in PRINTED)
    assert verbs == [verb for verb in printed if verb not in OFFERS]
    assert [*printed] == [*VERBS]
    assert "XPath" in lines[-1]


@for_each("verb", OFFERS)
def test_an_offered_verb_is_written_as_the_grammar_has_it(verb: str) -> None:
    assert GRAMMAR[verb].syntax == OFFERS[verb].syntax


def test_a_part_of_the_grammar_can_be_described() -> None:
    assert describe(["scroll", "go_back"]) == (
        "scroll [up|down]: scroll by one screen\ngo_back: go back to the page before"
    )
    assert [line.split(" ")[0] for line in describe(["stop", "type"]).split("\n")[:2]] == [
        "stop",
        "type",
    ]
    assert describe([]) == ""


def test_an_unknown_verb_cannot_be_described() -> None:
    with pytest.raises(UnknownName, match="no action 'clik'; did you mean click"):
        describe(["clik"])


# Calls in the same form --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("find [a]", "find", ("a",)),
        (" `Find [a [b]] [] [c]`. ", "find", ("a [b]", "", "c")),
        ("find_2nd", "find_2nd", ()),
        ("", "", ()),
        (r"find [a \] b]", "find", (r"a \] b",)),
    ],
)
def test_a_call_is_a_name_with_arguments_in_brackets(text, name, arguments):
    assert call(text) == (name, arguments)


@pytest.mark.parametrize("text", ["find [a", "find a", "find [a] b", "find ]a["])
def test_what_is_no_call_is_refused(text):
    with pytest.raises(BadAction):
        call(text)
