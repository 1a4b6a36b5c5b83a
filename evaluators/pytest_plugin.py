"""Fixtures for tests of agents, sites and scenarios; yours too (`-p evaluators.pytest_plugin`).

One event loop and one browser a worker. Everything is offline unless `--live` is given.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from agent.llm.voices import Voice
    from evaluators.casting import Cast
    from evaluators.doors import PageDoor
    from evaluators.score import Score
    from evaluators.stage import Stage
    from sites.world import World

Play = Callable[..., dict[str, Any]]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rehearsal")
    group.addoption("--live", action="store_true", help="run tests marked live; spends money")
    group.addoption("--agent", default="react", help="agents of the live tests")
    group.addoption("--suite", default="store-20", help="suite of the live tests")
    group.addoption("--seeds", default="", help="only these seeds of the suite, such as 0:3")
    group.addoption("--trials", type=int, default=1, help="trials of the live tests")
    group.addoption("--run-dir", default="", help="keep the episodes of the live tests there")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    reason = _why_not_live(config)
    deep = bool(os.environ.get("REHEARSE_DEEP"))
    for item in items:
        if reason and item.get_closest_marker("live"):
            item.add_marker(pytest.mark.skip(reason=reason))
        if item.get_closest_marker("deep") and not deep:
            item.add_marker(pytest.mark.skip(reason="long; run `tox -e deep`"))


def _why_not_live(config: pytest.Config) -> str:
    if not config.getoption("--live"):
        return "live tests spend money; give --live"
    return "" if os.environ.get("OPENAI_API_KEY") else "OPENAI_API_KEY is not set"


def cases(config: pytest.Config) -> dict[str, tuple[str, str, int]]:
    """(agent, scenario, trial) of every live test, by a readable id."""
    from evaluators.asked import read_names

    return {
        f"{agent}-{scenario.replace('/', '-')}-t{trial}": (agent, scenario, trial)
        for agent in read_names(config.getoption("--agent"))
        for scenario in _cast(config).names
        for trial in range(config.getoption("--trials"))
    }


def _cast(config: pytest.Config) -> Cast:
    from evaluators import casting

    seeds = config.getoption("--seeds")
    return casting.from_suite(
        config.getoption("--suite"), casting.read_seeds(seeds) if seeds else None
    )


@pytest.fixture(scope="session")
def live_episode(
    request: pytest.FixtureRequest,
    stage: Stage,
    runner: asyncio.Runner,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Play]:
    """`live_episode(agent, scenario, trial)`: play it with the live model, as `rehearse run` does;
    the content of its episode.json, which `--run-dir` keeps."""
    from agent.llm.voices import connections
    from evaluators import agents, asked, running
    from evaluators.episode import run_episode

    option = request.config.getoption
    out = Path(option("--run-dir") or tmp_path_factory.mktemp("live"))
    setting = running.Setting("live", trials=option("--trials"), out=out)
    names = asked.read_names(option("--agent"))
    work, terms = running.prepare(names, _cast(request.config), setting)
    jobs = {(job.agent.name, job.scenario, job.trial): job for job in work}
    stack = AsyncExitStack()
    live = runner.run(stack.enter_async_context(connections(terms.voice)))

    def play(agent: str, scenario: str, trial: int) -> dict[str, Any]:
        job = jobs[agents.read(agent).name, scenario, trial]
        return runner.run(run_episode(job, stage, replace(terms, live=live)))

    yield play
    runner.run(stack.aclose())


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """The worker's event loop: `runner.run(coroutine)`."""
    with asyncio.Runner() as loop:
        yield loop


@pytest.fixture(scope="session")
def stage(runner: asyncio.Runner) -> Iterator[Stage]:
    """Every bundled site on loopback, and one browser that reaches nothing else."""
    from evaluators import casting
    from evaluators.stage import open_stage

    stack = AsyncExitStack()
    opened = runner.run(stack.enter_async_context(open_stage(casting.site_names())))
    yield opened
    runner.run(stack.aclose())


@pytest.fixture
def site_url(stage: Stage) -> Callable[[str], str]:
    """The loopback address of a site by name."""
    return lambda name: stage.sites[name].server.url


@pytest.fixture
def world() -> Callable[[str, int], World]:
    """`world(family, seed)`: the world as its episode would find it."""

    def made(family: str, seed: int) -> World:
        from evaluators import casting
        from evaluators.running import generate

        return casting.family(family).world(generate(family, seed))

    return made


@pytest.fixture
def page(stage: Stage, runner: asyncio.Runner) -> Iterator[Callable[[str], PageDoor]]:
    """`page(scenario)`: the page door of an opened episode; drive it with `runner.run`."""
    from evaluators import casting
    from evaluators.budget import Meter, standard
    from evaluators.doors import PageDoor
    from evaluators.trace import Trace

    stack = AsyncExitStack()

    def opened(name: str) -> PageDoor:
        scenario = casting.scenario(name)
        site, family = stage.sites[scenario.site], casting.family(scenario.family)
        lane = runner.run(stack.enter_async_context(stage.lane(site.name)))
        meter = Meter(standard(family.length(scenario)))
        door = PageDoor(
            lane,
            site.worlds,
            family.world(scenario),
            site.origin + scenario.start,
            meter,
            Trace(),
        )
        stack.callback(door.close)
        runner.run(door.open())
        return door

    yield opened
    runner.run(stack.aclose())


@pytest.fixture
def llm() -> Voice:
    """Who answers in `episode`: the scripted model. Override it to have another."""
    from agent.llm.voices import Voice

    return Voice()


@pytest.fixture
def scripted_llm() -> Callable[..., str]:
    """`scripted_llm(agent, skill=0.7)`: the agent's name with a scripted model of that skill."""
    return lambda agent, skill=1.0: f"{agent}@scripted-{skill:g}"


@pytest.fixture
def episode(stage: Stage, runner: asyncio.Runner, llm: Voice, tmp_path: Path) -> Play:
    """`episode(agent, scenario, trial=0)`: play it, strictly; the content of episode.json."""
    from evaluators import agents
    from evaluators.episode import run_episode
    from evaluators.play import Job, Terms

    def play(agent: str, scenario: str, trial: int = 0) -> dict[str, Any]:
        terms = Terms(tmp_path / "run", llm, strict=True)
        return runner.run(run_episode(Job(agents.read(agent), scenario, trial), stage, terms))

    return play


@pytest.fixture
def evaluate() -> Callable[..., Score]:
    """`evaluate(scenario, world, answer="")`: the verdict on a world."""

    def judged(name: str, after: World, answer: str = "") -> Score:
        from evaluators import casting

        scenario = casting.scenario(name)
        before = casting.family(scenario.family).world(scenario).snapshot()
        data = casting.site_data(scenario.site)
        judge = casting.judge(scenario.site)
        return judge.judge(scenario, before, after.snapshot(), answer, data)

    return judged
