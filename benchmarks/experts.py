"""Play the expert of every declared family, over seeds and skins, without a browser.

    python -m benchmarks.experts                        # every declared site, 20 seeds; an hour
    python -m benchmarks.experts --seeds 2 reply        # one family

Each line gives a family on a skin: the episodes that the expert solved in just the derived number
of steps, those that it solved after two random links at the start, and those that an agent that
does nothing solves. The program fails unless the expert solved all, and nothing solved none.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from random import Random

from agent.interface import Action, Click, Note, Stop
from evaluators.training.session import Session, StepResult, open_ground
from scenarios import registry
from scenarios.kit import Family
from scenarios.scenario import Scenario

LOST = 2
"""The number of random links that the lost expert follows at the start."""


def families(names: list[str]) -> Iterator[str]:
    """Yield every declared family, or those with these names, on each skin of its site."""
    for name, each in sorted(registry.family_modules().items()):
        if isinstance(each, Family) and (not names or name in names):
            others = registry.site_data(each.SITE).site.skins[1:]
            yield from (name, *(f"{name}.{skin.name}" for skin in others))


def advised(family: Family, scenario: Scenario, turn: StepResult) -> list[Action]:
    """Return the expert's next actions; the last one stops."""
    advice = family.advise(scenario, turn.observation)
    return [*advice.actions] if advice.answer is None else [Stop(advice.answer)]


async def play(
    session: Session, family: Family, scenario: Scenario, lost: int = 0
) -> tuple[bool, int]:
    """Play an episode; return whether it succeeded, and the steps of the expert."""
    rng, steps = Random(f"{family.name}/{scenario.seed}"), 0
    turn = await session.reset(scenario.name)
    for _ in range(lost):
        links = [each.id for each in turn.observation.elements if each.role == "link"]
        turn = await session.step(Click(rng.choice(links))) if links else turn
    while not turn.done:
        for action in advised(family, scenario, turn):
            if turn.done:  # the budget is spent
                break
            turn = await session.step(action)
            steps += not isinstance(action, Note | Stop)
    return turn.reward == 1, steps


async def count(session: Session, name: str, seeds: range) -> str:
    """Return the line of a family on a skin."""
    family = registry.family(name)
    assert isinstance(family, Family)
    straight = lost = nothing = 0
    for seed in seeds:
        scenario = family.generate(seed, registry.site_data(family.SITE))
        solved, steps = await play(session, family, scenario)
        wanted = family.length(scenario)
        if not solved or steps != wanted:
            print(f"  {scenario.name}: {solved}, {steps} of {wanted} steps")
        straight += solved and steps == wanted
        solved, steps = await play(session, family, scenario, LOST)
        if not solved:
            print(f"  {scenario.name}: lost")
        lost += solved
        await session.reset(scenario.name)
        nothing += (await session.step(Stop(""))).reward == 1
    return f"{name:36} {straight:6} {lost:4} {nothing:7} of {len(seeds)}"


async def measure(names: list[str], seeds: range) -> bool:
    """Print the table; return whether everything is as it must be."""
    right = True
    async with open_ground() as ground:
        session = await ground.session()
        print(f"{'family':36} expert lost nothing")
        for name in families(names):
            line = await count(session, name, seeds)
            print(line, flush=True)
            right &= line.split()[1:] == [*[str(len(seeds))] * 2, "0", "of", str(len(seeds))]
    return right


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="FAMILY")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="SEED")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds)
    sys.exit(not asyncio.run(measure(asked.names, seeds)))


if __name__ == "__main__":
    main()
