"""The prompts for WebArena's own tasks in BrowserGym's browser, on pages of our forum, map and
shop, since the originals' servers are not here. Replies are written by hand.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from agent.methods.step import policy_library
from evaluators.records import run_folder
from evaluators.run import api
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.environments import EnvironmentRequest, gym_python
from evaluators.server.serve import serve
from rehearse import generate
from tests import loopback
from tests.doors import foreign_python
from tests.doors.test_browsergym import PACKAGE
from tests.loopback import Answer, Body, Server

pytestmark = pytest.mark.usefixtures("unmeasured")
QUOTED = re.compile(r"“(.*?)”")
WAYS = {
    "edit_bio": (
        *("find_user [me]", "click <link My page>", "stop []"),
        *("click <link Edit biography>", "type <textbox Biography> [{text}]"),
        *("click <button Save biography>", "stop []"),
    ),
    "show_route": (
        *("find_directions [Ulmelin Law Office, Cortelli]", "click <link Directions>"),
        *("type <textbox From> [Ulmelin Law Office]", "type <textbox To> [Cortelli, Maple Lane]"),
        *("select <combobox Travel by> [foot]", "click <button Go>", "stop []", "stop []"),
    ),
    "wish_product": (
        *("list_products [a hose reel]", "click <link Search>"),
        "type <searchbox Search for> [Jarrick Modern Hose Reel] [press_enter_after=1]",
        *("click <link Jarrick Modern Hose Reel>", "stop []"),
        *("click <button Add to wish list>", "stop []"),
    ),
}
"""The actions of SteP's policies on seed 0 of a family; `<role name>` stands for an element."""


@pytest.fixture(scope="module", name="served")
def _served() -> Iterator[None]:
    """What our own tasks in BrowserGym ask: their package, and a `rehearse serve`."""
    foreign_python("browsergym")
    with serve(["forum", "map", "shop"]) as served, pytest.MonkeyPatch.context() as patch:
        kept = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(PACKAGE), *filter(None, kept)]))
        patch.setenv("REHEARSE_CONTROL", served.control.url)
        patch.setenv("REHEARSE_TOKEN", served.token)
        yield


class Hand:
    """A model that gives one action of a way after another, for the page that it is shown."""

    def __init__(self, family: str) -> None:
        quoted = QUOTED.findall(generate(family, 0).instruction)
        self._way = (each.replace("{text}", "".join(quoted)) for each in WAYS[family])

    def reply(self, body: Body) -> Answer:
        page = str(body["messages"][-1]["content"])

        def number(found: re.Match[str]) -> str:
            role, name = found[1].split(" ", 1)
            [shown] = re.findall(rf"\[(\d+)\] {role} '{name}'", page)
            return f"[{shown}]"

        return Server.says(
            f"REASON: Point 1.\nACTION: {re.sub('<(.*?)>', number, next(self._way))}"
        )


@pytest.mark.parametrize("family", WAYS)
def test_a_policy_for_webarena_acts_on_a_page_of_ours(tmp_path, monkeypatch, served, family):
    python = gym_python(str(foreign_python("browsergym")), 120)
    request = EnvironmentRequest([f"browsergym/rehearsal.{family}"], "webarena", python)
    config = RunConfig(
        llm="live", gym_python=python, executor=ExecutorConfig(concurrency=1), out=tmp_path / "run"
    )
    with loopback.serve(Hand(family).reply) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        api.run(("step",), request.tasks(range(1)), config)
    [record] = run_folder.episodes(tmp_path / "run")
    assert (record.success, record.stack_depth) == (True, 2), record.error
    called = policy_library.load("webarena").policies[WAYS[family][0].partition(" ")[0]]
    second = str(model.requests[1].body["messages"])
    assert called.instruction.strip().split("\n")[0] in second
