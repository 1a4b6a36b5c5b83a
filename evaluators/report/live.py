"""Serve the growing report of a run on loopback: `rehearse report RUN --live`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from flask import Blueprint, Response, jsonify, request

from evaluators.analysis import dollars
from evaluators.analysis.summary import summary
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.records.run_plan import RunPlan
from evaluators.report import faults, figures, loading, page
from evaluators.report.live_run import LiveRun, RunSoFar
from evaluators.run.progress import duration
from evaluators.server import local_page
from evaluators.server.local_page import Changes, LocalPage

LOOK_S = 1.0
"""The least seconds between two readings of the run's folder, for any number of viewers."""
LATEST = 12
FILES = {
    **dict.fromkeys(
        ("report.css", "charts.css", "drawings.css", "media.css", "live.css"), "text/css"
    ),
    "live.js": "text/javascript",
}
PARTS = ("head", "under_way", "rates", "faults", "finished")


def wait_for_run(folder: Path, say: Callable[[str], None]) -> None:
    """Wait until a run has begun in the folder; `say` gets one line if it has not."""
    manifest = folder / run_folder.MANIFEST
    if not manifest.exists():
        say(f"no run has begun in {folder}; the page opens when one does. Stop with Ctrl-C.")
    while not manifest.exists():
        time.sleep(LOOK_S / 2)


@contextmanager
def serve(folder: Path, port: int = 0) -> Iterator[LocalPage]:
    """Serve the report of a run, in progress or finished, within the block.

    Raises:
        CorruptRecord: The run has no readable `run.json`.
        PortInUse: The port is taken.
    """
    live = LiveReport(LiveRun(folder))
    changes = Changes(live.version)
    with local_page.serve(_pages(live, changes), changes, port, types="live") as served:
        yield served


def _pages(live: LiveReport, changes: Changes) -> Blueprint:
    made = Blueprint("live", __name__)

    @made.get("/")
    def overview() -> str:
        return page.template("live.html").render(name=live.name, parts=live.parts())

    @made.get(f"/<any({', '.join(map(repr, FILES))}):name>")
    def files(name: str) -> Response:
        return local_page.file(page.TEMPLATES / name, FILES[name])

    @made.get("/state")
    def state() -> Response:
        version = changes.wait(request.args.get("after", ""))
        return jsonify(version=version, parts=live.parts())

    @made.get("/report.html")
    def report() -> Response:
        answer = Response(live.report(), mimetype="text/html")
        answer.headers["Content-Security-Policy"] = "frame-ancestors 'none'"  # and the page's own
        return answer

    return made


class LiveReport:
    """The page of a run in progress, as drawn at the last reading of its folder; safe for many
    threads.
    """

    def __init__(self, run: LiveRun) -> None:
        self.name = run.folder.resolve().name
        self._run, self._lock = run, Lock()
        self._looked = 0.0
        self._number = 0
        self._seen: RunSoFar | None = None
        self._drawn: dict[str, str] = {}
        self._building = Lock()
        self._report = "", b""

    def version(self) -> str:
        """Return a text that changes with each change in the run's folder."""
        with self._lock:
            self._look()
            return str(self._number)

    def parts(self) -> dict[str, str]:
        """Return the HTML of each part of the page, by the part's name."""
        with self._lock:
            self._look()
            return self._drawn

    def report(self) -> bytes:
        """Return the full report of the finished episodes as HTML; it is built once for each
        state.
        """
        version = self.version()
        with self._building:
            if self._report[0] != version:
                self._report = version, self._built()
            return self._report[1]

    def _built(self) -> bytes:
        found = loading.read(self._run.folder)
        return page.html(found)

    def _look(self) -> None:
        if self._seen is not None and time.monotonic() - self._looked < LOOK_S:
            return
        seen, self._looked = self._run.look(), time.monotonic()
        if seen != self._seen:
            self._drawn = drawn(self.name, seen)
            self._seen, self._number = seen, self._number + 1


