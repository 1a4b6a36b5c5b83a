"""Reading a reply of a policy."""

from __future__ import annotations

import pytest

from agent.actions import BadAction
from agent.interface import Click, Goto, Note, Reply, Stop, Type
from agent.methods.step import turns
from agent.methods.step.policy_library import Policy
from tests.each import for_each

FIND = Policy("find", "find [what]: finds it", "1. Look.")
OFFERED = {"find": FIND}


def read(text: str) -> turns.PolicyReply:
    return turns.read(Reply((text,)), OFFERED)


@for_each(
    ("text", "reason", "line", "move"),
    [
        ("REASON: so\nACTION: click [3]", "so", "click [3]", Click(3)),
        ("ACTION: click [3]", "", "click [3]", Click(3)),
        ("Action: `click [3]`.", "", "click [3]", Click(3)),
        ("REASON: so\nand so\nACTION: stop [a]", "so\nand so", "stop [a]", Stop("a")),
        ("ACTION: click [3]\nREASON: so", "so", "click [3]", Click(3)),
        ("ACTION: click [3]\nThen I buy.", "", "click [3]", Click(3)),
        ("ACTION: click [3]\nACTION: click [4]", "", "click [3]", Click(3)),
        ('ACTION: type [3] ["red sox"]', "", "type [3] [red sox]", Type(3, "red sox")),
        ("ACTION: type [3] [bus stop]", "", "type [3] [bus stop]", Type(3, "bus stop")),
        ("ACTION: note [a\nb]", "", "note [a\\nb]", Note("a\nb")),
        ("ACTION: goto [http://s/?a=b]", "", "goto [http://s/?a=b]", Goto("http://s/?a=b")),
        ("ACTION: find [a [b] c]", "", "find [a [b] c]", FIND),
        ("ACTION: Find [a\n  b]", "", "find [a b]", FIND),
        ("ACTION: find [a] [b, c]", "", "find [a, b, c]", FIND),
        ("ACTION: find(a, b)", "", "find [a, b]", FIND),
        ("ACTION: find [a], which is what was asked for", "", "find [a]", FIND),
        ("REASON: so. ACTION: click [3]", "so. ACTION: click [3]", "click [3]", Click(3)),
        ("stop [x]", "", "stop [x]", Stop("x")),
    ],
)
def test_reason_and_action(text, reason, line, move):
    assert read(text) == turns.PolicyReply(reason, line, move)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "write `Action:` and one of them"),
        ("I look for it", "none of click, type, .*, find; write `Action:`"),
        ("ACTION: fnd [x]", "none of click, type, .*, find"),
        ("ACTION: find", r"has 0 arguments; write find \[what\]"),
        ("ACTION: click", "write click"),
    ],
)
def test_what_is_no_action(text, why):
    with pytest.raises(ValueError, match=why):
        read(text)


def test_an_error_names_only_what_was_offered():
    with pytest.raises(BadAction) as error:
        turns.read(Reply(("ACTION: fly [3]",)), OFFERED, ("click", "stop"))
    assert str(error.value) == "'fly [3]' is no action: it begins with none of click, stop, find"


def test_who_is_offered_nothing_calls_nobody():
    with pytest.raises(ValueError, match="begins with none of"):
        turns.read(Reply(("ACTION: find [x]",)), {})
    with pytest.raises(BadAction):
        turns.read(Reply(("ACTION: find [x",)), {})
