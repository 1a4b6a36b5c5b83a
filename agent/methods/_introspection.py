"""What Anticipatory Reflection and Plan+Act ask the model, and what they keep of it.

The functions G of the paper (section 3 and appendix), one method each. H, the history, tells of
every attempt; notes are kept as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from agent import actions, plugins, renderings
from agent.interface import LLM, Action, Goto, Message, Note, Observation, Reply, Task
from agent.llm import tokens
from agent.llm.asking import ask_for
from agent.methods import _replies
from agent.methods._replies import Judgement
from agent.prompting import BadPrompt, Prompts
from agent.renderings.markers import fence, guard

T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """What both methods can be set to; defaults are the paper's (section 4.1).

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
        asked = self.prompts.say(
            "plan",
            **self._setting(),
            instruction=self.task.instruction,
            observation=self.guarded(start),
            failed=_numbered(self.plan),
            history=await self._told(self.log),
            notes=self.notes,
        )
        return await self.ask("plan", asked, _replies.plan)

    # Actions -------------------------------------------------------------------------------------

    async def next_action(self, step: int, screen: Observation) -> Action:
        """G_action, equation 3."""
        return await self.ask("act", await self._situation("act", step, screen), self._read_action)

    async def remedy(self, step: int, screen: Observation, answers: Sequence[Action]) -> Action:
        """G_remedy, equation 8: what instead, were the answers so far not right."""
        question = await self._situation("act", step, screen)
        talk: list[Message] = [_said("user", question)]
        for given in answers:
            talk += [
                _said("assistant", f"Action: {actions.show(given)}"),
                _said("user", self.prompts.say("remedy")),
            ]
        return await self.ask("remedy", talk, self._read_action)

    def _read_action(self, reply: Reply) -> Action:
        return _replies.action(reply, self.prompts.data["operations"])

    async def map_element(self, number: int, old: Observation, new: Observation) -> int | None:
        """G_map: the id that an element has on another screen."""
        asked = self.prompts.say(
            "map",
            instruction=self.task.instruction,
            element=number,
            before=fence(self.render(old)),
            after=fence(self.render(new)),
        )
        return await self.ask("map-element", asked, partial(_replies.element, screen=new))

    # Judgements ----------------------------------------------------------------------------------

    async def align(self, step: int, before: str, action: str, after: str) -> Judgement:
        """G_describe and G_align in one prompt, equations 5 and 9."""
        asked = self.prompts.say(
            "align", **self._goal(step), before=fence(before), action=action, after=fence(after)
        )
        return await self.ask("align", asked, _replies.alignment)

    async def judge(self, step: int, before: str, action: str, after: str) -> Judgement:
        """The same with both checks of completion in one prompt."""
        asked = self.prompts.say(
            "judge",
            **self._goal(step),
            history=await self._shown_history(),
            notes=self.notes,
            before=fence(before),
            action=action,
            after=fence(after),
        )
        return await self.ask("judge", asked, _replies.judgement)

    async def is_step_done(self, step: int, screen: Observation) -> bool:
        """C for the subtask, equation 6; one that is not needed is done as well."""
        asked = await self._situation("step_done", step, screen)
        return await self.ask("step-done", asked, _replies.check)

    async def is_task_done(self, screen: Observation) -> bool:
        """C for the task, equation 7."""
        asked = self.prompts.say(
            "task_done",
            instruction=self.task.instruction,
            plan=_numbered(self.plan),
            history=await self._shown_history(),
            notes=self.notes,
            observation=self.guarded(screen),
        )
        return await self.ask("task-done", asked, _replies.check)

    async def answer(self, screen: Observation) -> str:
        """G_answer."""
        asked = self.prompts.say(
            "answer",
            instruction=self.task.instruction,
            history=await self._shown_history(),
            notes=self.notes,
            observation=self.guarded(screen),
        )
        return await self.ask("answer", asked, _replies.answer)

    # What is shown -------------------------------------------------------------------------------

    def guarded(self, screen: Observation) -> str:
        """As it may stand between the markers of a template."""
        return guard(self.render(screen))

    def render(self, screen: Observation) -> str:
        return renderings.get(self.prompts.rendering).render(screen)

    async def summary(self, shown: str, limit: int) -> str:
        """A screen in fewer words where it takes more tokens than the limit."""
        if tokens.of_text(shown) <= limit:
            return shown
        told = {"instruction": self.task.instruction, "observation": guard(shown)}
        short = (await self._llm_ask("summary", self.prompts.say("summary", **told))).text
        self.task.record("abstract", short)
        return short

    async def _told(self, lines: list[str]) -> str:
        """The lines of a history; from now on a summary of them where they are too many."""
        if tokens.of_text("\n".join(lines)) > self.settings.history_tokens:
            told = {"instruction": self.task.instruction, "history": "\n".join(lines)}
            asked = self.prompts.say("history_summary", **told)
            lines[:] = (await self._llm_ask("history-summary", asked)).text.strip().split("\n")
            self.task.record("abstract", "\n".join(lines))
        return "\n".join(lines)

    async def _shown_history(self) -> str:
        return await self._told(self.log if self.history == "all" else self.path)

    async def _situation(self, text: str, step: int, screen: Observation) -> str:
        setting = self._setting() if text == "act" else {}
        return self.prompts.say(
            text,
            **setting,
            **self._goal(step),
            history=await self._shown_history(),
            notes=self.notes,
            observation=self.guarded(screen),
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
        self._keep(" -- ".join(filter(None, (actions.show(action), in_words(action, on), told))))
        if isinstance(action, Note):
            self.notes.append(action.text)

    def moved(self, url: str, why: str) -> None:
        """The page is another one by no action of the plan."""
        self._keep(f"{actions.show(Goto(url))} -- {why}")

    def _keep(self, line: str) -> None:
        self.log.append(line)
        self.path.append(line)

    # Asking --------------------------------------------------------------------------------------

    async def ask(self, purpose: str, asked: str | list[Message], parse: Callable[[Reply], T]) -> T:
        """What `parse` makes of the reply. Raises FormatError where no reply could be read."""
        talk = [_said("user", asked)] if isinstance(asked, str) else asked
        return await ask_for(
            self.llm,
            f"{self.method}/{purpose}",
            talk,
            parse,
            reasks=self.settings.reasks,
            on_reask=partial(self.task.record, "reask"),
            **self._sampling(),
        )

    async def _llm_ask(self, purpose: str, asked: str) -> Reply:
        talk = [_said("user", asked)]
        return await self.llm.ask(f"{self.method}/{purpose}", talk, **self._sampling())

    def _sampling(self) -> dict[str, Any]:
        warm = {"temperature": self.settings.temperature} if self.settings.temperature >= 0 else {}
        return {"max_tokens": self.settings.max_tokens, **warm}


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


def look(screen: Observation) -> Observation:
    """The screen without what went wrong on it last."""
    return replace(screen, error=None, screenshot=None)


def _numbered(plan: Sequence[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(plan, start=1))


def _said(role: str, text: str) -> Message:
    return {"role": role, "content": text}
