"""AdaPlanner (Sun et al. 2023): the model writes a plan as a Python function and refines it.

The function has numbered steps, which act on the page and assert what it must show then. In-plan
refinement: a step asks the model a question about the page and uses the answer. Out-of-plan
refinement: if an assertion or an action fails, the model gets the error, revises the function, and
names the step at which the run is resumed. Table 3 of Synapse has the figures of AdaPlanner.

The sandbox runs the function (`agent.sandbox`), and its calls of `agent` come back to this process.
An interpreter of our own would be larger than this method and would know less Python. Actions are
written in the grammar of all methods. The paper's skill discovery is left out: what one episode
learns would change the next ones, so a score would depend on the order of the episodes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from agent import action_text, prompting
from agent.actions import BadAction
from agent.element_matching import counterpart
from agent.interface import LLM, Action, Observation, Page, Stop, Task
from agent.methods.adaplanner.model_calls import ModelCalls, Options
from agent.methods.anticipatory_reflection.introspection import taken
from agent.methods.synapse import over
from agent.sandbox import CallFailed, CodeRunner, ProgramError
from agent.sandbox.monty import MontyRunner

RESTART = 10  # refinements in the released code after which every run begins at step 1


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Plan, and refine the plan until it stops or the page ends the task; return the answer."""
    prompts = prompting.load("adaplanner", task.site, options.prompts)
    model = ModelCalls(task, llm, options, prompts)
    agent = _Agent(model, page, await page.observe())
    plan, step = await model.plan(agent.screen), 1
    try:
        for refined in range(options.refinements):
            report = await agent.run(plan, step)
            revised = await model.revise(agent.screen, agent.history, plan, report)
            step = await model.resume(plan, revised)
            plan, step = revised, 1 if options.released and refined + 1 >= RESTART else step
        await agent.run(plan, step)
    except _Stopped as stopped:
        return stopped.answer
    return ""


class _Stopped(Exception):
    """A plan stopped, or the page ended the task."""

    def __init__(self, answer: str) -> None:
        super().__init__(answer)
        self.answer = answer


@dataclass
class _Agent:
    """The `agent` that a plan calls: it acts on the page and asks the model.

    `screen` is the page now, `planned` the page for which the plan was written.
    """

    model: ModelCalls
    page: Page
    screen: Observation
    planned: Observation = field(init=False)
    history: list[str] = field(default_factory=list)
    runner: CodeRunner = field(default_factory=MontyRunner)

    async def run(self, plan: str, step: int) -> str:
        """Run a plan from a step on, and return the error that ended it; "" for none.

        Raises:
            _Stopped: The plan stopped, or the page ended the task.
        """
        self.planned, options = self.screen, self.model.options
        methods = {"act": "action", **({"ask": "question"} if options.asks else {})}
        program = f"{plan}\nsolution(agent, start_from={step})"
        try:
            await self.runner.act(program, self, calls=options.calls, methods=methods)
        except ProgramError as problem:
            self.model.task.record("report", str(problem), failure=problem.kind, step=step)
            return str(problem)
        return ""

    async def __call__(self, method: str, argument: str) -> str:
        """Perform a call of the plan.

        Returns:
            The page after an action, or the model's answer to a question.

        Raises:
            CallFailed: It is no action, or the page refused it.
            _Stopped: The action is `stop`, or the page ended the task.
        """
        if method == "ask":
            return await self.model.answer(self.screen, argument)
        action = self._read(argument)
        done = taken(action, self.screen)
        self.screen = await self.page.act(action)
        self.history.append(f"{done} -- it failed" if self.screen.error else done)
        if over(self.model.prompts, self.screen):
            raise _Stopped("")
        if self.screen.error:
            raise CallFailed(self.screen.error)
        return self.model.shown(self.screen)

    def _read(self, written: str) -> Action:
        """Return an action of the plan, with the numbers that its elements have now."""
        try:
            action = action_text.read(written, self.model.offered(self.screen))
        except BadAction as problem:
            raise CallFailed(str(problem)) from None
        if isinstance(action, Stop):
            raise _Stopped(action.answer)
        ends = {name: getattr(action, name, None) for name in ("target", "onto")}
        now = {name: self._now(end) for name, end in ends.items() if isinstance(end, int)}
        changed: dict[str, Any] = now
        return replace(action, **changed)

    def _now(self, number: int) -> int:
        found = counterpart(number, self.planned, self.screen)
        if found is None:
            raise CallFailed(
                f"{number} is an element of the page that the function was written for, which is"
                " not on this page; write an element of a later page as its name"
            )
        return found
