"""The visits of exported tasks: a client opens, ends and scores them by addresses on the sites.

A client of WebArena knows no control plane. Each exported task has two secrets. The first is in its
start address: it opens the task from the start, every time. The second is in the address of its
verdict. Whoever opens that address ends the visit, and reads once whether everything but the answer
is right. So an agent that finds the address can gain nothing by it. The answer arrives later, by
`/finish` on the control plane, or never.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from weakref import WeakSet

from evaluators.episode.environment import RunningSite
from evaluators.integrations.webarena.folder import ExportedVisit
from evaluators.scoring.context import ScoringContext
from evaluators.server.sessions import (
    OpenScenario,
    ScenarioNotOpen,
    ScenarioReopened,
    Sessions,
    TooManyScenarios,
)
from scenarios import registry
from scenarios.kit import Gold
from scenarios.scenario import sites_of
from sites.site_app import Refusal
from sites.world import World

NOT_BEGUN = "This task has not begun. Open the first of its start addresses before this one."
NO_VERDICT = "There is no such verdict, or its task has not begun."
READ_BEFORE = "This verdict was read before. Open the task's start address to begin again."


class ExportedVisits:
    """The visits of exported tasks. Every method may be called from any thread.

    Args:
        visits: The exported visits.
        sessions: The open scenarios.
        sites: The served sites.

    Raises:
        BadTasks: This version of Rehearsal draws a scenario differently.
    """

    def __init__(
        self,
        visits: Sequence[ExportedVisit],
        sessions: Sessions,
        sites: Mapping[str, RunningSite],
    ) -> None:
        self._scenarios = {each.start: each.drawn() for each in visits}
        self._starts = {each.verdict: each.start for each in visits}
        self._sessions, self._sites = sessions, dict(sites)
        self._read: WeakSet[World] = WeakSet()
        self._lock = Lock()

    def is_start(self, text: str | None) -> bool:
        """Return whether a text is the secret in the start address of a task."""
        return text in self._scenarios

    def begin(self, start: str, site: str) -> str:
        """Open a task from the start at its first site, or go on with it at another of its sites.

        Args:
            start: The secret in the start address.
            site: The site on which the address was opened.

        Returns:
            The address of the visit on that site.

        Raises:
            Refusal: The task has not begun at its first site (404), or too many are open (503).
        """
        scenario = self._scenarios[start]
        family = registry.family(scenario.family)
        first, *others = sites_of(family)
        if site == first:
            return self._draw(start).url
        if site not in others:
            raise Refusal(404, NOT_BEGUN)
        session = self._found(start, NOT_BEGUN).world.session
        return f"{self._sites[site].served_at(site)}/?scenario={session}"

    def end(self, verdict: str) -> bool:
        """End a visit, and return whether everything but the answer is right.

        Args:
            verdict: The secret in the address of the verdict.

        Raises:
            Refusal: The task has not begun (404), or its verdict was read before (410).
        """
        opened = self._found(self._starts.get(verdict, ""), NO_VERDICT)
        with self._lock:
            if opened.world in self._read:
                raise Refusal(410, READ_BEFORE)
            self._read.add(opened.world)
        try:
            after = opened.freeze()
        except ScenarioReopened:
            raise Refusal(404, NO_VERDICT) from None
        right = Gold.from_json(opened.scenario.gold).text
        context = ScoringContext.of(opened.scenario, before=opened.before)
        return context.score(after, right).success

    def reset(self) -> None:
        """End every visit as its client left it."""
        for opened in self._sessions:
            if not opened.closed:
                self._sessions.leave(opened)

    def _draw(self, start: str) -> OpenScenario:
        scenario = self._scenarios[start]
        try:
            return self._sessions.draw(scenario.site, scenario.family, scenario.seed, visit=start)
        except TooManyScenarios as problem:
            raise Refusal(503, str(problem)) from None

    def _found(self, start: str, sentence: str) -> OpenScenario:
        try:
            return self._sessions.find(start)
        except ScenarioNotOpen:
            raise Refusal(404, sentence) from None
