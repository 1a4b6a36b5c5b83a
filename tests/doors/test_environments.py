"""Our methods in environments of BrowserGym itself, which runs in a Python of its own."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import rehearse
from agent.browsergym import process
from agent.browsergym.lane import EnvironmentLane
from agent.browsergym.process import GymPython
from agent.interface import Back, Click, Goto, Observation, Scroll, Type
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.run import api, environments
from evaluators.run.config import RunConfig
from evaluators.run.environments import BadEnvironment, EnvironmentRequest, gym_python
from evaluators.server.serve import serve
from rehearse import generate
from tests.doors import foreign_python, original_pages
from tests.doors.test_browsergym import PACKAGE
from tests.test_docs import blocks

METHODS = ("flat", "react", "step", "synapse")

pytestmark = pytest.mark.usefixtures("unmeasured")


@pytest.fixture(name="python")
def _python() -> GymPython:
    return gym_python(str(foreign_python("browsergym")), 120)


@pytest.fixture(scope="module", name="served")
def _served() -> Iterator[None]:
    """What our own tasks in BrowserGym ask: their package, and a `rehearse serve`."""
    foreign_python("browsergym")
    with serve() as served, pytest.MonkeyPatch.context() as patch:
        kept = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(PACKAGE), *filter(None, kept)]))
        patch.setenv("REHEARSE_CONTROL", served.control.url)
        patch.setenv("REHEARSE_TOKEN", served.token)
        yield


def ran(
    out: Path, python: GymPython, agents: tuple[str, ...], *names: str, seeds: range = range(1)
) -> list[EpisodeRecord]:
    tasks = EnvironmentRequest([f"browsergym/{name}" for name in names]).tasks(seeds)
    api.run(agents, tasks, RunConfig(out=out, gym_python=python))
    return list(run_folder.episodes(out))


def lost(records: list[EpisodeRecord]) -> list[tuple[str, str, str]]:
    return [(each.episode, each.ended, each.error) for each in records if not each.success]


def left_behind() -> list[str]:
    """The processes of environments that still run, by their number."""
    found = []
    for home in Path("/proc").glob("[0-9]*"):
        try:
            words = (home / "cmdline").read_text()
        except OSError:
            continue
        if str(process.PROGRAM) in words:
            found.append(home.name)
    return found


# MiniWoB -----------------------------------------------------------------------------------------


@original_pages
def test_the_command_of_the_page_wins_ten_tasks_by_four_methods(tmp_path, monkeypatch, python):
    [block] = [each for each in blocks("doors.md") if "--env" in each.text]
    _, name, *words = shlex.split(block.text.replace("\\\n", " "))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REHEARSE_GYM_PYTHON", python.path)
    with pytest.raises(SystemExit) as ended:
        rehearse.main([name, *words])
    assert not ended.value.code
    records = list(run_folder.episodes(tmp_path / words[words.index("-o") + 1]))
    assert len(records) == 40 and {each.agent for each in records} == {*METHODS}
    assert lost(records) == []
    assert left_behind() == []


@original_pages
def test_prompts_for_no_site_do_as_well(tmp_path, python):
    request = EnvironmentRequest(["browsergym/miniwob.login-user"], "browsergym", python)
    api.run(METHODS, request.tasks(range(1)), RunConfig(out=tmp_path / "run", gym_python=python))
    assert lost(list(run_folder.episodes(tmp_path / "run"))) == []


@original_pages
def test_a_text_is_typed_as_it_stands_and_a_click_hits_what_it_aims_at(python):
    """BrowserGym reads its actions from a text, and counts places in other pixels."""
    text = 'it\'s 1 # "2" \\n, é ☃'

    async def typed() -> Observation:
        lane = EnvironmentLane(python)
        seen = await lane.open("http://browsergym.localhost/miniwob.enter-text?seed=0")
        [field] = [each.id for each in seen.elements if each.tag == "input"]
        seen = await lane.act(Type(field, text))
        await lane.close()
        return seen

    seen = asyncio.run(typed())
    assert [each.value for each in seen.elements if each.tag == "input"] == [text]


@original_pages
def test_a_wrong_click_is_a_failure_and_the_end(tmp_path, python):
    async def clicked() -> tuple[list[str], bool]:
        lane, reports = EnvironmentLane(python), list[str]()
        address = "http://browsergym.localhost/miniwob.click-button?seed=0"
        seen = await lane.open(address, on_report=lambda number, text: reports.append(text))
        wrong = next(each for each in seen.elements if f'"{each.name}"' not in lane.instruction)
        await lane.act(Click(wrong.id))
        await lane.close()
        return reports, lane.is_over

    reports, is_over = asyncio.run(clicked())
    assert is_over and '"reward": 0.0' in reports[-1]


def test_the_environments_that_are_there_are_those_of_its_registry(python):
    with pytest.raises(BadEnvironment, match=r"did you mean browsergym/miniwob\.click-button"):
        environments.check(
            EnvironmentRequest(["browsergym/miniwob.click-buton"]).tasks(range(1)), python
        )
    with pytest.raises(BadEnvironment, match="knows no environment browsergym/nothing"):
        environments.check(EnvironmentRequest(["browsergym/nothing"]).tasks(range(1)), python)


def test_the_versions_are_those_that_were_tried(python):
    tasks = EnvironmentRequest(["browsergym/miniwob.click-button"]).tasks(range(1))
    assert list(environments.warnings(tasks, python)) == []


# Our own tasks, there and back -------------------------------------------------------------------


def test_our_methods_buy_in_our_store_behind_browsergym(tmp_path, python, served):
    records = ran(
        tmp_path / "run",
        python,
        ("expert", "react", "step", "laser"),
        "rehearsal.buy_item",
        seeds=range(7, 9),
    )
    assert len(records) == 8 and lost(records) == []
    assert records[0].instruction == generate("buy_item", 7).instruction
    assert left_behind() == []


def test_an_answer_comes_back_to_our_own_scorer(tmp_path, python, served):
    records = ran(tmp_path / "run", python, ("expert", "refuse"), "rehearsal.latest_order")
    assert {each.agent: each.success for each in records} == {"expert": True, "refuse": False}
    assert all(each.asks for each in records)


def test_who_does_nothing_gets_nothing(tmp_path, python, served):
    names = ("rehearsal.buy_item", "rehearsal.click-button", "rehearsal.TASK_FIND_BOOKING")
    records = ran(tmp_path / "run", python, ("nothing",), *names)
    assert [each.success for each in records] == [False] * 3
    assert {each.ended for each in records} == {"answered"}


def test_a_page_is_walked_and_looked_at(python, served):
    async def walked() -> list[Observation]:
        lane = EnvironmentLane(python)
        first = await lane.open("http://browsergym.localhost/rehearsal.buy_item?seed=7")
        there = await lane.act(Goto("search_results"))
        returned = await lane.act(Back())
        await lane.act(Scroll("down"))
        shown = await lane.observe(view="viewport", screenshot=True, source="h1")
        await lane.close()
        return [first, there, returned, shown]

    first, there, returned, shown = asyncio.run(walked())
    assert there.url != first.url == returned.url
    assert [each.name for each in returned.elements] == [each.name for each in first.elements]
    assert (shown.screenshot or b"").startswith(b"\x89PNG")
