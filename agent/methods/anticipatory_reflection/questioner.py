"""Asks questions about pages, and summarises a page that is too long for the model's context.

If a request does not fit, it and all later requests show a summary of its page. A request that does
not fit even with summaries raises `ContextOverflow`.
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
from agent.methods import check_among, check_least
from agent.methods.anticipatory_reflection import reply_forms
from agent.offered import with_inputs
from agent.prompting import Prompts
from agent.renderings.joined import join
from agent.renderings.markers import guard

T = TypeVar("T")
Talk = str | list[Message]  # a question, or the dialogue that ends in it


@dataclass(frozen=True)
class Settings:
    """Options of every request; the defaults are the paper's (section 4.1).

    Attributes:
        temperature: Sampling temperature; -1 for the model's own.
        max_tokens: Tokens of a reply at most.
        history_tokens: Tokens above which the history is summarised.
        reasks: How often the model is asked again after an unreadable reply.
        structured: Whether to ask for replies by a JSON schema.
        view: Part of the page that the model sees: "document" or "viewport".
        skips: Whether the model may answer that a step needs no action.
        prompts: Folder of the prompt files.
    """

    temperature: float = 1.0
    max_tokens: int = 512
    history_tokens: int = 2000
    reasks: int = 2
    structured: bool = False
    view: str = "document"
    skips: bool = True
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, max_tokens=1, history_tokens=1, reasks=0)
        check_among(self, view=("document", "viewport"))

    @property
    def sampling(self) -> dict[str, Any]:
        """Return the sampling options of a request, as a dict of API parameters."""
        return {"max_tokens": self.max_tokens, "temperature": temperature(self.temperature)}


@dataclass
class Questioner:
    """Asks the model on behalf of one method, in one episode."""

    method: str
    task: Task
    llm: LLM
    prompts: Prompts
    settings: Settings
    overlong: set[Observation] = field(default_factory=set)
    """The pages that did not fit a request and that are shown as a summary from then on."""
    summaries: dict[Observation, str] = field(default_factory=dict)

    async def about(
        self,
        purpose: str,
        say: Callable[..., Talk],
        screen: Observation,
        parse: Callable[[Reply], T],
        n: int = 1,
        form: str = "",
    ) -> T:
        """Ask about one page.

        Args:
            purpose: Name of the request in the trace.
            say: Returns the question for an `observation`.
            screen: The page.
            parse: Parses a reply; raises ValueError in words for the model.
            n: Number of samples.
            form: Name of the structured reply's format; "" for the one of the purpose.
        """

        async def asked() -> T:
            text = say(observation=guard(await self.show(screen)))
            return await self._ask(purpose, text, parse, (screen,), n, form)

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
        """Ask about two pages.

        Args:
            purpose: Name of the request in the trace.
            say: Returns the question for `screens`, a text with both pages.
            before: The first page.
            after: The second page.
            parse: Parses a reply; raises ValueError in words for the model.
            limit: Tokens above which a page is summarised; 0 for no limit.
            form: Name of the structured reply's format; "" for the one of the purpose.
        """

        async def asked() -> T:
            first, second = await self.show(before, limit), await self.show(after, limit)
            text = say(screens=guard(join(first, second)))
            return await self._ask(purpose, text, parse, (before, after), form=form)

        return await self._fitting(asked, before, after)

    async def _fitting(self, asked: Callable[[], Awaitable[T]], *screens: Observation) -> T:
        """Send a request about the pages; if it does not fit the model's context, send it again
        with summaries of the pages.
        """
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
        """Send a request and return the parsed reply. Raises `FormatError` if no reply could be
        parsed.
        """
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
        """Return the verbs of actions that can be taken on these pages."""
        return with_inputs(self.prompts.data["operations"], *screens)

    async def text(self, purpose: str, asked: str) -> str:
        """Send a request without parsing and return the text of the reply."""
        talk = [message("user", asked)]
        asking = self.llm.ask(f"{self.method}/{purpose}", talk, **self.settings.sampling)
        return (await asking).text

    def render(self, screen: Observation) -> str:
        """Return a page as text in the form that the prompt file names, without the task's
        instruction.
        """
        shown = renderings.without_instruction(screen, self.task.instruction)
        return renderings.get(self.prompts.rendering).render(shown)

    async def show(self, screen: Observation, limit: int = 0) -> str:
        """Return the text of a page for the next request to the model.

        Return the whole page, or its summary if the page did not fit an earlier request, or if it
        takes more tokens than a `limit` above 0.
        """
        whole = self.render(screen)
        if screen not in self.overlong and not 0 < limit < tokens.of_text(whole):
            return whole
        if screen not in self.summaries:
            self.summaries[screen] = await self.summary(screen)
            self.task.record("abstract", self.summaries[screen])
        return self.summaries[screen]

    async def summary(self, screen: Observation) -> str:
        """Return a summary of a page.

        A page that fits no request is halved, and its halves are summarised.

        Raises:
            ContextOverflow: A single line of the page does not fit.
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
