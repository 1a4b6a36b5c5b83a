"""WebShop's text environment, beside the same moves in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from random import Random

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from agent.interface import Click, Type
from evaluators.episode.budget import unlimited
from evaluators.integrations import webshop_goals
from evaluators.integrations.webshop_text import MODES, TextEnv
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.registry import ChosenData
from tests.measuring import DEEP

WALKS, GOALS = (200, 40) if DEEP else (3, 12)
MOVES = 12


@pytest.fixture(scope="module")
def shop() -> Iterator[TextEnv]:
    with closing(TextEnv("text_rich")) as env:
        yield env


def experts_moves(env: TextEnv):
    """What the expert does, move by move: the wished item is known, and where it stands."""
    gold = env.scenario.gold
    yield f"search[{gold['name']}]"
    while gold["asin"].lower() not in env.page.clickables:
        yield "click[Next >]"
    yield f"click[{gold['asin']}]"
    for value in gold["goal_options"].values():
        yield f"click[{value}]"
    yield "click[Buy Now]"


def play(env: TextEnv):
    """The last step of the expert's visit."""
    for move in experts_moves(env):
        last = env.step(move)
    return last


def opened_item(env: TextEnv) -> None:
    """Go on until the wished item is open, its options not chosen."""
    for move in experts_moves(env):
        env.step(move)
        if move == f"click[{env.scenario.gold['asin']}]":
            return


# Visits -------------------------------------------------------------------------------------------


def test_the_experts_moves_win(shop):
    for seed in range(GOALS):
        shop.reset(seed)
        _, reward, done, info = play(shop)
        assert (reward, done, info) == (1, True, None), seed
        assert shop.score().success


def test_what_a_page_does_not_offer_changes_nothing(shop):
    shop.reset(3)
    before = shop.observation
    moves = ("click[Search]", "click[Buy Now]", "search[]", "buy", "look[lamp]", "search[lamp", "")
    for move in moves:
        assert shop.step(move) == (before, 0.0, False, None), move
    opened_item(shop)
    item = shop.observation
    assert shop.step("search[desk lamp]") == (item, 0.0, False, None)
    [value, *_] = shop.scenario.gold["goal_options"].values()
    shop.step(f"click[{value}]")
    entries = shop.world.snapshot()
    shop.step(f"click[{value}]")  # it is chosen
    assert shop.world.snapshot() == entries


def test_after_the_purchase_nothing_counts(shop):
    shop.reset(3)
    receipt = play(shop)[0]
    assert shop.step("click[Back to Search]") == (receipt, 0.0, True, None)


def test_sessions_are_goals():
    env = TextEnv()
    seeds = [env.reset(each) and env.scenario.seed for each in (7, "7", "fixed_7", "abc", "abc")]
    assert seeds[:3] == [7, 7, 7] and seeds[3] == seeds[4]
    drawn = [env.reset() and env.scenario.seed for _ in range(5)]
    another = TextEnv()
    assert len({*drawn}) == 5
    assert drawn == [another.reset() and another.scenario.seed for _ in range(5)]
    assert env.reset(7, "buy something") and env.instruction_text == "buy something"
    assert env.reset(7) and env.instruction_text == env.scenario.instruction
    for wrong in (-1, 10**6):
        with pytest.raises(ValueError, match=f"no goal {wrong}"):
            env.reset(wrong)
    env.close()
    another.close()


def test_a_catalogue_with_goals_of_its_own_has_no_others(shop):
    data = registry.site_data("store")
    with registry.using("store", ChosenData(data, {"buy_item": range(3)})):
        assert webshop_goals.named("fixed_2") == 2
        assert {webshop_goals.named(f"session {number}") for number in range(30)} == {0, 1, 2}
        with pytest.raises(webshop_goals.NoSuchGoal, match="no goal 3; give a number from 0 to 2"):
            shop.reset(3)


# What is seen -------------------------------------------------------------------------------------


def test_rich_text_marks_what_can_be_and_what_was_clicked(shop):
    shop.reset(3)
    assert f"{shop.instruction_text}\n[button] Search [button_]\n" in shop.observation
    opened_item(shop)
    gold = shop.scenario.gold
    [value, *_] = gold["goal_options"].values()
    assert f"  [button] {value} [button_]\n" in shop.observation
    shop.step(f"click[{value}]")
    assert shop.observation.startswith(f"You have clicked {value}.\n")
    assert f"  [clicked button] {value} [clicked button_]\n" in shop.observation
    shop.step("click[< Prev]")
    assert f"\n[clicked button] {gold['asin']} [clicked button_]\n" in shop.observation
    assert shop.observation.count("[clicked button]") == 1


