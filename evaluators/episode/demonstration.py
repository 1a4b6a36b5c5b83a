"""A recorded episode as a demonstration: the pages that were seen, and the actions that worked.

Synapse's trajectories "can also be directly converted from human demonstrations" (section 3.3), and
so can the examples of a policy. An agent's episode is as good as a person's if it succeeded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from agent.interface import Action, Observation
from evaluators.episode import replay
from evaluators.episode.metered import target_label
from evaluators.episode.replay import Look, NotReplayable
from evaluators.records import episode_names, run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.records.own_families import OwnFamilies
from evaluators.records.trace_events import ActionEvent, MethodEvent, ObservationEvent
from rehearsal_errors import RehearsalError
from scenarios.scenario import Scenario


class NoDemonstration(RehearsalError, ValueError):
    """An episode, or a whole run, cannot serve as an example; the message says why."""


@dataclass(frozen=True)
class Step:
    """A page that was seen, and the action that was done there."""

    seen: ObservationEvent
    action: ActionEvent


@dataclass(frozen=True)
class Demonstration:
    """A successful episode.

    Attributes:
        record: Its record, with the answer that it gave.
        scenario: The task that it did.
        source: The file of the family if it is the user's own, otherwise "".
        steps: The actions that had an effect, in their order.
        last: The page that was seen last; None if the last action ended the episode.
    """

    record: EpisodeRecord
    scenario: Scenario
    source: str
    steps: tuple[Step, ...]
    last: ObservationEvent | None


def of_run(
    run: Path, names: Sequence[str], own: OwnFamilies, say: Callable[[str], None]
) -> list[Demonstration]:
    """Return the demonstrations of a run, one for each scenario.

    Args:
        run: The run's folder.
        names: Names of episodes (`episode_names.find`); empty for all that succeeded.
        own: The families that are files of the user's own.
        say: Called with one line for each episode that is left out.

    Raises:
        UnknownRun: The folder holds no run.
        UnknownEpisode: An episode is unknown.
        NoDemonstration: No episode can serve as an example.
    """
    episode_names.check_run(run)
    found: dict[str, Demonstration] = {}
    for home in _homes(run, names):
        try:
            made = read(home, own)
        except (NoDemonstration, NotReplayable) as error:
            say(f"left out: {error}")
            continue
        if made.record.scenario in found:
            say(f"left out: {made.record.episode} does a scenario that has an example already")
        found.setdefault(made.record.scenario, made)
    if not found:
        raise NoDemonstration(
            f"{run} has no successful episode to take as an example", "run its tasks first"
        )
    return [*found.values()]


def _homes(run: Path, names: Sequence[str]) -> list[Path]:
    if names:
        return [episode_names.find(run, name) for name in names]
    return [home for home, record in run_folder.checked(run) if record.success]


def read(home: Path, own: OwnFamilies) -> Demonstration:
    """Return the demonstration that is recorded in an episode's folder.

    Raises:
        NoDemonstration: The episode failed, began again, or has a held-out phrasing, which no
            example may show.
        NotReplayable: Its actions cannot be repeated.
    """
    recording = replay.load(home, own)
    record, looks = recording.record, recording.looks
    if not record.success:
        raise NoDemonstration(f"{record.episode} did not succeed")
    if any(isinstance(look.cause, MethodEvent) for look in looks):
        raise NoDemonstration(f"{record.episode} went back to an earlier state of its site")
    if recording.scenario.details.get("phrasing") == "held-out":
        raise NoDemonstration(f"{record.episode} has a held-out phrasing")
    last = None if looks[-1].action else looks[-1].seen
    return Demonstration(record, recording.scenario, recording.source, tuple(_steps(looks)), last)


def _steps(looks: Sequence[Look]) -> Iterator[Step]:
    """Yield the steps whose action had an effect: the next page shows no error."""
    for look, after in zip_longest(looks, looks[1:]):
        if look.action and not (after and after.seen.error):
            yield Step(look.seen, look.action)


def action(shown: Demonstration, place: int, seen: Observation) -> Action:
    """Return an action of the demonstration, with the number of its element on this page.

    Raises `NoDemonstration` if the page has another element or none there.
    """
    event = shown.steps[place].action
    found = replay.read_action(event)
    target = getattr(found, "target", None)
    if isinstance(target, str):
        return replace(found, target=_number(target, seen, shown))  # type: ignore[arg-type]
    if target_label(found, seen) != event.target:
        raise NoDemonstration(f"{shown.record.episode}: {event.action} finds another page now")
    return found


def _number(name: str, seen: Observation, shown: Demonstration) -> int:
    """Return the number of the first element with a name, perhaps in another letter case."""
    exact = [each.id for each in seen.elements if each.name == name]
    alike = [each.id for each in seen.elements if each.name.lower() == name.lower()]
    for number in (*exact, *alike):
        return number
    raise NoDemonstration(f"{shown.record.episode}: no element of its page is named {name!r}")
