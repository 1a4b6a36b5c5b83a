"""Actions in the habits of models: read where one reading is possible, refused where not."""

from __future__ import annotations

import pytest

from agent import action_text
from agent.actions import BadAction
from agent.interface import Back, Click, Goto, Note, Press, Scroll, Select, Stop, Type, Wait
from tests.each import for_each

OFFERED = ("click", "type", "stop")


@for_each(
    ("text", "action"),
    [
        ("click(12)", Click(12)),
        ("click (12)", Click(12)),
        ('click("Buy Now")', Click("Buy Now")),
        ("click 3", Click(3)),
        ("click 3 # the search button", Click(3)),
        ("click [3] # the search button", Click(3)),
        ("click [3] // the search button", Click(3)),
        ("click [3] (the search button)", Click(3)),
        ("click [3], where the flights are searched", Click(3)),
        ("click [3] to select the date", Click(3)),
        ("click(3), which opens it", Click(3)),
        ("click [3]\nThis opens the search.", Click(3)),
        ("Action: click [3]\nThis opens the search, then click [4].", Click(3)),
        ("Action: click [3]\nObservation: a page\nAction: click [4]", Click(3)),
        ("**Action:** click [3]", Click(3)),
        ("Action 2: click [3]", Click(3)),
        ("My next action: click [3]", Click(3)),
        ("Thought: a button. Action: click [3]", Click(3)),
        ("Action: click [3]\\nThought: it is open", Click(3)),
        ("Action: click [3]\\n", Click(3)),
        ("Action: ```click [3]```", Click(3)),
        ("Action: ```\nclick [3]\n```", Click(3)),
        ("Action:\n```text\nclick [3]\n```\n", Click(3)),
        ("```click [3]```", Click(3)),
        ("In summary, the next action I will perform is ```click [3]```.", Click(3)),
        ("I press the button with `click [3]` now", Click(3)),
        ("Press the button: `click [3]`", Click(3)),
        ("scroll down", Scroll("down")),
        ("wait 2 seconds", Wait(2)),
        ("wait(0.5)", Wait(0.5)),
        ("press Enter", Press("Enter")),
        ("press Control+a", Press("Control+a")),
        ("goto http://s/a?b=c", Goto("http://s/a?b=c")),
        ("go_back()", Back()),
        ("Action: go_back\nThe page was wrong.", Back()),
        ('type(3, "red, sox")', Type(3, "red, sox")),
        ("type(3, 'red sox', 1)", Type(3, "red sox", enter=True)),
        ("type [3] [use `x` here]", Type(3, "use `x` here")),
        ("type [3] [a # b]", Type(3, "a # b")),
        ("type [3] [a, where b]", Type(3, "a, where b")),
        ("select(4, Size 8)", Select(4, "Size 8")),
        ("note [then click [3]]", Note("then click [3]")),
        ("stop()", Stop("")),
        ("stop(NOT_FOUND)", Stop("NOT_FOUND")),
        ('stop("$3, in all")', Stop("$3, in all")),
        # prose, without back-ticks
        ("In summary, the next action I will perform is click [3]", Click(3)),
        ("It is hidden. The next action I will perform is click [3].\nIt opens.", Click(3)),
        ("So the next action to take is to click [3]", Click(3)),
        ("My next action will be **type [3] [red]**", Type(3, "red")),
        ("type [3] [the next action is stop [1]]", Type(3, "the next action is stop [1]")),
        # names of arguments
        ("scroll [direction=down]", Scroll("down")),
        ("scroll direction=up", Scroll("up")),
        ("click [id=7]", Click(7)),
        ("click <7>", Click(7)),
        ("Action: `click <id=7>`", Click(7)),
        ("The next action I will perform is click <7>.", Click(7)),
        ("type <3> <a [b> <1>", Type(3, "a [b", enter=True)),
        ("scroll <direction=down>", Scroll("down")),
        ("type [3] [<7>]", Type(3, "<7>")),
        ("type [id=3] [text=red] [press_enter_after=1]", Type(3, "red", enter=True)),
        ("click [id='7']", Click(7)),
        ("click [id: 7]", Click(7)),
        ("click [element_id = 7]", Click(7)),
        ("click [name=Buy Now]", Click("Buy Now")),
        ("type [id=3] [text=red]", Type(3, "red")),
        ("type [text=red] [id=3]", Type(3, "red")),
        ("type [3] [text=5]", Type(3, "text=5")),
        ("type [3] [a=b]", Type(3, "a=b")),
        ("type [3] [red] [press_enter_after=1]", Type(3, "red", enter=True)),
        ("click [ID: 7]", Click("ID: 7")),
        ("click [//a[@id=7]]", Click("//a[@id=7]")),
        ("press [key=Enter]", Press("Enter")),
        ("goto [url=http://s/a?b=c]", Goto("http://s/a?b=c")),
        ("stop [answer=42]", Stop("42")),
        ("select [4] [option=Size 8]", Select(4, "Size 8")),
        # markup, descriptions, brackets of other scripts
        ("**click [3]**", Click(3)),
        ("Action: **click [3]**", Click(3)),
        ("**Action: click [3]**", Click(3)),
        ("- click [3]", Click(3)),
        ("> `click [3]`", Click(3)),
        ("Action: click [3].", Click(3)),
        ("CLICK [3]", Click(3)),
        ("click: [3]", Click(3)),
        ("click [3] [button 'Buy']", Click(3)),
        ("click [3] button 'Buy'", Click(3)),
        ("click [3]. It opens the search.", Click(3)),
        ("click\uff3b3\uff3d", Click(3)),
        ("click\u30103\u3011", Click(3)),
        ("click\uff083\uff09", Click(3)),
        ("Action\uff1aclick [3]", Click(3)),
        ("type [3] [\u3010a\u3011]", Type(3, "\u3010a\u3011")),
        ("<action>click [3]</action>", Click(3)),
        # a page that the model invents, and what it does there
        ("click [3]\nObservation:\n[4] link 'Go'\nThought: Done.\nAction: click [4]", Click(3)),
        ("Thought: a\nAction: click [3]\nObservation: b\nAction: click [4]", Click(3)),
        ("The page is new.\nObservation: a list\nAction: click [3]", Click(3)),
        # function calls
        ('<tool_call>{"name": "click", "arguments": {"id": 3}}</tool_call>', Click(3)),
        ("<function=click><parameter=id>3</parameter></function>", Click(3)),
        ('{"verb": "click", "id": 3}', Click(3)),
        ('{"action": "click [3]"}', Click(3)),
        (
            "{'name': 'type', 'parameters': {'bid': '3', 'text': 'a [b', 'press_enter': True}}",
            Type(3, "a [b", enter=True),
        ),
    ],
)
def test_one_reading(text, action):
    assert action_text.read(text, OFFERED) == action


