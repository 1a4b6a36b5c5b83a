"""A scripted model of some skill: finds its task in the request, decides, and writes a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import takewhile
from random import Random

from agent.interface import Action, Advice, Note, Press
from agent.llm.simulated import mistakes
from agent.llm.simulated.mistakes import DECISION, Decision, Situation
from agent.llm.simulated.reading import Knowledge, Lost, Request
from agent.llm.simulated.remembered import notes, remembering, unwritten
from agent.llm.simulated.tally import Tally


@dataclass(frozen=True)
class SimulatedModel:
    """`tasks` is the table instruction -> what a competent person knows of it.

    It answers from the request alone; `tally` only counts how often it erred.
    """

    tasks: Mapping[str, Knowledge]
    skill: float = 1.0
    mistakes: str = "sticky"
    tally: Tally = field(default_factory=Tally, repr=False, compare=False)

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
            raise Lost("a part of a task is known only if there is one task")
        return next(iter(self.tasks.values()))

    def decide(
        self,
        request: Request,
        rendering: str,
        *,
        already: Sequence[Action] = (),
        tried: Sequence[Action] | None = None,
        given_up: Callable[[Action], bool] | None = None,
        task: Knowledge | None = None,
        sample: int = 0,
    ) -> tuple[Situation, Decision]:
        """What to do on the newest page; `already` are the actions shown as done on that page,
        `tried` those shown as done at all, where these are more. `given_up` tells whether the
        history speaks against an action, where it shows anything else than actions.

        Without a `task` it is the one whose instruction the request holds. Raises `Lost` where
        the request does not hold a value that the right action relies on.
        """
        task = task or self.task(request)
        situation = self.situation(request, rendering, already, task)
        what, draw = (mistakes.SAMPLE, f"sample {sample}") if sample else (DECISION, "")
        shown = already if tried is None else tried
        refuted = given_up or self.evidence(request, situation, shown)
        return situation, self.believe(request, task, situation, refuted, what=what, draw=draw)

    def situation(
        self, request: Request, rendering: str, already: Sequence[Action], task: Knowledge
    ) -> Situation:
        """The newest page, and what is right there. Raises `Lost` as `decide` does."""
        observation = request.observation(rendering)
        kept = [Note(each) for each in observation.notes or ()]
        known = partial(notes, request, rendering, task, [*kept, *already])
        asked = remembering(task.advise, known)
        advice = _left(unwritten(asked(observation), observation), already)
        if advice.answer is None and not advice.actions:
            raise Lost("nothing sensible can be done here")
        request.check(advice.needs)
        return Situation(advice, observation)

    def believe(
        self,
        request: Request,
        task: Knowledge,
        situation: Situation,
        is_refuted: Callable[[Action], bool],
        *,
        what: str = DECISION,
        draw: str = "",
    ) -> Decision:
        """What to do in a situation. Each `draw` is another one, counted as `what`. Dice have no
        evidence against them."""
        right = mistakes.named(situation.right, situation.observation)
        seed = self.seed(request, task, situation.advice.step, right, draw)
        decision = mistakes.believe(seed, self.skill, situation)
        if decision.mistake and not self._memoryless and is_refuted(decision.action):
            decision = Decision(situation.right)
        self.tally.add(what, seed, bool(decision.mistake))
        return decision

    def evidence(
        self, request: Request, situation: Situation, tried: Sequence[Action]
    ) -> Callable[[Action], bool]:
        """Whether the request speaks against an action; `tried` are those that it shows."""
        failed = bool(situation.observation.error) or request.says_failed
        return lambda action: mistakes.is_refuted(action, failed, tried)

    @property
    def _memoryless(self) -> bool:
        return self.mistakes == "memoryless"

    def seed(self, request: Request, task: Knowledge, step: str, right: str, draw: str = "") -> str:
        """What the random numbers of one decision come from; the memoryless model decides anew
        at every request."""
        turn = f"/{request.text}" if self._memoryless else ""
        drawn = f"/{draw}" if draw else ""
        return f"{task.scenario}/{task.trial}/{step}/{right}{turn}{drawn}"

    def errs(
        self, request: Request, task: Knowledge, about: tuple[str, str], what: str, rate: float
    ) -> bool:
        """Whether an assessment `about` a step and an action is wrong; counted as `what`."""
        seed = self.seed(request, task, *about)
        wrong = mistakes.is_wrong(seed, 1 - rate)
        self.tally.add(what, seed, wrong)
        return wrong

    def malformed(self, request: Request) -> bool:
        """Whether this reply comes out garbled; a fresh draw each time it is asked."""
        if self.skill >= 1:
            return False
        task = next(iter(self.tasks.values()), None)
        scenario = f"{task.scenario}/{task.trial}" if task else ""
        seed = f"{scenario}/{request.purpose}/{request.text}/format"
        garbled = Random(seed).random() < (1 - self.skill) / 5
        self.tally.add(mistakes.MALFORMED, seed, garbled)
        return garbled


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
