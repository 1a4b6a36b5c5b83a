"""Write `docs/webarena-near-misses.csv`: `python -m tools.webarena_near_misses`.

A row for each template of WebArena with a family on a declared site: the near misses of a scenario,
which are wrong ends that look right, and the number of them that WebArena's own checks accept. Our
rule refuses them all. Do it when families of declared sites change; `tools.webarena_page` comes
after it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import click

from evaluators.scoring.context import ScoringContext
from scenarios import registry, templates
from scenarios.kit import Family

FILE = Path(__file__).parents[1] / "docs" / "webarena-near-misses.csv"


@dataclass(frozen=True)
class Counted:
    """The near misses of a template's scenario: a row of the file.

    Attributes:
        template: The number of the template.
        site: The kind of its site.
        scenario: The scenario.
        near_misses: The number of near misses.
        accepted: The number of those that WebArena's checks accept.
    """

    template: str
    site: str
    scenario: str
    near_misses: int
    accepted: int

    @property
    def numbers(self) -> tuple[int, int]:
        """Both numbers."""
        return self.near_misses, self.accepted


def read() -> list[Counted]:
    """Return the rows of the file."""
    with FILE.open(encoding="utf-8", newline="") as opened:
        return [
            Counted(template, site, scenario, int(misses), int(accepted))
            for template, site, scenario, misses, accepted in [*csv.reader(opened)][1:]
        ]


def counted() -> Iterator[Counted]:
    """Yield the rows of the file, counted again, in the order of the templates."""
    for template, name in templates.scenario_of_each(templates.load()):
        if isinstance(registry.family(name.split("/")[1]), Family):
            verdicts = accepted(name)
            number = template.template.removeprefix(templates.PREFIX)
            yield Counted(number, template.site, name, len(verdicts), sum(verdicts.values()))


def accepted(name: str) -> dict[str, bool]:
    """Return whether WebArena's checks accept each near miss of a scenario, by its name."""
    scenario = registry.scenario(name)
    context = ScoringContext.of(scenario)
    found = {}
    for label, miss in context.family.near_misses(scenario, context.data).items():
        with context.family.world(scenario) as world:
            score = context.score_world(world, miss.apply(world) or "")
        found[label] = score.success_published
    return found


def main() -> None:
    """Write the file again."""
    with FILE.open("w", encoding="utf-8", newline="") as opened:
        written = csv.writer(opened, lineterminator="\n")
        written.writerow([each.name for each in fields(Counted)])
        written.writerows(map(astuple, counted()))


if __name__ == "__main__":
    main()
    click.echo(FILE)
