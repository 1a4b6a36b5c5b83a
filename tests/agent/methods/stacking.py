"""A model whose replies are written down, and what came of them, for methods with policies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from agent.interface import BudgetExceeded, FormatError, Message, Reply, Task
from evaluators.episode.budget import Budget
from tests.contracts.harness import EpisodeHarness

PLENTY = Budget(80, 400)


@dataclass
class Hand:
    """Says an action after the other, with a reason; a reply with `ACTION` in it as it is."""

    replies: list[str]
    asked: list[tuple[list[Message], dict[str, Any]]] = field(default_factory=list)

    async def ask(self, purpose: str, messages: Iterable[Message], **settings: Any) -> Reply:
        self.asked.append(([dict(each) for each in messages], settings))
        reply = self.replies.pop(0)
        text = reply if "ACTION" in reply else f"REASON: because\nACTION: {reply}"
        return Reply((text, "ACTION: stop [the second sample]"))

    def inputs(self) -> list[str]:
        """The newest message of each request."""
        return [str(messages[-1]["content"]) for messages, _ in self.asked]

    def systems(self) -> list[str]:
        """The instruction of each request."""
        return [str(messages[0]["content"]) for messages, _ in self.asked]

    def objectives(self) -> list[str]:
        return [each.partition("OBJECTIVE:\n")[2].partition("\n")[0] for each in self.inputs()]

    def histories(self) -> list[list[str]]:
        return [each.partition("PREVIOUS ACTIONS:\n")[2].split("\n") for each in self.inputs()]


@dataclass
class Seen:
    """The answer or the error, and everything that was counted."""

    answer: str | None
    error: Exception | None
    steps: int
    events: dict[str, int]
    lines: list[dict[str, Any]]
    depth: int
    purchases: list[dict[str, Any]]

    def texts(self, word: str) -> list[str]:
        return [each["what"] for each in self.lines if each.get("word") == word]


def solved(
    harness: EpisodeHarness, method: ModuleType, scenario: str, llm: Hand, options: Any
) -> Seen:
    """Let the method act on the real site."""

    async def work(visit: Any) -> Seen:
        scenario = visit.scenario
        start = (await visit.page.observe()).url
        task = Task(
            scenario.site, scenario.instruction, start, scenario.family, record=visit.trace.record
        )
        answer, error = None, None
        try:
            answer = await method.solve(task, visit.page, llm, options)
        except (FormatError, BudgetExceeded) as raised:
            error = raised
        trace, bought = visit.trace, visit.page.world.snapshot()["purchases"]
        depth = trace.stack_depth
        return Seen(answer, error, visit.meter.steps, trace.events, trace.lines, depth, bought)

    seen: Seen = harness.visit(scenario, work, PLENTY)
    return seen
