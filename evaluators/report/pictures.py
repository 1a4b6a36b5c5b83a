"""Pictures of the steps of episodes: each episode is replayed, and each observation is
photographed.
"""

from __future__ import annotations

import asyncio
import base64
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from agent.browser.faults import BrowserFault
from agent.browser.picture import Mark, Picture
from agent.storage_errors import writing
from evaluators.episode import replay
from evaluators.episode.environment import EnvironmentPool, open_environments
from evaluators.episode.metered import MeteredPage
from evaluators.episode.replay import Look, NotReplayable, Recording, Replay
from evaluators.records.models import EpisodeRecord
from evaluators.report.loading import LoadedEpisode, Run
from evaluators.run import event_loop
from rehearsal_errors import RehearsalError
from scenarios import registry

FOLDER = "report_pictures"
"""The name of the folder beside the report for pictures that do not fit into it."""
INSIDE = 16_000_000
"""The most bytes of pictures that are put inside the report itself."""
TOGETHER, EVERY = 2, 25
"""The number of episodes that are replayed at once, and the number after which a line reports the
progress.
"""
FAILED, ALL = "failed", "all"

OnLine = Callable[[str], None]


class BadChoice(RehearsalError, ValueError):
    """The value of `--pictures` chooses no episodes."""


@dataclass(frozen=True)
class Shot:
    """An observation with its picture; None if a dialog was open or the page hung."""

    look: Look
    picture: Picture | None


class Camera:
    """Takes a picture of each observation of a replay, with the target of the next action
    marked.
    """

    def __init__(self) -> None:
        self.shots: list[Shot] = []

    async def take(self, number: int, look: Look, page: MeteredPage) -> None:
        """Take a picture of an observation; `replay.replay` calls this at each observation."""
        action = None
        with suppress(NotReplayable):  # the replay ends there, and says so
            action = replay.read_action(look.action) if look.action else None
        self.shots.append(Shot(look, await page.lane.picture(action)))


@dataclass(frozen=True)
class Album:
    """The pictures of an episode.

    `files` are in the order of their first use. `steps` has for each observation the number of its
    picture (None without one) and the marks on it. `note` tells the reader how the pictures differ
    from the pages that the agent saw.
    """

    files: tuple[Path, ...]
    steps: tuple[tuple[int | None, tuple[Mark, ...]], ...]
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the pictures' numbers and marks, and the note, as plain values."""
        steps = [[number, [[each.box, each.at] for each in marks]] for number, marks in self.steps]
        return {"steps": steps, "note": self.note}


Albums = Mapping[Path, Album]
"""The pictures of each episode, by the episode's folder within its run."""
NO_ALBUMS: Albums = {}


# Choosing episodes -------------------------------------------------------------------------------


def choose(run: Run, wanted: str) -> list[LoadedEpisode]:
    """Return the episodes that the value of `--pictures` names.

    Args:
        run: The run.
        wanted: "failed", "all" or a number of episodes. A number takes failed episodes first, and
            alternates between agents and sites.

    Raises:
        BadChoice: `wanted` is none of these.
    """
    recorded = [each for each in run.episodes if each.record and each.trace]
    if wanted == ALL:
        return recorded
    if wanted == FAILED:
        return [each for each in recorded if _failed(each)]
    if not wanted.isdecimal() or not int(wanted):
        raise BadChoice(
            f"--pictures {wanted!r} chooses no episodes", "write failed, all or a number"
        )
    return _in_turn(recorded)[: int(wanted)]


def _failed(episode: LoadedEpisode) -> bool:
    return episode.record is not None and episode.record.success is False


def _in_turn(episodes: Iterable[LoadedEpisode]) -> list[LoadedEpisode]:
    counts: Counter[tuple[bool, str, str]] = Counter()
    ranked: list[tuple[bool, int, LoadedEpisode]] = []
    for each in episodes:
        assert each.record is not None
        group = _failed(each), each.record.agent, each.record.site
        ranked.append((not _failed(each), counts[group], each))
        counts[group] += 1
    return [each for _, _, each in sorted(ranked, key=lambda one: one[:2])]


# Taking them -------------------------------------------------------------------------------------


def take(run: Run, chosen: Sequence[LoadedEpisode], on_line: OnLine) -> Albums:
    """Replay the chosen episodes and write their pictures beside the report.

    Args:
        run: The run.
        chosen: The episodes.
        on_line: Called with lines of progress, and a line for each episode that cannot be replayed.

    Returns:
        The album of each episode that was replayed.
    """
    on_line(f"replaying for pictures: {len(chosen)} of {len(run.episodes)} episodes")
    return event_loop.run(_take(run, chosen, on_line)) if chosen else {}


