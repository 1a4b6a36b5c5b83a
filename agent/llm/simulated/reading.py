"""A method's request as the scripted model reads it: the messages, the pages in them, and the text
outside of pages.
"""

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
    """Raised if the request lacks a value that a competent person would need to go on."""


@dataclass(frozen=True)
class Knowledge:
    """The knowledge of a competent person about one task, given its instruction.

    Attributes:
        instruction: The text of the task.
        scenario: The name of the scenario; only seeds the mistakes.
        site: The name of the site.
        trial: The number of the trial; only seeds the mistakes.
        advise: Returns the advice for a page.
        steps: The parts of such a task, in order.
    """

    instruction: str
    scenario: str
    site: str
    trial: int
    advise: Callable[[Observation], Advice]
    steps: tuple[str, ...] = ()


def read_page(page: str, rendering: str) -> Observation:
    """Return a page of a request as an observation.

    Args:
        page: The page as the request writes it: a rendering, or outer HTML.
        rendering: The name of the rendering.

    Raises:
        Lost: The page cannot be read.
    """
    try:
        parse = markup.parse if markup.is_markup(page) else renderings.get(rendering).parse
        return parse(page)
    except ValueError as error:
        raise Lost(f"the page cannot be read: {error}") from None


def occurs(value: str, text: str) -> bool:
    """Return whether a text contains a value, whose first and last words are whole words there."""
    edge = r"(?:(?<!\w)|(?!\w))"
    return re.search(rf"{edge}{re.escape(value)}{edge}", text) is not None


@dataclass(frozen=True)
class Request:
    """A request of a method. `purpose` names the kind of request, such as `laser/act`; `body` is
    the request as sent.
    """

    purpose: str
    body: Mapping[str, Any]

    @cached_property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """The messages with text; pictures are replaced by words."""
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
        """Whether the newest message says, outside of the page, that the last action failed."""
        newest = Request(self.purpose, {"messages": self.messages[-1:]})
        return _FAILED.search(newest.text_without_pages) is not None

    @cached_property
    def shown(self) -> list[str]:
        """The pages that the request shows, as the texts between their marker lines,
        oldest first.
        """
        texts = (str(message["content"]) for message in self.messages)
        return [page for text in texts for page in markers.unfence(text)]

    def observation(self, rendering: str) -> Observation:
        """Return the newest page, read from its text form (rendering) or from outer HTML. Raises
        `Lost` if no page can be read.
        """
        if not self.shown:
            raise Lost("no page is shown")
        return read_page(self.shown[-1], rendering)

    def holds(self, spellings: Sequence[str]) -> bool:
        """Return whether the request contains one of the spellings of a value, either outside of
        pages or in a note beside the newest page.
        """
        return any(occurs(each.casefold(), self._folded) for each in spellings)

    def check(self, needs: Iterable[Sequence[str]]) -> None:
        """Raise `Lost` for the first value that no part of the request spells."""
        for spellings in needs:
            if not self.holds(spellings):
                raise Lost(f"the request lacks {spellings[0]!r}")

    @cached_property
    def _folded(self) -> str:
        """The text outside of pages, with the notes beside the newest page, in lower case."""
        noted = renderings.notes(joined.part(self.shown[-1])[-1]) if self.shown else ()
        return "\n".join((self.text_without_pages, *noted)).casefold()
