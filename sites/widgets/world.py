"""The task pages, read once, and the database of a visit to a task page (its world)."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from sites.widgets import frame
from sites.world import World

FOLDER = Path(__file__).parent
VARIANTS = ("standard", "easy")
"""The names of the variants that every page has.

The variant `easy` has the settings of Synapse's release: a hundred times the time, and smaller
versions of some tasks.
"""
PIXELS = "pixels"
"""The name of the variant that draws only on a canvas; pages that load the script `DRAWS` have it.
"""
DRAWS = "pixels.js"

ACTION_MS = 100
"""Milliseconds that pass on these pages with each action of an agent; no time passes in between."""

SECONDS_OUTSIDE = 1000
"""The time limit in seconds that the control plane gives a visitor who plays in real time."""
MOST_SECONDS = 999_999
"""The largest number of seconds in an address: browsers' timers end at 24 days."""

SCHEMA = """
CREATE TABLE verdicts (
    id INTEGER PRIMARY KEY, load INTEGER NOT NULL, episode INTEGER NOT NULL, raw REAL NOT NULL,
    reward REAL NOT NULL, share REAL NOT NULL, seconds REAL NOT NULL, reason TEXT NOT NULL,
    tainted TEXT NOT NULL, UNIQUE (load, episode));
CREATE TABLE log_loads (
    id INTEGER PRIMARY KEY, task TEXT NOT NULL, seed TEXT NOT NULL, variant TEXT NOT NULL,
    mode TEXT NOT NULL, restores INTEGER NOT NULL, channel TEXT NOT NULL);
CREATE TABLE log_progress (
    id INTEGER PRIMARY KEY, load INTEGER NOT NULL, episode INTEGER NOT NULL,
    moment INTEGER NOT NULL, share REAL NOT NULL);
CREATE TABLE log_taints (
    id INTEGER PRIMARY KEY, load INTEGER NOT NULL, episode INTEGER NOT NULL, reason TEXT NOT NULL);
"""
"""The tables of a visit to a task page.

The column `load` counts the page's loads from 1, `episode` the episodes of a load. `share` is the
share of correct values among the controls that had to change. `tainted` says why an episode does
not count, "" if it counts; `raw` and `reward` are then 0, except if a script merely set fields:
then they are the page's values. `restores` is the number of times the world had been restored when
the page was loaded. `channel` is `binding` if the page reports to the lane that drives it, or
`http`, by which anybody can post.
"""


@dataclass(frozen=True)
class TaskPage:
    """A task's page: its HTML with the hashes of its scripts and styles, and its variants.

    A content security policy must allow the hashes in `scripts` and `styles`.
    """

    name: str
    html: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]
    digest: str
    variants: tuple[str, ...] = VARIANTS

    @property
    def title(self) -> str:
        found = re.search(r"<title>(.*?)</title>", self.html)
        return found[1] if found else self.name


@dataclass(frozen=True)
class WidgetsData:
    """All task pages by name."""

    pages: Mapping[str, TaskPage]

    @cached_property
    def digest(self) -> str:
        """Return a digest of the data: equal digests mean equal problems."""
        return self.digest_of(self.pages)

    def digest_of(self, names: Collection[str]) -> str:
        """Return the digest that the data would have with only the pages of these names."""
        return _digest(page.digest for name, page in self.pages.items() if name in names)


def load_data() -> WidgetsData:
    """Read the pages of `tasks/`; the name of a file is the task's name."""
    return WidgetsData({name: task_page(name, frame.page(name)) for name in frame.names()})


def variants_of(task: str) -> tuple[str, ...]:
    """Return the variants of a task's page; for an unknown task, the variants of every page."""
    if task not in frame.names():
        return VARIANTS
    return _variants(shared_scripts(frame.page(task)))


def new_world(session: str, start: str) -> World:
    """Return the database of a new visit (its world); `start` is the address of its task page."""
    return World(SCHEMA, session, {"start": start})


def shared_scripts(html: str) -> list[str]:
    """Return the names of the files of `static/` that a page loads."""
    return re.findall(r'<script src="/static/(\w+\.js)"></script>', html)


def own_scripts(html: str) -> list[str]:
    """Return the texts of the inline scripts of a page."""
    return re.findall(r"<script>(.*?)</script>", html, re.DOTALL)


def own_styles(html: str) -> list[str]:
    """Return the texts of the inline styles of a page."""
    return re.findall(r"<style>(.*?)</style>", html, re.DOTALL)


def task_page(name: str, html: str) -> TaskPage:
    """Return a task's page; `html` is the whole page as it is served."""
    shared = shared_scripts(html)
    return TaskPage(
        name,
        html,
        _hashes(own_scripts(html)),
        _hashes(own_styles(html)),
        _digest([html, *map(_static, shared)]),
        _variants(shared),
    )


def _variants(scripts: Collection[str]) -> tuple[str, ...]:
    return (*VARIANTS, PIXELS) if DRAWS in scripts else VARIANTS


@cache
def _static(name: str) -> str:
    return (FOLDER / "static" / name).read_text(encoding="utf-8")


def _hashes(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the hashes by which a content security policy names inline texts."""
    sums = (hashlib.sha256(text.encode()).digest() for text in texts)
    return tuple(f"'sha256-{base64.b64encode(each).decode()}'" for each in sums)


def _digest(texts: Iterable[str]) -> str:
    total = hashlib.sha256()
    for text in texts:
        total.update(f"{len(text)}\0{text}".encode())
    return total.hexdigest()
