"""What Anticipatory Reflection, Plan+Act and LATS ask the model, and what they keep of it.

The functions G of the paper (section 3 and appendix), one method each. H, the history, tells of
every attempt; notes are kept as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from agent import actions, plugins
from agent.interface import LLM, Action, Goto, Note, Observation, Reply, Task
from agent.llm import tokens
from agent.llm.asking import temperature
from agent.methods.anticipatory_reflection import parsing
from agent.methods.anticipatory_reflection.parsing import Judgement
from agent.methods.anticipatory_reflection.questioner import Questioner, Talk, message
from agent.prompting import BadPrompt, Prompts


@dataclass(frozen=True)
class Settings:
    """What all of them can be set to; defaults are the paper's (section 4.1).

    `attempts`: passes at the task, each with a plan of its own. `max_actions`: of the whole task,
    or of each attempt (`per_attempt`). `temperature`: -1 leaves it to the model. `max_tokens`: of
    a reply. `history_tokens`: a longer history is summarised. `reasks`: for replies that cannot
    be read.
    """

    attempts: int = 7
    max_actions: int = 30
    per_attempt: bool = False
    temperature: float = 1.0
    max_tokens: int = 512
    history_tokens: int = 2000
    reasks: int = 2

    def __post_init__(self) -> None:
        least = {"attempts": 1, "max_actions": 1, "max_tokens": 1, "history_tokens": 1, "reasks": 0}
        for name, number in least.items():
            if getattr(self, name) < number:
                raise ValueError(f"{name}={getattr(self, name)} is below {number}")

    @property
    def sampling(self) -> dict[str, Any]:
        """What goes with every request."""
        return {"max_tokens": self.max_tokens, "temperature": temperature(self.temperature)}


@dataclass
class Introspection:
    """Who is asked. `log` is H over all attempts; `path` is the part of it that led here."""

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
    """Actions that count towards `max_actions`."""
    asker: Questioner = field(init=False)

    def __post_init__(self) -> None:
        """Questions are asked with the settings' sampling."""
        reasks, sampling = self.settings.reasks, self.settings.sampling
        self.asker = Questioner(self.method, self.task, self.llm, self.prompts, reasks, sampling)

    @property
    def spent(self) -> bool:
        """Whether no action is left, of the task or of this attempt."""
        return self.taken >= self.settings.max_actions

    @property
    def over(self) -> bool:
        """Whether the cap ends the task for good."""
        return self.spent and not self.settings.per_attempt

    # Plans ---------------------------------------------------------------------------------------

    async def make_plan(self, start: Observation) -> None:
        """G_plan, equation 1."""
        self.plan = await self._plan(start)
        self.task.record("plan", _numbered(self.plan), length=len(self.plan))

    async def revise_plan(self, start: Observation) -> None:
        """G_plan with the failed plan and H, equation 10; a new attempt begins with it."""
        self.plan = await self._plan(start)
        self.task.record("revise", _numbered(self.plan), length=len(self.plan))
        self.path.clear()
        self.moved(start.url, "A new attempt began here.")
        self.taken = 0 if self.settings.per_attempt else self.taken

    async def _plan(self, start: Observation) -> list[str]:
        say = partial(
            self.prompts.say,
            "plan",
            **self._setting(),
            instruction=self.task.instruction,
            failed=_numbered(self.plan),
            history=await self._told(self.log),
            notes=self.notes,
        )
        return await self.asker.about("plan", say, start, parsing.plan)

    # Actions -------------------------------------------------------------------------------------

    async def next_action(self, step: int, screen: Observation) -> Action:
        """G_action, equation 3."""
        say = await self.situation("act", step)
        return await self.asker.about("act", say, screen, self.read_action)

    async def remedy(self, step: int, screen: Observation, answers: Sequence[Action]) -> Action:
        """G_remedy, equation 8: what instead, were the answers so far not right."""
        question = await self.situation("act", step)

        def dialogue(observation: str) -> Talk:
            talk = [message("user", question(observation=observation))]
            for given in answers:
                talk.append(message("assistant", f"Action: {actions.show(given)}"))
                talk.append(message("user", self.prompts.say("remedy")))
            return talk

        return await self.asker.about("remedy", dialogue, screen, self.read_action)

    def read_action(self, reply: Reply) -> Action:
        return parsing.action(reply, self.prompts.data["operations"])

    async def map_element(self, number: int, old: Observation, new: Observation) -> int | None:
        """G_map: the id that an element has on another screen."""
        say = partial(self.prompts.say, "map", instruction=self.task.instruction, element=number)
        read = partial(parsing.element, screen=new)
        return await self.asker.between("map-element", say, old, new, read)

    # Judgements ----------------------------------------------------------------------------------

    async def align(
        self, step: int, before: Observation, action: Action, after: Observation, limit: int = 0
    ) -> Judgement:
        """G_describe and G_align in one prompt, equations 5 and 9."""
        done = taken(action, before)
        say = partial(self.prompts.say, "align", **self._goal(step), action=done)
        return await self.asker.between("align", say, before, after, parsing.alignment, limit)

    async def judge(
        self, step: int, before: Observation, action: Action, after: Observation, limit: int = 0
    ) -> Judgement:
        """The same with both checks of completion in one prompt."""
        say = await self.transition("judge", step, before, action)
        return await self.asker.between("judge", say, before, after, parsing.judgement, limit)

    async def is_step_done(self, step: int, screen: Observation) -> bool:
        """C for the subtask, equation 6; one that is not needed is done as well."""
        say = await self.situation("step_done", step)
        return await self.asker.about("step-done", say, screen, parsing.check)

    async def is_task_done(self, screen: Observation) -> bool:
        """C for the task, equation 7."""
        say = partial(
            self.prompts.say,
            "task_done",
            instruction=self.task.instruction,
            plan=_numbered(self.plan),
            history=await self.shown_history(),
            notes=self.notes,
        )
        return await self.asker.about("task-done", say, screen, parsing.check)

    async def answer(self, screen: Observation) -> str:
        """G_answer."""
        say = partial(
            self.prompts.say,
            "answer",
            instruction=self.task.instruction,
            history=await self.shown_history(),
            notes=self.notes,
        )
        return await self.asker.about("answer", say, screen, parsing.answer)

    # What is shown -------------------------------------------------------------------------------

    async def _told(self, lines: list[str]) -> str:
        """The lines of a history; from now on a summary of them where they are too many."""
        if tokens.of_text("\n".join(lines)) > self.settings.history_tokens:
            told = {"instruction": self.task.instruction, "history": "\n".join(lines)}
            asked = self.prompts.say("history_summary", **told)
            lines[:] = (await self.asker.text("history-summary", asked)).strip().split("\n")
            self.task.record("abstract", "\n".join(lines))
        return "\n".join(lines)

    async def shown_history(self) -> str:
        return await self._told(self.log if self.history == "all" else self.path)

    async def situation(self, text: str, step: int) -> Callable[..., str]:
        """A text about a step, but for its `observation`."""
        setting = self._setting() if text == "act" else {}
        return partial(
            self.prompts.say,
            text,
            **setting,
            **self._goal(step),
            history=await self.shown_history(),
            notes=self.notes,
        )

    async def transition(
        self, text: str, step: int, before: Observation, action: Action
    ) -> Callable[..., str]:
        """A text about what an action led to, but for both screens, `before` and `after`."""
        return partial(
            self.prompts.say,
            text,
            **self._goal(step),
            history=await self.shown_history(),
            notes=self.notes,
            action=taken(action, before),
        )

    def _setting(self) -> dict[str, str]:
        return {"intro": self.prompts.say("intro"), "operations": operations(self.prompts)}

    def _goal(self, step: int) -> dict[str, str]:
        return {
            "instruction": self.task.instruction,
            "plan": _numbered(self.plan),
            "step": f"{step}. {self.plan[step - 1]}",
        }

    # What is kept --------------------------------------------------------------------------------

    def did(self, action: Action, on: Observation, told: str = "") -> None:
        """An action is executed: it counts, and goes into H with what is told of it."""
        self.taken += 1
        self._keep(" -- ".join(filter(None, (taken(action, on), told))))
        if isinstance(action, Note):
            self.notes.append(action.text)

    def moved(self, url: str, why: str) -> None:
        """The page is another one by no action of the plan."""
        self._keep(f"{actions.show(Goto(url))} -- {why}")

    def _keep(self, line: str) -> None:
        self.log.append(line)
        self.path.append(line)


def operations(prompts: Prompts) -> str:
    """The operations that a site's prompts offer, a line each."""
    try:
        return actions.describe(prompts.data["operations"])
    except (KeyError, plugins.UnknownName) as error:
        raise BadPrompt(f"{prompts.path}: operations: {error}; list verbs there") from None


def in_words(action: Action, screen: Observation) -> str:
    """The elements of an action by what they are called, "" where it has none."""
    numbers = [getattr(action, name, None) for name in ("target", "onto")]
    named = {each.id: f"{each.role} '{each.name}'" for each in screen.elements}
    found = [named[number] for number in numbers if number in named]
    return f"on {' and '.join(found)}" if found else ""


def taken(action: Action, screen: Observation) -> str:
    """An action as it was written, and in words."""
    return " -- ".join(filter(None, (actions.show(action), in_words(action, screen))))


def look(screen: Observation) -> Observation:
    """What the screen shows, without what went wrong on it last and how long it took."""
    return replace(screen, error=None, screenshot=None, capped=False)


def _numbered(plan: Sequence[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(plan, start=1))
