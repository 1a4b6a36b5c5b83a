"""The previous actions, as a request of SteP shows them."""

from __future__ import annotations

from agent.interface import Click, Select
from agent.llm.simulated.reading import Request
from agent.llm.simulated.shown_history import Input

LOOP = "select [4] [One direction] was done here 2 times already, so it was not done again"
REQUEST = f"""OBJECTIVE:
find a flight
OBSERVATION:
a page
PREVIOUS ACTIONS:
select [4] [One direction]
{LOOP} = find_flights [Berlin]
click [7]"""


def test_a_response_that_quotes_an_action_is_none():
    shown = Input(Request("step/act", {"messages": [{"role": "user", "content": REQUEST}]}))
    assert [*shown.operations] == [Select(4, "One direction"), Click(7)]
    assert [(each.name, each.response) for each in shown.history if each.response] == [
        ("find_flights", LOOP)
    ]
