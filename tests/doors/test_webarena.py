"""Exported tasks under BrowserGym's own WebArena classes, played by our methods.

The originals' servers are not here, so these are our own sites. BrowserGym logs in, opens the start
addresses and carries out the actions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from agent.browsergym.process import GymPython
from evaluators.integrations.webarena import export
from evaluators.records import run_folder
from evaluators.run import api
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.environments import EnvironmentRequest, gym_python
from evaluators.server import serve
from scenarios import registry
from tests.doors import foreign_python
from tests.doors.foreign_chromium import playwright_browsers
from tests.doors.test_browsergym import PACKAGE
from tests.evaluators.integrations.webarena import experts
from tests.evaluators.integrations.webarena.client import Step
from tests.loopback import Answer, Body, Server
from tests.loopback import serve as serve_model

SCENARIOS = ["map/nearest/3", "map/show_route/1", "forum/vote_newest/2", "shop/wish_product/1"]
ELEMENT = re.compile(r"\[(\d+)\] (\w+) '(.*?)'")

pytestmark = pytest.mark.usefixtures("unmeasured")


class Expert:
    """A model that finds the expert's next element in the request, and says what to do with it.

    BrowserGym ends an episode on success, so it may not be asked for the last steps of a way.
    """

    def __init__(self, ways: Mapping[str, Sequence[Step]]) -> None:
        self._ways = {name: iter(way) for name, way in ways.items()}

    def reply(self, body: Body) -> Answer:
        page, request = str(body["messages"][-1]["content"]), str(body["messages"])
        [name] = [each for each in self._ways if registry.scenario(each).instruction in request]
        step = next(self._ways[name])
        return Server.says(f"Thought: This comes next.\nAction: {action(step, page)}")


def action(step: Step, page: str) -> str:
    if step.verb == "stop":
        return f"stop [{step.text}]"
    like = [number for number, *shown in ELEMENT.findall(page) if shown == [step.role, step.name]]
    assert len(like) > step.nth, f"{step} is not on this page:\n{page}"
    number = like[step.nth]
    if step.verb == "click":
        return f"click [{number}]"
    if step.role == "combobox":
        return f"select [{number}] [{step.text}]"
    return f"type [{number}] [{step.text}] [press_enter_after={int(step.enter)}]"


@pytest.fixture(name="python")
def _python(tmp_path) -> GymPython:
    return gym_python(str(foreign_python("webarena")), 120)


@pytest.fixture(name="served")
def _served(tmp_path, monkeypatch) -> Iterator[Path]:
    """The sites with the exported tasks, and all variables that BrowserGym and its package need."""
    tasks, words = tmp_path / "tasks", tmp_path / "nltk"
    (words / "tokenizers" / "punkt_tab").mkdir(parents=True)  # BrowserGym only asks if it is there
    export.export(SCENARIOS, "webarena", tasks)
    browsers = playwright_browsers(tmp_path / "browsers", foreign_python("webarena"))
    with serve.serve(tasks=tasks) as running:
        assert running.door
        kept = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        variables = {
            **running.door.variables(),
            "PYTHONPATH": os.pathsep.join([str(PACKAGE), *filter(None, kept)]),
            "REHEARSE_CONTROL": running.control.url,
            "REHEARSE_TOKEN": running.token,
            "REHEARSE_TASKS": str(tasks),
            "NLTK_DATA": str(words),
            "PLAYWRIGHT_BROWSERS_PATH": str(browsers),
        }
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        yield tasks


@pytest.mark.parametrize("right", [True, False])
def test_a_method_plays_exported_tasks(tmp_path, monkeypatch, python, served, right):
    ways = experts.ways_of(SCENARIOS)
    wrong = [Step("stop", text="Nowhere")]
    chosen = {name: way if right else wrong for name, way in ways.items()}
    with serve_model() as server:
        server.answering = Expert(chosen).reply
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        names = [f"browsergym/webarena_exported.{number}" for number in range(len(SCENARIOS))]
        tasks = EnvironmentRequest(names).tasks(range(1))
        config = RunConfig(
            out=tmp_path / "run",
            gym_python=python,
            llm="live",
            executor=ExecutorConfig(concurrency=1),
        )
        api.run(("react",), tasks, config)
    records = [*run_folder.episodes(tmp_path / "run")]
    found = {each.scenario.partition("/")[2]: (each.success, each.error) for each in records}
    assert {success for success, _ in found.values()} == {right}, found
    assert len(found) == len(SCENARIOS)
