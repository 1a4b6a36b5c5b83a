"""MindAct (Deng et al. 2023): multiple choice, in groups of five, among a page's best elements.

A ranker keeps the best elements of the page (section 3.1). The model chooses among them in groups,
with "none of the above", until a single element is left (section 3.2).

The paper predicts single recorded steps. To make an agent of it, we add one candidate to those of
each page: that the task is done, with the answer as its value. The operations are the paper's
CLICK, TYPE and SELECT, so the agent does not hover, press keys, go back, open addresses, or take
notes. `agent/mind2web/methods/mindact.py` is the method on recorded tasks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from agent import prompting, renderings
from agent.interface import (
    LLM,
    Action,
    Click,
    Element,
    FormatError,
    Message,
    Observation,
    Page,
    Select,
    Stop,
    Task,
    Type,
)
from agent.llm.asking import message, sampling
from agent.methods import check_among, check_least
from agent.methods.mindact import candidates
from agent.methods.synapse.reply_format import summary
from agent.mind2web import multiple_choice, page_text, rankers
from agent.mind2web.methods import Prediction
from agent.mind2web.multiple_choice import Choose
from agent.mind2web.rankers import Ranker
from agent.prompting import Prompts
from agent.renderings.markers import guard

DONE = "done"
"""The id of the candidate that stands for the end of the task."""
CHOOSE = "mindact/choose"
NEED_A_FILE = ("trained", "cross")
PRUNED_TO = ("best", "group")
NOTHING_LEFT = "no candidate with an operation is left"


@dataclass(frozen=True)
class Options:
    """Options of MindAct; the defaults are the paper's for its chat models, except for `ranker`,
    `reasks` and `max_tokens`, which are ours.

    Attributes:
        ranker: Ranker of the elements, as in `rehearse mind2web rank`.
        ranker_file: The file or folder that the ranker needs; "" for none.
        top: The best elements, among which the model chooses.
        group: Candidates of a request.
        previous: Previous actions that a request shows.
        pruned_to: The part of the page that a request shows: the `best` elements and those near
            them, or as in the released code the elements of its `group` and those near them.
        ask_last: Whether the model is asked about a candidate that is left and was in no request.
        reasks: How often the candidates compete a further time, in another order, if none is left.
        temperature: Sampling temperature; -1 for the model's own.
        max_tokens: Tokens of a reply at most; 0 for no limit. The released code has 50, which cuts
            off the texts that our tasks ask for.
        prompts: Folder of the prompt files.
    """

    ranker: str = "words"
    ranker_file: str = ""
    top: int = 50
    group: int = 5
    previous: int = 5
    pruned_to: str = PRUNED_TO[0]
    ask_last: bool = True
    reasks: int = 1
    temperature: float = 0.0
    max_tokens: int = 256
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, top=1, group=2, previous=0, reasks=0, temperature=-1, max_tokens=0)
        check_among(self, pruned_to=PRUNED_TO)
        multiple_choice.check_group(self.group)

    @property
    def most_requests(self) -> int:
        """The number of requests of one action at most, if each group has a winner."""
        return ceil(self.top / (self.group - 1))


def check(options: Options) -> None:
    """Raise ValueError if the ranker cannot be used."""
    if options.ranker in NEED_A_FILE and not options.ranker_file:
        raise ValueError(f"ranker={options.ranker} needs a file; write ranker_file=FILE")
    ranker_of(options)


def hashes(site: str, options: Options) -> dict[str, str]:
    """Return the digest of the ranker's parameters, such as its weights."""
    parameters = json.dumps(dict(ranker_of(options).parameters), sort_keys=True)
    return {"ranker": hashlib.sha256(parameters.encode()).hexdigest()}


def ranker_of(options: Options) -> Ranker:
    """Return the ranker that the options name. Raises `RankerUnusable`."""
    return rankers.get(":".join(filter(None, (options.ranker, options.ranker_file))))


