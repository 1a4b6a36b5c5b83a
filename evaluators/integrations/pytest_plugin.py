"""Fixtures for tests of agents, sites and scenarios, for Rehearsal's own tests and for yours.

Load it with `-p evaluators.integrations.pytest_plugin`. Each worker has one event loop and one
browser. Everything is offline without `--live`. No fixture and no option has a name that a popular
plug-in uses (`page`, `browser`, `client`); if another plug-in replaces a fixture of this module,
the test fails. A conftest.py or a test file may override any fixture.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rehearsal_errors import RehearsalError

if TYPE_CHECKING:
    from agent.agent_spec import Agent
    from agent.llm.model_source import ModelSource
    from evaluators.episode.environment import EnvironmentPool
    from evaluators.episode.metered import MeteredPage
    from evaluators.integrations.outside_task import OutsideTask
    from evaluators.records.models import EpisodeRecord
    from evaluators.run.event_loop import Runner
    from evaluators.scoring.score import Score
    from evaluators.server.serve import RunningServer
    from scenarios.registry import TaskSet
    from scenarios.scenario import Scenario
    from sites.world import World

NO_SCRIPT = (
    "an agent of your own has no script: give --llm live or --llm replay:DIR, or override the"
    " fixture llm"
)
RunEpisode = Callable[..., "EpisodeRecord"]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rehearsal")
    try:
        group.addoption("--live", action="store_true", help="run tests marked live; spends money")
        group.addoption("--agent", default="react", help="agents of the live tests")
        group.addoption("--suite", default="store-20", help="suite of the live tests")
        group.addoption("--seeds", default="", help="only these seeds of the suite, such as 0:3")
        group.addoption("--trials", type=int, default=1, help="trials of the live tests")
        group.addoption("--run-dir", default="", help="keep the episodes of tests in this run")
        group.addoption("--llm", default="scripted", help="model of `episode`: live or replay:DIR")
        group.addoption("--as", default="", help="what to call the agent that `draw_task` tests")
    except ValueError as error:
        raise pytest.UsageError(
            f"another plug-in has an option of Rehearsal's ({error}); switch it off by -p no:NAME"
        ) from None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test if another plug-in replaces a fixture of this module."""
    known = getattr(item, "_fixtureinfo", None)
    given = getattr(
        getattr(item, "callspec", None), "params", {}
    )  # given by parametrize: no fixture
    for name, found in known.name2fixturedefs.items() if known else ():
        if name in given:
            continue
        source = Path(inspect.getfile(inspect.unwrap(found[-1].func)))
        if name in FIXTURES and _is_of_another_plugin(found[-1].baseid, source):
            pytest.fail(
                f"the plug-in in {source} replaces Rehearsal's fixture {name!r}; switch it off by"
                " -p no:NAME, or give that name back in your conftest.py:"
                f" `from {__name__} import {name}`",
                pytrace=False,
            )


