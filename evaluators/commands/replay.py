"""`rehearse replay`: repeat an episode's actions and report differences between the pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluators.episode import replay
from evaluators.episode.environment import open_environments
from evaluators.episode.replay import Difference, Recording, Replay
from evaluators.records import episode_names
from evaluators.report import film
from evaluators.report.pictures import Camera
from evaluators.run import catalogues, event_loop
from evaluators.run.config import ExecutorConfig
from evaluators.run.prepare import check_display
from scenarios import registry
from scenarios.scenario import sites_of
from sites.store import CatalogueSource

SHOWN = 3
"""The number of differences between pages that are printed in full."""


@dataclass(frozen=True)
class Replayed:
    """A recorded episode and the result of its replay."""

    recording: Recording
    replay: Replay

    def to_json(self) -> dict[str, Any]:
        """Return the result of the replay as plain values for JSON."""
        values = asdict(self.replay)
        changed = list(self.recording.changed)
        return {"episode": self.recording.record.episode, **values, "changed": changed}

    def lines(self) -> Iterator[str]:
        """Yield the result of the replay as lines of text."""
        record, made = self.recording.record, self.replay
        yield f"{record.episode}: {_verdict(made)}"
        if self.recording.changed and not made.is_same:
            yield f"not as recorded any more: {', '.join(self.recording.changed)}"
        for each in made.differences[:SHOWN]:
            yield from _lines(each)
        if left := made.differences[SHOWN:]:
            yield f"and at {_steps([each.step for each in left])}"
        if made.rows:
            yield f"the world was left with other rows in: {', '.join(made.rows)}"


def run(
    folder: Path,
    name: str,
    look: ExecutorConfig,
    families: Sequence[str] = (),
    target: Path | None = None,
    catalogue: CatalogueSource | None = None,
) -> Replayed:
    """Replay an episode and return it with the result.

    Args:
        folder: The run's folder.
        name: The episode's name, or another way to name it (`episode_names.find`).
        look: How the browser looks.
        families: Files of the user's own families that the run has.
        target: A file for a film of the episode, or None.
        catalogue: The catalogue that the store sold in the run, or None for its own products.
    """
    own = registry.own_families(families)
    check_display(look)
    if target is not None:
        film.check(target)
    with catalogues.of_run(folder, catalogue):
        recording = replay.load(episode_names.find(folder, name), own)
        return event_loop.run(_replayed(recording, look, target))


async def _replayed(recording: Recording, look: ExecutorConfig, target: Path | None) -> Replayed:
    family = registry.family(recording.source or recording.scenario.family)
    sites, shown = sites_of(family), look.shown
    camera = Camera()
    async with open_environments(sites, **shown) as environments:
        made = await replay.replay(recording, environments, camera.take if target else None)
        if look.headed:
            await asyncio.sleep(look.slow_ms / 1000)  # leave time to see the last page
    if target:
        film.write(target, recording.record, camera.shots)
    return Replayed(recording, made)


def _verdict(made: Replay) -> str:
    pages = "1 page" if made.steps == 1 else f"{made.steps} pages"
    if made.stopped:
        return f"stopped after {made.seen} of {pages}: {made.stopped}"
    if made.differences:
        return f"{len(made.differences)} of {pages} differ, from step {made.differences[0].step} on"
    return (
        f"no difference in {pages}" if made.is_same else f"{pages} are the same, the world is not"
    )


def _lines(each: Difference) -> Iterator[str]:
    yield f"step {each.step}, after {each.after}:"
    yield from (f"  {line}" for line in each.lines)
    if each.more:
        yield f"  and {each.more} lines more"


def _steps(numbers: list[int]) -> str:
    return f"step{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