def budget(standard: Any, options: Options) -> Any:
    """Return the standard budget of an episode, with as many times the requests as an action
    takes.
    """
    return replace(standard, calls=standard.calls * options.most_requests)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Act on the element that is left of the best ones, until the task is done; return the
    answer.
    """
    prompts = prompting.load("mindact", task.site, options.prompts)
    mindact = _MindAct(task, llm, options, prompts, ranker_of(options))
    seen = await page.observe()
    while True:
        action = await mindact.next_action(seen)
        if isinstance(action, Stop):
            return action.answer
        mindact.done.append(summary(action, seen))
        seen = await page.act(action)


@dataclass
class _MindAct:
    """The requests of MindAct in one episode, and the actions taken, in words."""

    task: Task
    llm: LLM
    options: Options
    prompts: Prompts
    ranker: Ranker
    done: list[str] = field(default_factory=list)

    async def next_action(self, seen: Observation) -> Action:
        """Return the action on the candidate that is left.

        Raises:
            FormatError: No candidate is left, or its operation is missing, in each order.
        """
        last = self.done[-rankers.PREVIOUS :]
        order = candidates.ranked(seen, self.task.instruction, last, self.ranker)
        best = [*order[: self.options.top], DONE]
        for attempt in range(self.options.reasks + 1):
            if attempt:
                self.task.record("reask", purpose=CHOOSE, error=NOTHING_LEFT)
            Random(f"{self.task.instruction}/{len(self.done)}/{attempt}").shuffle(best)
            left = await self._compete(best, partial(self._chosen, seen, best))
            if (action := action_of(left)) is not None:
                return action
        raise FormatError(f"{CHOOSE}: {NOTHING_LEFT}")

    async def _compete(self, best: Sequence[str], choose: Choose) -> Prediction:
        group, ask_last = self.options.group, self.options.ask_last
        return await multiple_choice.compete(best, group, choose, ask_last=ask_last)

    async def _chosen(
        self, seen: Observation, best: Collection[str], group: Collection[str]
    ) -> Prediction | None:
        """Return the action on one of a group of the best candidates; None for none of them."""
        elements = [each for each in seen.elements if str(each.id) in group]
        choices = {str(each.id): _choice(each) for each in elements}
        choices |= {DONE: self.prompts.say("done")} if DONE in group else {}
        shown = candidates.around(seen, group if self.options.pruned_to == "group" else best)
        reply = await self.llm.ask(
            CHOOSE,
            self._request(shown, [*choices.values()]),
            **sampling(self.options.temperature, max_tokens=self.options.max_tokens),
        )
        return multiple_choice.read(reply.text, [*choices])

    def _request(self, shown: Observation, choices: Sequence[str]) -> list[Message]:
        """Return the rules, the worked examples, and the question about the page."""
        talk = [message("system", self.prompts.say("system"))]
        for each in self.prompts.data["examples"]:
            given = {name: each[name] for name in ("observation", "instruction", "previous")}
            talk.append(multiple_choice.question(self.prompts, each["choices"], error="", **given))
            talk.append(message("assistant", each["answer"].strip()))
        return [*talk, self._question(shown, choices)]

    def _question(self, shown: Observation, choices: Sequence[str]) -> Message:
        instruction, last = self.task.instruction, max(0, len(self.done) - self.options.previous)
        bare = renderings.without_instruction(shown, instruction)
        bare = replace(bare, error=None, inputs=(), notes=None)
        return multiple_choice.question(
            self.prompts,
            choices,
            observation=guard(renderings.get(self.prompts.rendering).render(bare)),
            error=shown.error or "",
            instruction=instruction,
            previous=self.done[last:],
        )


def _choice(element: Element) -> str:
    """Return an element as a choice: its first ten words."""
    words = f"[{element.id}] {element.role} '{element.name}'".split()
    return " ".join(words[: page_text.CHOICE_WORDS])


def action_of(left: Prediction) -> Action | None:
    """Return the action on the candidate that is left; None without an operation."""
    if left.element == DONE:
        return Stop(left.value)
    if not left.op:
        return None
    target = int(left.element)
    if left.op == "CLICK":
        return Click(target)
    return Type(target, left.value) if left.op == "TYPE" else Select(target, left.value)