@for_each(
    ("text", "why"),
    [
        ("click [3] and click [4]", "stands outside the brackets"),
        ("click [3], then press Enter", "stands outside the brackets"),
        ("click [3] # then press Enter", "stands outside the brackets"),
        ("click [3]\nclick [4]", "several actions; write one, the next"),
        ("click(3), click(4)", "stands outside the brackets"),
        ("click [3] and wait", "stands outside the brackets"),
        ("type [3] [x], press_enter_after=1", "stands outside the brackets"),
        ("type [3]", "to put the cursor into a field, click it"),
        ("select [3]", "to tick a box or choose a radio button, click it"),
        ('click [3] "Buy"', "stands outside the brackets"),
        ('type [3] "x" and click [4]', "stands outside the brackets"),
        ("Either `click [3]` or `click [4]`", "begins with none of"),
        ('click("3")', "in square brackets"),
        ("click(id=3)", "in square brackets"),
        ("click <3> then click <4>", "outside the brackets"),
        ("click <3", "outside the brackets"),
        ("click(3", "in square brackets|outside"),
        ("click the button", "outside the brackets"),
        ("type 3 red sox", "outside the brackets"),
        ("stop here", "outside the brackets"),
        ("I will click [3] now", "begins with none of"),
        ("click", r"write click \[id\]"),
        ("click()", r"write click \[id\]"),
        ("click [3", "a bracket is not closed"),
        ("click [3] [4]", "it has 2 arguments"),
        ("click [id=search]", "the id is the number of an element"),
        ("click [3]. Press Enter.", "stands outside the brackets"),
        ("click [3]. Then click [4].", "stands outside the brackets"),
        ("1. click [3]\n2. click [4]", "stands outside the brackets"),
        ("the next action is click [3], or the next action is click [4]", "begins with none of"),
        ('{"name": "click", "arguments": {"id": 3}} {"name": "stop"}', "begins with none of"),
        ('{"name": "click", "arguments": {"id": 3, "haste": 1}}', "begins with none of"),
        ('{"name": "erase", "arguments": {"id": 3}}', "begins with none of"),
    ],
)
def test_no_reading_or_two(text, why):
    with pytest.raises(BadAction, match=why):
        action_text.read(text, OFFERED)


def test_an_error_names_only_what_was_offered():
    with pytest.raises(BadAction) as error:
        action_text.read("I will look", OFFERED)
    wanted = "it begins with none of click, type, stop; write `Action:` and one of them"
    assert str(error.value) == f"'I will look' is no action: {wanted}"


def test_a_long_text_is_not_read():
    with pytest.raises(BadAction, match="longer than 20000 characters"):
        action_text.read("click [3] " + " " * 20_000, OFFERED)
    with pytest.raises(BadAction):
        action_text.read("`" * 9_999 + "(" * 9_999, OFFERED)
