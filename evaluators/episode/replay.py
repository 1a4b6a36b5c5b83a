"""Replay a recorded episode: its actions on a fresh world, each look at the page compared."""

from __future__ import annotations

import difflib
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeGuard

from agent import actions, plugins
from agent.browser.faults import BrowserFault, PageOverloaded
from agent.interface import Action, Observation
from evaluators.episode.budget import unlimited
from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.metered import MeteredPage, target_label
from evaluators.episode.result import site_paths
from evaluators.episode.termination import SiteFault
from evaluators.episode.trace import Trace
from evaluators.records import files, own_families, run_folder
from evaluators.records.files import CorruptRecord
from evaluators.records.models import EpisodeRecord
from evaluators.records.own_families import OwnFamilies
from evaluators.records.run_folder import Tables
from evaluators.records.trace_events import (
    ActionEvent,
    MethodEvent,
    ObservationEvent,
    TraceEvent,
    read_trace,
)
from evaluators.scoring.context import ScoringContext
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.environments import is_environment
from scenarios.scenario import Scenario
from sites.world import state

ATTEMPT, RESTORE = "attempt", "restore"
LONGEST = 12
"""Lines of a difference that are kept."""


class NotReplayable(RehearsalError):
    """An episode cannot be replayed; the message says why."""


@dataclass(frozen=True)
class Look:
    """A recorded look at the page.

    `cause` led to it: an action, a new attempt, a restored checkpoint; None is the opened page.
    `action` is what was done next, whether or not the page was seen after it.
    """

    seen: ObservationEvent
    cause: ActionEvent | MethodEvent | None = None
    action: ActionEvent | None = None

    @property
    def after(self) -> str:
        """The cause in words."""
        match self.cause:
            case ActionEvent(action=action, target=target):
                return f"{action} ({target})" if target else action
            case MethodEvent(word=word, what=what):
                return f"{word} {what}"
        return "opening the page"


@dataclass(frozen=True)
class Recording:
    """What is replayed: a record, its looks in their order, the rows that its world was left with.

    `world` is None where the last action may or may not have taken effect. `changed` names what is
    not as it was recorded: the site's code, its data, the scenario.
    """

    record: EpisodeRecord
    scenario: Scenario
    looks: tuple[Look, ...]
    world: Tables | None
    changed: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Difference:
    """A look that is not as it was recorded. `step` counts from 1, as the report does; `lines` are
    those that were recorded (`- `) and those that are there now (`+ `)."""

    step: int
    after: str
    lines: tuple[str, ...]
    more: int = 0


@dataclass
class Replay:
    """What came of a replay. `stopped` says why it ended before the last look, if it did; `rows`
    names the tables of the world that were left otherwise."""

    steps: int
    seen: int = 0
    differences: list[Difference] = field(default_factory=list)
    stopped: str = ""
    rows: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        return not (self.differences or self.stopped or self.rows)


OnLook = Callable[[int, Look, MeteredPage], Awaitable[None]]
"""Called at each look, numbered from 0, before what was done next."""


# What was recorded -------------------------------------------------------------------------------


def load(home: Path, own: OwnFamilies = own_families.NONE) -> Recording:
    """Read an episode's folder; `own` are the families that are files. Raises `CorruptRecord`,
    `FamilyNotNamed` and `NotReplayable`."""
    record = run_folder.load_episode(home)
    if is_environment(record.source):
        raise NotReplayable(
            f"{record.episode} was in an environment that is not ours",
            "its trace tells what was seen",
        )
    source = own_families.source(record, own)
    events, faults = read_trace(home / "trace.jsonl")
    if faults:
        raise CorruptRecord(faults[0])
    made = looks(events)
    if not made:
        raise NotReplayable(f"{record.episode} ended before its page was seen", _why(record))
    scenario = registry.scenario(record.scenario, source)
    world = run_folder.load_world(home / "final_world.json") if not made[-1].action else None
    changed = tuple(_changed(record, scenario))
    return Recording(record, scenario, made, world, changed, source)


def _why(record: EpisodeRecord) -> str:
    return record.error or f"it ended as {record.ended}"


def _changed(record: EpisodeRecord, scenario: Scenario) -> Iterator[str]:
    """What has another hash than the record has."""
    now = {
        "site": plugins.digest(*site_paths(scenario.site)),
        "data": registry.site_data(scenario.site).digest,
        "scenario": scenario.digest(),
    }
    return (name for name, digest in now.items() if record.hashes.get(name, digest) != digest)


def looks(events: Iterable[TraceEvent]) -> tuple[Look, ...]:
    """The looks of a trace. Of several actions before a look the last led to it: the others were
    refused by whoever confirms actions."""
    made: list[Look] = []
    cause: ActionEvent | MethodEvent | None = None
    for event in events:
        if isinstance(event, ObservationEvent):
            made.append(Look(event, cause))
            cause = None
        elif isinstance(event, ActionEvent) or _is_return(event):
            cause = event
            if made and isinstance(event, ActionEvent):
                made[-1] = replace(made[-1], action=event)
    return tuple(made)


