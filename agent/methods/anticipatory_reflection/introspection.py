"""The requests of Anticipatory Reflection and its baselines to the model, and their memory of past
actions.

Each of the paper's functions G (generation) and C (completion check) is one method (section 3 and
appendix). The action history H and the notes span all attempts.
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
from agent.methods.anticipatory_reflection import loops, parsing
from agent.methods.anticipatory_reflection.parsing import NOT_ACHIEVABLE, Assessment
from agent.methods.anticipatory_reflection.questioner import Questioner, Settings, Talk
from agent.prompting import Prompts


@dataclass(frozen=True)
class AttemptSettings(Settings):
    """Options of the attempts at a task.

    Attributes:
        attempts: Number of attempts, each with its own plan.
        max_actions: Actions at most for the whole task, or for each attempt with `per_attempt`.
        per_attempt: Whether `max_actions` is the limit of an attempt.
        batched: Whether related questions are asked in one request.
        check_start: Whether to ask whether the task is done before the first action.
        answer_each: Whether a failed attempt gives an answer too, if the task asks for one.
        lessons: Whether the model draws a lesson from a failed attempt, as in LATS.
        loops: Whether a plan may have loops and procedures (section 5.2).
    """

    attempts: int = 7
    max_actions: int = 30
    per_attempt: bool = False
    batched: bool = True
    check_start: bool = False
    answer_each: bool = False
    lessons: bool = False
    loops: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, attempts=1, max_actions=1)

    def is_spent(self, taken: int) -> bool:
        """Return whether the limit of actions is reached: of the task, or with `per_attempt` of
        this attempt.
        """
        return taken >= self.max_actions

    def is_over(self, taken: int) -> bool:
        """Return whether the limit of actions is reached and ends the whole task, not only the
        attempt.
        """
        return self.is_spent(taken) and not self.per_attempt


def budget(standard: Any, options: AttemptSettings) -> Any:
    """Return the budget of an episode: the standard budget multiplied by the number of attempts, or
    more if `max_actions` needs it.
    """
    attempts = options.attempts
    actions = options.max_actions * (attempts if options.per_attempt else 1)
    steps = max(standard.steps * attempts, actions + attempts)
    calls = max(standard.calls * attempts, 8 * steps)
    return replace(standard, steps=steps, calls=calls, attempts=attempts)


@dataclass
class Introspection:
    """The model requests of Anticipatory Reflection in one episode, and the method's memory of past
    actions.

    Attributes:
        history: The history that the model sees: "all" for `log`, "path" for `path`.
        plan: The steps of the current plan.
        log: H over all attempts.
        path: The part of H that led to the current page.
        notes: The notes that the agent has taken.
        taken: Number of actions that count towards `max_actions`.
        impossible: Whether the model found that the task cannot be done.
        subtask: Number of the current step of the plan.
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
    subtask: int = 1
    questioner: Questioner = field(init=False)

    def __post_init__(self) -> None:
        own = (self.method, self.task, self.llm, self.prompts)
        self.questioner = Questioner(*own, self.settings)

    @classmethod
    def begin(
        cls, method: str, task: Task, llm: LLM, settings: Settings, history: str = "all"
    ) -> Self:
        """Return the requests of one episode, with the prompts for the task's site.

        Raises:
            BadPrompt: The method has no prompts for the task.
        """
        prompts = prompting.load(method, task.site, settings.prompts)
        prompts.check(task.family)
        return cls(method, task, llm, prompts, settings, history)

    # Plans ---------------------------------------------------------------------------------------

    async def make_plan(self, start: Observation) -> None:
        """Ask the model for a plan and keep it: the paper's G_plan, equation 1."""
        self.plan = await self._plan(start)
        self.task.record("plan", parsing.numbered(self.plan), length=len(self.plan))

    async def revise_plan(self, start: Observation, recount: bool = False) -> None:
        """Revise the plan, given the failed plan and H, and begin a new attempt: G_plan, equation
        10.

        Args:
            start: The start page.
            recount: Whether to count the actions from 0 again.
        """
        self.plan = await self._plan(start)
        self.task.record("revise", parsing.numbered(self.plan), length=len(self.plan))
        self.path.clear()
        self.moved(start.url, "A new attempt began here.")
        self.taken = 0 if recount else self.taken

    async def conclude(self, screen: Observation, options: AttemptSettings) -> None:
        """End a failed attempt on its last page: give its answer (figure 6 counts them), and keep a
        lesson in the notes.
        """
        if options.answer_each and self.task.answer is not None:
            self.task.record("answer", await self.answer(screen))
        if options.lessons:
            self.notes.append(await self.reflect(self.subtask, screen))

    async def reflect(self, step: int, screen: Observation) -> str:
        """Return the lesson that the model draws from a failure (LATS, section 4)."""
        say = await self.situation("reflect", step)
        lesson = await self.questioner.about("reflect", say, screen, parsing.reflection)
        self.task.record("reflect", lesson)
        return lesson

    async def _plan(self, start: Observation) -> list[str]:
        say = partial(
            self.prompts.say,
            "plan",
            intro=self.prompts.say("intro"),
            operations=self.prompts.operations(),
            signs=self._signs,
            asks=self.task.answer is not None,
            instruction=self.task.instruction,
            failed=parsing.numbered(self.plan),
            history=await self._summarised(self.log),
            notes=self.notes,
            loops=self._has_loops,
        )
        read = loops.plan if self._has_loops else parsing.plan
        return await self.questioner.about("plan", say, start, read)

    @property
    def _has_loops(self) -> bool:
        """Return whether plans may have loops and procedures."""
        return isinstance(self.settings, AttemptSettings) and self.settings.loops

    async def reaches(self, step: int, screen: Observation) -> bool:
        """Return whether the plan has this step; a loop there is unrolled first."""
        while self._has_loops and (loop := self._loop(step)):
            say = await self.situation("things", step)
            found = await self.questioner.about("things", say, screen, loops.things)
            self.plan[step - 1 : step] = loop.unrolled(found, self.plan)
            self.task.record("unroll", loop.things, things=found, steps=len(self.plan))
        return step <= len(self.plan)

    def _loop(self, step: int) -> loops.Loop | None:
        """Return the loop that a step of the plan is; None for another step or after the last."""
        return loops.Loop.read(self.plan[step - 1]) if step <= len(self.plan) else None

    # Actions -------------------------------------------------------------------------------------

    async def next_action(self, step: int, screen: Observation) -> Action | None:
        """Return the next action: G_action, equation 3.

        Returns:
            The action; None if the step needs none, which is added to H.
        """
        say = await self._acting(step)
        parse = parsing.action_or_skip if self.settings.skips else parsing.action
        read = partial(parse, offered=self.questioner.offered(screen))
        found = await self.questioner.about("act", say, screen, read, form=self._form)
        if found is None:
            self.skipped(step)
        return found

    async def sample_actions(
        self, step: int, screen: Observation, samples: int, thinks: bool = False
    ) -> Mapping[Action, str]:
        """Sample G_action several times in one request and merge duplicates.

        Args:
            step: Number of the subtask.
            screen: The page.
            samples: Number of samples.
            thinks: Whether to ask for a thought before each action.

        Returns:
            The distinct actions, each with its first thought ("" unless `thinks`). Empty if the
                step needs no action.
        """
        say = await self._acting(step, thinks)
        parse = parsing.samples_or_skip if self.settings.skips else parsing.samples
        read = partial(parse, offered=self.questioner.offered(screen))
        found = await self.questioner.about("act", say, screen, read, samples, self._form)
        if not found:
            self.skipped(step)
        self.task.record("sample", different=len(found), asked=samples)
        return found

    @property
    def _form(self) -> str:
        """Return the name of the structured format of an action's reply."""
        return "act" if self.settings.skips else "action"

    async def remedy(
        self, step: int, screen: Observation, answers: Sequence[Action]
    ) -> Action | None:
        """Return an action to take in case the answers up to now are wrong: the paper's G_remedy,
        equation 8.

        Returns:
            The action, or None if the model knows no other.
        """
        say = await self._dialogue(step, answers, self.prompts.say("remedy"))
        read = partial(parsing.action_or_none, offered=self.questioner.offered(screen))
        return await self.questioner.about("remedy", say, screen, read)

    async def remedies(
        self, step: int, screen: Observation, first: Action, most: int
    ) -> Sequence[Action]:
        """Return several remedies (alternatives to the first action) from one request, likeliest
        first: the paper's G_remedy.
        """
        say = await self._dialogue(step, [first], self.prompts.say("remedies", most=most))
        read = partial(parsing.remedies, offered=self.questioner.offered(screen), most=most)
        return await self.questioner.about("remedies", say, screen, read)

    async def _dialogue(
        self, step: int, answers: Sequence[Action], question: str
    ) -> Callable[..., Talk]:
        """Return a function that makes the chat messages for a page: the request for an action,
        then each answer so far and the question for another.
        """
        asked = await self._acting(step)

        def say(observation: str) -> Talk:
            talk = [message("user", asked(observation=observation))]
            for given in answers:
                talk.append(message("assistant", f"Action: {actions.show(given)}"))
                talk.append(message("user", question))
            return talk

        return say

    async def map_element(self, number: int, old: Observation, new: Observation) -> int | None:
        """Return the id that an element of an old page has on a new page, or None if the model
        finds none: the paper's G_map.
        """
        say = partial(self.prompts.say, "map", instruction=self.task.instruction, element=number)
        read = partial(parsing.element, screen=new)
        return await self.questioner.between("map-element", say, old, new, read)

    # Assessments ---------------------------------------------------------------------------------

    async def describe(
        self, step: int, before: Observation, action: Action, after: Observation
    ) -> str:
        """Describe an action alone, for methods without alignment: G_describe, equation 5."""
        say = partial(self._aligning(step, before, action), aligns=False)
        read = parsing.description
        return await self.questioner.between("describe", say, before, after, read)

    async def align(
        self, step: int, before: Observation, action: Action, after: Observation, limit: int = 0
    ) -> Assessment:
        """Describe an action and check in the same request whether it served its subtask: the
        paper's G_describe and G_align, equations 5 and 9.
        """
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
        """Ask in one request for the description of an action, for its alignment (if `aligns`), and
        whether the subtask and the task are done.
        """
        say = partial(await self.transition("assess", step, before, action), aligns=aligns)
        read = partial(parsing.assessment, aligns=aligns)
        form = "assess" if aligns else "review"
        found = await self.questioner.between("assess", say, before, after, read, limit, form)
        self.impossible = self.impossible or found.impossible
        return found

    async def is_step_done(self, step: int, screen: Observation) -> bool:
        """Return whether the subtask is done or not needed: C, equation 6."""
        say = await self.situation("step_done", step)
        return await self.questioner.about("step-done", say, screen, parsing.check)

    async def is_done_already(self, screen: Observation, even_at_start: bool) -> bool:
        """Return whether the task is done on the first page of an attempt, by asking the model.

        The model is not asked before the first action of all, unless `even_at_start`.
        """
        return (bool(self.log) or even_at_start) and await self.is_task_done(screen)

    async def is_task_done(self, screen: Observation) -> bool:
        """Return whether the task is done or cannot be done: C, equation 7."""
        say = partial(
            self.prompts.say,
            "task_done",
            instruction=self.task.instruction,
            plan=parsing.numbered(self.plan),
            **await self._memory(),
        )
        found = await self.questioner.about("task-done", say, screen, parsing.completion)
        self.impossible = found == NOT_ACHIEVABLE
        return found != "NO"

    async def answer(self, screen: Observation) -> str:
        """Return the answer to the task (the paper's G_answer): "" if the task asks for none, or
        NOT_ACHIEVABLE.
        """
        if self.impossible:
            return NOT_ACHIEVABLE
        if self.task.answer is None:
            return ""
        instruction = self.task.instruction
        say = partial(self.prompts.say, "answer", instruction=instruction, **await self._memory())
        return await self.questioner.about("answer", say, screen, parsing.answer)

    # What is shown -------------------------------------------------------------------------------

    async def _summarised(self, lines: list[str]) -> str:
        """Return the lines of the action history as text; if they are too long, the model's summary
        replaces them for all later requests.
        """
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
        """Return a function that fills a prompt about a subtask and lacks only the argument
        `observation`.
        """
        return partial(self.prompts.say, text, **self._goal(step), **await self._memory())

    async def _acting(self, step: int, thinks: bool = False) -> Callable[..., str]:
        """Return a function that fills the prompt for the next action from an `observation`; with
        `thinks` the prompt asks for a thought first.
        """
        say = await self.situation("act", step)
        rules, operations = self.prompts.say("rules"), self.prompts.operations()
        shown = {"rules": rules, "operations": operations, "skips": self.settings.skips}
        return partial(say, **shown, thinks=thinks)

    async def transition(
        self, text: str, step: int, before: Observation, action: Action
    ) -> Callable[..., str]:
        """Return a function that fills a prompt about the effect of an action and lacks only the
        argument `screens`.
        """
        return partial(await self.situation(text, step), action=taken(action, before))

    @property
    def _signs(self) -> str:
        """Return the prompt file's explanations of signs on the site's pages that are not
        obvious.
        """
        return self.prompts.say("signs")

    def _goal(self, step: int) -> dict[str, str]:
        return {
            "instruction": self.task.instruction,
            "plan": parsing.numbered(self.plan),
            "step": f"{step}. {self.plan[step - 1]}",
        }

    # What is remembered --------------------------------------------------------------------------

    def turn_to(self, step: int) -> None:
        """Record that a step of the plan is the current one."""
        self.subtask = step
        self.task.record("subtask", self.plan[step - 1], number=step)

    def did(self, action: Action, on: Observation, outcome: str = "") -> None:
        """Count an executed action and add it to the action history, with its outcome.

        The text of a note is also kept.
        """
        self.taken += 1
        self._remember(" -- ".join(filter(None, (taken(action, on), outcome))))
        if isinstance(action, Note):
            self.notes.append(action.text)

    def skipped(self, step: int) -> None:
        """Add a line to the action history that a step of the plan needed no action."""
        self.task.record("skip", self.plan[step - 1], number=step)
        self._remember(f"{parsing.SKIP} -- The step '{self.plan[step - 1]}' needed no action.")

    def moved(self, url: str, why: str) -> None:
        """Add a line to the action history that the page changed without an action of the plan."""
        self._remember(f"{actions.show(Goto(url))} -- {why}")

    def _remember(self, line: str) -> None:
        self.log.append(line)
        self.path.append(line)


def check_prompts(method: str, site: str, folder: Path) -> None:
    """Raise `BadPrompt` if a method's prompts for a site cannot be used."""
    prompting.load(method, site, folder).operations()


def taken(action: Action, screen: Observation) -> str:
    """Return an action in the form in which the model writes it, followed by the roles and names of
    its elements.
    """
    numbers = [getattr(action, name, None) for name in ("target", "onto")]
    named = {each.id: f"{each.role} '{each.name}'" for each in screen.elements}
    found = [named[number] for number in numbers if number in named]
    return actions.show(action) + (f" -- on {' and '.join(found)}" if found else "")


def place_on_page(action: Action, screen: Observation) -> dict[str, int]:
    """Return the place of an action's element `among` the elements of the same role on the page,
    from 1; empty if the action has no element there.
    """
    target = next((e for e in screen.elements if e.id == getattr(action, "target", None)), None)
    if target is None:
        return {}
    alike = [each for each in screen.elements if each.role == target.role]
    return {"place": alike.index(target) + 1, "among": len(alike)}


def look(screen: Observation) -> Observation:
    """Return the page without its last error, its picture, and the mark that it was still busy."""
    return replace(screen, error=None, screenshot=None, capped=False)
