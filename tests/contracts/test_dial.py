"""The dial of the scripted model: whoever asks, a decision is wrong as often as 1 - skill says.

Requests of real episodes, skilful ones and such as are full of mistakes, are put to models with
other draws. A decision is wrong where its reply differs from the perfect model's. Requests whose
history speaks against a mistake that could be made are left out: what follows evidence is no
decision. `-s` prints the table of docs/scripted_model.md, which is that of `tox -e deep`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from typing import Any

import pytest

from agent.llm.model_source import answer
from agent.llm.simulated import mistakes
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from scenarios import registry
from scenarios.scenario import Scenario, planned_steps
from tests.contracts.shared_episodes import SharedEpisodes
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

DRAWS = 12_000 if DEEP else 60
"""For each method and skill. A half of 12,000 draws is known to 0.5 points: a standard error, of
which the allowed 2 points are four. With 4,000 draws one honest cell in a hundred is outside."""
NEAR = 0.02 if DEEP else 0.17
"""60 draws of 0.7 are within 0.17 of it in 99.6 of a hundred cases."""
TRIES = 60 if DEEP else 10
"""So many draws of skill 0 tell whether a request holds evidence."""
MOST_ASKED = 1000 if DEEP else 8
"""So many decisions of an episode are drawn in turn."""
SKILLS = (0.0, 0.5, 0.7, 0.9) if DEEP else (0.0, 0.7)
FAMILIES = {
    "react": ("buy_item", "TASK_FIND_BOOKING"),
    "laser": ("buy_item", "TASK_FIND_BOOKING"),
    "flat": ("buy_item", "TASK_FIND_BOOKING"),
    "step": ("cheapest_in_list", "TASK_FIND_BOOKING"),
    "synapse": ("buy_item", "email-inbox"),
    "anticipatory-reflection": ("buy_item", "TASK_FIND_BOOKING"),
    "plan-act": ("buy_item", "TASK_FIND_BOOKING"),
    "sampled-alternatives": ("buy_item", "TASK_FIND_BOOKING"),
    "lats": ("buy_item", "TASK_FIND_BOOKING"),
}
GARBLED = "Let me see what would be best here"
CALL = re.compile(r"\w+\(\{.*\}\)")


@dataclass(frozen=True)
class Decision:
    """A request that asks for one, and what the perfect model decides."""

    scenario: Scenario
    purpose: str
    body: dict[str, Any]

    @property
    def right(self) -> str:
        return self.decided(self.perfect)

    @property
    def counts(self) -> bool:
        """Whether the model takes it for one decision."""
        model = self.perfect
        self.decided(model)
        return model.tally.counts.get(mistakes.DECISION) == (1, 0)

    @property
    def is_first(self) -> bool:
        """Whether nothing in the request speaks against a mistake: of skill 0 all are wrong."""
        right = self.right
        return all(self.decided(self.drawn(f"^{number}", 0.0)) != right for number in range(TRIES))

    def drawn(self, draw: str, skill: float) -> SimulatedModel:
        """A model with another draw."""
        return SimulatedModel({self.scenario.instruction: self.knowledge(draw)}, skill)

    @property
    def perfect(self) -> SimulatedModel:
        return SimulatedModel({self.scenario.instruction: self.knowledge("")})

    def knowledge(self, draw: str) -> Knowledge:
        family, scenario = registry.family(self.scenario.family), self.scenario
        advise, name = partial(family.advise, scenario), f"{scenario.name}{draw}"
        steps = planned_steps(family, scenario)
        return Knowledge(scenario.instruction, name, scenario.site, 0, advise, steps)

    def decided(self, model: SimulatedModel) -> str:
        """What a reply does, without its reason."""
        reply = answer(model, self.purpose, self.body)
        text = str(reply["choices"][0]["message"]["content"])
        if self.purpose == "laser/thought" and text != GARBLED:
            return CALL.findall(text)[-1]
        return re.split(r"(?im)^action: ", text)[-1]


def _asks_for_a_decision(purpose: str, body: dict[str, Any], right: str) -> bool:
    """Whether it does; not so the thought that begins a dialogue, what a policy returns, and a
    call that is repeated."""
    if purpose == "step/act":
        objective = str(body["messages"][-1]["content"]).partition("OBJECTIVE:\n")[2]
        return not re.match(r"[a-z_]+ \[", objective) or not right.startswith(
            ("stop [", "look_inside [", "search_list [")
        )
    if purpose == "laser/thought":
        return "decide which value" not in str(body) and "time for looking" not in str(body)
    return purpose.endswith("/act") and purpose != "laser/act" and not right.startswith("think[")


def _decisions(episodes: SharedEpisodes, method: str, family: str) -> Iterator[Decision]:
    for agent in (method, f"{method}@scripted-0.5"):
        episode = episodes.get(agent, family, 3)
        for call in episode.calls:
            found = Decision(episode.scenario, call.purpose, dict(call.request))
            repeats = "once more" in f"{call.request['messages'][-1]} {found.right}"
            asks = _asks_for_a_decision(call.purpose, found.body, found.right)
            if asks and not repeats and found.counts:
                yield found


CASES = [(agent, family) for agent, families in FAMILIES.items() for family in families]


@pytest.mark.wide
@pytest.mark.parametrize(("agent", "family"), CASES if DEEP else CASES[::2])
def test_decisions_are_wrong_as_often_as_the_skill_says(shared_episodes, agent, family):
    found = list(_decisions(shared_episodes, agent, family))
    first = [each for each in found if each.is_first]
    asked = [(each, each.right) for each in first[:MOST_ASKED]]
    assert len({str(each.body) for each, _ in asked}) > 2
    rates = {}
    for skill in SKILLS:
        wrong = []
        for number, (each, right) in enumerate(islice(cycle(asked), DRAWS)):
            model = each.drawn(f"#{number}", skill)
            decided = each.decided(model)
            if decided != GARBLED:
                wrong.append(decided != right)
                assert model.tally.counts[mistakes.DECISION] == (1, wrong[-1])
        rates[skill] = sum(wrong) / len(wrong)
    shares = " | ".join(f"{rate:.3f}" for rate in rates.values())
    print(f"| {agent} | {family} | {len(asked)} of {len(found)} | {shares} |")
    assert rates.pop(0.0) >= 0.95  # a mistake that the history speaks against is given up
    assert rates == pytest.approx({skill: 1 - skill for skill in rates}, abs=NEAR)
