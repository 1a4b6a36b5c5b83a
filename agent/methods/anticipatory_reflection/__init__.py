"""Anticipatory Reflection (Wang et al. 2024): algorithm 1, section 3.3.

The method has three layers of introspection around a plan. Before an action, `foresee` asks for
remedies: alternative actions in case the action is wrong. After the action, the alignment check
asks whether it served its subtask; if not, `backtracking` takes the next entry of the stack. If the
stack is empty and the task is not done, the plan is revised and a new attempt begins. The functions
G and C of the paper are in `introspection`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from agent import actions
from agent.browser.irreversible import committed
from agent.interface import LLM, Action, Observation, Page, Task
from agent.methods import check_among, check_least
from agent.methods.anticipatory_reflection import introspection
from agent.methods.anticipatory_reflection.backtracking import Backtracking, StackEntry
from agent.methods.anticipatory_reflection.introspection import (
    AttemptSettings,
    Introspection,
    place_on_page,
)
from agent.methods.anticipatory_reflection.parsing import Assessment

NAME = "anticipatory_reflection"
budget = introspection.budget
check_prompts = partial(introspection.check_prompts, NAME)
Propose = Callable[[int, Observation], Awaitable[Sequence[Action]]]
"""Returns the possible actions for a subtask on a page, in the order in which to try them."""


@dataclass(frozen=True)
class StackSettings(AttemptSettings):
    """Options of algorithm 1; the variant `paper` has the paper's values.

    Attributes:
        backtrack: How to return to a page: "url", "snapshot" (of world and page), or "site" for the
            way that the site's prompts name.
        mapping: How to find an element again: "alike" by its properties, or "model" by asking the
            model.
        history: Whether the model sees the actions of "all" attempts, or only the "path" that led
            to this page.
        screen_tokens: Tokens above which a page is summarised before alignment.
        commit_remedies: Whether an alternative may be an action that cannot be undone.
    """

    backtrack: str = "site"
    mapping: str = "alike"
    history: str = "all"
    screen_tokens: int = 3000
    commit_remedies: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_among(self, backtrack=("site", "url", "snapshot"), history=("all", "path"))
        check_among(self, mapping=("alike", "model"))
        check_least(self, screen_tokens=1)


@dataclass(frozen=True)
class Options(StackSettings):
    """Options of Anticipatory Reflection. `remedies` is the number of alternative actions asked for
    in addition to each first answer (two in the paper's figure 4).
    """

    remedies: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, remedies=0)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Carry out algorithm 1 with the model's remedies as alternative actions, and return the answer
    to the task.
    """
    introspection = Introspection.begin(NAME, task, llm, options, options.history)
    return await carry_out(page, introspection, options, partial(foresee, introspection, options))


async def foresee(
    introspection: Introspection, options: Options, subtask: int, screen: Observation
) -> Sequence[Action]:
    """Return an action for a subtask (the paper's G_action) and its remedies, alternatives in case
    it is wrong (G_remedy).

    The list is empty if the step needs no action.
    """
    first = await introspection.next_action(subtask, screen)
    if first is None:
        return []
    if not options.remedies:
        return [first]
    ask = introspection.remedies if options.batched else partial(one_by_one, introspection)
    answers = [first, *await ask(subtask, screen, first, options.remedies)]
    different, asked = len({*answers}), 1 + options.remedies
    introspection.task.record("remedies", different=different, asked=asked)
    return answers


async def one_by_one(
    introspection: Introspection, subtask: int, screen: Observation, first: Action, most: int
) -> Sequence[Action]:
    """Return the remedies for a first answer, each from a request that shows all answers so far."""
    answers = [first]
    for _ in range(most):
        other = await introspection.remedy(subtask, screen, answers)
        if other is None:
            break
        answers.append(other)
    return answers[1:]


async def carry_out(
    page: Page, introspection: Introspection, options: StackSettings, propose: Propose
) -> str:
    """Run algorithm 1: plan, act and backtrack, one attempt after another. Return the answer to the
    task.
    """
    start = await page.observe(view=options.view)
    by = options.backtrack
    by = str(introspection.prompts.data["backtrack"]) if by == "site" else by
    backtracking = Backtracking(page, introspection, by, options.mapping, options.view, start)
    await introspection.make_plan(start)
    done = await Attempt(backtracking, introspection, options, propose).run()
    for _ in range(1, options.attempts):
        if done or options.is_over(introspection.taken):
            break
        await introspection.conclude(backtracking.screen, options)
        await introspection.revise_plan(start, recount=options.per_attempt)  # layer 3
        await backtracking.restart()
        done = await Attempt(backtracking, introspection, options, propose).run()
    return await introspection.answer(backtracking.screen)


@dataclass
class Attempt:
    """One attempt at the task (a trial of the paper) with its stack Z of actions that were proposed
    and not yet taken.
    """

    backtracking: Backtracking
    introspection: Introspection
    options: StackSettings
    alternatives: Propose
    stack: list[StackEntry] = field(default_factory=list)

    async def run(self) -> bool:
        """Carry out the plan until the task is done or the stack is empty.

        Return whether the task is done.
        """
        even_at_start = self.options.check_start
        if await self.introspection.is_done_already(self.screen, even_at_start):
            return True
        if await self.propose(1):
            return True
        while self.stack and not self.is_spent:
            entry = self.pop()
            action = await self.backtracking.return_to(entry)
            if action is None:
                continue
            assessed = await self.execute(entry, action)
            if await self.ends(assessed):
                return True
            if not assessed.aligned or self.is_spent:
                continue  # layer 2: take the next alternative
            subtask = entry.subtask + await self.is_step_done(entry, assessed)
            if await self.propose(subtask):
                return True
        return False

    async def propose(self, subtask: int) -> bool:
        """Find the first subtask, from this number on, that needs an action, and push its
        alternative actions on the stack.

        Returns:
            Whether the task is done. The model is asked only if subtasks remain and none of them
                needs an action.
        """
        number, remain = subtask, subtask <= len(self.introspection.plan)
        while await self.introspection.reaches(number, self.screen):
            self.introspection.turn_to(number)
            answers = await self.alternatives(number, self.screen)
            if answers:
                await self.push_all(number, answers)
                return False
            number += 1
        return remain and await self.introspection.is_task_done(self.screen)

    async def push_all(self, subtask: int, answers: Sequence[Action]) -> None:
        """Push the alternatives, the first answer last, so that it is popped first (footnote 3)."""
        checkpoint = await self.backtracking.checkpoint()
        way = tuple(self.introspection.path), self.backtracking.visited
        for rank, answer in reversed([*enumerate(answers)]):
            if self.may_push(answers[:rank], answer):
                self.push(StackEntry(self.screen, answer, subtask, rank, *way, checkpoint))

    async def execute(self, entry: StackEntry, action: Action) -> Assessment:
        """Take an action, describe it and ask whether it served its subtask (G_align)."""
        if entry.rank:
            self.backtracking.record("remedy", entry)
        before, after = self.screen, await self.backtracking.act(action)
        ask = self.introspection.assess if self.options.batched else self.introspection.align
        assessed = await ask(entry.subtask, before, action, after, self.options.screen_tokens)
        outcome = "" if assessed.aligned else " It did not serve its step."
        self.introspection.did(action, before, f"{assessed.description}{outcome}")
        verdict = "yes" if assessed.aligned else "no"
        self.introspection.task.record("align", verdict, about=assessed.description)
        return assessed

    async def ends(self, assessed: Assessment) -> bool:
        """Return whether the task is done or cannot be done, by the paper's completion check C.

        A task is not done after an action that did not serve its subtask.
        """
        if self.options.batched:
            return assessed.ends
        return assessed.aligned and await self.introspection.is_task_done(self.screen)

    async def is_step_done(self, entry: StackEntry, assessed: Assessment) -> bool:
        """Return whether the subtask is done, by the paper's completion check C."""
        if self.options.batched:
            return assessed.step_done
        return await self.introspection.is_step_done(entry.subtask, self.screen)

    @property
    def screen(self) -> Observation:
        """Return the current page."""
        return self.backtracking.screen

    @property
    def is_spent(self) -> bool:
        """Whether the attempt has used up its actions."""
        return self.options.is_spent(self.introspection.taken)

    def may_push(self, earlier: Sequence[Action], answer: Action) -> bool:
        """Return whether an alternative action may be pushed on the stack: it differs from the
        earlier answers and can be undone.
        """
        if not earlier:
            return True
        commits = committed(answer, self.screen) and not self.options.commit_remedies
        if commits or answer in earlier:
            why = "cannot be taken back" if commits else "was an answer already"
            self.introspection.task.record("refuse", actions.show(answer), why=why)
            return False
        return True

    def push(self, entry: StackEntry) -> None:
        """Put an entry on the stack."""
        self.stack.append(entry)
        place = place_on_page(entry.action, entry.screen)
        self.backtracking.record("push", entry, depth=len(self.stack), **place)

    def pop(self) -> StackEntry:
        """Take the top entry from the stack."""
        entry = self.stack.pop()
        self.backtracking.record("pop", entry, depth=len(self.stack))
        return entry
