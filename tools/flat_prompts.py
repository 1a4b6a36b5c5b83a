"""Print the table of Flat's prompts in `docs/step.md`: for a suite or an environment and each limit
the tokens of advice and examples, the lines of advice, and the examples.

    python -m tools.flat_prompts
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from agent import agent_spec, prompting
from agent.interface import Task
from agent.llm import tokenizer
from agent.methods import flat
from agent.methods.flat import sections
from agent.methods.step import turns
from evaluators.run.prepare import family_steps
from scenarios import registry
from scenarios.environments import is_environment
from scenarios.scenario import start_host

ENVIRONMENT = "browsergym/webarena.310"
"""One of WebArena's tasks, all of which have the same prompt."""
TASKS = (
    "crm-100",
    "store-info-60",
    "shop-60",
    "forum-60",
    "map-60",
    "codehost-60",
    "admin-60",
    "widgets-45",
    ENVIRONMENT,
)
AGENTS = ("flat:4k", "flat:8k", "flat")
HEAD = "| tasks | agent | tokens | lines of advice | examples |\n|---|---|---|---|---|"


def rows(named: str) -> Iterator[str]:
    """Yield the rows of a suite, or of an environment."""
    for site, steps in _steps(named).items():
        for name in AGENTS:
            prompts = prompting.load("flat", site)
            options = agent_spec.read(name).given(family_steps=steps).build()
            task = Task(site, "", "", "")
            system, examples = flat.fitted(prompts, sections.load(site), task, options)
            shown = [turns.example(prompts, each) for each in examples]
            tokens = sum(map(tokenizer.count, [system, prompts.say("examples"), *shown]))
            lines = sum(line in system.split("\n") for line in _lines(site))
            yield f"| `{named}` | `{name}` | {tokens:,} | {lines} | {len(examples)} |"


def _steps(named: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the steps of each family, by the site whose prompts are used; an environment's are not
    known.
    """
    if is_environment(named):
        return {start_host(registry.family(named)): ()}
    return family_steps(registry.from_suite(named))


def _lines(site: str) -> list[str]:
    return [point for section in sections.load(site) for point in section.points]


def main(named: Sequence[str] = ()) -> None:
    """Print the table for these suites and environments; without any, for those of the page."""
    sys.stdout.write(f"{HEAD}\n")
    for each in named or TASKS:
        sys.stdout.writelines(f"{row}\n" for row in rows(each))


if __name__ == "__main__":
    main(sys.argv[1:])
