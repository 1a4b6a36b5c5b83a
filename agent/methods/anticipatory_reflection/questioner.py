"""Ask about screens; summarise a screen that is too long for the model's context.

Where a request does not fit, it and all later ones show a summary of its screen. A request that
does not fit with summaries raises `ContextOverflow`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from agent import prompting, renderings
from agent.interface import LLM, ContextOverflow, Message, Observation, Reply, Task
from agent.llm import tokens
from agent.llm.asking import ask_for, message, temperature
from agent.llm.structured import ReplyForm
from agent.methods import check_least
from agent.methods.anticipatory_reflection import reply_forms
from agent.offered import with_inputs
from agent.prompting import Prompts
from agent.renderings.joined import join
from agent.renderings.markers import guard

T = TypeVar("T")
Talk = str | list[Message]  # a question, or the dialogue that ends in it


@dataclass(frozen=True)
class Settings:
    """Options of every request; defaults are the paper's (section 4.1).

    `temperature`: -1 leaves it to the model. `max_tokens`: of a reply. `history_tokens`: summarise
    a longer history. `reasks`: for replies that cannot be read. `structured`: ask for replies by a
    JSON schema. `prompts`: the folder of the files.
    """

    temperature: float = 1.0
    max_tokens: int = 512
    history_tokens: int = 2000
    reasks: int = 2
    structured: bool = False
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, max_tokens=1, history_tokens=1, reasks=0)

    @property
    def sampling(self) -> dict[str, Any]:
        return {"max_tokens": self.max_tokens, "temperature": temperature(self.temperature)}


@dataclass
class Questioner:
    """Asks for one method."""

    method: str
    task: Task
    llm: LLM
    prompts: Prompts
    settings: Settings
    overlong: set[Observation] = field(default_factory=set)
    """The screens with which a request did not fit."""
    summaries: dict[Observation, str] = field(default_factory=dict)

    async def about(
        self,
        purpose: str,
        say: Callable[..., Talk],
        screen: Observation,
        parse: Callable[[Reply], T],
        n: int = 1,
    ) -> T:
        """Ask about a screen; `say` takes it as `observation`."""

        async def asked() -> T:
            text = say(observation=guard(await self.show(screen)))
            return await self._ask(purpose, text, parse, (screen,), n)

        return await self._fitting(asked, screen)

    async def between(
        self,
        purpose: str,
        say: Callable[..., Talk],
        before: Observation,
        after: Observation,
        parse: Callable[[Reply], T],
        limit: int = 0,
        form: str = "",
    ) -> T:
        """Ask about two screens; `say` takes both in one text as `screens`.

        A screen of more tokens than the limit is summarised. `form` is that of a structured reply,
        where it is not the one of the purpose.
        """

        async def asked() -> T:
            first, second = await self.show(before, limit), await self.show(after, limit)
            text = say(screens=guard(join(first, second)))
            return await self._ask(purpose, text, parse, (before, after), form=form)

        return await self._fitting(asked, before, after)

    async def _fitting(self, asked: Callable[[], Awaitable[T]], *screens: Observation) -> T:
        """Ask; where that does not fit the context, repeat with summaries of the screens."""
        try:
            return await asked()
        except ContextOverflow:
            if self.overlong.issuperset(screens):
                raise
        self.overlong.update(screens)
        return await asked()

    async def _ask(
        self,
        purpose: str,
        asked: Talk,
        parse: Callable[[Reply], T],
        screens: Sequence[Observation],
        n: int = 1,
        form: str = "",
    ) -> T:
        """What `parse` makes of the reply. Raises FormatError where no reply could be read."""
        talk = [message("user", asked)] if isinstance(asked, str) else asked
        return await ask_for(
            self.llm,
            f"{self.method}/{purpose}",
            talk,
            parse,
            reasks=self.settings.reasks,
            on_reask=partial(self.task.record, "reask"),
            form=self._form(form or purpose, screens),
            **self.settings.sampling,
            **({"n": n} if n > 1 else {}),
        )

    def _form(self, purpose: str, screens: Sequence[Observation]) -> ReplyForm | None:
        if not self.settings.structured:
            return None
        return reply_forms.of(purpose, self.offered(*screens))

    def offered(self, *screens: Observation) -> Sequence[str]:
        """The verbs of an action on one of these screens."""
        return with_inputs(self.prompts.data["operations"], *screens)

    async def text(self, purpose: str, asked: str) -> str:
        """The reply as it is."""
        talk = [message("user", asked)]
        asking = self.llm.ask(f"{self.method}/{purpose}", talk, **self.settings.sampling)
        return (await asking).text

    def render(self, screen: Observation) -> str:
        shown = renderings.without_instruction(screen, self.task.instruction)
        return renderings.get(self.prompts.rendering).render(shown)

    async def show(self, screen: Observation, limit: int = 0) -> str:
        """A screen as a request shows it: its summary where it was too long for one, or takes more
        tokens than a limit."""
        whole = self.render(screen)
        if screen not in self.overlong and not 0 < limit < tokens.of_text(whole):
            return whole
        if screen not in self.summaries:
            self.summaries[screen] = await self.summary(screen)
            self.task.record("abstract", self.summaries[screen])
        return self.summaries[screen]

    async def summary(self, screen: Observation) -> str:
        """A screen in fewer words; one that fits no request in two halves, and so on.

        Raises `ContextOverflow` where a single line of it does not fit.
        """
        shown = {"instruction": self.task.instruction, "observation": guard(self.render(screen))}
        try:
            return await self.text("summary", self.prompts.say("summary", **shown))
        except ContextOverflow:
            if len(screen.content) < 2:
                raise
        middle = len(screen.content) // 2
        halves = (screen.content[:middle], screen.content[middle:])
        parts = [await self.summary(replace(screen, content=half)) for half in halves]
        head = self.render(replace(screen, content=()))
        return "\n".join([parts[0], parts[1].removeprefix(head).lstrip("\n")])