def clear(folder: Path) -> None:
    """Remove the pictures of an earlier report."""
    with writing(folder / FOLDER):
        shutil.rmtree(folder / FOLDER, ignore_errors=True)


async def _take(run: Run, chosen: Sequence[LoadedEpisode], on_line: OnLine) -> Albums:
    albums: dict[Path, Album] = {}
    waiting = list(reversed(chosen))

    async def work(environments: EnvironmentPool) -> None:
        while waiting:
            episode = waiting.pop()
            try:
                recording = replay.load(run.folder / episode.place)
                albums[episode.place] = await _album(run.folder, episode, recording, environments)
            except (RehearsalError, BrowserFault) as error:
                on_line(f"no pictures of {'/'.join(episode.place.parts[1:])}: {error}")
            if (done := len(chosen) - len(waiting)) % EVERY == 0:
                on_line(f"{done} of {len(chosen)}")

    sites = _sites([each.record for each in chosen if each.record])
    async with open_environments(sites) as environments, asyncio.TaskGroup() as group:
        for _ in range(TOGETHER):
            group.create_task(work(environments))
    return albums


def _sites(records: Sequence[EpisodeRecord]) -> list[str]:
    """Return the sites of recorded episodes; a family of one's own is not asked for more."""
    known = registry.sites_of_tasks(each.scenario for each in records if not each.source)
    return sorted({*known, *(each.site for each in records)})


async def _album(
    folder: Path, episode: LoadedEpisode, recording: Recording, environments: EnvironmentPool
) -> Album:
    camera = Camera()
    made = await replay.replay(recording, environments, camera.take)
    home = folder / FOLDER / Path(*episode.place.parts[1:])
    files = await asyncio.to_thread(_save, home, camera.shots)
    numbers = {data: number for number, data in enumerate(files)}
    steps = tuple(
        (numbers[each.picture.data], each.picture.marks) if each.picture else (None, ())
        for each in camera.shots
    )
    return Album(tuple(files.values()), steps, _note(made))


def _save(home: Path, shots: Iterable[Shot]) -> dict[bytes, Path]:
    """Write each different picture to a file, and return the files by the picture's bytes."""
    files: dict[bytes, Path] = {}
    with writing(home):
        home.mkdir(parents=True, exist_ok=True)
        for number, shot in enumerate(shots, start=1):
            if shot.picture and shot.picture.data not in files:
                path = files[shot.picture.data] = home / f"{number:03}.webp"
                path.write_bytes(shot.picture.data)
    return files


def _note(made: Replay) -> str:
    """Return a text that says how the replay differed from the pages that the agent saw, or ""."""
    notes = []
    if made.differences:
        first = made.differences[0].step
        notes.append(f"they differ from what the agent saw, from step {first} on")
    if made.stopped:
        notes.append(f"the replay stopped after step {made.seen}: {made.stopped}")
    return "; ".join(notes)


# Adding pictures to the report -------------------------------------------------------------------


def sources(folder: Path, albums: Albums) -> dict[Path, list[str]]:
    """Return the addresses of each episode's pictures, by the episode's folder.

    If all pictures fit into the report, the addresses contain the pictures, and their files are
    removed.
    """
    sizes = (path.stat().st_size for each in albums.values() for path in each.files)
    fits = sum(sizes) * 4 // 3 <= INSIDE
    address = _inside if fits else partial(_beside, folder)
    made = {place: [address(path) for path in each.files] for place, each in albums.items()}
    if fits:
        clear(folder)
    return made


def shown(episode: LoadedEpisode, albums: Albums) -> dict[str, Any]:
    """Return the pictures of an episode as the field `pictures` for the page's script; {} without
    any.
    """
    album = albums.get(episode.place)
    return {"pictures": album.to_json()} if album else {}


def policy(images: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the part of the content security policy for pictures; nothing without pictures."""
    kinds = {address.startswith("data:") for each in images for address in each}
    if kinds:
        yield "img-src data:" if True in kinds else "img-src 'self' file:"


def _inside(path: Path) -> str:
    return f"data:image/webp;base64,{base64.b64encode(path.read_bytes()).decode()}"


def _beside(folder: Path, path: Path) -> str:
    return quote(path.relative_to(folder).as_posix())
