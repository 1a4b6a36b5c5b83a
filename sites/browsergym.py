"""The site that stands for BrowserGym's environments.

It serves no pages, because the environments have their own. Its worlds record the goals and rewards
that the environments report.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flask import Flask

from sites.world import World, Worlds

SITE = "browsergym"
NEEDS_BROWSER = {SITE: "an environment of BrowserGym has a browser of its own"}
"""Why the pages of a host need a browser."""
LONGEST = 10_000
"""Maximum number of characters kept of the info that an environment gives about a step."""
SCHEMA = """
CREATE TABLE log_resets (
    id INTEGER PRIMARY KEY, goal TEXT NOT NULL, url TEXT NOT NULL, versions TEXT NOT NULL);
CREATE TABLE rewards (
    id INTEGER PRIMARY KEY, reward REAL NOT NULL, terminated INTEGER NOT NULL,
    truncated INTEGER NOT NULL, info TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Data:
    """The site's data. It is empty, because BrowserGym provides the content of its environments."""

    digest: str = SITE


class Reports:
    """Record the resets and steps that an environment's lane reports as JSON."""

    def __init__(self, world: World, data: Data) -> None:
        self._world = world

    def __call__(self, number: int, text: str) -> None:
        report = json.loads(text)
        _reset(self._world, report) if "goal" in report else _step(self._world, report)


def _reset(world: World, report: dict[str, Any]) -> None:
    """Record the goal, the address and the package versions of a reset."""
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    world.write(
        "INSERT INTO log_resets (goal, url, versions) VALUES (?, ?, ?)",
        (_whole(str(report["goal"])), _whole(str(report["url"])), versions),
    )


def _step(world: World, report: dict[str, Any]) -> None:
    """Record the reward of a step, whether it ended the episode, and its info."""
    info = _whole(json.dumps(report["info"], ensure_ascii=False, sort_keys=True))[:LONGEST]
    ends = bool(report["terminated"]), bool(report["truncated"])
    world.write(
        "INSERT INTO rewards (reward, terminated, truncated, info) VALUES (?, ?, ?, ?)",
        (float(report["reward"]), *ends, info),
    )


def _whole(text: str) -> str:
    """Replace lone surrogates in a text, because the database does not accept them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def new_world(session: str) -> World:
    """Return the database of a new episode (its world), without any reports.

    Args:
        session: The session that stands in addresses.
    """
    return World(SCHEMA, session)


def load_data() -> Data:
    """Return the site's empty data."""
    return Data()


def create_app(data: Data, worlds: Worlds) -> Flask:
    """Return an application without pages."""
    return Flask(__name__)
