"""`rehearse mcp` without a client: what it refuses, and what it says on stderr."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import rehearse
from evaluators.commands import mcp
from evaluators.commands.mcp import Count
from evaluators.run.clients import BadName
from evaluators.run.config import ExecutorConfig
from evaluators.server import mcp_server
from evaluators.server.mcp_server import McpMissing
from rehearsal_errors import RehearsalError

GIVEN = {
    "suites": (),
    "families": ("buy_item",),
    "seeds": "0:3",
    "max_steps": 7,
    "max_seconds": None,
    "headed": False,
    "out": None,
}


def test_it_is_a_run_of_outside_with_one_task_at_a_time(tmp_path):
    request = mcp.read("some-agent-1.2", **GIVEN | {"out": tmp_path / "run", "max_seconds": 30.0})
    assert request.names == ["outside:client=some-agent-1.2"]
    assert (request.total, request.out) == (3, tmp_path / "run")
    assert request.config.executor == ExecutorConfig(1, concurrency=1)
    assert (request.config.limits.steps, request.config.limits.seconds) == (7, 30.0)
    assert mcp.read("", **GIVEN).names == ["outside"]


@pytest.mark.parametrize("client", ["a:b", "a,b", "a b", "a@b"])
def test_a_client_is_called_by_a_word(client):
    with pytest.raises(BadName, match="letters, digits"):
        mcp.read(client, **GIVEN)


def test_tasks_must_be_named():
    with pytest.raises(RehearsalError, match="--suite"):
        mcp.read("", **GIVEN | {"families": ()})


def test_without_the_package_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(McpMissing, match=r"pip install 'rehearsal-web\[mcp\]'"):
        mcp_server.check()


def test_what_is_said_on_the_way_holds_no_verdict():
    lines = []
    count = Count(3, 1, lines.append)
    count(SimpleNamespace(is_scored=True, success=True))
    count(SimpleNamespace(is_scored=False, success=None))
    assert lines == ["2/3 tasks are done", "2/3 tasks are done"]
    assert count.ending("runs/a").startswith("1 of 3 tasks are left; the same command")
    count(SimpleNamespace(is_scored=True, success=False))
    assert count.ending("runs/a") == "all tasks are done: rehearse report runs/a"


def test_the_configuration_that_the_page_shows_starts_a_run():
    page = Path(rehearse.__file__).parent / "docs" / "doors.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    shown = next(line for line in lines if '"command": "rehearse"' in line)
    server = json.loads(shown)["mcpServers"]["rehearsal"]
    name, *arguments = server["args"]
    given = rehearse.main.commands[name].make_context(name, arguments).params
    request = mcp.read(**given)
    assert (server["command"], request.total) == ("rehearse", 20)
    assert request.names == ["outside:client=my-agent"]