def _is_of_another_plugin(baseid: str, source: Path) -> bool:
    """Return whether a fixture comes from another plug-in, not from a test file or a
    conftest.py.
    """
    return not baseid and source.name != "conftest.py" and source != Path(__file__)


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


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table of the run that the tests left in `--run-dir`."""
    from evaluators.records import run_folder

    folder = Path(config.getoption("--run-dir") or os.devnull)
    if not (folder / run_folder.MANIFEST).exists():
        return
    from evaluators.report import console_table
    from evaluators.run import api

    terminalreporter.section("rehearsal")
    console_table.table(api.summarize(folder), folder)


def cases(config: pytest.Config) -> dict[str, tuple[str, str, int]]:
    """Return (agent, scenario, trial) of each live test, by a readable id."""
    from evaluators.run.arguments import split_agents

    return {
        f"{agent}-{scenario.replace('/', '-')}-t{trial}": (agent, scenario, trial)
        for agent in split_agents(config.getoption("--agent"))
        for scenario in _task_set(config).names
        for trial in range(config.getoption("--trials"))
    }


def _task_set(config: pytest.Config) -> TaskSet:
    from scenarios import joined, registry

    seeds = config.getoption("--seeds")
    suites = config.getoption("--suite").split(",")
    return joined.from_suites(suites, registry.read_seeds(seeds) if seeds else None)


@pytest.fixture(scope="session")
def live_episode(
    request: pytest.FixtureRequest,
    environments: EnvironmentPool,
    runner: Runner,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[RunEpisode]:
    """`live_episode(agent, scenario, trial)`: run an episode with the live model; return its
    record.

    It runs as with `rehearse run`; `--run-dir` keeps the record.
    """
    from agent import agent_spec
    from agent.llm.model_source import connections
    from evaluators.episode.runner import run_episode
    from evaluators.run import arguments, prepare
    from evaluators.run.config import RunConfig

    option = request.config.getoption
    out = Path(option("--run-dir") or tmp_path_factory.mktemp("live"))
    config = RunConfig("live", trials=option("--trials"), out=out)
    names = arguments.split_agents(option("--agent"))
    specs_of_run, run_context = prepare.prepare(names, _task_set(request.config), config)
    specs = {(spec.agent.name, spec.scenario, spec.trial): spec for spec in specs_of_run}
    stack = AsyncExitStack()
    live = runner.run(stack.enter_async_context(connections(run_context.model_source)))

    def run(agent: str, scenario: str, trial: int) -> EpisodeRecord:
        spec = specs[agent_spec.read(agent).name, scenario, trial]
        return runner.run(run_episode(spec, environments, replace(run_context, live=live)))

    yield run
    runner.run(stack.aclose())


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    """The worker's event loop: `runner.run(coroutine)`, also in a test that is a coroutine."""
    from evaluators.run.event_loop import Runner

    with Runner() as loop:
        yield loop


@pytest.fixture(scope="session")
def environments(runner: Runner) -> Iterator[EnvironmentPool]:
    """All bundled sites on loopback, and one browser that can reach only them."""
    from evaluators.episode.environment import open_environments
    from scenarios import registry

    stack = AsyncExitStack()
    opened = runner.run(stack.enter_async_context(open_environments(registry.site_names())))
    yield opened
    runner.run(stack.aclose())


@pytest.fixture
def site_url(environments: EnvironmentPool) -> Callable[[str], str]:
    """A function that returns the loopback address of a site by name."""
    return lambda name: environments.sites[name].server.url


@pytest.fixture
def world() -> Iterator[Callable[[str, int], World]]:
    """`world(family, seed)`: the database at the start of that scenario, released after the
    test.
    """
    stack = ExitStack()

    def start_world(family: str, seed: int) -> World:
        from evaluators.run.api import generate
        from scenarios import registry

        with _in_one_sentence():
            made = registry.family(registry.named(family))
            scenario = generate(family, seed)
        return stack.enter_context(made.world(scenario))

    with stack:
        yield start_world


@pytest.fixture
def episode_page(
    environments: EnvironmentPool, runner: Runner
) -> Iterator[Callable[[str], MeteredPage]]:
    """`episode_page(scenario)`: the page of an opened episode; drive it with `runner.run`."""
    from evaluators.scoring.context import ScoringContext
    from scenarios import registry

    stack = AsyncExitStack()

    def opened(name: str) -> MeteredPage:
        with _in_one_sentence():
            context = ScoringContext.of(registry.scenario(name))
        episode = runner.run(stack.enter_async_context(environments.open_episode(context)))
        runner.run(episode.start())
        return episode.page

    yield opened
    runner.run(stack.aclose())


