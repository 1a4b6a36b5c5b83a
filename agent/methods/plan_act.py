"""Plan+Act (the baseline of Anticipatory Reflection, section 4.1): plan, act, revise.

One action at a time with the same prompts, the same checks of completion and the same plans, but
no remedies, no alignment and no stack. A plan has failed where it is used up, or where an action
could not be carried out; then comes a new one with a new attempt, as in AdaPlanner. Without
reflexion there is one attempt, as in ReWOO, and it goes on to the end of its plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agent import prompting
from agent.interface import LLM, Observation, Page, Task
from agent.methods.anticipatory_reflection import introspection
from agent.methods.anticipatory_reflection.introspection import Introspection, Settings

NAME = "plan_act"
PROMPTS = ("plan_act", "anticipatory_reflection")
"""The folders of prompts that it uses."""


@dataclass(frozen=True)
class Options(Settings):
    """As in Anticipatory Reflection; with one attempt no plan is revised."""

    prompts: Path = prompting.FOLDER


def check_prompts(site: str, folder: Path) -> None:
    """Raise `BadPrompt` where the prompts of a site cannot be used."""
    introspection.operations(prompting.load(NAME, site, folder))


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    prompts = prompting.load(NAME, task.site, options.prompts)
    prompts.check(task.family)
    introspection = Introspection(NAME, task, llm, prompts, options)
    start = screen = await page.observe()
    await introspection.make_plan(start)
    for left in reversed(range(options.attempts)):
        screen, done = await _act(introspection, page, screen, may_fail=left > 0)
        if done or introspection.over or not left:
            break
        await introspection.revise_plan(start)
        screen = await page.restart()
    return await introspection.answer(screen)


async def _act(
    introspection: Introspection, page: Page, screen: Observation, may_fail: bool
) -> tuple[Observation, bool]:
    """Carry the plan out in order: the last screen, and whether the task was found to be done."""
    if await introspection.is_task_done(screen):
        return screen, True
    subtask = 1
    while subtask <= len(introspection.plan) and not introspection.spent:
        introspection.task.record("subtask", introspection.plan[subtask - 1], number=subtask)
        action = await introspection.next_action(subtask, screen)
        introspection.did(action, screen)
        screen = await page.act(action)
        if await introspection.is_task_done(screen):
            return screen, True
        if screen.error and may_fail:
            break
        subtask += await introspection.is_step_done(subtask, screen)
    return screen, False
