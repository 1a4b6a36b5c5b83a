"""Rehearsal's tasks for BrowserGym: `gymnasium.make("browsergym/rehearsal.buy_item")`.

Importing this registers every family of `families.json`, as BrowserGym's own benchmarks do.
"""

from __future__ import annotations

import json
from pathlib import Path

from browsergym.core.registration import register_task
from browsergym.rehearsal.task import RehearsalTask
from gymnasium import registry

FAMILIES: tuple[str, ...] = tuple(
    json.loads(Path(__file__).with_name("families.json").read_text(encoding="utf-8"))
)
"""What `rehearse list families` lists."""


def register(family: str) -> str:
    """The task's name, `rehearsal.<family>`; registers it where it is not yet.

    Variants that no list has, such as `click-button.easy`, are registered so.
    """
    name = f"rehearsal.{family}"
    if f"browsergym/{name}" not in registry:
        register_task(name, RehearsalTask, task_kwargs={"family": family}, nondeterministic=False)
    return name


for _family in FAMILIES:
    register(_family)
