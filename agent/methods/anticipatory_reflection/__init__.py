"""Anticipatory Reflection (Wang et al. 2024): three layers of introspection around a plan.

Before an action: what to do instead, were it wrong (the remedies). After it: did it serve its
subtask; if not, back to where the next entry of the stack was proposed. With the stack empty and
the task open: a new plan, and a new attempt. Section 3.3, algorithm 1; the last two layers are
those of `_attempts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from agent import prompting
from agent.interface import LLM, Action, Observation, Page, Task
from agent.methods.anticipatory_reflection import introspection
from agent.methods.anticipatory_reflection.attempts import StackSettings, carry_out
from agent.methods.anticipatory_reflection.introspection import Introspection

NAME = "anticipatory_reflection"


@dataclass(frozen=True)
class Options(StackSettings):
    """`remedies`: asked for beside each first answer (figure 4 shows two)."""

    remedies: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.remedies < 0:
            raise ValueError(f"remedies={self.remedies} is below 0")


def check_prompts(site: str, folder: Path) -> None:
    """Raise `BadPrompt` where the prompts of a site cannot be used."""
    introspection.operations(prompting.load(NAME, site, folder))


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    prompts = prompting.load(NAME, task.site, options.prompts)
    prompts.check(task.family)
    introspection = Introspection(NAME, task, llm, prompts, options, options.history)
    return await carry_out(
        task, page, introspection, options, partial(foresee, introspection, options.remedies)
    )


async def foresee(
    introspection: Introspection, remedies: int, subtask: int, screen: Observation
) -> list[Action]:
    """An action, and what to do instead, were the answers so far wrong."""
    answers = [await introspection.next_action(subtask, screen)]
    for _ in range(remedies):
        answers.append(await introspection.remedy(subtask, screen, answers))
    return answers
