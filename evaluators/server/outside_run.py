"""The run of an agent outside: each visit whose page was shown becomes an episode."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from filelock import FileLock
from flask import Flask, Response, g, request, request_finished

from agent.agent_spec import Agent
from agent.storage_errors import writing
from evaluators.episode import outside
from evaluators.episode.environment import RunningSite
from evaluators.episode.outside import PageRequest, Visit
from evaluators.episode.spec import RunContext
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord, RunManifest, RunSettings, Summary
from evaluators.run import api, manifest
from evaluators.run.clients import agent_of
from evaluators.run.config import RunConfig
from evaluators.run.manifest import ChangedRun
from evaluators.server.sessions import OpenScenario
from scenarios import registry
from scenarios.registry import TaskSet
from scenarios.scenario import Scenario
from sites.store import CatalogueSource
from sites.world import Snapshot, World, Worlds

MOST_REQUESTS = 10_000
"""The most requests of a visit that a trace holds; the others are left out."""
LONGEST = 2_000
"""The most characters of an address in a trace."""
GROWING = {"scenarios", "tasks", "trials"}
"""The settings that change with each draw."""
FIXED = RunSettings.model_fields.keys() - GROWING


@dataclass
class _Requests:
    """The requests of a visit, and when its first page was shown."""

    answered: list[PageRequest] = field(default_factory=list)
    shown_at: float | None = None

    def add(self, line: str, response: Response) -> None:
        if len(self.answered) < MOST_REQUESTS:
            self.answered.append(PageRequest(line[:LONGEST], response.status_code))
        if self.shown_at is None and _is_page(response):
            self.shown_at = time.monotonic()


class OutsideRun:
    """A run that grows by an episode whenever a visit ends. Every method is safe for threads.

    Several servers, each in a process, may add to the same folder.

    Args:
        folder: The run's folder.
        client: The agent's name, which becomes part of the name in records; may be "".

    Raises:
        BadName: The name has characters that an agent's name must not have.
        ChangedRun: The folder holds another run.
        CorruptRecord: The folder cannot be read as a run.
        NotWritten: The folder cannot be made.
    """

    def __init__(self, folder: Path, client: str = "") -> None:
        self.folder = folder
        self._agent = agent_of(client, "--as")
        self._begun = _manifest(folder, self._agent)
        self._sites: dict[str, RunningSite] = {}
        self._visits: WeakKeyDictionary[World, _Requests] = WeakKeyDictionary()
        self._records: WeakKeyDictionary[World, EpisodeRecord] = WeakKeyDictionary()
        self._lock = Lock()
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        run_folder.check_plain(folder)
        self._known()

    @contextmanager
    def following(self, sites: dict[str, RunningSite]) -> Iterator[None]:
        """Within the block, note each request that the sites answer."""
        self._sites = sites
        with request_finished.connected_to(self._note):
            yield

    def _note(self, app: Flask, response: Response, **_: Any) -> None:
        """Note a request, unless the site answered it from a copy of the visitor's world."""
        world: World | None = g.get("world")
        if world is None or "copies" in g or not _is_served(app, self._sites.values()):
            return
        address = request.full_path.rstrip("?").replace(world.session, world.name)
        with self._lock:
            visit = self._visits.setdefault(world.whole, _Requests())
            visit.add(f"{request.method} {address}", response)

    def end(self, opened: OpenScenario, answer: str | None, left: Snapshot) -> None:
        """Record a visit that has ended, unless no page of it was shown.

        Args:
            opened: The scenario of the visit.
            answer: The answer, or None if nobody finished the scenario.
            left: The rows that the visit left.

        Raises:
            NotWritten: A file could not be written.
            ChangedRun: Another command has made another run in the folder.
        """
        seen = self._visits.get(opened.world)
        if seen is None or seen.shown_at is None:
            return
        scenario, requests = opened.scenario, tuple(seen.answered)
        visit = Visit(scenario, left, answer, requests, seen.shown_at, opened.world.fault)
        trial = self._claimed(scenario)
        self._grow(scenario.name, trial)
        site, context = self._sites[scenario.site], RunContext(self.folder)
        self._records[opened.world] = outside.record(self._agent, trial, visit, site, context)

    def record_of(self, opened: OpenScenario) -> EpisodeRecord | None:
        """Return the record of a visit that has ended; None if it left none."""
        return self._records.get(opened.world)

    def summary(self) -> Summary | None:
        """Summarize all episodes of the folder and write `summary.json`; None without episodes."""
        return api.summarize(self.folder) if self._known() else None

    def _claimed(self, scenario: Scenario) -> int:
        """Make the folder of the scenario's next trial, which no other process can make too."""
        names = self._agent.name, scenario.family, scenario.seed
        for trial in count():
            home = run_folder.folder(self.folder, *names, trial)
            try:
                with writing(home):
                    home.parent.mkdir(parents=True, exist_ok=True)
                    if not home.exists():
                        home.mkdir()
                        return trial
            except FileExistsError:
                continue
        raise AssertionError("there are infinitely many numbers")

    def _grow(self, scenario: str, trial: int) -> None:
        """Add a scenario and a trial to the run's manifest."""
        path = self.folder / run_folder.MANIFEST
        with writing(path), FileLock(self.folder / "run.json.lock"):
            before = self._known() or self._begun
            names = dict.fromkeys((*before.config.scenarios, scenario))
            trials = max(before.config.trials, trial + 1)
            grown = {"scenarios": tuple(names), "trials": trials}
            config = before.config.model_copy(update=grown)
            if config != before.config or before is self._begun:
                run_folder.save_manifest(self.folder, before.model_copy(update={"config": config}))

    def _known(self) -> RunManifest | None:
        """Return the manifest in the folder, None without one. Raise `ChangedRun` for another
        run.
        """
        if not (self.folder / run_folder.MANIFEST).exists():
            return None
        found = run_folder.load_manifest(self.folder)
        now = self._begun.config
        differing = [name for name in FIXED if getattr(found.config, name) != getattr(now, name)]
        if differing or found.label or found.added:
            what = ", ".join(sorted(differing)) or "tasks"
            raise ChangedRun(f"{self.folder} holds another run ({what} differ); give another -o")
        return found


def _manifest(folder: Path, agent: Agent) -> RunManifest:
    """Return the manifest of a run without episodes."""
    source = getattr(registry.chosen("store"), "source", None)
    catalogue = source if isinstance(source, CatalogueSource) else None
    return manifest.begun(folder, [agent], TaskSet(()), RunConfig(out=folder, catalogue=catalogue))


def _is_served(app: Flask, sites: Collection[RunningSite]) -> bool:
    """Return whether an application shows the worlds of one of the sites."""
    context = app.extensions.get("site_context")
    worlds: Worlds | None = context.worlds if context else None
    return any(site.worlds is worlds for site in sites)


def _is_page(response: Response) -> bool:
    return response.status_code == 200 and response.mimetype == "text/html"
