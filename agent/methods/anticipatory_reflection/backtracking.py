"""Backtracking (section 3.3.2): returns to the page on which a stacked action was proposed.

The browser opens the page's address, or restores a snapshot of world and page. Element ids differ
after that, so the elements of the action are found again by their properties or by the model
(G_map).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent import actions
from agent.element_matching import counterpart
from agent.interface import Action, Back, Goto, Observation, Page
from agent.methods.anticipatory_reflection.introspection import Introspection, look
from agent.methods.anticipatory_reflection.viewing import viewed


@dataclass(frozen=True)
class StackEntry:
    """An entry of the stack: an action not yet taken, the page on which it was proposed, and its
    subtask.

    Attributes:
        screen: The page.
        action: The action.
        subtask: Number of the subtask, from 1.
        rank: 0 for a first answer, from 1 for its alternatives.
        path: The history that led to the page.
        visited: The addresses on the way to the page.
        checkpoint: The page's checkpoint for backtracking by snapshot; else None.
    """

    screen: Observation
    action: Action
    subtask: int
    rank: int
    path: Sequence[str] = ()
    visited: tuple[str, ...] = ()
    checkpoint: object = None


@dataclass
class Backtracking:
    """A browser that can return to earlier pages.

    Attributes:
        by: `url` or `snapshot`.
        mapping: `alike` or `model`.
        view: As in `Page.observe`.
        screen: The current page.
        visited: The addresses on the way to the current page, without its own.
    """

    page: Page
    introspection: Introspection
    by: str
    mapping: str
    view: str
    screen: Observation
    visited: tuple[str, ...] = ()
    strayed: bool = False
    """Whether the browser's history contains pages that are not in `visited`."""

    async def act(self, action: Action) -> Observation:
        """Take an action and show the new page. `Back` goes to the previous page of `visited`, even
        if the browser's history contains other pages in between.
        """
        goes_back = isinstance(action, Back)
        if goes_back and self.strayed:
            action = Goto(self.visited[-1] if self.visited else self.screen.url)
        before = self.screen.url
        await self._show(await self.page.act(action))
        if goes_back:
            self.visited = self.visited[:-1]
        elif self.screen.url != before:
            self.visited += (before,)
        return self.screen

    async def restart(self) -> None:
        """Begin a new attempt at the start page."""
        self.visited, self.strayed = (), False
        await self._show(await self.page.restart())

    async def _show(self, screen: Observation) -> None:
        self.screen = await viewed(self.page, screen, self.view)

    async def checkpoint(self) -> object:
        """Return the checkpoint for a stack entry; None if an address is enough."""
        return await self.page.checkpoint() if self.by == "snapshot" else None

    async def return_to(self, entry: StackEntry) -> Action | None:
        """Return to the page of an entry.

        Returns:
            The entry's action, with element ids of the current page; None if it cannot be taken.
        """
        if look(entry.screen) == look(self.screen):
            return entry.action
        self.record("backtrack", entry, by=self.by, url=entry.screen.url)
        moved = await self._move(entry)
        self.visited, self.strayed = entry.visited, self.strayed or moved
        self._rewrite_history(entry, moved)
        arrived = not (moved and self.screen.error) and self.screen.url == entry.screen.url
        action = await self._mapped(entry) if arrived else None
        if action is None:
            self.record("lost", entry)
        return action

    def record(self, word: str, entry: StackEntry, **details: object) -> None:
        """Write a line about an entry into the trace."""
        where = {"subtask": entry.subtask, "rank": entry.rank}
        self.introspection.task.record(word, actions.show(entry.action), **where, **details)

    async def _move(self, entry: StackEntry) -> bool:
        """Open the page of a stack entry, and return whether the browser had to move.

        Backtracking by address cannot tell pages with the same address apart.
        """
        if self.by == "snapshot":
            await self._show(await self.page.restore(entry.checkpoint))
        elif self.screen.url != entry.screen.url:
            await self._show(await self.page.act(Goto(entry.screen.url)))
        else:
            return False
        return True

    def _rewrite_history(self, entry: StackEntry, moved: bool) -> None:
        """Adapt the model's action history after backtracking: cut it to the entry's own, or add a
        line that the page changed.
        """
        if self.introspection.history == "path":
            self.introspection.path[:] = entry.path
        elif moved:
            self.introspection.moved(entry.screen.url, "Went back there.")

    async def _mapped(self, entry: StackEntry) -> Action | None:
        """Return the stack entry's action with the current page's element ids; None if an element
        is missing there.
        """
        action = entry.action
        for name in ("target", "onto"):
            number = getattr(action, name, None)
            if isinstance(number, int):
                found = await self._counterpart(number, entry.screen)
                if found is None:
                    return None
                action = replace(action, **{name: found})  # type: ignore[arg-type]
        return action

    async def _counterpart(self, number: int, old: Observation) -> int | None:
        if self.mapping == "model" and look(old) != look(self.screen):
            return await self.introspection.map_element(number, old, self.screen)
        return counterpart(number, old, self.screen)
