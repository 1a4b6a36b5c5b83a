"""LATS, Language Agent Tree Search (Zhou et al. 2023, and its code for WebShop).

A tree search by UCT over states, which snapshots restore. The prompts for plans, actions and
completion are those of Anticipatory Reflection. The model gives the values of states and says
whether the task is done; the released code uses the environment's reward for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from agent import actions
from agent.interface import LLM, Action, Observation, Page, Task
from agent.methods import check_least
from agent.methods.anticipatory_reflection import introspection, parsing
from agent.methods.anticipatory_reflection.introspection import Introspection, look
from agent.methods.anticipatory_reflection.parsing import Appraisal
from agent.methods.anticipatory_reflection.questioner import Settings
from agent.methods.anticipatory_reflection.viewing import viewed
from agent.methods.lats.tree import Node, backpropagate, select

NAME = "lats"
PROMPTS = ("lats", "anticipatory_reflection")
check_prompts = partial(introspection.check_prompts, NAME)
ATTEMPTS = 7
"""The number of attempts by which the standard budget is multiplied, as for the methods that share
the prompts.
"""


@dataclass(frozen=True)
class Options(Settings):
    """Options of the method; the defaults are those of the released code for WebShop.

    Attributes:
        samples: Number of samples of the action for each state; twice as many at the root.
        depth: The deepest level of the tree.
        iterations: Number of iterations of the search.
        failures: Number of failed ends that the model reflects on.
        screen_tokens: Tokens above which a page is summarised before its state is valued.
        batched: Whether the description, the value and both checks are asked in one request.
    """

    samples: int = 5
    depth: int = 15
    iterations: int = 30
    failures: int = 4
    screen_tokens: int = 3000
    batched: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, samples=1, depth=1, iterations=1, failures=0)
        check_least(self, screen_tokens=1)


def budget(standard: Any, options: Options) -> Any:
    """Return the standard budget of an episode, multiplied by `ATTEMPTS`."""
    return replace(standard, steps=standard.steps * ATTEMPTS, calls=standard.calls * ATTEMPTS)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Search for a state in which the task is done, and answer from it."""
    introspection = Introspection.begin(NAME, task, llm, options, history="path")
    return await Search(task, page, introspection, options).run()