def test_the_other_modes():
    pages = {}
    for mode in MODES:
        env = TextEnv(mode)
        env.reset(3)
        pages[mode] = env.step("search[desk lamp]")[0]
        env.close()
    assert pages["url"].endswith('/["desk","lamp"]/1')
    assert pages["html"].startswith("<!doctype html>")
    texts = pages["text"].split(" [SEP] ")
    assert texts[0] == "Instruction:" and texts[2] == "Back to Search"
    assert all(text in pages["text_rich"] for text in texts)
    with pytest.raises(ValueError, match="give one of html, text"):
        TextEnv("picture")


# Beside the browser -------------------------------------------------------------------------------


def walk(env: TextEnv, seed: int):
    """A visit at random, often to the wished item: (what each page offers, each move, reward)."""
    env.reset(seed)
    rng, pages, moves, reward = Random(f"walk {seed}"), [offered(env)], [], 0.0
    while len(moves) < MOVES and not env.done:
        moves.append(chosen_move(env, rng))
        reward = env.step(moves[-1])[1]
        pages.append(offered(env))
    return pages, moves, reward


def chosen_move(env: TextEnv, rng: Random) -> str:
    gold, on_page = env.scenario.gold, {*env.page.clickables} - {"search"}
    if env.page.search is not None:
        words = gold["name"].lower().split()
        return f"search[{' '.join(rng.sample(words, min(len(words), rng.randint(1, 6))))}]"
    wished = sorted({gold["asin"].lower(), *gold["goal_options"].values()} & on_page)
    return f"click[{rng.choice(wished if wished and rng.random() < 0.4 else sorted(on_page))}]"


def offered(env: TextEnv) -> tuple[bool, set[str]]:
    actions = env.get_available_actions()
    assert len(actions["clickables"]) == len({*actions["clickables"]})
    return actions["has_search_bar"], {*actions["clickables"]}


async def in_browser(environments, scenario, moves):
    """The same moves in a lane: what each page offers, and the world at the end."""
    context = ScoringContext.of(scenario)
    async with environments.open_episode(context, meter=unlimited()) as episode:
        observation = await episode.start()
        pages = [seen(observation)]
        for move in moves:
            observation = await episode.page.act(action(observation, move))
            pages.append(seen(observation))
        return pages, episode.page.world.snapshot(), episode.score()


def seen(observation) -> tuple[bool, set[str]]:
    clickable = {"button", "link", "radio"}
    names = {each.name.lower() for each in observation.elements if each.role in clickable}
    return any(each.role == "searchbox" for each in observation.elements), names


def action(observation, move: str):
    verb, _, argument = move.removesuffix("]").partition("[")
    if verb == "search":
        [field] = [each for each in observation.elements if each.role == "searchbox"]
        return Type(field.id, argument, enter=True)
    [target] = [each for each in observation.elements if each.name.lower() == argument]
    return Click(target.id)


@pytest.mark.wide
def test_random_walks_are_the_same_in_the_browser(shop, environments, runner):
    rewards = []
    for seed in range(WALKS):
        pages, moves, reward = walk(shop, seed)
        shown, world, score = runner.run(in_browser(environments, shop.scenario, moves))
        assert shown == pages, (seed, moves)
        assert world == shop.world.snapshot(), (seed, moves)
        assert score.reward == reward, (seed, moves)
        rewards.append(reward)
    assert any(rewards)


# Gymnasium ----------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*:UserWarning:gymnasium")
def test_it_is_an_environment_of_gymnasium():
    made = gymnasium.make(
        "evaluators.integrations.gymnasium:rehearsal/webshop-text-v1", disable_env_checker=True
    )
    check_env(made.unwrapped, skip_render_check=True)
    text, info = made.reset(seed=3)
    assert info["instruction"] in text and info["has_search_bar"]
    for move in experts_moves(made.unwrapped.text):
        text, reward, terminated, truncated, info = made.step(move)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["success"] is True and all(info["checks"].values())
    assert made.reset()[0] != made.reset()[0]
    made.close()
