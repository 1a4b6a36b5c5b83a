"""The task pages, read once, and the world of a visit to one of them."""

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
"""Of every page; `easy` is as Synapse's release played them: a hundred times the time, some tasks
smaller."""
PIXELS = "pixels"
"""The variant in which what is drawn stands on a canvas alone, of the pages that load `DRAWS`."""
DRAWS = "pixels.js"

ACTION_MS = 100
"""So many milliseconds pass on these pages with each action of an agent, and none between them."""

SECONDS_OUTSIDE = 1000
"""The control plane gives a visitor whose time is real so long."""
MOST_SECONDS = 999_999
"""An address gives no more: browsers' timers end at 24 days."""

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
"""`load` counts the page's loads from 1, `episode` the episodes of a load. `share` is of the
controls that had to change. `tainted` is why nothing counts for us, "" where everything does; `raw`
and `reward` are then 0, but what the page gave where only fields were set by script. `restores`
is how often the world had been set back when the page was loaded. `channel` is how the page
reports: `binding` to the lane that drives it, or `http`, where anybody can have posted."""


@dataclass(frozen=True)
class TaskPage:
    """A task's page. `scripts` and `styles` are what a content security policy must let pass.
    `variants` are those in which it can be opened."""

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
    """Every task page by name."""

    pages: Mapping[str, TaskPage]

    @cached_property
    def digest(self) -> str:
        """Identifies the data: equal digests mean equal problems."""
        return self.digest_of(self.pages)

    def digest_of(self, names: Collection[str]) -> str:
        """The digest of the data if it had only the pages with these names."""
        return _digest(page.digest for name, page in self.pages.items() if name in names)


def load_data() -> WidgetsData:
    """Read the pages of `tasks/`; a file's name is the task's."""
    return WidgetsData({name: task_page(name, frame.page(name)) for name in frame.names()})


def variants_of(task: str) -> tuple[str, ...]:
    """The variants in which a task's page can be opened; those of every page where there is none
    of this name."""
    if task not in frame.names():
        return VARIANTS
    return _variants(shared_scripts(frame.page(task)))


def new_world(session: str, start: str) -> World:
    """A visit that has not begun; `start` is the address of its task page."""
    return World(SCHEMA, session, {"start": start})


def shared_scripts(html: str) -> list[str]:
    """The names of the files of `static/` that a page loads."""
    return re.findall(r'<script src="/static/(\w+\.js)"></script>', html)


def own_scripts(html: str) -> list[str]:
    """The texts of the scripts that stand in a page."""
    return re.findall(r"<script>(.*?)</script>", html, re.DOTALL)


def own_styles(html: str) -> list[str]:
    """The texts of the styles that stand in a page."""
    return re.findall(r"<style>(.*?)</style>", html, re.DOTALL)


def task_page(name: str, html: str) -> TaskPage:
    """The page of a task; `html` is the whole page as it is served."""
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
    """As a content security policy names inline text."""
    sums = (hashlib.sha256(text.encode()).digest() for text in texts)
    return tuple(f"'sha256-{base64.b64encode(each).decode()}'" for each in sums)


def _digest(texts: Iterable[str]) -> str:
    total = hashlib.sha256()
    for text in texts:
        total.update(f"{len(text)}\0{text}".encode())
    return total.hexdigest()
