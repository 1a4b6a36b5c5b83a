"""Agents on a suite with a live model: `tox -e live -- -n 8 --agent react --suite store-20`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from evaluators.integrations.pytest_plugin import RunEpisode

pytestmark = pytest.mark.live


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    from evaluators.integrations.pytest_plugin import cases

    found = cases(metafunc.config)
    metafunc.parametrize(("agent", "scenario", "trial"), found.values(), ids=found)


def test_agent(agent: str, scenario: str, trial: int, live_episode: RunEpisode) -> None:
    record: dict[str, Any] = live_episode(agent, scenario, trial)
    assert record["ended"] != "infra_error", record["error"]
    assert record["success"], record["checks"]
