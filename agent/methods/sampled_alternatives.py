"""Sampled alternatives: the baseline that Anticipatory Reflection calls LATS (Wang et al. 2024).

Sections 4.1 and 4.2. The plans, checks, backtracking and plan revision are those of algorithm 1. In
place of remedies, the method samples the action several times and takes the sample of the highest
value first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from agent import actions
from agent.interface import LLM, Action, Observation, Page, Task
from agent.methods import check_least
from agent.methods.anticipatory_reflection import StackSettings, carry_out, introspection, parsing
from agent.methods.anticipatory_reflection.introspection import Introspection, taken

NAME = "sampled_alternatives"
PROMPTS = ("sampled_alternatives", "anticipatory_reflection")
budget = introspection.budget
check_prompts = partial(introspection.check_prompts, NAME)


@dataclass(frozen=True)
class Options(StackSettings):
    """Options of the method; `samples` is the number of sampled actions for each page."""

    samples: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, samples=1)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Carry out the task with sampled actions in place of remedies."""
    introspection = Introspection.begin(NAME, task, llm, options, options.history)
    return await carry_out(page, introspection, options, partial(think_of, introspection, options))


async def think_of(
    introspection: Introspection, options: Options, subtask: int, screen: Observation
) -> Sequence[Action]:
    """Return the distinct sampled actions for a step, highest value first; none if the step needs
    no action.
    """
    found = [*await introspection.sample_actions(subtask, screen, options.samples)]
    if len(found) < 2:
        return found
    values = await rank(introspection, found, subtask, screen)
    for action, value in zip(found, values, strict=True):
        introspection.task.record("value", actions.show(action), value=value)
    ordered = sorted(zip(values, found, strict=True), key=lambda rated: -rated[0])
    return [action for _, action in ordered]


async def rank(
    introspection: Introspection, found: Sequence[Action], subtask: int, screen: Observation
) -> list[int]:
    """Return the model's value of each action, from 1 to 10, with one request."""
    numbered = [f"{number}. {taken(each, screen)}" for number, each in enumerate(found, start=1)]
    say = partial(await introspection.situation("rank", subtask), candidates=numbered)
    read = partial(parsing.ranks, count=len(found))
    return await introspection.questioner.about("rank", say, screen, read)
