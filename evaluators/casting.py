"""Which sites, families, judges and suites there are, and scenarios by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import evaluators.judges
import scenarios
import sites
from agent import plugins
from evaluators.score import Judge
from scenarios import suites
from scenarios.scenario import Family, Scenario
from scenarios.suites import Suite

FAMILY = ("SITE", "ANSWER", "generate", "world", "advise", "length", "solve", "near_misses")
"""What a family's file must define."""
DRAWN_BY_THE_PAGE = ("SITE", "ANSWER", "generate", "world", "advise", "length", "instruction")
"""What its `FAMILY` must have instead, where the page draws the problem and tells it."""


class BadCast(ValueError):
    """What to play cannot be read, or there is nothing of it."""


def site_names() -> list[str]:
    return plugins.folders(sites)


def site(name: str) -> Any:
    """The site's package: `create_app(data, worlds)` and `load_data()`."""
    if name not in site_names():
        raise plugins.unknown("site", name, site_names())
    return plugins.load("site", sites, name)


@cache
def site_data(name: str) -> Any:
    """The site's read-only data, loaded once a process."""
    return site(name).load_data()


def judge(name: str) -> Judge:
    return cast("Judge", plugins.load("judge of a site", evaluators.judges, name))


@cache
def family_modules() -> Mapping[str, Any]:
    """Every family by name, over all sites."""
    found = {}
    for name in plugins.folders(scenarios):
        if name not in site_names():
            continue
        package = plugins.load("site", scenarios, name)
        for each in plugins.names(package):
            module = plugins.load("family", package, each)
            made = _provided(module)
            found[each if made is module else made.name] = made
    return found


def _provided(module: ModuleType) -> Any:
    """What a family's file provides: its `FAMILY`, or itself."""
    return getattr(module, "FAMILY", module)


def is_variant(name: str) -> bool:
    """Whether a family is another one on other pages (`VARIANT_OF`): only drawn by its name."""
    return hasattr(family_modules()[name], "VARIANT_OF")


def family(name: str) -> Family:
    """The family of that name, or from a file of one's own. Raises `plugins.UnknownName`.

    `name.variant` is a variant of a family that has them.
    """
    if name.endswith(".py"):
        return _own_family(Path(name))
    base, _, variant = name.partition(".")
    known = family_modules()
    if base not in known:
        raise plugins.unknown("family", name, known)
    return cast("Family", known[base].of_variant(variant) if variant else known[base])


def _own_family(path: Path) -> Family:
    made = _provided(plugins.load_file(path))
    needed = DRAWN_BY_THE_PAGE if hasattr(made, "instruction") else FAMILY
    missing = [each for each in needed if not hasattr(made, each)]
    if missing:
        raise BadCast(f"{path} has no {', '.join(missing)}; a family has {', '.join(needed)}")
    return cast("Family", made)


def scenario(name: str, source: str = "") -> Scenario:
    """The scenario `<site>/<family>/<seed>`; `source` is the file of one's own family."""
    parts = name.split("/")
    if len(parts) != 3 or not parts[2].isdecimal():
        raise ValueError(f"{name!r} is no scenario; write <site>/<family>/<seed>")
    made = family(source or parts[1])
    if parts[0] != made.SITE:
        raise ValueError(f"{name!r}: {parts[1]} belongs to the site {made.SITE}")
    return made.generate(int(parts[2]), site_data(parts[0]))


@dataclass(frozen=True)
class Cast:
    """What a run is played on: scenario names, their frozen hashes, and the expert's lengths."""

    names: Sequence[str]
    hashes: Mapping[str, str] = field(default_factory=dict)
    expert: Mapping[str, int] = field(default_factory=dict)
    label: str = ""
    source: str = ""


def from_suite(name: str, seeds: range | None = None) -> Cast:
    """A frozen suite, or its scenarios whose seeds lie in a range."""
    suite = _suite(name)
    chosen = [each for each in suite.scenarios if seeds is None or _seed(each) in seeds]
    if not chosen:
        raise BadCast(f"suite {name} has no scenario with a seed in {_text(seeds)}")
    return Cast(chosen, suite.scenarios, suite.expert, label=name)


def from_family(name: str, seeds: range) -> Cast:
    """A family over a range of seeds."""
    made = family(name)
    label = Path(name).stem
    names = [f"{made.SITE}/{label}/{seed}" for seed in seeds]
    return Cast(names, label=f"{label} {_text(seeds)}", source=name if name != label else "")


def freeze(name: str, family_seeds: Sequence[tuple[str, range]]) -> Suite:
    """Make a suite of these families and seeds, as they are now.

    Of a family with `seeds` of its own, `0:3` are the first three of those.
    """
    data: dict[str, str] = {}
    expert: dict[str, int] = {}
    hashes: dict[str, str] = {}
    for label, seeds in family_seeds:
        made = family(label)
        data[made.SITE] = site_data(made.SITE).digest
        own = getattr(made, "seeds", None)
        for seed in own[seeds.start : seeds.stop] if own else seeds:
            drawn = made.generate(seed, site_data(made.SITE))
            expert[label] = max(expert.get(label, 0), made.length(drawn))
            hashes[drawn.name] = drawn.digest()
    return Suite(name, data, expert, hashes)


def read_seeds(text: str) -> range:
    """`0:20` (the end is not included) or one seed. Raises ValueError."""
    first, colon, end = text.partition(":")
    try:
        start = int(first)
        stop = int(end) if colon else start + 1
    except ValueError:
        start, stop = 0, 0
    if not 0 <= start < stop:
        raise BadCast(f"{text!r} is no range of seeds; write 0:20 for the seeds 0 to 19")
    return range(start, stop)


def _suite(name: str) -> Suite:
    if name not in suites.names():
        raise plugins.unknown("suite", name, suites.names())
    return suites.load(name)


def _seed(scenario_name: str) -> int:
    return int(scenario_name.rsplit("/", 1)[1])


def _text(seeds: range | None) -> str:
    return f"{seeds.start}:{seeds.stop}" if seeds else "all seeds"
