"""A scripted model of some skill: finds its task in the request, decides, and writes a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from agent.interface import Action, Reply
from agent.llm.scripted import _mistakes
from agent.llm.scripted._mistakes import Decision, Situation
from agent.llm.scripted._reading import Knowledge, Lost, Request


@dataclass(frozen=True)
class Mind:
    """`tasks` is the table instruction -> what a competent person knows of it."""

    tasks: Mapping[str, Knowledge]
    skill: float = 1.0
    mistakes: str = "sticky"

    def task(self, request: Request) -> Knowledge:
        """The task whose instruction stands in the request. Raises `Lost`."""
        for instruction, knowledge in self.tasks.items():
            if instruction in request.text:
                return knowledge
        raise Lost("the request holds no instruction that anybody knows")

    def decide(
        self,
        request: Request,
        rendering: str,
        *,
        already: Sequence[Action] = (),
    ) -> tuple[Situation, Decision]:
        """What to do on the newest page; `already` are the actions shown as done on that page.

        Raises `Lost` where the request does not hold a value that the right action relies on.
        """
        task, observation = self.task(request), request.observation(rendering)
        advice = task.advise(observation)
        if advice.answer is None and not advice.actions:
            raise Lost("nothing sensible can be done here")
        for spellings in advice.needs:
            if not request.holds(spellings):
                raise Lost(f"nobody said {spellings[0]!r}")
        situation = Situation(advice, observation, already[-1] if already else None)
        rng = self.rng(request, task, advice.step, _mistakes.named(situation.right, observation))
        decision = _mistakes.believe(rng, self.skill, situation)
        if decision.mistake and _mistakes.refuted(decision, observation, already):
            decision = Decision(situation.right)
        return situation, decision

    def rng(self, request: Request, task: Knowledge, step: str, right: str) -> Random:
        """The draws that belong to one decision; the memoryless model draws at every request."""
        turn = f"/{len(request.messages)}" if self.mistakes == "memoryless" else ""
        return Random(f"{task.scenario}/{task.trial}/{step}/{right}{turn}")

    def malformed(self, request: Request) -> bool:
        """Whether this reply comes out garbled; a fresh draw each time it is asked."""
        if self.skill >= 1:
            return False
        try:
            task = self.task(request)
        except Lost:
            return False
        size = f"{request.purpose}/{len(request.messages)}/{len(request.shown)}"
        draw = Random(f"{task.scenario}/{task.trial}/{size}/format").random()
        return draw < (1 - self.skill) / 5


Answerer = Callable[[Mind, Request], Reply]
"""How a method's file in this folder answers one of its purposes."""
