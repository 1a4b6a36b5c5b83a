"""Find an episode of a run by a name that a person types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote

from evaluators.records import run_folder
from rehearsal_errors import RehearsalError, first_few

SHOWN = 3
"""The number of episode names that an error message suggests."""
_RECORDED = [re.compile(rf"(.+)/[^/]+/([^/]+)/(\d+){trial}") for trial in ("(/\\d+)", "()")]
"""Patterns of an episode's name in its record: `agent/site/family/seed/trial`, or without the
trial.
"""

_SCENARIO = re.compile(r"[^/]+/([^/]+)/(\d+)(?:/(\d+))?")
"""The pattern of a scenario's name, `site/family/seed`, perhaps with a trial behind it."""

Names = Sequence[str]


class UnknownEpisode(RehearsalError, LookupError):
    """No episode of the run has the name that a person typed, or several do."""


class UnknownRun(RehearsalError, LookupError):
    """The folder holds no run."""


def find(run: Path, name: str) -> Path:
    """Return the folder of the episode with that name.

    Args:
        run: The run's folder.
        name: The episode's address in the report (`react/buy_item-3/0`), its name in the record
            (`react/store/buy_item/3/0`), a unique beginning of either, its scenario
            (`store/buy_item/3`) if one episode has it, its folder, or its number in the order of
            the report, from 1.

    Raises:
        UnknownRun: The folder holds no run.
        UnknownEpisode: No episode or several episodes have that name.
        CorruptRecord: A record cannot be read.
    """
    check_run(run)
    homes = [each for each in run_folder.homes(run) if run_folder.is_done(each)]
    if (folder := Path(name)).is_dir():
        same = [each for each in homes if each.resolve() == folder.resolve()]
        if same:
            return same[0]
    if name.isdecimal():
        return _by_number(run, name)
    wanted = _wanted(name)
    names = {home: _names(run, home) for home in homes}
    for fits in (_is, _is_within, _begins):
        found = [home for home, known in names.items() if fits(wanted, known)]
        if len(found) == 1:
            return found[0]
        if found:
            raise _several(name, [names[home][0] for home in found])
    if found := _of_scenario(name, homes):
        if len(found) == 1:
            return found[0]
        episodes = first_few([names[home][0] for home in found], SHOWN)
        raise UnknownEpisode(f"{name!r} was played in {episodes}", "write one of these names")
    raise _unknown(run, name, [known[0] for known in names.values()])


def check_run(run: Path) -> None:
    """Raise `UnknownRun` if the folder holds no run."""
    if (run / run_folder.MANIFEST).exists():
        return
    beside = [each.parent.name for each in run.parent.glob(f"*/{run_folder.MANIFEST}")]
    near = [str(run.parent / each) for each in _near(run.name, beside)]
    remedy = f"did you mean {', '.join(near)}?" if near else "give the folder of a run"
    raise UnknownRun(f"there is no run in {run}", remedy)


def _names(run: Path, home: Path) -> tuple[str, str]:
    """Return an episode's name as the report shows it, and as the report's addresses encode it."""
    agent, task, trial = home.relative_to(run).parts[1:]
    return f"{unquote(agent)}/{unquote(task)}/{trial}", run_folder.key(home.relative_to(run))


def _wanted(name: str) -> tuple[str, ...]:
    """Return the episode names that a typed text may mean.

    The text may be an address in the report or a name from a record.
    """
    bare = name.rpartition("#")[2].partition("?step=")[0].removeprefix("episodes/").strip("/")
    own = filter(None, (form.fullmatch(bare) for form in _RECORDED))
    return bare, *("{}/{}-{}{}".format(*found.groups()) for found in own)


def _of_scenario(name: str, homes: Sequence[Path]) -> list[Path]:
    """Return the folders of the episodes that play the scenario with this name."""
    form = _SCENARIO.fullmatch(name)
    if form is None:
        return []
    family, seed, trial = form.groups()
    task = f"{family}-{seed}"
    return [
        home for home in homes if unquote(home.parent.name) == task and trial in {None, home.name}
    ]


def _is(wanted: Names, known: Names) -> bool:
    return not {*wanted}.isdisjoint(known)


def _is_within(wanted: Names, known: Names) -> bool:
    return _begins([f"{each}/" for each in wanted], known)


def _begins(wanted: Names, known: Names) -> bool:
    return any(name.startswith(each) for each in wanted for name in known)


def _by_number(run: Path, number: str) -> Path:
    found = run_folder.found(run)
    count = len(found)
    if len(number) > len(str(count)) or not 0 < int(number) <= count:
        raise UnknownEpisode(
            f"there is no episode {number} in {run}", f"give a number from 1 to {count}"
        )
    return found[int(number) - 1][0]


def _several(name: str, names: Names) -> UnknownEpisode:
    begun = first_few(names, SHOWN)
    return UnknownEpisode(f"{name!r} is the beginning of {begun}", "write more of it")


def _unknown(run: Path, name: str, names: Names) -> UnknownEpisode:
    if not names:
        return UnknownEpisode(f"there is no episode in {run}", "resume the run with -o")
    near = ", ".join(_near(name, names) or names[:SHOWN])
    return UnknownEpisode(f"there is no episode {name!r} in {run}", f"did you mean {near}?")


def _near(name: str, names: Names) -> list[str]:
    return get_close_matches(name, names, n=SHOWN, cutoff=0.5)
