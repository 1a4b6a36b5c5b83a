"""Somebody who sorts a list in another way than the expert is right, too."""

from __future__ import annotations

import asyncio

from evaluators.training.session import open_ground
from scenarios import registry
from tests.each import for_each


@for_each("seed", range(3))
def test_the_orders_of_a_period_are_found_from_the_oldest_on(seed):
    scenario = registry.scenario(f"shop/spent_in_period/{seed}")
    wanted = scenario.gold["evidence"]

    async def play() -> None:
        async with open_ground(["shop"]) as ground:
            session = await ground.session()
            await session.reset(scenario.name)
            for name in ("My account", "My orders"):
                await session.step(f"click [{name}]")
            seen, link = "", "Oldest first"
            while not all(f"Order {each.removeprefix('order ')}'" in seen for each in wanted):
                turn = await session.step(f"click [{link}]")
                assert not turn.error
                seen, link = seen + turn.text, "Next page"
            ended = await session.step(f"stop [{scenario.gold['answer']['text']}]")
            assert ended.reward == 1, ended.info["checks"]

    asyncio.run(play())
