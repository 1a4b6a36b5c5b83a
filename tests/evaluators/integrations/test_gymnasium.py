"""Families as Gymnasium environments."""

from __future__ import annotations

import importlib

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from agent import actions
from agent.interface import Advice
from scenarios import registry

pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning:gymnasium")


@pytest.fixture(scope="module")
def shop():
    made = gymnasium.make(
        "evaluators.integrations.gymnasium:rehearsal/store.buy_item-v1", disable_env_checker=True
    )
    yield made
    made.close()


def test_the_checker_of_gymnasium_is_content(shop):
    check_env(shop.unwrapped, skip_render_check=True)


def test_a_solution_is_rewarded_and_a_lazy_stop_is_not(shop):
    observation, info = shop.reset(seed=3)
    scenario = registry.scenario("store/buy_item/3")
    assert observation["goal"] == scenario.instruction and info["progress"] == 0
    family, over, rewards = registry.family("buy_item"), False, []
    while not over:
        advice: Advice = family.advise(scenario, shop.unwrapped._last)
        line = "stop []" if advice.answer is not None else actions.show(advice.actions[0])
        observation, reward, over, truncated, info = shop.step(line)
        rewards.append(reward)
    assert not truncated and rewards[-1] == 1 and sum(rewards) == 1
    assert info["success"] is True and info["progress"] == 1 and all(info["checks"].values())
    shop.reset(seed=3)
    _, reward, terminated, _, info = shop.step("stop []")
    assert (reward, terminated, info["success"]) == (0.0, True, False)


def test_what_is_no_action_is_said_and_the_budget_ends_the_episode(shop):
    shop.reset(seed=3)
    observation, reward, terminated, truncated, _ = shop.step("fly to the moon")
    assert "is no action" in observation["last_action_error"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    for _ in range(200):
        _, reward, terminated, truncated, info = shop.step("scroll [down]")
        if truncated:
            break
    assert truncated and not terminated and reward == 0 and info["success"] is False


def test_every_family_is_registered():
    importlib.import_module("evaluators.integrations.gymnasium")
    ids = [name for name in gymnasium.registry if name.startswith("rehearsal/")]
    ids.remove("rehearsal/webshop-text-v1")
    assert {name.partition(".")[2].rpartition("-v")[0] for name in ids} == set(
        registry.family_modules()
    )
