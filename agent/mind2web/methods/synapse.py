"""Synapse on Mind2Web (Zheng et al. 2024, sections 3.2 to 3.4 and 4.4, appendix C.4): one request a
step, with a page of k elements, whole trajectories as examples, and the exemplar memory.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from agent import embedders, prompting
from agent.interface import LLM, ContextOverflow, Message, Reply
from agent.llm import tokens
from agent.llm.asking import message, temperature
from agent.methods import check_among, check_least
from agent.methods.synapse.requests import with_fewer
from agent.mind2web import exemplars as trajectories
from agent.mind2web import page_text, worked_steps
from agent.mind2web.exemplars import Exemplar, Look
from agent.mind2web.methods import LOST, OpenStep, OpenTask, Prediction
from agent.mind2web.page_text import UnreadablePage
from agent.prompting import Prompts

RULE = "synapse"
STOP = ("Task:", "obs:")
OBSERVATIONS = ("published", "ranked")
_BACKTICKS = re.compile(r"`([^`]*)`")
_ACTION = re.compile(r"(CLICK|TYPE|SELECT)?\s*\[([^\]]*)\](?:\s*\[(.*)\])?")


@dataclass(frozen=True)
class Options:
    """Options of Synapse on Mind2Web; the defaults are the paper's.

    Attributes:
        top: Elements of the page whose action is asked for.
        past: Elements of pages that are past and in exemplars, the one acted on among them.
        observation: `published` shows the first right element and the best others, whatever the
            right one's rank is; `ranked` shows the best elements only.
        trajectory: Whether prompts show whole trajectories; otherwise three fixed single steps.
        memory: Whether the exemplars are the nearest; otherwise the same three for all tasks.
        shots: Exemplars at most.
        previous: Previous actions that a prompt without trajectories shows.
        embedder: Embedder of the memory.
        context: Tokens that fit a prompt; 0 for as many as the model accepts.
        temperature: Sampling temperature; -1 for the model's own.
        prompts: Folder of the prompt files.
    """

    top: int = 5
    past: int = 3
    observation: str = OBSERVATIONS[0]
    trajectory: bool = True
    memory: bool = True
    shots: int = 3
    previous: int = 5
    embedder: str = "hashed"
    context: int = 16385
    temperature: float = 0.0
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, top=1, past=1, shots=1, previous=0, context=0, temperature=-1)
        check_among(self, observation=OBSERVATIONS)


def check(options: Options) -> None:
    """Raise ValueError if the embedder is not available."""
    embedders.get(options.embedder)


def exemplars(options: Options) -> bool:
    """Return whether prompts show trajectories of `train`."""
    return options.trajectory


def reply(step: OpenStep, options: Options) -> str:
    """Return the annotator's action in the form in which prompts show actions."""
    action, words = trajectories.target_action(step.recorded), step.recorded.repr
    if not options.trajectory:
        return f"`{action}`"
    prompts = prompting.load("mind2web", "synapse", options.prompts)
    return prompts.say("action", action=action, words=words)


async def solve(task: OpenTask, llm: LLM, options: Options) -> AsyncGenerator[Prediction, None]:
    """Yield the prediction of each step within reach."""
    synapse = _Synapse(task, llm, options, prompting.load("mind2web", "synapse", options.prompts))
    chosen = await synapse.exemplars() if options.trajectory else []
    for step in task.within_reach(options.top):
        yield await synapse.predict(step, chosen)


