"""Knowledge for null agents, which read no page and guess: the pages to open, a frequent answer, a
wrong result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from agent.interface import Advice, Observation
from evaluators.scoring.score import changes
from scenarios import registry
from scenarios.scenario import Family, Scenario, answer_schema
from sites.world import World

SEEDS = range(1_000_000_000, 1_000_000_100)
"""Seeds of the scenarios from which frequent answers are counted; no suite uses them.

For a family with seeds of its own, the last of its seeds are used, as many as here.
"""


def only_looks(family: Family, scenario: Scenario, start: World) -> bool:
    """Return whether the known solution only opens pages and answers, without changing the
    database.
    """
    if not hasattr(family, "solve"):
        return False
    with start.fork() as world:
        family.solve(scenario, world, registry.site_data(scenario.site))
        return not changes(start.snapshot(), world.snapshot())


def other_ends(family: Family, scenario: Scenario) -> Mapping[str, Mapping[str, Any]]:
    """Return the solution's keys that differ for other results than the right one, by name of the
    result.
    """
    if family.other_ends is None:
        return {}
    return family.other_ends(scenario, registry.site_data(scenario.site))


def advise_instead(
    other: Mapping[str, Any] | None, family: Family, scenario: Scenario, observation: Observation
) -> Advice:
    """Return the family's advice for this page on the way to a wrong result.

    Args:
        other: The keys of the scenario's solution that lead to the wrong result; None for the
            advice to stop without doing anything.
        family: The family of the scenario.
        scenario: The scenario.
        observation: The page.
    """
    if other is None:
        return Advice("", answer="")
    return family.advise(replace(scenario, gold={**scenario.gold, **other}), observation)


def frequent_answer(family: str, scenario: Scenario) -> str:
    """Return the answer that is most often right for other scenarios of the family.

    Only scenarios that ask for the same kind of answer count; of equally frequent answers the first
    one drawn wins.

    Args:
        family: The family's name or file.
        scenario: The scenario to answer, which is not counted.

    Returns:
        The answer, or "" if the task asks for none.
    """
    made = registry.family(family)
    asked = answer_schema(made, scenario)
    if asked is None or not hasattr(made, "solve"):
        return ""
    drawn = (
        answer
        for seed, kind, answer in _answers(family, registry.site_data(scenario.site).digest)
        if answer and kind == asked.kind and seed != scenario.seed
    )
    return next((answer for answer, _ in Counter(drawn).most_common(1)), "")


@cache
def _answers(name: str, data_digest: str) -> list[tuple[int, str, str]]:
    """Return (seed, kind of answer, right answer) for the family's scenarios of each seed in SEEDS.

    The result is cached for each version of the site's data.
    """
    family = registry.family(name)
    data, seeds = registry.site_data(family.SITE), (family.seeds or SEEDS)[-len(SEEDS) :]
    return [_answer(family, seed, data) for seed in seeds]


def _answer(family: Family, seed: int, data: Any) -> tuple[int, str, str]:
    made = family.generate(seed, data)
    asked = answer_schema(family, made)
    with family.world(made) as world:
        return seed, asked.kind if asked else "", family.solve(made, world, data)
