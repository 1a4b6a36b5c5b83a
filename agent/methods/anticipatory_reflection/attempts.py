"""Attempts with a stack of actions not yet taken (Anticipatory Reflection, algorithm 1).

What Anticipatory Reflection and its baseline LATS share: what is pushed for a screen is theirs.
After each action it is judged whether it served its subtask; if not, back to where the next entry
of the stack was proposed. With the stack empty and the task open: a new plan, and a new attempt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agent import actions, prompting
from agent.browser.irreversible import committed
from agent.element_matching import counterpart
from agent.interface import Action, Goto, Observation, Page, Task
from agent.methods.anticipatory_reflection.introspection import Introspection, Settings, look
from agent.methods.anticipatory_reflection.parsing import Judgement
from agent.prompting import Prompts

CHOICES = {
    "backtrack": ("site", "url", "snapshot"),
    "history": ("all", "path"),
    "mapping": ("alike", "model"),
}
Propose = Callable[[int, Observation], Awaitable[Sequence[Action]]]
"""The actions that one could take for a subtask on a screen, the first to be taken first."""


@dataclass(frozen=True)
class StackSettings(Settings):
    """Defaults are the paper's.

    `backtrack`: by address, by a snapshot of world and page, or as the site's prompts say.
    `mapping`: an entry's element is found again by what it is, or by the model. `history`: what
    the model is told was done, over all attempts or only what led to this screen.
    `screen_tokens`: a longer screen is summarised before it is judged. `batched`: alignment and
    both checks in one request. `commit_remedies`: an alternative may be an action that cannot be
    taken back.
    """

    backtrack: str = "site"
    mapping: str = "alike"
    history: str = "all"
    screen_tokens: int = 3000
    batched: bool = False
    commit_remedies: bool = False
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)} is none of {', '.join(known)}")
        if self.screen_tokens < 1:
            raise ValueError(f"screen_tokens={self.screen_tokens} is below 1")

    def way_back(self, prompts: Prompts) -> str:
        """`url` or `snapshot`."""
        return str(prompts.data["backtrack"]) if self.backtrack == "site" else self.backtrack


@dataclass(frozen=True)
class Entry:
    """What lies on the stack: an action not yet taken, where it was proposed, and for which
    subtask (from 1). `rank` is 0 for a first answer; `path` is what had led there."""

    screen: Observation
    action: Action
    subtask: int
    rank: int
    path: Sequence[str] = ()
    mark: object = None


async def carry_out(
    task: Task, page: Page, introspection: Introspection, options: StackSettings, propose: Propose
) -> str:
    """Plan, act and go back, attempt after attempt; the answer."""
    start = await page.observe()
    await introspection.make_plan(start)
    attempt = Attempt(task, page, introspection, options, propose, start)
    done = await attempt.run()
    for _ in range(1, options.attempts):
        if done or introspection.over:
            break
        await introspection.revise_plan(start)
        attempt.begin(await page.restart())
        done = await attempt.run()
    return await introspection.answer(attempt.screen)


@dataclass
class Attempt:
    """One attempt at a time; `screen` is the page as it is now."""

    task: Task
    page: Page
    introspection: Introspection
    options: StackSettings
    alternatives: Propose
    screen: Observation
    stack: list[Entry] = field(default_factory=list)

    def begin(self, start: Observation) -> None:
        """A new attempt: the start page and an empty stack."""
        self.screen = start
        self.stack.clear()

    async def run(self) -> bool:
        """Carry the plan out with utmost effort; whether the task was found to be done."""
        if await self.introspection.is_task_done(self.screen):
            return True
        await self.propose(1)
        while self.stack and not self.introspection.spent:
            entry = self.pop()
            action = await self.go_back(entry)
            if action is None:
                continue
            judged = await self.execute(entry, action)
            if await self.is_task_done(judged):
                return True
            if not judged.aligned or self.introspection.spent:
                continue
            subtask = entry.subtask + await self.is_step_done(entry, judged)
            if subtask <= len(self.introspection.plan):
                await self.propose(subtask)
        return False

    # Before an action -----------------------------------------------------------------------------

    async def propose(self, subtask: int) -> None:
        """Push the alternatives, the first one last."""
        self.task.record("subtask", self.introspection.plan[subtask - 1], number=subtask)
        answers = await self.alternatives(subtask, self.screen)
        mark = await self.page.checkpoint() if self.backtracking == "snapshot" else None
        path = tuple(self.introspection.path)
        for rank, answer in reversed([*enumerate(answers)]):
            if self.may_push(answers[:rank], answer):
                self.push(Entry(self.screen, answer, subtask, rank, path, mark))

    def may_push(self, earlier: Sequence[Action], answer: Action) -> bool:
        """An alternative is not an earlier answer once more, and can be taken back."""
        if not earlier:
            return True
        commits = committed(answer, self.screen) and not self.options.commit_remedies
        if commits or answer in earlier:
            why = "cannot be taken back" if commits else "was an answer already"
            self.task.record("refuse", actions.show(answer), why=why)
            return False
        return True

    def push(self, entry: Entry) -> None:
        self.stack.append(entry)
        self._record("push", entry, depth=len(self.stack))

    def pop(self) -> Entry:
        entry = self.stack.pop()
        self._record("pop", entry, depth=len(self.stack))
        return entry

    # Alignment and backtracking -------------------------------------------------------------------

    async def execute(self, entry: Entry, action: Action) -> Judgement:
        """Take an action and judge what came of it."""
        if entry.rank:
            self._record("remedy", entry)
        before = self.screen
        self.screen = await self.page.act(action)
        ask = self.introspection.judge if self.options.batched else self.introspection.align
        limit = self.options.screen_tokens
        judged = await ask(entry.subtask, before, action, self.screen, limit)
        outcome = "" if judged.aligned else " It did not serve its step."
        self.introspection.did(action, before, f"{judged.description}{outcome}")
        self.task.record("align", "yes" if judged.aligned else "no", about=judged.description)
        return judged

    async def is_task_done(self, judged: Judgement) -> bool:
        if self.options.batched:
            return judged.task_done
        return await self.introspection.is_task_done(self.screen)

    async def is_step_done(self, entry: Entry, judged: Judgement) -> bool:
        if self.options.batched:
            return judged.step_done
        return await self.introspection.is_step_done(entry.subtask, self.screen)

    @property
    def backtracking(self) -> str:
        return self.options.way_back(self.introspection.prompts)

    async def go_back(self, entry: Entry) -> Action | None:
        """The entry's action on the screen as it is now; None where it cannot be taken."""
        if look(entry.screen) == look(self.screen):
            return entry.action
        self._record("backtrack", entry, by=self.backtracking, url=entry.screen.url)
        moved = await self._move(entry)
        if self.options.history == "path":
            self.introspection.path[:] = entry.path
        elif moved:
            self.introspection.moved(entry.screen.url, "Went back there.")
        there = not (moved and self.screen.error) and self.screen.url == entry.screen.url
        action = await self._mapped(entry) if there else None
        if action is None:
            self._record("lost", entry)
        return action

    async def _move(self, entry: Entry) -> bool:
        """Whether the page was asked for anew; an address cannot tell its own screens apart."""
        if self.backtracking == "snapshot":
            self.screen = await self.page.restore(entry.mark)
        elif self.screen.url != entry.screen.url:
            self.screen = await self.page.act(Goto(entry.screen.url))
        else:
            return False
        return True

    async def _mapped(self, entry: Entry) -> Action | None:
        """The entry's action with its elements as they are numbered now."""
        action = entry.action
        for name in ("target", "onto"):
            number = getattr(action, name, None)
            if isinstance(number, int):
                found = await self._counterpart(number, entry.screen)
                if found is None:
                    return None
                action = replace(action, **{name: found})  # type: ignore[arg-type]
        return action

    async def _counterpart(self, number: int, old: Observation) -> int | None:
        if self.options.mapping == "model" and look(old) != look(self.screen):
            return await self.introspection.map_element(number, old, self.screen)
        return counterpart(number, old, self.screen)

    def _record(self, word: str, entry: Entry, **details: object) -> None:
        where = {"subtask": entry.subtask, "rank": entry.rank}
        self.task.record(word, actions.show(entry.action), **where, **details)
