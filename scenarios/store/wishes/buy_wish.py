"""Buy the one product of the market that meets a request in the customer's own words.

Seeds 0-499 are the test split, 500-1499 the dev split, and from 1500 on the train split; each split
has its own wordings.
"""

from __future__ import annotations

from agent.interface import AnswerSchema
from scenarios.scenario import Scenario
from scenarios.store.market import task, wishes
from scenarios.store.pages import visits
from scenarios.store.wishes import _buying
from sites.store import StoreData

SITE = "store"
TAG = "transaction"
SCORING = "market"
STEPS = task.STEPS
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where nothing fits")

_SHAPE = wishes.Shape()

world = task.world
length = task.length
honest_length = task.honest_length
advise = task.advise
solve = _buying.solve
near_misses = _buying.near_misses


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: a product and a request that only this product meets.

    In at least half of the seeds, no obvious search lists the product on its first page.
    """
    rng = visits.rng("buy_wish", seed)
    while True:
        good, wished = task.draw("buy_wish", seed, _SHAPE, rng)
        text = wishes.instruction(good.kind, wished, visits.split_of(seed), rng)
        hard = task.is_hard(good, text, data)
        if hard or seed % 2:
            break
    gold = task.gold_of(good, wished, data)
    level = _buying.level(gold, wished)
    return task.scenario("buy_wish", seed, text, gold, data, level=level, hard=hard)
