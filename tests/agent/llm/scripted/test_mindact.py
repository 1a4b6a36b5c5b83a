"""The scripted answers for MindAct: three operations, on what is offered."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from agent.interface import (
    Action,
    Advice,
    Click,
    Element,
    Hover,
    Note,
    Observation,
    Press,
    Select,
    Text,
    Type,
)
from agent.llm.model_source import answer
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.methods import mindact
from agent.methods.mindact import Options
from tests.agent.methods.paper_site import Hand, Site, solved
from tests.each import for_each

SEARCHED = Observation(
    "http://store.localhost/home",
    "Shop",
    (
        Text("Shop", "heading"),
        Element(1, "searchbox", "Search", value="oak lamp"),
        Element(2, "button", "Go"),
        Element(3, "combobox", "Color", value="red", options=("red", "green")),
        Element(4, "button", "Help"),
    ),
)


def request() -> dict[str, Any]:
    """A request with all elements of the page and the end of the task, in this order."""
    llm = Hand({"choose": ["Answer: F."]})
    site = Site({"home": [SEARCHED]}, {})
    asyncio.run(solved(mindact, site, llm, Options(group=9)))
    return {"messages": llm.asked[0][1], "model": "scripted"}


def reply(advice: Advice, skill: float = 1.0, draw: str = "") -> str:
    """The answer of a script with this advice for every page."""
    known = Knowledge("find the answer", f"paper/{draw}", "store", 0, lambda page: advice)
    model = SimulatedModel({"find the answer": known}, skill)
    made = answer(model, "mindact/choose", request())
    return str(made["choices"][0]["message"]["content"])


LOST = "I do not know what to do."


@for_each(
    ("action", "wanted"),
    [
        (Click(2), "Answer: C.\nAction: CLICK"),
        (Type(1, "pine"), "Answer: B.\nAction: TYPE\nValue: pine"),
        (Select(3, "green"), "Answer: D.\nAction: SELECT\nValue: green"),
        (Type(1, "pine", enter=True), "Answer: B.\nAction: TYPE\nValue: pine"),
        (Type(1, "oak lamp", enter=True), "Answer: C.\nAction: CLICK"),
        (Click(9), "Answer: A."),
        (Hover(2), LOST),
        (Press("Enter"), LOST),
        (Type(1, "two\nlines"), LOST),
    ],
)
def test_an_action_is_one_of_three_operations_on_what_is_offered(action: Action, wanted: str):
    assert reply(Advice("search", (action,))) == wanted


def test_notes_are_passed_over_and_the_end_is_a_choice():
    assert reply(Advice("search", (Note("a lamp"), Click(2)))) == "Answer: C.\nAction: CLICK"
    assert reply(Advice("search", answer="42")) == "Answer: F.\nValue: 42"


def test_a_mistake_is_another_choice_or_another_value_but_no_label_that_is_not_there():
    right = Advice("search", (Select(3, "green"),))
    wrong = {reply(right, 0.0, str(draw)) for draw in range(40)}
    known = re.compile(r"Answer: [B-F]\.(\nAction: (CLICK|SELECT))?(\nValue: red)?")
    readable = {each for each in wrong if each.startswith("Answer")}
    assert len(readable) >= 4 and all(known.fullmatch(each) for each in readable)
