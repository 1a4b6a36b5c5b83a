"""What our code opens it closes: episodes, scores, served sites, replays, whatever ends them."""

from __future__ import annotations

import gc
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest

import rehearse
from agent.interface import Click
from evaluators.episode import guesses, replay
from evaluators.episode.budget import unlimited
from evaluators.episode.runner import ScenarioChanged
from evaluators.integrations.webshop_text import TextEnv
from evaluators.records import run_folder
from evaluators.report import worlds
from evaluators.run.config import RunConfig
from evaluators.scoring import near_miss
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.scorers import store as store_scorer
from evaluators.server import serve
from scenarios import registry
from sites.site_app import COOKIE
from sites.store import create_app
from sites.store.shop.address import Visit
from sites.world import World, Worlds
from tests import open_databases
from tests.each import for_each

STORE, DESK = "store/buy_item/3", "crm/TASK_FIND_FLIGHT/3"

pytestmark = pytest.mark.usefixtures("unmeasured")


@pytest.fixture(autouse=True)
def _closes():
    """Fail if a function of ours leaves a database open."""
    for site in ("store", "crm"):
        registry.site_data(site)
    with open_databases.nothing_left():
        yield


# The watch ---------------------------------------------------------------------------------------

CARELESS = """
def forget(family, scenario):
    family.world(scenario).fork()

def keep(family, scenario, place):
    place.append(family.world(scenario))
"""


@pytest.fixture(scope="module")
def careless():
    """Functions as if they stood in a file of ours."""
    found: dict[str, Any] = {}
    exec(compile(CARELESS, str(open_databases.ROOT / "evaluators" / "careless.py"), "exec"), found)
    return SimpleNamespace(**found)


def start_of(name: str):
    scenario = registry.scenario(name)
    return registry.family(scenario.family), scenario


def test_a_world_that_our_code_drops_is_told_with_its_owner_on_every_python(careless):
    def forget() -> None:
        careless.forget(*start_of(STORE))
        gc.collect()

    with pytest.warns(ResourceWarning) as warned:
        forget()
    assert {str(each.message) for each in warned} == {
        "evaluators/careless.py::forget dropped an open database"
    }
    assert len(warned) == 2


def test_a_world_that_our_code_keeps_open_is_found(careless):
    kept: list[World] = []

    def visit() -> None:
        with open_databases.nothing_left():
            careless.keep(*start_of(STORE), kept)

    with pytest.raises(AssertionError, match=r"evaluators/careless\.py::keep"):
        visit()
    kept.pop().release()


@pytest.mark.wide
def test_a_test_may_drop_a_world(recwarn):
    family, scenario = start_of(STORE)
    assert family.world(scenario).fork().snapshot()
    gc.collect()
    assert not recwarn.list


# Episodes ----------------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize("agent", ["expert", "laser", "lats", "anticipatory-reflection", "react"])
@pytest.mark.parametrize("scenario", [STORE, DESK])
def test_an_episode(episode, agent, scenario):
    """Those that go back make checkpoints and attempts."""
    with open_databases.nothing_left():
        assert episode(agent, scenario).scenario == scenario


@pytest.mark.wide
def test_an_episode_whose_scorer_fails(episode, monkeypatch):
    def failing(*_: object) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(store_scorer, "score", failing)
    with open_databases.nothing_left(), pytest.raises(RuntimeError, match="a bug of ours"):
        episode("expert", STORE)


def test_an_episode_that_cannot_begin(episode, monkeypatch):
    def changed(*_: object) -> None:
        raise ScenarioChanged("it has changed")

    monkeypatch.setattr("evaluators.episode.runner._clean_folder", changed)
    with (
        open_databases.nothing_left(),
        pytest.raises(pytest.fail.Exception, match="it has changed"),
    ):
        episode("expert", STORE)


def test_an_opened_page_with_attempts_and_checkpoints_that_ends_in_an_error(runner, environments):
    async def visit() -> None:
        context = ScoringContext.of(registry.scenario(STORE))
        async with environments.open_episode(context, meter=unlimited()) as opened:
            seen, page = await opened.start(), opened.page
            mark = await page.checkpoint()
            await page.act(Click(next(each.id for each in seen.elements if each.role == "button")))
            await page.restore(mark)
            await page.restart()
            raise LookupError

    with open_databases.nothing_left(), pytest.raises(LookupError):
        runner.run(visit())


