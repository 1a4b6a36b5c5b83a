"""A scripted model of some skill: finds its task in the request, decides, and writes a reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from random import Random

from agent.interface import Action, Advice, Note, Press
from agent.llm.simulated import mistakes
from agent.llm.simulated.mistakes import Decision, Situation
from agent.llm.simulated.reading import Knowledge, Lost, Request


@dataclass(frozen=True)
class SimulatedModel:
    """`tasks` is the table instruction -> what a competent person knows of it."""

    tasks: Mapping[str, Knowledge]
    skill: float = 1.0
    mistakes: str = "sticky"

    def task(self, request: Request) -> Knowledge:
        """The task whose instruction stands in the request outside its pages. Raises `Lost`."""
        for instruction, knowledge in self.tasks.items():
            if instruction in request.text_without_pages:
                return knowledge
        raise Lost("the request holds no instruction of a known task")

    @property
    def only(self) -> Knowledge:
        """The only task, for a request that holds a part of it. Raises `Lost`."""
        if len(self.tasks) != 1:
            raise Lost("a part of a task is known only where there is one task")
        return next(iter(self.tasks.values()))

    def decide(
        self,
        request: Request,
        rendering: str,
        *,
        already: Sequence[Action] = (),
        task: Knowledge | None = None,
        sample: int = 0,
    ) -> tuple[Situation, Decision]:
        """What to do on the newest page; `already` are the actions shown as done on that page.

        Without a `task` it is the one whose instruction the request holds. Raises `Lost` where
        the request does not hold a value that the right action relies on.
        """
        task, observation = task or self.task(request), request.observation(rendering)
        advice = _left(task.advise(observation), already)
        if advice.answer is None and not advice.actions:
            raise Lost("nothing sensible can be done here")
        request.check(advice.needs)
        situation = Situation(advice, observation, already[-1] if already else None)
        right = mistakes.named(situation.right, observation)
        rng = self.rng(request, task, advice.step, right, sample)
        decision = mistakes.believe(rng, self.skill, situation)
        if decision.mistake and mistakes.refuted(decision, observation, already):
            decision = Decision(situation.right)
        return situation, decision

    def rng(
        self, request: Request, task: Knowledge, step: str, right: str, sample: int = 0
    ) -> Random:
        """The random numbers of one decision; the memoryless model draws at every request.

        A further sample of the same request has draws of its own where its model says so.
        """
        memoryless = self.mistakes == "memoryless"
        turn = f"/{len(request.messages)}" if memoryless else ""
        seed = f"{task.scenario}/{task.trial}/{step}/{right}{turn}"
        anew = f"{seed}/sample {sample}"
        if sample and (memoryless or Random(f"{anew}/anew").random() < mistakes.ANEW):
            return Random(anew)
        return Random(seed)

    def malformed(self, request: Request) -> bool:
        """Whether this reply comes out garbled; a fresh draw each time it is asked."""
        if self.skill >= 1:
            return False
        task = next(iter(self.tasks.values()), None)
        seed = f"{task.scenario}/{task.trial}" if task else ""
        draw = Random(f"{seed}/{request.purpose}/{request.text}/format").random()
        return draw < (1 - self.skill) / 5


@dataclass(frozen=True)
class ReadRequest:
    """A request with the model that reads it."""

    simulated: SimulatedModel
    request: Request

    @cached_property
    def task(self) -> Knowledge:
        """Raises `Lost`."""
        return self.simulated.task(self.request)


def _left(advice: Advice, already: Sequence[Action]) -> Advice:
    """What is left to do after the newest keys and notes, where no page shows what they did."""
    done = tuple(takewhile(is_silent, reversed(already)))[::-1]
    if done and advice.actions[: len(done)] == done and advice.actions[len(done) :]:
        return replace(advice, actions=advice.actions[len(done) :])
    return advice


def is_silent(action: Action) -> bool:
    """Whether it moves about without choosing, as a key does while Control is held; or a note."""
    held = isinstance(action, Press) and action.keys.startswith("Control+")
    return held or isinstance(action, Note)
