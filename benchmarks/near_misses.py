"""Count the near misses of a declared site's families, and measure draws and scores.

    python -m benchmarks.near_misses                # the forum, 200 seeds; minutes
    python -m benchmarks.near_misses --seeds 5 vote_newest reply

Each line gives a family, the lines of its file, the near misses that its named check refused, those
that were made, and the median processor milliseconds of a draw and of a score. The program fails if
a near miss was not refused by its check.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measuring import Clock
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.kit import Family
from scenarios.scenario import NearMiss


def families(site: str, names: list[str]) -> Iterator[Family]:
    """Yield the families of a site, or those with these names."""
    for name, each in sorted(registry.family_modules().items()):
        if isinstance(each, Family) and site == each.SITE and (not names or name in names):
            yield each


def is_refused(context: ScoringContext, miss: NearMiss, clock: Clock) -> bool:
    """Return whether a near miss fails, and its named check with it."""
    with context.family.world(context.scenario) as world:
        answer = str(miss.apply(world) or "")
        score = clock.time(partial(context.score_world, world, answer))
    held = {check.name: check.held for check in score.checks}
    return not score.success and held.get(miss.fails) is False


def count(family: Family, seeds: int) -> str:
    """Return the line of a family."""
    data, draws, scores, refused, made = registry.site_data(family.SITE), Clock(), Clock(), 0, 0
    for seed in range(seeds):
        scenario = draws.time(partial(family.generate, seed, data))
        context = ScoringContext.of(scenario)
        for miss in family.near_misses(scenario, data).values():
            made += 1
            refused += is_refused(context, miss, scores)
    lines = len(Path(family.file).read_text(encoding="utf-8").splitlines())
    figures = f"{refused:6} of {made:6} {draws.median:9.2f} {scores.median:9.3f}"
    return f"{family.name:26} {lines:5} {figures}{'' if refused == made else '   NOT ALL REFUSED'}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="FAMILY")
    parser.add_argument("--site", default="forum")
    parser.add_argument("--seeds", type=int, default=200)
    asked = parser.parse_args()
    print(f"{'family':26} {'lines':>5} {'refused of made':>16} {'draw ms':>9} {'score ms':>9}")
    lines = []
    for family in families(asked.site, asked.names):
        lines.append(count(family, asked.seeds))
        print(lines[-1], flush=True)
    sys.exit(any("NOT" in each for each in lines))


if __name__ == "__main__":
    main()