def _is_return(event: TraceEvent) -> TypeGuard[MethodEvent]:
    return isinstance(event, MethodEvent) and event.word in (ATTEMPT, RESTORE)


# Replaying ---------------------------------------------------------------------------------------


async def replay(
    recording: Recording, environments: EnvironmentPool, on_look: OnLook | None = None
) -> Replay:
    """Replay it on a fresh world, to its end even where a page differs."""
    family = registry.family(recording.source or recording.scenario.family)
    context, trace = ScoringContext.of(recording.scenario, family), Trace()
    made = Replay(len(recording.looks))
    async with environments.open_episode(context, meter=unlimited(), trace=trace) as episode:
        replayer = _Replayer(recording.looks, episode.page, trace)
        try:
            for number, look in enumerate(recording.looks):
                made.differences += await replayer.see(number)
                made.seen += 1
                if on_look is not None:
                    await on_look(number, look, episode.page)
        except (BrowserFault, PageOverloaded, SiteFault, NotReplayable) as error:
            made.stopped = str(error)
        if recording.world is not None and not made.stopped:
            made.rows = _other_tables(recording.world, episode.page.world.snapshot())
    return made


def _other_tables(before: Tables, snapshot: dict[str, list[dict[str, Any]]]) -> tuple[str, ...]:
    now = json.loads(files.json_bytes(state(snapshot)))
    recorded = state(dict(before))
    return tuple(sorted(each for each in {*now, *recorded} if now.get(each) != recorded.get(each)))


class _Replayer:
    """Leads the page from look to look."""

    def __init__(self, looks: tuple[Look, ...], page: MeteredPage, trace: Trace) -> None:
        self._looks, self._page, self._trace = looks, page, trace
        self._restored = {number: self._origin(number) for number in range(len(looks))}
        self._marks: dict[int, object] = {}
        self._last = Observation("", "")

    async def see(self, number: int) -> list[Difference]:
        """Go on to this look, and say how it differs from the recorded one."""
        self._last = await self._reach(number)
        if number in self._restored.values():
            self._marks[number] = await self._page.checkpoint()
        look, seen = self._looks[number], self._trace.lines[-1]
        assert isinstance(seen, ObservationEvent), "every step ends with a look"
        lines = [*_difference(look.seen, seen)]
        more = max(0, len(lines) - LONGEST)
        made = Difference(number + 1, look.after, tuple(lines[:LONGEST]), more)
        return [made] if lines else []

    async def _reach(self, number: int) -> Observation:
        match self._looks[number].cause:
            case ActionEvent() as event:
                return await self._act(event)
            case MethodEvent(word="attempt"):
                return await self._page.restart()
            case MethodEvent():
                return await self._page.restore(self._mark(number))
        return await self._page.open()

    async def _act(self, event: ActionEvent) -> Observation:
        action = read_action(event)
        if event.target and target_label(action, self._last) != event.target:
            # Ids count in the last look, and a look at the window alone is not in the trace.
            await self._page.observe(view="viewport")
        return await self._page.act(action)

    def _mark(self, number: int) -> object:
        origin = self._restored[number]
        if origin not in self._marks:
            raise NotReplayable("the trace does not say which checkpoint was restored")
        return self._marks[origin]

    def _origin(self, number: int) -> int | None:
        """The look whose checkpoint was restored here. A trace of an earlier version does not say
        which: it was the last one of the same page."""
        look = self._looks[number]
        if not isinstance(look.cause, MethodEvent) or look.cause.word != RESTORE:
            return None
        if recorded := look.cause.count("look"):
            return recorded - 1
        page = look.seen.url, look.seen.text
        same = (at for at in range(number) if page == (self._seen(at).url, self._seen(at).text))
        return max(same, key=lambda at: (self._seen(at).error == look.seen.error, at), default=None)

    def _seen(self, number: int) -> ObservationEvent:
        return self._looks[number].seen


def read_action(event: ActionEvent) -> Action:
    """Raises `NotReplayable`."""
    try:
        return actions.parse(event.action)
    except actions.BadAction as error:
        raise NotReplayable(f"an action cannot be read: {error}") from None


def _difference(recorded: ObservationEvent, seen: ObservationEvent) -> Iterator[str]:
    """The lines that only one of the two has. Whether the page was still busy is no difference."""
    both = _described(recorded), _described(seen)
    for line in islice(difflib.unified_diff(*both, lineterm="", n=0), 2, None):
        if not line.startswith("@@"):
            yield f"{line[0]} {line[1:]}"


def _described(event: ObservationEvent) -> list[str]:
    head = [f"address: {event.url}", f"title: {event.title}"]
    return [*head, *([f"error: {event.error}"] if event.error else []), *event.text.split("\n")]
