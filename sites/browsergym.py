"""Where the pages are those of BrowserGym's environments: nothing is served, and a world holds what
the environment said of the episode.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flask import Flask

from sites.world import World, Worlds

SITE = "browsergym"
LONGEST = 10_000
"""Characters that are kept of what a task says about a step."""
SCHEMA = """
CREATE TABLE log_resets (
    id INTEGER PRIMARY KEY, goal TEXT NOT NULL, url TEXT NOT NULL, versions TEXT NOT NULL);
CREATE TABLE rewards (
    id INTEGER PRIMARY KEY, reward REAL NOT NULL, terminated INTEGER NOT NULL,
    truncated INTEGER NOT NULL, info TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Data:
    """There is none: what an environment shows is not ours."""

    digest: str = SITE


class Reports:
    """Takes what the lane of an environment reports of its resets and steps, as JSON."""

    def __init__(self, world: World, data: Data) -> None:
        self._world = world

    def __call__(self, number: int, text: str) -> None:
        report = json.loads(text)
        _reset(self._world, report) if "goal" in report else _step(self._world, report)


def _reset(world: World, report: dict[str, Any]) -> None:
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    world.write(
        "INSERT INTO log_resets (goal, url, versions) VALUES (?, ?, ?)",
        (_whole(str(report["goal"])), _whole(str(report["url"])), versions),
    )


def _step(world: World, report: dict[str, Any]) -> None:
    info = _whole(json.dumps(report["info"], ensure_ascii=False, sort_keys=True))[:LONGEST]
    ends = bool(report["terminated"]), bool(report["truncated"])
    world.write(
        "INSERT INTO rewards (reward, terminated, truncated, info) VALUES (?, ?, ?, ?)",
        (float(report["reward"]), *ends, info),
    )


def _whole(text: str) -> str:
    """The text without halves of characters, which a database does not take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def new_world(session: str) -> World:
    """The world of an episode: nothing has been said yet."""
    return World(SCHEMA, session)


def load_data() -> Data:
    return Data()


def create_app(data: Data, worlds: Worlds) -> Flask:
    """An application without pages."""
    return Flask(__name__)
