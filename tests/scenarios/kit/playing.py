"""Play a small family on the forum: its solution, its near misses and its expert."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios._kit import visit as acts
from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.scenario import Scenario
from sites.kit import Do, Place, Site
from sites.world import World
from tests.contracts import declared
from tests.contracts.offline import visit

SEEDS = range(3)
STRAYS = (4, 2)
Act = Callable[[World], Any]


def family(
    draw: Callable[[Draw], Right], *wordings: str, answer: AnswerSchema | None = None, **more: Any
) -> Family:
    """A family on the forum that stands in a test file, named after the drawing function."""
    return Family(f"forum/{draw.__name__}.py", draw, wordings, answer, **more)


def site() -> Site:
    return registry.site_data("forum").site


def generated(made: Family, seed: int = 0) -> Scenario:
    return made.generate(seed, registry.site_data("forum"))


def ended(made: Family, scenario: Scenario, act: Act) -> Score:
    """The score after `act(world)`, which returns the answer."""
    context = ScoringContext.of(scenario, made)
    with made.world(scenario) as world:
        answer = str(act(world) or "")
        return context.score(world.snapshot(), answer)


def after(
    made: Family,
    scenario: Scenario,
    dos: Iterable[Do] = (),
    pages: Iterable[Place] = (),
    answer: str = "",
) -> Score:
    """The score of a visit that opens pages, does operations and answers."""

    def act(world: World) -> str:
        acts.opened(site(), world, pages)
        acts.done(site(), world, dos)
        return answer

    return ended(made, scenario, act)


def failed(score: Score) -> set[str]:
    return {each.name for each in score.checks if not each.held}


def play(made: Family, seeds: Sequence[int] = SEEDS) -> set[str]:
    """Play all that the kit derives, on each skin; return the names of the near misses."""
    names: set[str] = set()
    for own in declared.skins(made):
        for seed in seeds:
            names |= _play(own, generated(own, seed))
    return names


def _play(made: Family, scenario: Scenario) -> set[str]:
    data = registry.site_data("forum")
    score = ended(made, scenario, lambda world: made.solve(scenario, world, data))
    assert score.success and score.progress == 1, (scenario.name, failed(score))
    untouched = ended(made, scenario, lambda world: "")
    assert not untouched.success and untouched.progress == 0, scenario.name
    misses = made.near_misses(scenario, data)
    for label, miss in misses.items():
        missed = ended(made, scenario, miss.apply)
        assert miss.fails in failed(missed), (scenario.name, label, failed(missed))
        assert missed.progress < 1
    straight, lost = visit(made, scenario), visit(made, scenario, STRAYS)
    assert straight.score.success and lost.score.success, (scenario.name, failed(lost.score))
    assert straight.steps == made.length(scenario), scenario.name
    assert [*straight.curve] == sorted(straight.curve), scenario.name
    return set(misses)


def solvable(made: Family, scenario: Scenario, dos: Iterable[Do]) -> bool:
    """Whether the solution still succeeds after operations."""
    context = ScoringContext.of(scenario, made)
    with made.world(scenario) as world:
        acts.done(site(), world, dos)
        return context.is_solvable(world)
