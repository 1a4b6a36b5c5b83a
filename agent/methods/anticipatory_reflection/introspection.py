"""What Anticipatory Reflection and its baselines ask the model, and what they remember.

The functions G and C of the paper (section 3 and appendix), one method each. H, the history, and
the notes span all attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from agent import actions, prompting
from agent.interface import LLM, Action, Goto, Note, Observation, Task
from agent.llm import tokens
from agent.llm.asking import message
from agent.methods import check_least
from agent.methods.anticipatory_reflection import parsing
from agent.methods.anticipatory_reflection.parsing import NOT_ACHIEVABLE, Assessment
from agent.methods.anticipatory_reflection.questioner import Questioner, Settings, Talk
from agent.prompting import Prompts


@dataclass(frozen=True)
class AttemptSettings(Settings):
    """`attempts` at the task, each with its own plan. `max_actions` of the whole task, or of each
    attempt (`per_attempt`). `batched`: ask what belongs together in one request. `check_start`:
    ask whether the task is done before anything was done."""

    attempts: int = 7
    max_actions: int = 30
    per_attempt: bool = False
    batched: bool = True
    check_start: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, attempts=1, max_actions=1)

    def is_spent(self, taken: int) -> bool:
        """Whether no action is left, of the task or of this attempt."""
        return taken >= self.max_actions

    def is_over(self, taken: int) -> bool:
        """Whether the cap ends the task for good."""
        return self.is_spent(taken) and not self.per_attempt


def budget(standard: Any, options: AttemptSettings) -> Any:
    """The standard budget of an episode for each attempt, or what `max_actions` allow."""
    attempts = options.attempts
    actions = options.max_actions * (attempts if options.per_attempt else 1)
    steps = max(standard.steps * attempts, actions + attempts)
    calls = max(standard.calls * attempts, 8 * steps)
    return replace(standard, steps=steps, calls=calls, attempts=attempts)


@dataclass
class Introspection:
    """The questions of one episode, and its memory.

    `log` is H over all attempts, `path` the part of it that led here, `taken` the number of
    actions that count towards `max_actions`. `history` is which of the first two the model is
    shown: `all` or `path`. `impossible`: the model found that the task cannot be done.
    """

    method: str
    task: Task
    llm: LLM
    prompts: Prompts
    settings: Settings
    history: str = "all"
    plan: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    taken: int = 0
    impossible: bool = False
    questioner: Questioner = field(init=False)

    def __post_init__(self) -> None:
        own = (self.method, self.task, self.llm, self.prompts)
        self.questioner = Questioner(*own, self.settings)

    @classmethod
    def begin(
        cls, method: str, task: Task, llm: LLM, settings: Settings, history: str = "all"
    ) -> Self:
        """Raises `BadPrompt` where the method has no prompts for the task."""
        prompts = prompting.load(method, task.site, settings.prompts)
        prompts.check(task.family)
        return cls(method, task, llm, prompts, settings, history)

    # Plans ---------------------------------------------------------------------------------------

    async def make_plan(self, start: Observation) -> None:
        """G_plan, equation 1."""
        self.plan = await self._plan(start)
        self.task.record("plan", _numbered(self.plan), length=len(self.plan))

    async def revise_plan(self, start: Observation, recount: bool = False) -> None:
        """G_plan with the failed plan and H, equation 10; begin a new attempt with it.

        `recount`: count the actions from 0 again.
        """
        self.plan = await self._plan(start)
        self.task.record("revise", _numbered(self.plan), length=len(self.plan))
        self.path.clear()
        self.moved(start.url, "A new attempt began here.")
        self.taken = 0 if recount else self.taken

    async def _plan(self, start: Observation) -> list[str]:
        say = partial(
            self.prompts.say,
            "plan",
            intro=self.prompts.say("intro"),
            operations=self.prompts.operations(),
            signs=self._signs,
            asks=self.task.answer is not None,
            instruction=self.task.instruction,
            failed=_numbered(self.plan),
            history=await self._summarised(self.log),
            notes=self.notes,
        )
        return await self.questioner.about("plan", say, start, parsing.plan)

    # Actions -------------------------------------------------------------------------------------

    async def next_action(self, step: int, screen: Observation) -> Action | None:
        """G_action, equation 3; None where the step needs no action, which H tells."""
        say = await self._acting(step)
        read = partial(parsing.action_or_skip, offered=self.questioner.offered(screen))
        found = await self.questioner.about("act", say, screen, read)
        if found is None:
            self.skipped(step)
        return found

    async def sample_actions(
        self, step: int, screen: Observation, samples: int, thinks: bool = False
    ) -> Mapping[Action, str]:
        """So many samples of G_action by one request, duplicates merged: the first thought of each,
        which is "" unless it `thinks`. None where the step needs no action."""
        say = await self._acting(step, thinks)
        read = partial(parsing.samples_or_skip, offered=self.questioner.offered(screen))
        found = await self.questioner.about("act", say, screen, read, n=samples)
        if not found:
            self.skipped(step)
        self.task.record("sample", different=len(found))
        return found

    async def remedy(
        self, step: int, screen: Observation, answers: Sequence[Action]
    ) -> Action | None:
        """G_remedy, equation 8: what instead, were the answers so far not right, or nothing."""
        say = await self._dialogue(step, answers, self.prompts.say("remedy"))
        read = partial(parsing.action_or_none, offered=self.questioner.offered(screen))
        return await self.questioner.about("remedy", say, screen, read)

    async def remedies(
        self, step: int, screen: Observation, first: Action, most: int
    ) -> Sequence[Action]:
        """G_remedy for several remedies at once, the likeliest first."""
        say = await self._dialogue(step, [first], self.prompts.say("remedies", most=most))
        read = partial(parsing.remedies, offered=self.questioner.offered(screen), most=most)
        return await self.questioner.about("remedies", say, screen, read)

    async def _dialogue(
        self, step: int, answers: Sequence[Action], question: str
    ) -> Callable[..., Talk]:
        """The request for an action, then each answer to it with the question that follows."""
        asked = await self._acting(step)

        def say(observation: str) -> Talk:
            talk = [message("user", asked(observation=observation))]
            for given in answers:
                talk.append(message("assistant", f"Action: {actions.show(given)}"))
                talk.append(message("user", question))
            return talk

        return say

    async def map_element(self, number: int, old: Observation, new: Observation) -> int | None:
        """G_map: the id that an element has on another screen."""
        say = partial(self.prompts.say, "map", instruction=self.task.instruction, element=number)
        read = partial(parsing.element, screen=new)
        return await self.questioner.between("map-element", say, old, new, read)

    # Assessments ---------------------------------------------------------------------------------

    async def describe(
        self, step: int, before: Observation, action: Action, after: Observation
    ) -> str:
        """G_describe, equation 5, alone: for methods without alignment."""
        say = partial(self._aligning(step, before, action), aligns=False)
        read = parsing.description
        return await self.questioner.between("describe", say, before, after, read)

    async def align(
        self, step: int, before: Observation, action: Action, after: Observation, limit: int = 0
    ) -> Assessment:
        """G_describe and G_align in one prompt, equations 5 and 9."""
        say = partial(self._aligning(step, before, action), aligns=True)
        return await self.questioner.between("align", say, before, after, parsing.alignment, limit)

    def _aligning(self, step: int, before: Observation, action: Action) -> Callable[..., str]:
        goal = {**self._goal(step), "notes": self.notes, "signs": self._signs}
        return partial(self.prompts.say, "align", **goal, action=taken(action, before))

    async def assess(
        self,
        step: int,
        before: Observation,
        action: Action,
        after: Observation,
        limit: int = 0,
        aligns: bool = True,
    ) -> Assessment:
        """Description, alignment where it `aligns`, and both completion checks in one prompt."""
        say = partial(await self.transition("assess", step, before, action), aligns=aligns)
        read = partial(parsing.assessment, aligns=aligns)
        form = "assess" if aligns else "review"
        found = await self.questioner.between("assess", say, before, after, read, limit, form)
        self.impossible = self.impossible or found.impossible
        return found

    async def is_step_done(self, step: int, screen: Observation) -> bool:
        """C for the subtask, equation 6; one that is not needed is done as well."""
        say = await self.situation("step_done", step)
        return await self.questioner.about("step-done", say, screen, parsing.check)

    async def is_done_already(self, screen: Observation, even_at_start: bool) -> bool:
        """C for the task on an attempt's first screen; before anything was done it is not asked,
        unless wanted."""
        return (bool(self.log) or even_at_start) and await self.is_task_done(screen)

    async def is_task_done(self, screen: Observation) -> bool:
        """C for the task, equation 7; what cannot be done is over as well."""
        say = partial(
            self.prompts.say,
            "task_done",
            instruction=self.task.instruction,
            plan=_numbered(self.plan),
            **await self._memory(),
        )
        found = await self.questioner.about("task-done", say, screen, parsing.completion)
        self.impossible = found == NOT_ACHIEVABLE
        return found != "NO"

    async def answer(self, screen: Observation) -> str:
        """G_answer, where the task asks for an answer."""
        if self.impossible:
            return NOT_ACHIEVABLE
        if self.task.answer is None:
            return ""
        instruction = self.task.instruction
        say = partial(self.prompts.say, "answer", instruction=instruction, **await self._memory())
        return await self.questioner.about("answer", say, screen, parsing.answer)

    # What is shown -------------------------------------------------------------------------------

    async def _summarised(self, lines: list[str]) -> str:
        """The lines of a history; too many of them are replaced by their summary for good."""
        history = "\n".join(lines)
        if tokens.of_text(history) > self.settings.history_tokens:
            instruction = self.task.instruction
            asked = self.prompts.say("history_summary", instruction=instruction, history=history)
            lines[:] = (await self.questioner.text("history-summary", asked)).strip().split("\n")
            self.task.record("abstract", "\n".join(lines))
        return "\n".join(lines)

    async def _memory(self) -> dict[str, Any]:
        history = await self._summarised(self.log if self.history == "all" else self.path)
        return {"history": history or "None", "notes": self.notes, "signs": self._signs}

    async def situation(self, text: str, step: int) -> Callable[..., str]:
        """A text about a step, but for its `observation`."""
        return partial(self.prompts.say, text, **self._goal(step), **await self._memory())

    async def _acting(self, step: int, thinks: bool = False) -> Callable[..., str]:
        """The request for an action, after a thought where it `thinks`."""
        say = await self.situation("act", step)
        rules, operations = self.prompts.say("rules"), self.prompts.operations()
        return partial(say, rules=rules, operations=operations, thinks=thinks)

    async def transition(
        self, text: str, step: int, before: Observation, action: Action
    ) -> Callable[..., str]:
        """A text about what an action led to, but for both `screens`."""
        return partial(await self.situation(text, step), action=taken(action, before))

    @property
    def _signs(self) -> str:
        """What stands on the site's screens and does not explain itself."""
        return self.prompts.say("signs")

    def _goal(self, step: int) -> dict[str, str]:
        return {
            "instruction": self.task.instruction,
            "plan": _numbered(self.plan),
            "step": f"{step}. {self.plan[step - 1]}",
        }

    # What is remembered --------------------------------------------------------------------------

    def did(self, action: Action, on: Observation, outcome: str = "") -> None:
        """Count an executed action and add it to H with its outcome; a note is kept besides."""
        self.taken += 1
        self._remember(" -- ".join(filter(None, (taken(action, on), outcome))))
        if isinstance(action, Note):
            self.notes.append(action.text)

    def skipped(self, step: int) -> None:
        """Add to H that a step was passed over."""
        self.task.record("skip", self.plan[step - 1], number=step)
        self._remember(f"{parsing.SKIP} -- The step '{self.plan[step - 1]}' needed no action.")

    def moved(self, url: str, why: str) -> None:
        """Add to H that the page changed without an action of the plan."""
        self._remember(f"{actions.show(Goto(url))} -- {why}")

    def _remember(self, line: str) -> None:
        self.log.append(line)
        self.path.append(line)


def check_prompts(method: str, site: str, folder: Path) -> None:
    """Raise `BadPrompt` where a method's prompts for a site cannot be used."""
    prompting.load(method, site, folder).operations()


def taken(action: Action, screen: Observation) -> str:
    """An action as it was written, and its elements by what they are called."""
    numbers = [getattr(action, name, None) for name in ("target", "onto")]
    named = {each.id: f"{each.role} '{each.name}'" for each in screen.elements}
    found = [named[number] for number in numbers if number in named]
    return actions.show(action) + (f" -- on {' and '.join(found)}" if found else "")


def look(screen: Observation) -> Observation:
    """What the screen shows, without what went wrong on it last and how long it took."""
    return replace(screen, error=None, screenshot=None, capped=False)


def _numbered(plan: Sequence[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(plan, start=1))
