"""RCI (Kim et al. 2023): the model plans, recursively criticizes and improves, then acts.

Explicit RCI (section 3.1): the model writes a plan, criticizes it and improves it. Implicit RCI
(section 3.2): each action is grounded three times. Task grounding takes the next instruction from
the plan and the history. State grounding makes it an operation on the page as it is. Agent
grounding asks for a valid operation if it is none. Table 3 of Synapse has the figures of RCI.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from agent import action_text, prompting, renderings
from agent.interface import LLM, Action, Message, Observation, Page, Reply, Stop, Task
from agent.llm.asking import ask_for, message, sampling
from agent.methods import check_least
from agent.methods.anticipatory_reflection import parsing
from agent.methods.anticipatory_reflection.introspection import taken
from agent.offered import with_inputs
from agent.prompting import Prompts
from agent.renderings.markers import guard

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """Options of RCI.

    Attributes:
        critiques: How often the plan is criticized and improved.
        state: Whether actions are grounded in the state.
        limited: Whether the plan's length limits the actions, as in the released code.
        temperature: Sampling temperature; -1 for the model's own.
        max_tokens: Tokens of a reply at most; 0 for no limit.
        reasks: How often the model is asked for a valid plan or operation (agent grounding).
        prompts: Folder of the prompt files.
    """

    critiques: int = 1
    state: bool = True
    limited: bool = False
    temperature: float = 0.0
    max_tokens: int = 256
    reasks: int = 1
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, critiques=0, temperature=-1, max_tokens=0, reasks=0)

    def most_actions(self, plan: Sequence[str]) -> float:
        """Return the number of actions at most: one more than the plan's steps, or four for a plan
        of one step; without the limit of the released code, no number.
        """
        return float("inf") if not self.limited else len(plan) + 1 if len(plan) > 1 else 4


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Plan, then take grounded actions until the model stops, and return its answer."""
    rci = _Rci(task, llm, options, prompting.load("rci", task.site, options.prompts))
    screen = await page.observe()
    plan = await rci.plan(screen)
    while len(rci.history) < options.most_actions(plan):
        action = await rci.next_action(plan, screen)
        if isinstance(action, Stop):
            return action.answer
        rci.history.append(taken(action, screen))
        screen = await page.act(action)
    return ""


@dataclass
class _Rci:
    """The requests of RCI in one episode, and the actions taken."""

    task: Task
    llm: LLM
    options: Options
    prompts: Prompts
    history: list[str] = field(default_factory=list)

    async def plan(self, screen: Observation) -> list[str]:
        """Write a plan, then criticize and improve it: explicit RCI."""
        talk = self._opening("plan", screen, example=self.prompts.say("example"))
        plan = await self._steps("plan", talk)
        for _ in range(self.options.critiques):
            talk = [
                *talk,
                message("assistant", f"List\n{parsing.numbered(plan)}"),
                self._question("critique"),
            ]
            critique = await self._words("critique", talk)
            talk = [*talk, message("assistant", critique), self._question("improve")]
            plan = await self._steps("improve", talk)
        self.task.record("plan", parsing.numbered(plan), length=len(plan))
        return plan

    async def next_action(self, plan: Sequence[str], screen: Observation) -> Action:
        """Ground the next action in the task, the state and the agent: implicit RCI."""
        given = {"history": "\n".join(self.history) or "None", "error": screen.error or ""}
        grounded = self.options.state
        talk = self._opening(
            "task", screen, plan=parsing.numbered(plan), grounded=grounded, **given
        )
        if not grounded:
            return await self._operation("task", talk, screen)
        instruction = await self._words("task", talk)
        talk = [*talk, message("assistant", instruction), self._question("state")]
        return await self._operation("state", talk, screen)

    async def _operation(
        self, purpose: str, talk: Sequence[Message], screen: Observation
    ) -> Action:
        """Return the operation of a reply; if it is none, ask for a valid one: agent grounding."""
        offered = with_inputs(self.prompts.data["operations"], screen)
        return await self._ask(purpose, talk, lambda reply: action_text.read(reply.text, offered))

    async def _steps(self, purpose: str, talk: Sequence[Message]) -> list[str]:
        return await self._ask(purpose, talk, parsing.plan)

    async def _words(self, purpose: str, talk: Sequence[Message]) -> str:
        return await self._ask(purpose, talk, _words)

    async def _ask(self, purpose: str, talk: Sequence[Message], parse: Callable[[Reply], T]) -> T:
        return await ask_for(
            self.llm,
            f"rci/{purpose}",
            talk,
            parse,
            reasks=self.options.reasks,
            on_reask=partial(self.task.record, "reask"),
            **sampling(self.options.temperature, max_tokens=self.options.max_tokens),
        )

    def _opening(self, text: str, screen: Observation, **given: object) -> list[Message]:
        """Return the rules and the request that shows the task and the page."""
        rules = self.prompts.say("rules", operations=self.prompts.operations())
        bare = renderings.without_instruction(screen, self.task.instruction)
        page = renderings.get(self.prompts.rendering).render(replace(bare, error=None))
        shown = {"instruction": self.task.instruction, "observation": guard(page)}
        return [
            message("system", rules),
            message("user", self.prompts.say(text, **shown, **given)),
        ]

    def _question(self, text: str) -> Message:
        return message("user", self.prompts.say(text))


def _words(reply: Reply) -> str:
    """Return the text of a reply. Raises ValueError if it is empty."""
    if not reply.text.strip():
        raise ValueError("the reply is empty; answer in a sentence")
    return reply.text.strip()
