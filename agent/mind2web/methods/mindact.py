"""MindAct on Mind2Web (Deng et al. 2023, section 3.2): multiple choice in groups of five candidates
until one is left.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from agent import prompting
from agent.interface import LLM, ContextOverflow, Message
from agent.llm.asking import message, sampling
from agent.methods import check_least
from agent.mind2web import multiple_choice, page_text, worked_steps
from agent.mind2web.methods import LOST, OpenStep, OpenTask, Prediction
from agent.mind2web.page_text import Page, UnreadablePage
from agent.prompting import Prompts

RULE = "mindact"
_NUMBER = re.compile(r"(?<= id=)\d+")


@dataclass(frozen=True)
class Options:
    """Options of MindAct on Mind2Web; the defaults are the paper's, for its chat models.

    Attributes:
        top: The best candidates, among which the model chooses.
        group: Candidates of a request.
        previous: Previous actions that a request shows.
        temperature: Sampling temperature; -1 for the model's own.
        max_tokens: Tokens of a reply at most; 0 for no limit.
        prompts: Folder of the prompt files.
    """

    top: int = 50
    group: int = 5
    previous: int = 5
    temperature: float = 0.0
    max_tokens: int = 50
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, top=1, group=2, previous=0, temperature=-1, max_tokens=0)
        multiple_choice.check_group(self.group)


async def solve(task: OpenTask, llm: LLM, options: Options) -> AsyncGenerator[Prediction, None]:
    """Yield the prediction of each step within reach."""
    prompts = prompting.load("mind2web", "mindact", options.prompts)
    for step in task.within_reach(options.top):
        try:
            yield await _Choosing(step, llm, options, prompts).predict()
        except (ContextOverflow, UnreadablePage):
            yield LOST


@dataclass(frozen=True)
class _Choosing:
    """The requests of MindAct about one step."""

    step: OpenStep
    llm: LLM
    options: Options
    prompts: Prompts

    async def predict(self) -> Prediction:
        """Let groups of candidates compete until at most one is left.

        A single candidate is never asked about, as in the released code, so its step is lost.
        """
        order = [*self.step.order[: self.options.top]]
        Random(self.step.key).shuffle(order)
        choose = partial(self._chosen, page_text.read(self.step.recorded.cleaned))
        return await multiple_choice.compete(order, self.options.group, choose)

    async def _chosen(self, page: Page, group: Sequence[str]) -> Prediction | None:
        """Return the action on one of these elements; None for none of them, and `LOST` for a
        letter that was not offered.
        """
        root = page_text.prune(page, group)
        numbers = page_text.numbered(root)
        choices = page_text.choices(root, numbers)
        if not choices:
            return None
        text = page_text.write(root, numbers=numbers)
        reply = await self.llm.ask(
            "mind2web/choose",
            self._request(text, [*choices.values()]),
            **sampling(self.options.temperature, max_tokens=self.options.max_tokens),
        )
        return multiple_choice.read(reply.text, [*choices])

    def _request(self, page: str, choices: Sequence[str]) -> list[Message]:
        talk = [message("system", self.prompts.say("system"))]
        worked = worked_steps.load(self.options.prompts)
        for each in self.prompts.data["examples"]:
            step = worked[each["page"]]
            numbers = _numbered(step.page)
            shown, *offered = (_renumbered(text, numbers) for text in (step.page, *each["choices"]))
            talk.append(self._question(step.task, step.previous, shown, offered))
            talk.append(message("assistant", each["answer"].strip()))
        previous = self.step.previous(self.options.previous)
        return [*talk, self._question(self.step.task.instruction, previous, page, choices)]

    def _question(
        self, instruction: str, previous: Sequence[str], page: str, choices: Sequence[str]
    ) -> Message:
        given = {"page": page, "instruction": instruction, "previous": previous}
        return multiple_choice.question(self.prompts, choices, **given)


def _numbered(page: str) -> dict[str, str]:
    """Return the numbers 0, 1, and so on for the elements of an example's page."""
    return {each: str(at) for at, each in enumerate(dict.fromkeys(_NUMBER.findall(page)))}


def _renumbered(text: str, numbers: Mapping[str, str]) -> str:
    return _NUMBER.sub(lambda found: numbers.get(found[0], found[0]), text)
