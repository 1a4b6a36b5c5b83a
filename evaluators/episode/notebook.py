"""Notes of an agent, which are shown beside every later page and never reach the site.

Notes exist for families that ask for a memory, and agents with the option `notes=true`: a method
that sees one page at a time can carry facts along. A new attempt or a restored checkpoint keeps
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from agent.interface import Action, Note, Observation, Page
from agent.offered import LONGEST_NOTE, MOST_NOTES

REFUSED = (
    f"the note was not kept: a note has 1 to {LONGEST_NOTE} characters, and there is room for"
    f" {MOST_NOTES} notes"
)


@dataclass
class Notebook:
    """The notes of an agent in an episode, and the number of notes that were `refused`."""

    notes: list[str] = field(default_factory=list)
    refused: int = 0

    def add(self, text: str) -> bool:
        """Add a note, with white space folded, and return whether it is kept.

        A note that exists already is not added again.
        """
        note = Note(text).kept
        if note in self.notes:
            return True
        if not 0 < len(note) <= LONGEST_NOTE or len(self.notes) == MOST_NOTES:
            self.refused += 1
            return False
        self.notes.append(note)
        return True

    @property
    def characters(self) -> int:
        """The number of characters of all notes."""
        return sum(map(len, self.notes))


@dataclass(frozen=True)
class NotingPage:
    """An `agent.interface.Page` that shows the notes beside each observation."""

    page: Page
    notebook: Notebook
    record: Callable[..., None]

    def _with_notes(self, observation: Observation) -> Observation:
        return replace(observation, notes=tuple(self.notebook.notes))

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        shown = await self.page.observe(view=view, screenshot=screenshot, source=source)
        return self._with_notes(shown)

    async def act(self, action: Action) -> Observation:
        if not isinstance(action, Note) or self.notebook.add(action.text):
            return self._with_notes(await self.page.act(action))
        self.record("note refused", action.text)
        return replace(self._with_notes(await self.page.observe()), error=REFUSED)

    async def restart(self) -> Observation:
        return self._with_notes(await self.page.restart())

    async def checkpoint(self) -> object:
        return await self.page.checkpoint()

    async def restore(self, mark: object) -> Observation:
        return self._with_notes(await self.page.restore(mark))