@pytest.fixture(scope="session")
def served_sites(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """All bundled sites on loopback and a run of the visits to them; `--run-dir` keeps the run."""
    from evaluators.server.serve import serve

    option = request.config.getoption
    out = Path(option("--run-dir") or tmp_path_factory.mktemp("outside"))
    with serve(out=out, client=option("--as")) as served:
        yield served


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The Chromium that `rehearse doctor` names, as Playwright's `executable_path`."""
    from agent.browser.chromium import INSTALL, find_chromium

    found = find_chromium()
    if found is None:
        pytest.fail(f"there is no Chromium; {INSTALL}", pytrace=False)
    return str(found)


@pytest.fixture
def draw_task(served_sites: RunningServer) -> Iterator[Callable[[str], OutsideTask]]:
    """`draw_task(scenario)`: a task for an agent of your own, in any browser.

    A task that the test does not finish is scored as it was left.
    """
    from evaluators.integrations import outside_task

    with ExitStack() as stack:

        def draw(scenario: str) -> OutsideTask:
            with _in_one_sentence():
                task = outside_task.draw(served_sites, scenario)
            stack.callback(task.leave)
            return task

        yield draw


@pytest.fixture
def llm(request: pytest.FixtureRequest) -> ModelSource:
    """The model of `episode`: that of `--llm`. Override this fixture to use another."""
    from agent.llm import model_source
    from agent.llm.transport.gate import Gates

    text = request.config.getoption("--llm")
    with _in_one_sentence():
        return model_source.read(text, gates=Gates(processes=True) if text == "live" else None)


@pytest.fixture
def scripted_llm() -> Callable[..., str]:
    """`scripted_llm(agent, skill=0.7)`: the agent's name with a scripted model of that skill."""
    return lambda agent, skill=1.0: f"{agent}@scripted-{skill:g}"


@pytest.fixture
def episode(
    environments: EnvironmentPool, runner: Runner, llm: ModelSource, tmp_path: Path
) -> Iterator[RunEpisode]:
    """`episode(agent, scenario, trial=0)`: run an episode strictly and return its record.

    The agent may be the path of a file. Its model is that of the fixture `llm`. If Rehearsal
    itself or the model failed (the episode ends as `infra_error`), the test fails with the error:
    the difference, if a recording lacks a request.
    """
    from agent import agent_spec
    from agent.llm.model_source import connections
    from evaluators.episode.runner import run_episode
    from evaluators.episode.spec import EpisodeSpec, RunContext
    from evaluators.records.models import INFRA
    from evaluators.run import answering
    from scenarios import registry

    stack = AsyncExitStack()
    with _in_one_sentence():
        live = runner.run(stack.enter_async_context(connections(llm)))

    def run(agent: str, scenario: str, trial: int = 0) -> EpisodeRecord:
        with _in_one_sentence():
            spec = EpisodeSpec(agent_spec.read(agent), scenario, trial)
            model = _recorded_by(llm, agent, registry.scenario(scenario), trial)
        run_context = RunContext(tmp_path / "run", model, strict=True, live=live)
        with _in_one_sentence(), _naming_models(spec.agent):
            answering.check([spec], model, run_context.prompts)
            record = runner.run(run_episode(spec, environments, run_context))
        if record.ended == INFRA:
            pytest.fail(record.error, pytrace=False)
        return record

    yield run
    runner.run(stack.aclose())


def _recorded_by(llm: ModelSource, agent: str, scenario: Scenario, trial: int) -> ModelSource:
    """Return the model; a replay names the command that records this episode again."""
    from agent.llm.model_source import RECORD_COMMAND
    from evaluators.run.config import RunConfig
    from evaluators.run.prepare import record_command
    from scenarios import registry

    if llm.record_command != RECORD_COMMAND:  # the test names its own command
        return llm
    tasks = registry.from_family(scenario.family, range(scenario.seed, scenario.seed + 1))
    command = record_command([agent], tasks, RunConfig(trials=trial + 1), [])
    return replace(llm, record_command=command)


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    """Fail the test with the sentence of an error that a user can mend, without a traceback."""
    try:
        yield
    except RehearsalError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@contextmanager
def _naming_models(agent: Agent) -> Iterator[None]:
    """Fail with a remedy if an agent of the user's own asks the scripted model."""
    from agent.llm.faults import NoScript

    try:
        yield
    except NoScript as error:
        if not agent.path:
            raise
        sentence = f"{agent.path}: {error}; {NO_SCRIPT}"
        raise pytest.fail.Exception(sentence, pytrace=False) from None


@pytest.fixture
def evaluate() -> Callable[..., Score]:
    """`evaluate(scenario, world, answer="")`: the score of a visit's database (its world)."""

    def score(name: str, after: World, answer: str = "") -> Score:
        from evaluators.scoring.context import ScoringContext
        from scenarios import registry

        with _in_one_sentence():
            scenario = registry.scenario(name)
        return ScoringContext.of(scenario).score(after.snapshot(), answer)

    return score


FIXTURES = frozenset(
    name for name, value in list(globals().items()) if isinstance(value, type(episode_page))
)
"""The names of all fixtures of this module."""
