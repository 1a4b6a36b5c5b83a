"""What the scripted model is given: one request, read as a live model would read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agent import renderings
from agent.interface import Advice, Observation
from agent.llm.messages import without_pictures
from agent.llm.simulated import markup
from agent.renderings import joined, markers

_FAILED = re.compile(
    r"^(?:ERROR|Invalid action|The last action did nothing|"
    r"The last program did not come to its end): ",
    re.MULTILINE,
)


class Lost(Exception):
    """The request does not hold what a competent person would need to go on."""


@dataclass(frozen=True)
class Knowledge:
    """What a competent person knows of one task, once it is told by its instruction.

    `scenario` and `trial` only seed the mistakes. `steps` are the parts of such a task, in order.
    """

    instruction: str
    scenario: str
    site: str
    trial: int
    advise: Callable[[Observation], Advice]
    steps: tuple[str, ...] = ()


def read_page(page: str, rendering: str) -> Observation:
    """A page as it is written in a request. Raises `Lost`."""
    try:
        parse = markup.parse if markup.is_markup(page) else renderings.get(rendering).parse
        return parse(page)
    except ValueError as error:
        raise Lost(f"the page cannot be read: {error}") from None


@dataclass(frozen=True)
class Request:
    """One request of a method. `purpose` says which of its prompts this is."""

    purpose: str
    body: Mapping[str, Any]

    @cached_property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """Those that say something, in words: pictures it does not see."""
        words = map(without_pictures, self.body["messages"])
        return [message for message in words if message.get("content")]

    @cached_property
    def text(self) -> str:
        return "\n".join(str(message["content"]) for message in self.messages)

    @cached_property
    def text_without_pages(self) -> str:
        page = rf"(?ms)^{re.escape(markers.OPEN)}$.*?^{re.escape(markers.CLOSE)}$"
        return re.sub(page, "", self.text)

    @cached_property
    def says_failed(self) -> bool:
        """Whether its newest message says, outside of the page, that the last action failed."""
        newest = Request(self.purpose, {"messages": self.messages[-1:]})
        return _FAILED.search(newest.text_without_pages) is not None

    @cached_property
    def shown(self) -> list[str]:
        """The pages that it shows, oldest first, as written."""
        texts = (str(message["content"]) for message in self.messages)
        return [page for text in texts for page in markers.unfence(text)]

    def observation(self, rendering: str) -> Observation:
        """The newest page, by its rendering or as outer HTML. Raises `Lost` if none can be read."""
        if not self.shown:
            raise Lost("no page is shown")
        return read_page(self.shown[-1], rendering)

    def holds(self, spellings: Sequence[str]) -> bool:
        """Whether one of the spellings of a value stands in the text."""
        words = (rf"(?<!\w){re.escape(each.casefold())}(?!\w)" for each in spellings)
        return any(re.search(each, self._folded) for each in words)

    def check(self, needs: Iterable[Sequence[str]]) -> None:
        """Raise `Lost` for a value of which no spelling stands in the text."""
        for spellings in needs:
            if not self.holds(spellings):
                raise Lost(f"the request lacks {spellings[0]!r}")

    @cached_property
    def _folded(self) -> str:
        """What it says outside of pages, with the notes beside the newest page."""
        noted = renderings.notes(joined.part(self.shown[-1])[-1]) if self.shown else ()
        return "\n".join((self.text_without_pages, *noted)).casefold()
