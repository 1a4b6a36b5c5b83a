"""Reports of the task pages: that they were loaded, and the results of their episodes.

Reports arrive in two ways. A page that an outside agent drives posts them: it gets a key when it is
loaded, and only reports with a key count. A page in a lane (our own browser page for one episode)
passes them on directly (`Reports`). In both cases `begin` and `report` check them, and only the
first verdict on an episode counts.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import rehearsal_json
from sites.site_app import BODY_LIMIT
from sites.widgets.compositions import number_of
from sites.widgets.originals import ORIGINAL
from sites.widgets.world import VARIANTS, WidgetsData
from sites.world import World, WorldClosed

LONGEST = 200
"""The largest number of characters of the reason in a report."""
BINDING, HTTP = "binding", "http"
"""Ways of reporting: to the browser page's driver, or by a post, which anybody can send."""


class BadReport(ValueError):
    """A report that our pages do not send; the message says why."""


@dataclass(frozen=True)
class Keys:
    """Secret keys of loaded pages: each stands for the database of a visit (world) and a load's
    number.

    A key is forgotten with its world.
    """

    worlds: WeakKeyDictionary[World, dict[str, int]] = field(default_factory=WeakKeyDictionary)
    lock: Lock = field(default_factory=Lock)

    def make(self, world: World, load: int) -> str:
        """Return a new secret key for a page that was loaded in a visit; `load` is the load's
        number.
        """
        key = secrets.token_hex(16)
        with self.lock:
            self.worlds.setdefault(world, {})[key] = load
        return key

    def find(self, key: str) -> tuple[World, int]:
        """Return the visit's database (world) and the load's number of a key. Raises
        `BadReport`.
        """
        with self.lock:
            for world, loads in self.worlds.items():
                if key in loads:
                    return world, loads[key]
        raise BadReport("this page was not loaded in a visit that is open; load it again")


@dataclass(frozen=True)
class Reports:
    """Receives the reports of the pages that our own browser opens in one visit.

    The attribute `loads` maps the JavaScript context of a document to the number of the load.
    """

    world: World
    data: WidgetsData
    loads: dict[int, int] = field(default_factory=dict)

    def __call__(self, context: int, text: str) -> None:
        """Record a report that a page has sent as the text of a JSON object.

        A malformed report, or a report after the end of the visit, changes nothing. Any other
        exception is recorded as a fault of the site.
        """
        try:
            self._record(context, text)
        except (BadReport, WorldClosed):
            return
        except Exception as error:
            self.world.fault = f"report: {type(error).__name__}: {error}"

    def _record(self, context: int, text: str) -> None:
        sent = _parsed(text)
        if sent.get("kind") == "load":
            if sent.get("scenario") not in ("", self.world.session):
                raise BadReport("this is not your session")
            self.loads[context] = begin(self.world, self.data, sent, BINDING)
        elif context in self.loads:
            report(self.world, self.loads[context], sent)


def _parsed(text: str) -> Mapping[str, Any]:
    """Return the JSON object of a report's text. Raises `BadReport` if the text is none or too
    long.
    """
    try:
        sent = rehearsal_json.loads(text) if len(text) <= BODY_LIMIT else None
    except ValueError:
        sent = None
    if not isinstance(sent, dict):
        raise BadReport("a report is a JSON object")
    return sent


def begin(world: World, data: WidgetsData, sent: Mapping[str, Any], channel: str) -> int:
    """Record that a task page was loaded; return the number of the load. Raises `BadReport`."""
    task, seed, variant, mode = (_text(sent, name) for name in ("task", "seed", "variant", "mode"))
    if task not in data.pages and number_of(task) is None:
        raise BadReport(f"there is no task {task[:40]!r}")
    known = (*data.pages[task].variants, ORIGINAL) if task in data.pages else VARIANTS
    if variant not in known:
        raise BadReport(f"there is no variant {variant[:40]!r}; write {' or '.join(known)}")
    return world.write(
        "INSERT INTO log_loads (task, seed, variant, mode, restores, channel)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (task, seed, variant, mode, world.restores, channel),
    )


def report(world: World, load: int, sent: Mapping[str, Any]) -> None:
    """Record a page's report on an episode. Raises `BadReport`, `WorldClosed`."""
    kind = _text(sent, "kind")
    if kind not in _KINDS:
        raise BadReport(f"there is no report {kind[:40]!r}")
    _KINDS[kind](world, (load, int(_number(sent, "episode", 1, 1e9))), sent)


def _progress(world: World, place: tuple[int, int], sent: Mapping[str, Any]) -> None:
    sequence = int(_number(sent, "moment", 0, 1e9))
    world.write(
        "INSERT INTO log_progress (load, episode, moment, share) VALUES (?, ?, ?, ?)",
        (*place, sequence, _number(sent, "share", 0, 1)),
    )


def _tainted(world: World, place: tuple[int, int], sent: Mapping[str, Any]) -> None:
    world.write(
        "INSERT INTO log_taints (load, episode, reason) VALUES (?, ?, ?)",
        (*place, _text(sent, "reason")),
    )


def _verdict(world: World, place: tuple[int, int], sent: Mapping[str, Any]) -> None:
    tainted, soft = _text(sent, "tainted"), _number({"soft": 0, **sent}, "soft", 0, 1)
    raw, reward = (_number(sent, name, -1, 1) for name in ("raw", "reward"))
    if tainted and not soft:
        raw = reward = 0.0
    numbers = raw, reward, _number(sent, "share", 0, 1), _number(sent, "seconds", 0, 1e9)
    world.write(
        "INSERT OR IGNORE INTO verdicts"
        " (load, episode, raw, reward, share, seconds, reason, tainted)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*place, *numbers, _text(sent, "reason"), tainted),
    )


_KINDS = {"progress": _progress, "tainted": _tainted, "verdict": _verdict}


def _text(sent: Mapping[str, Any], name: str) -> str:
    value = sent.get(name)
    if not isinstance(value, str) or len(value) > LONGEST:
        raise BadReport(f"{name} must be a text of at most {LONGEST} characters")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise BadReport(f"{name} holds half a character (a surrogate); send whole ones")
    return value


def _number(sent: Mapping[str, Any], name: str, least: float, most: float) -> float:
    value = sent.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadReport(f"{name} must be a number")
    if not least <= value <= most:
        raise BadReport(f"{name} must lie from {least:g} to {most:g}")
    return float(value)
