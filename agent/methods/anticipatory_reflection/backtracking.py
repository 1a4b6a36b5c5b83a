"""Backtracking (section 3.3.2): return to the screen on which a stacked action was proposed.

The page opens the screen's address, or restores a snapshot of world and page. Element ids differ
after that, so the action's elements are found again: by what they are, or by the model (G_map).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent import actions
from agent.element_matching import counterpart
from agent.interface import Action, Back, Goto, Observation, Page
from agent.methods.anticipatory_reflection.introspection import Introspection, look


@dataclass(frozen=True)
class StackEntry:
    """An action not yet taken, the screen it was proposed on, and its subtask (from 1).

    `rank` is 0 for a first answer. `path` is the history that led to the screen, `visited` are the
    addresses on that way; `checkpoint` is the page's, where it backtracks by snapshot.
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
    """A page that can return to earlier screens; `screen` is the present one.

    `by` is `url` or `snapshot`, `mapping` is `alike` or `model`, `view` as in `Page.observe`.
    `visited` are the addresses before that of the screen, on the way that led to it.
    """

    page: Page
    introspection: Introspection
    by: str
    mapping: str
    view: str
    screen: Observation
    visited: tuple[str, ...] = ()
    strayed: bool = False
    """Whether the browser's history holds screens that are not on that way."""

    async def act(self, action: Action) -> Observation:
        """Take an action. To go back means back on the way that led here, whatever the browser
        has seen besides."""
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
        self.visited, self.strayed = (), False
        await self._show(await self.page.restart())

    async def _show(self, screen: Observation) -> None:
        if self.view != "document":
            seen = await self.page.observe(view=self.view)
            screen = replace(seen, error=screen.error)
        self.screen = screen

    async def checkpoint(self) -> object:
        """The mark for an entry; None where an address is enough."""
        return await self.page.checkpoint() if self.by == "snapshot" else None

    async def return_to(self, entry: StackEntry) -> Action | None:
        """The entry's action for the present screen; None where it cannot be taken."""
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
        where = {"subtask": entry.subtask, "rank": entry.rank}
        self.introspection.task.record(word, actions.show(entry.action), **where, **details)

    async def _move(self, entry: StackEntry) -> bool:
        """Whether the page changed; an address cannot tell its own screens apart."""
        if self.by == "snapshot":
            await self._show(await self.page.restore(entry.checkpoint))
        elif self.screen.url != entry.screen.url:
            await self._show(await self.page.act(Goto(entry.screen.url)))
        else:
            return False
        return True

    def _rewrite_history(self, entry: StackEntry, moved: bool) -> None:
        """Truncate the path to what led to the entry's screen, or add that the page moved."""
        if self.introspection.history == "path":
            self.introspection.path[:] = entry.path
        elif moved:
            self.introspection.moved(entry.screen.url, "Went back there.")

    async def _mapped(self, entry: StackEntry) -> Action | None:
        """The entry's action with the present ids of its elements."""
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
