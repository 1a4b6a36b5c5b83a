"""Tasks in TRL's form, driven as its trainer drives them; TRL itself is not needed."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Iterator
from itertools import zip_longest

import pytest

from agent.interface import Action, Back, Click, Note, Select, Stop, Type
from evaluators.integrations import ground_thread
from evaluators.integrations.trl import Environment, reward
from evaluators.training import splits
from evaluators.training.demonstrations import expert_actions
from evaluators.training.session import open_ground
from tests.each import for_each

TOOLS = {Click: "click", Type: "type", Select: "select", Back: "go_back", Note: "note"}
SPLITS = ("reply:train", "count_negative_comments:test", "forum-60")
TOGETHER = 10


@pytest.fixture(autouse=True, scope="module")
def _closed() -> Iterator[None]:
    """The shared ground is closed here, and not when the tests of another module run."""
    yield
    ground_thread.close()


def demonstrated(scenarios: list[str]) -> list[list[Action]]:
    """The actions by which the expert solves each scenario."""

    async def solved() -> list[list[Action]]:
        async with open_ground(["forum"]) as ground:
            return [await expert_actions(ground, name) for name in scenarios]

    return asyncio.run(solved())


def called(environment: Environment, action: Action) -> str:
    """What the tool of an action returns, called by name as a trainer does."""
    if isinstance(action, Stop):
        return environment.stop(answer=action.answer)
    assert type(action) in TOOLS, action
    fields = {name: getattr(action, name) for name in action.__slots__}
    arguments = {{"target": "element"}.get(name, name): each for name, each in fields.items()}
    return getattr(environment, TOOLS[type(action)])(**arguments)


def test_fifty_episodes_of_a_scripted_policy():
    """The expert plays every second episode, the others stop at once; ten are open together."""
    rows = [{"split": SPLITS[at % 3], "index": at // 3, "prompt": "Do it."} for at in range(50)]
    names = [splits.split(row["split"]).scenario(row["index"]) for row in rows[::2]]
    experts = iter(demonstrated(names))
    environments, rewards = [Environment() for _ in range(TOGETHER)], []
    for begun in range(0, 50, TOGETHER):
        batch = rows[begun : begun + TOGETHER]
        for environment, row in zip(environments, batch, strict=True):
            assert environment.reset(**row)
        plans = [[Stop()] if at % 2 else next(experts) for at in range(TOGETHER)]
        for actions in zip_longest(*plans):
            for environment, action in zip(environments, actions, strict=True):
                if action is not None:
                    assert called(environment, action)
        rewards += reward(environments, prompts=[], completions=[])
    assert rewards == [1.0, 0.0] * 25


@for_each(
    "name",
    [
        name
        for name, _ in inspect.getmembers(Environment, inspect.isfunction)
        if not name.startswith("_") and name != "reset"
    ],
)
def test_a_tool_says_what_its_arguments_are(name: str):
    """As `transformers` reads it: types by the signature, meanings by the docstring."""
    tool = getattr(Environment, name)
    described = re.findall(r"^ +(\w+): \S", inspect.getdoc(tool) or "", re.MULTILINE)
    signature = inspect.signature(tool, eval_str=True)
    arguments = [each for each in signature.parameters.values() if each.name != "self"]
    assert described == [each.name for each in arguments]
    assert all(each.annotation in (int, str, bool) for each in arguments)


def test_a_call_outside_an_episode_is_an_error_with_its_name():
    environment = Environment()
    with pytest.raises(ValueError, match="EpisodeOver: "):
        environment.go_back()
    environment.reset("reply:test", 0)
    assert environment.stop() == "The task is over."
    with pytest.raises(ValueError, match="EpisodeOver: "):
        environment.click(2)
    assert reward([environment]) == [0.0]


def test_a_refused_action_says_why_and_the_episode_goes_on():
    environment = Environment()
    assert "NOT_ACHIEVABLE" in environment.reset("reply:test", 0)
    assert "There is no element 999" in environment.click(999)
    assert "All Forums" in environment.click(2)


def test_a_fault_of_ours_is_no_reward():
    environment = Environment()
    environment.reset("reply:test", 0)
    assert environment._session is not None and environment._session._episode is not None
    environment._session._episode.page.world.write("DROP TABLE submissions")
    environment.click(1)
    assert reward([environment]) == [None]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("no-such-split", 0), "UnknownSplit"),
        (("reply:test", 10**30), "BadIndex"),
        (("reply:test", -1), "BadIndex"),
    ],
)
def test_an_unknown_task_is_refused(arguments: tuple[str, int], named: str):
    reset: Callable[..., str] = Environment().reset
    with pytest.raises(getattr(splits, named)):
        reset(*arguments)
