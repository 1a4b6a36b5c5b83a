"""A change that is refused: it has a line in the journal, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from sites.crm.base.forms import Invalid
from sites.site_app import Refusal
from sites.world import World


def refused(world: World, change: Callable[[], object]) -> Any:
    """What it is refused with."""
    before = world.digest()
    with pytest.raises((Invalid, Refusal)) as caught:
        change()
    assert world.digest() == before
    line = world.read("SELECT * FROM log_commits ORDER BY id DESC LIMIT 1")[0]
    assert line["recorded"] is None
    problem = caught.value
    errors = problem.errors if isinstance(problem, Invalid) else {"": problem.sentence}
    assert json.loads(line["errors"]) == errors
    return problem