@dataclass(frozen=True)
class _Synapse:
    """The requests of Synapse about one task; `looks` has its past steps that were written."""

    task: OpenTask
    llm: LLM
    options: Options
    prompts: Prompts
    looks: list[Look] = field(default_factory=list)

    async def exemplars(self) -> list[Exemplar]:
        """Return the trajectories to show: the nearest, or the same for every task."""
        own = self.task.recorded
        known = [each for each in self.task.exemplars if each.id != own.id]
        count = min(self.options.shots, len(known))
        if not count:
            return []
        if not self.options.memory:
            return Random(0).sample(known, count)
        found, chosen = await trajectories.nearest(
            own, known, count, self.options.embedder, self.llm
        )
        near = [each.task for each in found.neighbours]
        distance = found.neighbours[0].distance
        self.task.record("retrieve", near[0], distance=distance, neighbours=near, seen=False)
        return chosen

    async def predict(self, step: OpenStep, exemplars: Sequence[Exemplar]) -> Prediction:
        """Ask for the next action; a step whose request does not fit, or whose page cannot be read,
        is lost.
        """
        try:
            page = page_text.observation(step.recorded, self._shown(step))
            if not self.options.trajectory:
                return await self._ask(self._single(step, page), shown=0)
            past = self._past(step)
            return await with_fewer(
                exemplars,
                lambda shown: self._ask(self._talk(page, past, shown), len(shown)),
                lambda left: self.task.record("drop", "act", left=left),
            )
        except (ContextOverflow, UnreadablePage):
            return LOST

    def _shown(self, step: OpenStep) -> list[str]:
        """Return the elements of the page whose action is asked for."""
        if self.options.observation == "ranked":
            return [*step.order[: self.options.top]]
        return page_text.positive_and_best(step.recorded, step.order, self.options.top)

    def _past(self, step: OpenStep) -> list[Look]:
        """Return the task's steps before this one, with the annotator's actions."""
        for each in self.task.steps[len(self.looks) : step.number]:
            past = trajectories.look(each.recorded, each.order, self.options.past)
            self.looks.append(past)
        return self.looks[: step.number]

    def _talk(
        self, page: str, past: Sequence[Look], exemplars: Sequence[Exemplar]
    ) -> list[Message]:
        """Return the request with trajectories; the last observation waits for its action."""
        talk = [message("system", self.prompts.say("system"))]
        for each in exemplars:
            talk += self._trajectory(each.instruction, each.looks)
        own = Look(page, "", "")
        return [*talk, *self._trajectory(self.task.recorded.instruction, [*past, own])[:-1]]

    def _trajectory(self, instruction: str, looks: Sequence[Look]) -> list[Message]:
        talk = []
        for at, each in enumerate(looks):
            opening = "task" if at == 0 else "observation"
            shown = {"observation": each.observation}
            named = {"instruction": instruction} if at == 0 else {}
            done = self.prompts.say("action", action=each.action, words=each.words)
            talk.append(message("user", self.prompts.say(opening, **shown, **named)))
            talk.append(message("assistant", done))
        return talk

    def _single(self, step: OpenStep, page: str) -> list[Message]:
        """Return the request without trajectories: three fixed steps, then this one."""
        talk = [message("system", self.prompts.say("system"))]
        worked = worked_steps.load(self.options.prompts)
        for each in (worked[name] for name in self.prompts.data["steps"]):
            talk.append(self._step(each.page, each.task, each.previous))
            talk.append(message("assistant", f"`{each.action}`"))
        previous = step.previous(self.options.previous)
        return [*talk, self._step(page, self.task.recorded.instruction, previous)]

    def _step(self, page: str, instruction: str, previous: Sequence[str]) -> Message:
        given = {"observation": page, "instruction": instruction, "previous": previous}
        return message("user", self.prompts.say("step", **given))

    async def _ask(self, messages: list[Message], shown: int) -> Prediction:
        tokens.check_fits({"messages": messages}, self.options.context)
        reply = await self.llm.ask(
            "mind2web/act",
            messages,
            stop=STOP,
            temperature=temperature(self.options.temperature),
        )
        self.task.record("shown", "act", exemplars=shown)
        return read(reply)


def read(reply: Reply) -> Prediction:
    """Return the action in a reply: the first text between backticks; without any, no action.

    An operation counts in capitals only.

    Source: Synapse, its released code (`parse_act_str`).
    """
    found = _BACKTICKS.search(reply.text)
    text = found[1] if found else ""
    parts = _ACTION.search(text)
    if parts is None:
        return Prediction(text=text)
    return Prediction(parts[1] or "", parts[2], parts[3] or "", text)
