"""Plan+Act (the baseline of Anticipatory Reflection, section 4.1): plan, act, revise the plan.

It uses the prompts, plans, descriptions and completion checks of Anticipatory Reflection, but has
no remedies, no alignment check and no stack. A plan fails when its steps are used up or when the
page refuses an action. A new plan and a new attempt follow, as in AdaPlanner. Without revision it
makes one attempt, as ReWOO does, and carries it on to the end of the plan.
"""

from __future__ import annotations

from functools import partial

from agent.interface import LLM, Action, Observation, Page, Task
from agent.methods.anticipatory_reflection import introspection
from agent.methods.anticipatory_reflection.introspection import AttemptSettings, Introspection
from agent.methods.anticipatory_reflection.parsing import Assessment
from agent.methods.anticipatory_reflection.viewing import viewed

NAME = "plan_act"
PROMPTS = ("plan_act", "anticipatory_reflection")
budget = introspection.budget
check_prompts = partial(introspection.check_prompts, NAME)

Options = AttemptSettings
"""Options of Plan+Act, the same as those of attempts in Anticipatory Reflection; with one attempt
no plan is revised.
"""


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Plan, act and revise the plan until the task is done or the attempts are used up."""
    introspection = Introspection.begin(NAME, task, llm, options)
    start = screen = await page.observe(view=options.view)
    await introspection.make_plan(start)
    for left in reversed(range(options.attempts)):
        screen, done = await _act(introspection, options, page, screen, may_fail=left > 0)
        if done or options.is_over(introspection.taken) or not left:
            break
        await introspection.conclude(screen, options)
        await introspection.revise_plan(start, recount=options.per_attempt)
        screen = await viewed(page, await page.restart(), options.view)
    return await introspection.answer(screen)


async def _act(
    introspection: Introspection, options: Options, page: Page, screen: Observation, may_fail: bool
) -> tuple[Observation, bool]:
    """Carry out the plan's steps in order, from the page `screen` on.

    Returns:
        The last page, and whether the model found the task done.
    """
    if await introspection.is_done_already(screen, options.check_start):
        return screen, True
    subtask, action = 1, None
    while not options.is_spent(introspection.taken):
        if not await introspection.reaches(subtask, screen):
            break
        introspection.turn_to(subtask)
        action = await introspection.next_action(subtask, screen)
        if action is None:
            subtask += 1
            continue
        before, screen = screen, await viewed(page, await page.act(action), options.view)
        found = await _review(introspection, options, subtask, before, action, screen)
        if found.ends:
            return screen, True
        if screen.error and may_fail:
            break
        subtask += found.step_done
    return screen, (action is None or options.loops) and await introspection.is_task_done(screen)


async def _review(
    introspection: Introspection,
    options: Options,
    subtask: int,
    before: Observation,
    action: Action,
    after: Observation,
) -> Assessment:
    """Describe an action for the history, and ask whether the step and the task are done, without
    asking whether the action served its step.
    """
    if options.batched:
        found = await introspection.assess(subtask, before, action, after, aligns=False)
        introspection.did(action, before, found.description)
        return found
    description = await introspection.describe(subtask, before, action, after)
    introspection.did(action, before, description)
    task_done = await introspection.is_task_done(after)
    step_done = task_done or await introspection.is_step_done(subtask, after)
    return Assessment(description, True, step_done, task_done)