def test_worlds_that_are_kept_can_be_read_until_the_stack_is_closed(runner, environments):
    async def visit(kept: ExitStack):
        context = ScoringContext.of(registry.scenario(STORE))
        async with environments.open_episode(context, keep=kept) as opened:
            await opened.start()
        assert opened.page.world.closed and opened.page.world.snapshot()
        return opened.page.world

    with ExitStack() as kept:
        world = runner.run(visit(kept))
        assert not world.released
    assert world.released


@pytest.mark.wide
def test_a_replay(runner, environments, episode, tmp_path):
    episode("expert", STORE)
    [home] = (path.parent for path in tmp_path.rglob(run_folder.EPISODE))
    recording = replay.load(home)
    with open_databases.nothing_left():
        assert runner.run(replay.replay(recording, environments)).seen


# Scoring -----------------------------------------------------------------------------------------


@pytest.mark.wide
@for_each("name", [STORE, DESK, "crm/handover/0", "crm/find_by_name/0", "store/two_shop_split/0"])
def test_scores_near_misses_and_guesses(name):
    family, scenario = start_of(name)
    with open_databases.nothing_left(), family.world(scenario) as world:
        context = ScoringContext.of(scenario, family)
        assert context.is_solvable(world)
        assert guesses.only_looks(family, scenario, world) in {True, False}
        near_miss.recognized(context, context.score(world.snapshot()), "0")


def test_a_solution_that_fails_on_its_copy():
    family, scenario = start_of(STORE)

    def solve(*_: object) -> str:
        raise LookupError

    broken = type("Broken", (), {**vars(family), "solve": staticmethod(solve)})
    with open_databases.nothing_left(), family.world(scenario) as world:
        context = ScoringContext(scenario, broken, world.snapshot(), registry.site_data("store"))
        assert not context.is_solvable(world)


def test_a_report_that_makes_the_start_world_again():
    _, scenario = start_of(STORE)
    with open_databases.nothing_left():
        data = registry.site_data("store").digest
        assert worlds._start.__wrapped__(scenario.name, data, scenario.digest()).tables


# Sites and doors ---------------------------------------------------------------------------------


@for_each("method", ["HEAD", "GET"])
def test_a_page_that_nobody_looks_at_is_made_on_a_copy_for_this_request(method):
    data, shown = registry.site_data("store"), Worlds()
    family, scenario = start_of(STORE)
    client, world = create_app(data, shown).test_client(), family.world(scenario)
    client.set_cookie(COOKIE, shown.admit(world))
    headers = {"Sec-Fetch-Dest": "image"}
    with open_databases.nothing_left():
        answers = [client.open(scenario.start, method=method, headers=headers) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {200}


def test_a_late_request_on_a_released_world_is_told_that_the_visit_is_over():
    data, shown = registry.site_data("store"), Worlds()
    family, scenario = start_of(STORE)
    client, world = create_app(data, shown).test_client(), family.world(scenario)
    client.set_cookie(COOKIE, shown.admit(world))
    world.release()
    answer = client.get(Visit(world.session, ("lamp",)).item(scenario.gold["asin"], {}))
    assert answer.status_code == 409 and "This visit is over" in answer.text
    assert world.fault == ""


def test_served_sites_whose_scenarios_are_opened_again():
    with open_databases.nothing_left(), serve.serve(["store"], open_sessions=True) as served:
        first = served.sessions.draw(family="buy_item", seed=3)
        second = served.sessions.draw(family="buy_item", seed=3)
        own = served.sessions.draw(family="buy_item", seed=3, own=True)
        assert first.world.released
        assert not second.world.released and not own.world.released
        assert second.evaluated()["progress"] == 0
    assert second.world.released and own.world.released


def test_the_text_environment():
    with open_databases.nothing_left():
        env = TextEnv()
        env.reset(3)
        env.reset(4)
        env.close()


@pytest.mark.wide
def test_a_function_of_python(tmp_path):
    with open_databases.nothing_left():
        tasks = registry.from_families(["buy_item"], range(3, 4))
        made = rehearse.run(["expert"], tasks, RunConfig(out=tmp_path / "run"))
    assert made.rows
