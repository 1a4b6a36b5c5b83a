"""Show the progress of a run on stderr: a bar on a terminal, otherwise lines of text."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Column

from agent.llm.model_source import SCRIPTED
from evaluators.analysis import dollars
from evaluators.analysis.floor import is_null
from evaluators.commands.terminal import raw
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.records.run_plan import Key, RunPlan
from evaluators.run import worker
from evaluators.run.worker import OnRecord

EVERY, LINES = 25, 10
"""Without a terminal, a run prints about `LINES` lines, but one every `EVERY` episodes at least."""
BAR_WIDTH = 20
"""The width of the bar in characters; it leaves room for words in a narrow terminal."""
MOST_AGENTS = 4
"""The most agents that a line names."""
NULL = "null agents"


@contextmanager
def progress(wanted: Collection[Key], folder: Path, *, quiet: bool) -> Iterator[OnRecord]:
    """Show the progress of a run within the block; yield a function to call with each episode's
    record.

    Args:
        wanted: The episodes that the command asks for.
        folder: The run's folder; it may hold finished episodes, and the run may have others too.
        quiet: Show nothing.
    """
    if quiet:
        yield lambda record: None
        return
    tally = _begun(frozenset(wanted), folder)
    try:
        with _shown(tally) as on_record:
            yield on_record
    except KeyboardInterrupt:
        left = (
            f"{tally.total - tally.done} are left" if tally.total > tally.done else "none is left"
        )
        print(f"{tally.done} of {tally.total} episodes are done, {left}", file=sys.stderr)  # noqa: T201
        raise


def _begun(wanted: Collection[Key], folder: Path) -> Tally:
    """Return the counts of a whole run when a command that asks for some episodes begins."""
    tally, done = Tally(len(wanted)), set[Key]()
    for record in recorded(folder):
        tally.count(record)
        done.add((record.agent, record.scenario, record.trial))
    tally.total = _whole(folder, {*wanted, *done})
    tally.begin(len({*wanted} - done))
    return tally


def _whole(folder: Path, known: Collection[Key]) -> int:
    """Return the number of episodes of a whole run: the known ones, and those of all parts of its
    manifest.

    The manifest of a shard does not say which of its episodes are in the shard.
    """
    if not (folder / run_folder.MANIFEST).exists():
        return len(known)
    manifest = run_folder.load_manifest(folder)
    return len(known) if manifest.config.shard else RunPlan(manifest).episodes_with(known)


@contextmanager
def _shown(tally: Tally) -> Iterator[OnRecord]:
    """Show the counts as a bar on a terminal, otherwise as lines."""
    console = Console(file=raw(sys.stderr))
    if console.is_terminal:
        with _bar(tally, console) as on_record:
            yield on_record
    else:
        yield _lines(tally)


def recorded(folder: Path) -> Iterator[EpisodeRecord]:
    """Yield the records of the episodes that a resumed run does not run again."""
    if (folder / run_folder.MANIFEST).exists():
        yield from (each for each in run_folder.episodes(folder) if not worker.should_retry(each))


@contextmanager
def _bar(tally: Tally, console: Console) -> Iterator[OnRecord]:
    words = TextColumn("{task.description}", table_column=Column(overflow="fold"))
    count = MofNCompleteColumn(table_column=Column(no_wrap=True))
    columns = (BarColumn(BAR_WIDTH, table_column=Column(no_wrap=True)), count, words)
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(tally.words(), total=tally.total, completed=tally.done)

        def on_record(record: EpisodeRecord) -> None:
            tally.count(record)
            bar.update(task, completed=tally.done, description=tally.words())

        yield on_record


def _lines(tally: Tally) -> OnRecord:
    every = max(1, min(EVERY, tally.coming // LINES))
    last = tally.before + tally.coming

    def on_record(record: EpisodeRecord) -> None:
        tally.count(record)
        if tally.done % every == 0 or tally.done == last:
            print(f"{tally.done}/{tally.total} episodes, {tally.words()}", file=sys.stderr)  # noqa: T201

    return on_record


@dataclass
class Tally:
    """Counts of a whole run so far: episodes, successes, infrastructure errors, dollars, time.

    Successes are counted by agent; null agents, which have no skill to rate, are counted together.
    """

    total: int
    done: int = 0
    infra: int = 0
    won: Counter[str] = field(default_factory=Counter)
    scored: Counter[str] = field(default_factory=Counter)
    dollars: float = 0.0
    priced: int = 0
    """The number of episodes of a paid model whose cost is known."""
    unpriced: int = 0
    before: int = 0
    """The number of episodes that were done when this process began."""
    coming: int = 0
    """The number of episodes that this process is to run."""
    begun: float = field(default_factory=time.monotonic)

    def begin(self, coming: int) -> None:
        """Start the clock for the estimate of the remaining time.

        Args:
            coming: The number of episodes that this process is to run.
        """
        self.before, self.coming, self.begun = self.done, coming, time.monotonic()

    def count(self, record: EpisodeRecord) -> None:
        """Add an episode's record to the counts."""
        self.done += 1
        agent = NULL if is_null(record.method) else record.agent
        self.won[agent] += record.success is True
        self.scored[agent] += record.is_scored
        self.infra += not record.is_scored
        if record.model != SCRIPTED:
            self.dollars += record.cost_usd or 0.0
            self.priced += record.cost_usd is not None
            self.unpriced += record.cost_usd is None

    def words(self) -> str:
        """Return the counts, the cost and the remaining time of a run as text."""
        infra = f"{self.infra} infra" if self.infra else ""
        return ", ".join(filter(None, (self._success(), infra, self._cost(), self._left())))

    def _success(self) -> str:
        """Return the successes of each agent, of null agents last."""
        agents = sorted(filter(self.scored.get, self.scored), key=NULL.__eq__)
        shown = [
            self._rate(each) for each in agents if each == NULL or each in agents[:MOST_AGENTS]
        ]
        if left := len(agents) - len(shown):
            shown.append(f"{left} more agents")
        return ", ".join(shown) or "0 succeeded"

    def _rate(self, agent: str) -> str:
        won, scored = self.won[agent], self.scored[agent]
        return f"{agent} {won} of {scored} ({won / scored:.2f})"

    def _cost(self) -> str:
        """Return the cost as text; "" for the scripted model, "at least" if some cost is
        unknown.
        """
        if not self.unpriced:
            return dollars.shown(self.dollars) if self.priced else ""
        return f"at least {dollars.shown(self.dollars)}" if self.dollars else "cost unknown"

    def _left(self) -> str:
        ran = self.done - self.before
        left = self.coming - ran
        if ran < 1 or left < 1:
            return ""
        return f"{duration((time.monotonic() - self.begun) / ran * left)} left"


def duration(seconds: float) -> str:
    """Return a duration in seconds as rounded text: `50 s`, `12 min`, `3.5 h`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