@dataclass
class Search:
    """The tree search of one episode; `at` is the tree's node that the page currently shows."""

    task: Task
    page: Page
    introspection: Introspection
    options: Options
    lessons: list[str] = field(default_factory=list)
    at: Node | None = None

    async def run(self) -> str:
        """Search until the model finds the task done, or else end in the state with the best
        value.
        """
        start = await self.page.observe(view=self.options.view)
        await self.introspection.make_plan(start)
        root = self.at = Node(start, await self.page.checkpoint())
        end = await self.search(root)
        await self.go_to(end)
        return await self.introspection.answer(end.screen)

    async def search(self, root: Node) -> Node:
        """Run the iterations of the search, and return the state in which to end: the first in
        which the task seems done, or else the best by value.
        """
        for number in range(1, self.options.iterations + 1):
            leaf = select(root, self.options.depth)
            if leaf is None:
                break
            self.task.record("iteration", str(number), depth=leaf.depth)
            end = await self.roll_out(leaf)
            backpropagate(end, end.estimate)
            if end.done:
                return end
            await self.reflect(end)
        return max(root.states(), key=lambda node: (node.estimate, node.depth))

    async def roll_out(self, node: Node) -> Node:
        """Go down from a leaf to the child with the highest value again and again, until the task
        seems done or the depth limit is reached; return the last state.
        """
        while not node.done and node.depth < self.options.depth:
            await self.expand(node)
            if node.dead:
                break
            node = max(node.children, key=lambda child: (child.done, child.estimate))
        return node

    async def expand(self, node: Node) -> None:
        """Take each sampled action from this state, and add the resulting states as its
        children.
        """
        found = await self.sample(node)
        node.dead = not found
        for action, thought in found.items():
            if not await self.go_to(node):
                self.task.record("lost", actions.show(action), depth=node.depth)
                node.dead = not node.children
                return
            node.children.append(await self.take(node, action, thought))
            if node.children[-1].done:
                return

    async def sample(self, node: Node) -> Mapping[Action, str]:
        """Return sampled actions, each with its thought, for the first step of the plan, from the
        state's own on, that needs an action.
        """
        self.remember(node)
        samples = self.options.samples * (1 if node.parent else 2)
        for step in range(node.subtask, len(self.introspection.plan) + 1):
            self.introspection.turn_to(step)
            sample = self.introspection.sample_actions
            found = await sample(step, node.screen, samples, thinks=True)
            node.subtask, node.path = step, tuple(self.introspection.path)
            if found:
                return found
        return {}

    async def take(self, node: Node, action: Action, thought: str) -> Node:
        """Take an action from a state, and return the next state with the model's value for it.

        The thought is kept in the history.
        """
        introspection = self.introspection
        self.remember(node)
        screen = await viewed(self.page, await self.page.act(action), self.options.view)
        found = await self.appraise(node, action, screen)
        why = f" (Thought: {thought})" if thought else ""
        introspection.did(action, node.screen, f"{found.description}{why}")
        if not self.options.batched:
            found = await self.check(node, found, screen)
        self.task.record("value", actions.show(action), value=found.value, depth=node.depth + 1)
        subtask = min(node.subtask + found.step_done, len(introspection.plan))
        notes = tuple(introspection.notes[len(self.lessons) :])
        self.at = Node(screen, None, subtask, tuple(introspection.path), notes, parent=node)
        self.at.mark = await self.page.checkpoint()
        self.at.estimate, self.at.done = found.value / parsing.HIGHEST, found.task_done
        introspection.impossible = found.impossible
        return self.at

    async def appraise(self, node: Node, action: Action, screen: Observation) -> Appraisal:
        """Ask for the description of an action and the value of the new state; with `batched` in
        one request, which also asks whether the subtask and the task are done.
        """
        batched, introspection = self.options.batched, self.introspection
        say = await introspection.transition("value", node.subtask, node.screen, action)
        about = node.screen, screen
        ask = partial(introspection.questioner.between, "value", partial(say, batched=batched))
        limit = self.options.screen_tokens
        if batched:
            return await ask(*about, parsing.appraisal, limit)
        description = await introspection.describe(node.subtask, node.screen, action, screen)
        return Appraisal(description, await ask(*about, parsing.value, limit, "worth"))

    async def check(self, node: Node, found: Appraisal, screen: Observation) -> Appraisal:
        """Ask whether the task and the subtask are done, with a request for each."""
        task_done = await self.introspection.is_task_done(screen)
        step_done = task_done or await self.introspection.is_step_done(node.subtask, screen)
        impossible = self.introspection.impossible
        return replace(found, step_done=step_done, task_done=task_done, impossible=impossible)

    async def go_to(self, node: Node) -> bool:
        """Restore a state, and return whether the page looks as it did in that state."""
        if node is not self.at:
            self.task.record("backtrack", node.screen.url, by="snapshot", depth=node.depth)
            restored = await self.page.restore(node.mark)
            screen = await viewed(self.page, restored, self.options.view)
            self.at = node
            return look(screen) == look(node.screen)
        return True

    async def reflect(self, end: Node) -> None:
        """Ask for a lesson from a failure; later requests show it among the notes."""
        if len(self.lessons) < self.options.failures:
            self.remember(end)
            self.lessons.append(await self.introspection.reflect(end.subtask, end.screen))

    def remember(self, node: Node) -> None:
        """Set the history and notes that the model sees to those of this state, plus the lessons
        from failures.
        """
        self.introspection.path[:] = node.path
        self.introspection.notes[:] = [*self.lessons, *node.notes]
