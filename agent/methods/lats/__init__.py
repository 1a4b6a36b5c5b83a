"""LATS, the baseline of Anticipatory Reflection with sampled alternatives.

`stack` (Wang et al. 2024, sections 4.1 and 4.2): plans, checks, backtracking and plan revision are
those of Anticipatory Reflection; the alternatives are samples of the action, the most valuable
first. `uct` (Zhou et al. 2023, and its code for WebShop): a tree search over states, which are
restored by snapshots. Values, and whether the task is done, come from the model: nothing here
knows the environment's reward, by which the released code stops and chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from agent import actions, prompting
from agent.interface import LLM, Action, Observation, Page, Task
from agent.methods.anticipatory_reflection import introspection, parsing
from agent.methods.anticipatory_reflection.attempts import StackSettings, carry_out
from agent.methods.anticipatory_reflection.introspection import Introspection, look, taken
from agent.methods.lats.tree import Node, backpropagate, select

NAME = "lats"
PROMPTS = ("lats", "anticipatory_reflection")
"""The folders of prompts that it uses."""
SEARCHES = ("stack", "uct")


@dataclass(frozen=True)
class Options(StackSettings):
    """`samples` of the action for each state, twice as many at the root of a tree; `search` by a
    stack or by UCT. Of the tree alone: the deepest level (`depth`), `iterations`, and so many
    `failures` are reflected on. Defaults are those of the released code for WebShop.
    """

    search: str = "stack"
    samples: int = 5
    depth: int = 15
    iterations: int = 30
    failures: int = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.search not in SEARCHES:
            raise ValueError(f"search={self.search} is none of {', '.join(SEARCHES)}")
        for name, number in {"samples": 1, "depth": 1, "iterations": 1, "failures": 0}.items():
            if getattr(self, name) < number:
                raise ValueError(f"{name}={getattr(self, name)} is below {number}")


def check_prompts(site: str, folder: Path) -> None:
    """Raise `BadPrompt` where the prompts of a site cannot be used."""
    introspection.operations(prompting.load(NAME, site, folder))


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    prompts = prompting.load(NAME, task.site, options.prompts)
    prompts.check(task.family)
    history = "path" if options.search == "uct" else options.history
    introspection = Introspection(NAME, task, llm, prompts, options, history)
    if options.search == "uct":
        return await Search(task, page, introspection, options).run()
    return await carry_out(
        task, page, introspection, options, partial(think_of, introspection, options.samples)
    )


async def think_of(
    introspection: Introspection, samples: int, subtask: int, screen: Observation
) -> Sequence[Action]:
    """Different samples of the action, those of the highest value first."""
    found = await sampled(introspection, samples, subtask, screen)
    if len(found) == 1:
        return found
    say = partial(
        await introspection.situation("rank", subtask), candidates=_numbered(found, screen)
    )
    values = await introspection.asker.about(
        "rank", say, screen, partial(parsing.ranks, count=len(found))
    )
    for action, value in zip(found, values, strict=True):
        introspection.task.record("value", actions.show(action), value=value)
    ordered = sorted(zip(values, found, strict=True), key=lambda rated: -rated[0])
    return [action for _, action in ordered]


async def sampled(
    introspection: Introspection, samples: int, subtask: int, screen: Observation
) -> list[Action]:
    """So many samples of G_action by one request, duplicates merged."""
    say = await introspection.situation("act", subtask)
    read = partial(parsing.samples, offered=introspection.prompts.data["operations"])
    found = await introspection.asker.about("act", say, screen, read, n=samples)
    introspection.task.record("sample", different=len(found))
    return found


def _numbered(found: Sequence[Action], screen: Observation) -> list[str]:
    return [f"{number}. {taken(each, screen)}" for number, each in enumerate(found, start=1)]


@dataclass
class Search:
    """The tree search; `at` is the state in which the page is."""

    task: Task
    page: Page
    introspection: Introspection
    options: Options
    lessons: list[str] = field(default_factory=list)
    at: Node | None = None

    async def run(self) -> str:
        """Search until a state is held for the end of the task; else the best one is the end."""
        start = await self.page.observe()
        await self.introspection.make_plan(start)
        root = self.at = Node(start, await self.page.checkpoint())
        root.done = await self.introspection.is_task_done(start)
        end = root if root.done else await self.search(root)
        await self.go_to(end)
        return await self.introspection.answer(end.screen)

    async def search(self, root: Node) -> Node:
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
        """On from a leaf by the best child of each state, to the end or the deepest level."""
        while not node.done and node.depth < self.options.depth:
            await self.expand(node)
            if node.dead:
                break
            node = max(node.children, key=lambda child: (child.done, child.estimate))
        return node

    async def expand(self, node: Node) -> None:
        """Take each of the sampled actions from this state."""
        self.remember(node)
        samples = self.options.samples * (1 if node.parent else 2)
        self.task.record("subtask", self.introspection.plan[node.subtask - 1], number=node.subtask)
        for action in await sampled(self.introspection, samples, node.subtask, node.screen):
            if not await self.go_to(node):
                self.task.record("lost", actions.show(action), depth=node.depth)
                node.dead = not node.children
                return
            node.children.append(await self.take(node, action))
            if node.children[-1].done:
                return

    async def take(self, node: Node, action: Action) -> Node:
        """The state to which an action leads, as the model values it."""
        introspection = self.introspection
        self.remember(node)
        screen = await self.page.act(action)
        say = await introspection.transition("value", node.subtask, node.screen, action)
        read = parsing.appraisal
        limit = self.options.screen_tokens
        found = await introspection.asker.between("value", say, node.screen, screen, read, limit)
        introspection.did(action, node.screen, found.description)
        self.task.record("value", actions.show(action), value=found.value, depth=node.depth + 1)
        subtask = min(node.subtask + found.step_done, len(introspection.plan))
        kept = tuple(introspection.notes[len(self.lessons) :])
        self.at = Node(screen, None, subtask, tuple(introspection.path), kept, parent=node)
        self.at.mark = await self.page.checkpoint()
        self.at.estimate, self.at.done = found.value / parsing.HIGHEST, found.task_done
        return self.at

    async def go_to(self, node: Node) -> bool:
        """Restore a state; whether the page looks as it did there."""
        if node is not self.at:
            self.task.record("backtrack", node.screen.url, by="snapshot", depth=node.depth)
            screen = await self.page.restore(node.mark)
            self.at = node
            return look(screen) == look(node.screen)
        return True

    async def reflect(self, end: Node) -> None:
        """What is learned of a failure; it stands among the notes from now on."""
        if len(self.lessons) < self.options.failures:
            self.remember(end)
            say = await self.introspection.situation("reflect", end.subtask)
            lesson = await self.introspection.asker.about(
                "reflect", say, end.screen, parsing.reflection
            )
            self.lessons.append(lesson)
            self.task.record("reflect", lesson)

    def remember(self, node: Node) -> None:
        """What the model is told of is the way to this state, and the lessons."""
        self.introspection.path[:] = node.path
        self.introspection.notes[:] = [*self.lessons, *node.notes]
