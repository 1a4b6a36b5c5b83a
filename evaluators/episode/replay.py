"""Replay a recorded episode: repeat its actions from the start and compare every observation."""

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
from evaluators.episode.outside import REQUEST
from evaluators.episode.result import site_paths
from evaluators.episode.termination import SiteFault
from evaluators.episode.trace import CLOCK, Trace
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
"""The largest number of differing lines that are kept for each observation."""


class NotReplayable(RehearsalError):
    """An episode cannot be replayed; the message says why."""


@dataclass(frozen=True)
class Look:
    """A recorded observation of the page.

    `cause` led to it: an action, a new attempt or a restored checkpoint; None for the first page.
    `action` is the next action, even if no observation follows it. `minute` is the minute of its
    own action, None if the visit has no clock.
    """

    seen: ObservationEvent
    cause: ActionEvent | MethodEvent | None = None
    action: ActionEvent | None = None
    minute: int | None = None

    @property
    def after(self) -> str:
        """The text that says what led to the observation: an action, a new attempt, or opening the
        page.
        """
        match self.cause:
            case ActionEvent(action=action, target=target):
                return f"{action} ({target})" if target else action
            case MethodEvent(word=word, what=what):
                return f"{word} {what}"
        return "opening the page"


@dataclass(frozen=True)
class Recording:
    """A recorded episode to replay: its record, its observations in order, and its final database.

    `world` (that database) is None if the last action may or may not have taken effect. `changed`
    names the parts that differ from the recording: the site's code, its data or the scenario.
    """

    record: EpisodeRecord
    scenario: Scenario
    looks: tuple[Look, ...]
    world: Tables | None
    changed: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Difference:
    """The lines in which a replayed observation differs from the recorded one.

    `step` counts from 1, as in the report. `lines` are recorded lines ("- ") and present lines ("+
    "); `more` counts the lines left out.
    """

    step: int
    after: str
    lines: tuple[str, ...]
    more: int = 0


@dataclass
class Replay:
    """The result of a replay.

    `stopped` is the reason why it ended before the last observation, or "". `rows` names the tables
    of the final database that differ.
    """

    steps: int
    seen: int = 0
    differences: list[Difference] = field(default_factory=list)
    stopped: str = ""
    rows: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether the replay reached its end without a difference."""
        return not (self.differences or self.stopped or self.rows)


OnLook = Callable[[int, Look, MeteredPage], Awaitable[None]]
"""A function that is called at each observation of a replay, before the next action.

It gets the observation's number from 0, the recorded observation and the page.
"""


# Recordings --------------------------------------------------------------------------------------


def load(home: Path, own: OwnFamilies = own_families.NONE) -> Recording:
    """Read a recorded episode.

    Args:
        home: The episode's folder.
        own: The families that are files of the user's own.

    Raises:
        CorruptRecord: The record, the trace or the final database cannot be read.
        FamilyNotNamed: The record's family is a file that `own` lacks.
        NotReplayable: The episode ran in a BrowserGym environment, or saw no page.
    """
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
    if not made and REQUEST in record.events:
        raise NotReplayable(
            f"{record.episode} was acted in a browser outside", "its trace has the site's requests"
        )
    if not made:
        raise NotReplayable(f"{record.episode} ended before its page was seen", _why(record))
    scenario = registry.scenario(record.scenario, source)
    world = run_folder.load_world(home / "final_world.json") if not made[-1].action else None
    changed = tuple(_changed(record, scenario))
    return Recording(record, scenario, made, world, changed, source)


def _why(record: EpisodeRecord) -> str:
    return record.error or f"it ended as {record.ended}"


def _changed(record: EpisodeRecord, scenario: Scenario) -> Iterator[str]:
    """Yield "site", "data" or "scenario" for each of these whose hash differs from the recorded
    one.
    """
    now = {
        "site": plugins.digest(*site_paths(scenario.site)),
        "data": registry.site_data(scenario.site).digest,
        "scenario": scenario.digest(),
    }
    return (name for name, digest in now.items() if record.hashes.get(name, digest) != digest)


def looks(events: Iterable[TraceEvent]) -> tuple[Look, ...]:
    """Return the observations of a trace, each with its cause and the next action.

    Of several actions before an observation only the last was done; the approval policy refused the
    others.
    """
    made: list[Look] = []
    cause: ActionEvent | MethodEvent | None = None
    minute: int | None = None
    for event in events:
        if isinstance(event, ObservationEvent):
            made.append(Look(event, cause, minute=minute))
            cause = minute = None
        elif isinstance(event, MethodEvent) and event.word == CLOCK:
            minute = event.count("minute")
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
    """Replay an episode from the start state, to its end even if pages differ.

    Args:
        recording: The recorded episode.
        environments: The sites and the browser.
        on_look: Called at each observation, or None.
    """
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
    """Moves the page from one recorded observation to the next."""

    def __init__(self, looks: tuple[Look, ...], page: MeteredPage, trace: Trace) -> None:
        self._looks, self._page, self._trace = looks, page, trace
        self._restored = {number: self._origin(number) for number in range(len(looks))}
        self._marks: dict[int, object] = {}
        self._last = Observation("", "")

    async def see(self, number: int) -> list[Difference]:
        """Repeat the episode up to this observation and return its difference to the recorded one,
        if any.
        """
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
        self._page.minute = self._looks[number].minute
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
            # Ids belong to the last observation; one of the viewport only is not in the trace.
            await self._page.observe(view="viewport")
        return await self._page.act(action)

    def _mark(self, number: int) -> object:
        origin = self._restored[number]
        if origin not in self._marks:
            raise NotReplayable("the trace does not say which checkpoint was restored")
        return self._marks[origin]

    def _origin(self, number: int) -> int | None:
        """Return the number of the observation whose checkpoint this one restored, or None.

        A trace of an earlier version does not tell the checkpoint; then it was the last observation
        of the same page.
        """
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
    """Return the recorded action. Raise `NotReplayable` if it cannot be read."""
    try:
        return actions.parse(event.action)
    except actions.BadAction as error:
        raise NotReplayable(f"an action cannot be read: {error}") from None


def _difference(recorded: ObservationEvent, seen: ObservationEvent) -> Iterator[str]:
    """Yield the lines that only one of the two observations has, ignoring whether the page was
    busy.
    """
    both = _described(recorded), _described(seen)
    for line in islice(difflib.unified_diff(*both, lineterm="", n=0), 2, None):
        if not line.startswith("@@"):
            yield f"{line[0]} {line[1:]}"


def _described(event: ObservationEvent) -> list[str]:
    head = [f"address: {event.url}", f"title: {event.title}"]
    return [*head, *([f"error: {event.error}"] if event.error else []), *event.text.split("\n")]
