"""A scripted model of a given skill: it finds its task in the request, decides, and writes a
reply.
"""

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
    """A model that answers from the request alone.

    Attributes:
        tasks: The knowledge of a competent person about each task, by instruction.
        skill: The probability of a right decision, 0 to 1.
        mistakes: `sticky` (a mistake is a belief that repeats) or `memoryless` (each request is a
            separate draw).
        tally: Counts how often the model erred; it influences nothing.
    """

    tasks: Mapping[str, Knowledge]
    skill: float = 1.0
    mistakes: str = "sticky"
    tally: Tally = field(default_factory=Tally, repr=False, compare=False)

    def task(self, request: Request) -> Knowledge:
        """Return the knowledge about the task whose instruction the request contains outside of its
        pages. Raises `Lost` if there is none.
        """
        for instruction, knowledge in self.tasks.items():
            if instruction in request.text_without_pages:
                return knowledge
        raise Lost("the request holds no instruction of a known task")

    @property
    def only(self) -> Knowledge:
        """The knowledge about the only task, for requests that contain just a part of its
        instruction. Raises `Lost` if there are several.
        """
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
        """Decide what to do on the newest page.

        Args:
            request: The request of the method.
            rendering: The name of the rendering in which the request shows pages.
            already: The actions that the request shows as done on that page.
            tried: All actions that the request shows as done; None means `already`.
            given_up: Returns whether the history speaks against an action, for histories that do
                not show actions.
            task: The task; None means the task whose instruction the request contains.
            sample: The number of the sample; samples after the first are drawn separately.

        Returns:
            The page with the right action, and the decision.

        Raises:
            Lost: The request lacks a value that the right action relies on.
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
        """Return the newest page with the advice for it, that is, the right next actions.

        Args:
            request: The request of the method.
            rendering: The name of the rendering in which the request shows pages.
            already: The actions that the request shows as done on that page.
            task: The task.

        Raises:
            Lost: The page cannot be read, nothing is left to do, or the request lacks a needed
                value.
        """
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
        without: Sequence[Action] = (),
    ) -> Decision:
        """Decide what to do on a page: the right action or a mistake. A memoryless model ignores
        evidence against its mistakes.

        Args:
            request: The request of the method.
            task: The task.
            situation: The page and the right action.
            is_refuted: Returns whether the request speaks against an action.
            what: The row of `mistakes.CONSTANTS` that counts the decision.
            draw: A text that distinguishes draws about the same action.
            without: Actions that are no possible mistakes.
        """
        right = mistakes.named(situation.right, situation.observation)
        seed = self.seed(request, task, situation.advice.step, right, draw)
        decision = mistakes.believe(seed, self.skill, situation, without)
        if decision.mistake and not self._memoryless and is_refuted(decision.action):
            decision = Decision(situation.right)
        self.tally.add(what, seed, bool(decision.mistake))
        return decision

    def evidence(
        self, request: Request, situation: Situation, tried: Sequence[Action]
    ) -> Callable[[Action], bool]:
        """Return a function that says whether the request's history refutes a mistaken action;
        `tried` are the actions in the history.
        """
        failed = bool(situation.observation.error) or request.says_failed
        return lambda action: mistakes.is_refuted(action, failed, tried)

    @property
    def _memoryless(self) -> bool:
        return self.mistakes == "memoryless"

    def seed(self, request: Request, task: Knowledge, step: str, right: str, draw: str = "") -> str:
        """Return the seed of a decision's random numbers; the memoryless model has a different seed
        for every request.

        Args:
            request: The request of the method.
            task: The task.
            step: The step.
            right: The right action, as text.
            draw: A text that distinguishes draws about the same action.
        """
        turn = f"/{request.text}" if self._memoryless else ""
        drawn = f"/{draw}" if draw else ""
        return f"{task.scenario}/{task.trial}/{step}/{right}{turn}{drawn}"

    def errs(
        self, request: Request, task: Knowledge, about: tuple[str, str], what: str, rate: float
    ) -> bool:
        """Return whether the scripted model's assessment of an action is wrong.

        Args:
            request: The request of the method.
            task: The task.
            about: The step and the action that are assessed.
            what: The row of `mistakes.CONSTANTS` that counts the assessment.
            rate: The probability of an error, 0 to 1.
        """
        seed = self.seed(request, task, *about)
        wrong = mistakes.is_wrong(seed, 1 - rate)
        self.tally.add(what, seed, wrong)
        return wrong

    def malformed(self, request: Request) -> bool:
        """Return whether the reply to this request is in a wrong format; each request is drawn
        separately.
        """
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
    """A request together with the scripted model that reads it."""

    simulated: SimulatedModel
    request: Request

    @cached_property
    def task(self) -> Knowledge:
        """The knowledge about the task in the request. Raises `Lost` if there is none."""
        return self.simulated.task(self.request)


def _left(advice: Advice, already: Sequence[Action]) -> Advice:
    """Return the advice (right next actions) without its first actions, if these were just done and
    no page shows their effect (silent keys and notes).
    """
    done = tuple(takewhile(is_silent, reversed(already)))[::-1]
    if done and advice.actions[: len(done)] == done and advice.actions[len(done) :]:
        return replace(advice, actions=advice.actions[len(done) :])
    return advice


def is_silent(action: Action) -> bool:
    """Return whether the action has no visible effect: a key pressed while Control is held, which
    moves without choosing, or a note.
    """
    held = isinstance(action, Press) and action.keys.startswith("Control+")
    return held or isinstance(action, Note)
