"""Groups that compete, and how a reply is read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from agent.mind2web import multiple_choice
from agent.mind2web.methods import LOST, Prediction


def compete(candidates: str, wins: str, *, ask_last: bool = False) -> tuple[str, list[str]]:
    """Let candidates compete in groups of three; return the element that is left, and the groups.

    The first of `wins` in a group wins it. A lower case letter stands for one that was not offered.
    """
    groups = []

    async def choose(group: Sequence[str]) -> Prediction | None:
        groups.append("".join(group))
        found = next((each for each in wins if each.upper() in group), "")
        if not found:
            return None
        return Prediction("CLICK", found) if found.isupper() else LOST

    made = multiple_choice.compete([*candidates], 3, choose, ask_last=ask_last)
    return asyncio.run(made).element, groups


def test_a_winner_goes_to_the_end_of_the_list():
    assert compete("ABCDEFG", "EA") == ("E", ["ABC", "DEF", "GAE"])


def test_a_group_without_a_winner_is_dropped():
    assert compete("ABCDEF", "F") == ("F", ["ABC", "DEF"])
    assert compete("ABCDEF", "") == ("", ["ABC", "DEF"])


def test_a_candidate_that_nobody_asked_about_is_lost_or_asked_about():
    assert compete("ABCD", "D") == ("", ["ABC"])
    assert compete("ABCD", "D", ask_last=True) == ("D", ["ABC", "D"])
    assert compete("A", "A") == ("", [])
    assert compete("A", "A", ask_last=True) == ("A", ["A"])
    assert compete("ABCD", "", ask_last=True) == ("", ["ABC", "D"])


def test_the_last_winner_is_not_asked_about_a_second_time():
    assert compete("ABC", "B", ask_last=True) == ("B", ["ABC"])


def test_a_letter_that_was_not_offered_clears_the_prediction():
    assert compete("ABCDEF", "Ad") == ("", ["ABC", "DEF"])
    assert compete("ABCDEF", "Ad", ask_last=True) == ("A", ["ABC", "DEF", "A"])


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("Answer: C.\nAction: SELECT\nValue: Pickup now", ("SELECT", "11", "Pickup now")),
        ("Answer: B.", ("", "10", "")),
        ("Answer:D\nAction: CLICK\nValue:", LOST),
        ("Answer: A.\nAction: CLICK", None),
        ("I would click C.", None),
    ],
)
def test_three_patterns_read_a_reply(reply, read):
    wanted = Prediction(*read, reply) if isinstance(read, tuple) else read
    assert multiple_choice.read(reply, ["10", "11"]) == wanted