def drawn(name: str, run: RunSoFar) -> dict[str, str]:
    """Return the HTML of each part of the page for a run's present state, by the part's name."""
    macros: Any = page.template("live_parts.html").module
    rows = summary(name, run.records).rows
    latest = sorted(run.finished, key=lambda each: -each.at)[:LATEST]
    made = {
        "head": macros.head(state(run), facts(run), bars(run)),
        "under_way": macros.under_way(run.under_way),
        "rates": macros.rates(figures.table(rows)),
        "faults": macros.faults(faults.faults(run.records), run.unreadable),
        "finished": macros.finished(latest, len(run.finished)),
    }
    return {part: str(made[part]) for part in PARTS}


@dataclass(frozen=True)
class State:
    """The state of the run in a word and a sentence; `since` is its start if it is in progress."""

    word: str
    sentence: str = ""
    since: float | None = None


def state(run: RunSoFar) -> State:
    """Return the state of a run: finished, in progress, or stopped with episodes left."""
    missing = max(0, RunPlan(run.manifest).episodes - len(run.finished))
    if run.begun_at is not None:
        return State("under way", _left(run, missing), run.begun_at)
    if not missing:
        return State("finished")
    words = "episode is" if missing == 1 else "episodes are"
    return State("stopped", f"{missing} {words} still to be run; resume the run with -o")


def _left(run: RunSoFar, missing: int) -> str:
    """Return a text with the estimated remaining time of the run, or "" if it cannot be estimated.

    The estimate comes from the episodes that have finished since the run was started or resumed.
    """
    assert run.begun_at is not None
    done = [each.at for each in run.finished if each.at >= run.begun_at]
    if not done or not missing:
        return ""
    return f"about {duration((max(done) - run.begun_at) / len(done) * missing)} left"


def facts(run: RunSoFar) -> dict[str, str]:
    """Return the present figures of a run as texts, by label; they include episodes in progress."""
    records, going = run.records, run.under_way
    scored = [each for each in records if each.is_scored]
    won = sum(bool(each.success) for each in scored)
    rate = f" ({won / len(scored):.2f})" if scored else ""
    total = RunPlan(run.manifest).episodes
    return {
        "Episodes": f"{len(records):,} of {total:,}",
        "Succeeded": f"{won:,} of {len(scored):,}{rate}",
        "Under way": f"{len(going):,}",
        "Model calls": figures.known_sum(
            [*(one.llm_calls for one in records), *(one.calls for one in going)]
        ),
        "Tokens": figures.known_sum(
            [*(one.usage.tokens for one in records), *(one.tokens for one in going)]
        ),
        "Cost": _cost(records, [each.cost_usd for each in going]),
    }


def _cost(records: Sequence[EpisodeRecord], going: Sequence[float | None]) -> str:
    """Return the cost as text, "at least" if the cost of an episode is unknown."""
    costs = [*(each.cost_usd for each in records), *going]
    known = sum(each or 0.0 for each in costs)
    if None not in costs:
        return dollars.shown(known)
    return f"at least {dollars.shown(known)}" if known else "unknown"


@dataclass(frozen=True)
class Bar:
    """A segment of the progress bar; position and width are in thousandths of the bar."""

    kind: str
    count: int
    x: float
    width: float


def bars(run: RunSoFar) -> list[Bar]:
    """Return the segments of the progress bar: how episodes ended, and episodes in progress."""
    records = run.records
    counts = {
        "succeeded": sum(each.success is True for each in records),
        "failed": sum(each.success is False for each in records),
        "not scored": sum(each.success is None for each in records),
        "under way": len(run.under_way),
    }
    total = max(RunPlan(run.manifest).episodes, sum(counts.values()), 1)
    made, x = [], 0.0
    for kind, count in counts.items():
        width = round(1000 * count / total, 1)
        made.append(Bar(kind, count, x, width))
        x = round(x + width, 1)
    return made
