"""Plan+Act (the baseline of Anticipatory Reflection, section 4.1): plan, act, revise.

It has the prompts, plans and completion checks of Anticipatory Reflection, and no remedies,
alignment or stack. A plan has failed where it is used up, or where the page refused an action; a
new plan and a new attempt follow, as in AdaPlanner. Without reflexion there is one attempt, as in
ReWOO, which goes on to the end of its plan.
"""

from __future__ import annotations

from functools import partial

from agent.interface import LLM, Observation, Page, Task
from agent.methods.anticipatory_reflection import introspection
from agent.methods.anticipatory_reflection.introspection import AttemptSettings, Introspection

NAME = "plan_act"
PROMPTS = ("plan_act", "anticipatory_reflection")
budget = introspection.budget
check_prompts = partial(introspection.check_prompts, NAME)

Options = AttemptSettings
"""As in Anticipatory Reflection; with one attempt no plan is revised."""


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    introspection = Introspection.begin(NAME, task, llm, options)
    start = screen = await page.observe()
    await introspection.make_plan(start)
    for left in reversed(range(options.attempts)):
        screen, done = await _act(introspection, options, page, screen, may_fail=left > 0)
        if done or options.is_over(introspection.taken) or not left:
            break
        await introspection.revise_plan(start, recount=options.per_attempt)
        screen = await page.restart()
    return await introspection.answer(screen)


async def _act(
    introspection: Introspection, options: Options, page: Page, screen: Observation, may_fail: bool
) -> tuple[Observation, bool]:
    """Carry the plan out in order: the last screen, and whether the task was found to be done."""
    if await introspection.is_task_done(screen):
        return screen, True
    subtask = 1
    while subtask <= len(introspection.plan) and not options.is_spent(introspection.taken):
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
