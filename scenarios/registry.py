"""Which sites, families and suites there are, and scenarios by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import ModuleType
from typing import Any, Protocol, cast

from flask import Flask

import scenarios
import sites
from agent import plugins
from agent.plugins import OwnFile
from rehearsal_errors import RehearsalError
from scenarios import dials, environments, suites
from scenarios.environments import Environment, is_environment
from scenarios.scenario import LEVELS, Family, Scenario, budgeted_length, start_host
from scenarios.suites import Suite
from sites import browsergym
from sites.world import World, Worlds

DRAWN_BY_THE_PAGE = ("solve", "near_misses")
"""What a family lacks where its page draws the problem and shows the instruction."""

SHOWN = 60
"""Characters of a name that a message quotes."""
KEPT = 100
"""So many scenarios are kept once they are drawn."""
MOST_SEED = 10**15
"""The largest seed; records hold no larger number."""
LONGEST_SEEDS = 100
"""Characters of a range of seeds."""


class BadTaskSet(RehearsalError, ValueError):
    """The tasks of a run cannot be read, or there are none."""


class Site(Protocol):
    """What `sites/<site>/__init__.py` defines; members with a value here are optional.

    `NOW` is the time that its pages show, in epoch seconds (None: the real time); `ACTION_MS` are
    the milliseconds that pass on them with each action, from `NOW` on (None: time stands still).
    `HOSTS` are the names under which its pages are served, its own first; without it only that one.
    `Reports(world, data)` takes what the pages of a lane report by themselves: the number of their
    JavaScript context, and a text (None: they report nothing). `SECONDS_OUTSIDE` is what the
    control plane gives as `seconds` in an address, where pages end an episode by the clock (None:
    none does).
    """

    NOW: float | None = None
    ACTION_MS: float | None = None
    Reports: Callable[[World, Any], Callable[[int, str], None]] | None = None
    HOSTS: Sequence[str] = ()
    SECONDS_OUTSIDE: int | None = None

    def create_app(self, data: Any, worlds: Worlds, **options: Any) -> Flask:
        """The Flask application over the site's data; its pages show the `worlds`."""
        ...

    def load_data(self) -> Any:
        """The site's read-only data, with a `digest`."""
        ...


def site_names() -> list[str]:
    return plugins.folders(sites)


def host_names() -> set[str]:
    """The names of all sites, those under which they are served, and that of the environments whose
    pages are not ours."""
    hosts = {host for name in site_names() for host in site(name).HOSTS}
    return {*site_names(), *hosts, browsergym.SITE}


@cache
def site(name: str) -> Site:
    """The site's package. Raises `plugins.BadPlugin` where it is no `Site`."""
    if name == browsergym.SITE:
        return cast("Site", plugins.conform("site", browsergym, Site, "sites/browsergym.py"))
    if name not in site_names():
        raise plugins.unknown("site", name, site_names())
    package = plugins.load("site", sites, name)
    return cast("Site", plugins.conform("site", package, Site, f"sites/{name}/__init__.py"))


@cache
def _own_data(name: str) -> Any:
    return site(name).load_data()


@dataclass(frozen=True)
class ChosenData:
    """Data of a site in place of its own; `seeds` are those of the families that can be drawn from
    them, where that is not all, and `source` is what they were made from."""

    data: Any
    seeds: Mapping[str, range] = field(default_factory=dict)
    source: object = None


_CHOSEN: dict[str, ChosenData] = {}


def site_data(name: str) -> Any:
    """The site's read-only data: those that are chosen, or its own, loaded once a process."""
    return _CHOSEN[name].data if name in _CHOSEN else _own_data(name)


@contextmanager
def using(name: str, data: ChosenData) -> Iterator[None]:
    """Within, the site has these data, in this process."""
    before = _CHOSEN.get(name)
    _CHOSEN[name] = data
    try:
        yield
    finally:
        del _CHOSEN[name]
        if before is not None:
            _CHOSEN[name] = before


def chosen(name: str) -> ChosenData | None:
    """What is chosen for the site; None where it has its own data."""
    return _CHOSEN.get(name)


def seeds_of(family: str, site: str) -> range | None:
    """The seeds of the family that chosen data of its site have; None where it has all."""
    data = chosen(site)
    return data.seeds.get(family, range(0)) if data and data.seeds else None


def check_drawable(scenario: str) -> None:
    """Raise `BadTaskSet` where the chosen data of its site do not have this scenario."""
    site, family, seed = scenario.split("/")
    seeds = seeds_of(family, site)
    if seeds == range(0):
        known = ", ".join(_CHOSEN[site].seeds)
        raise BadTaskSet(f"the catalogue has no tasks of {family}", f"write --family {known}")
    if seeds is not None and int(seed) not in seeds:
        raise BadTaskSet(f"the catalogue has no goal {seed}", f"give --seeds within 0:{seeds.stop}")


@cache
def family_modules() -> Mapping[str, Any]:
    """Every family by name, over all sites."""
    found: dict[str, Any] = {}
    for name in plugins.folders(scenarios):
        if name not in site_names():
            continue
        found |= _families_below(plugins.load("site", scenarios, name), name)
    return found


def _families_below(package: ModuleType, path: str) -> dict[str, Any]:
    """Return the families of a site's folder or of a package in it, by name.

    A file of the site's own folder is a family. In a package below, a module that provides none
    helps the others.
    """
    found: dict[str, Any] = {}
    for each in plugins.names(package):
        module = plugins.load("family", package, each)
        is_package = hasattr(module, "__path__")
        if provides(module) or not ("/" in path or is_package):
            found |= provided(module, each, f"{path}/{each}.py")
        elif is_package:
            found |= _families_below(module, f"{path}/{each}")
    return found


def provides(module: ModuleType) -> bool:
    """Return whether a module provides families.

    A module that lacks one required member counts: `conform` then names that member.
    """
    if hasattr(module, "FAMILIES") or hasattr(module, "FAMILY"):
        return True
    needed = plugins.members(Family) - plugins.defaults(Family).keys()
    return sum(hasattr(module, each) for each in needed) >= len(needed) - 1


def provided(module: ModuleType, name: str, where: str) -> dict[str, Any]:
    """The families of a file by name: its `FAMILIES`, its `FAMILY`, or the module itself."""
    if hasattr(module, "FAMILIES"):
        made = {each.name: each for each in module.FAMILIES}
    elif hasattr(module, "FAMILY"):
        made = {module.FAMILY.name: module.FAMILY}
    else:
        made = {name: module}
    for each in made.values():
        drawn_by_page = getattr(each, "instruction", None)
        without = DRAWN_BY_THE_PAGE if drawn_by_page else ()
        _check_level(plugins.conform("family", each, Family, where, without), where)
    return made


def _check_level(family: Family, where: str) -> None:
    """Raises `plugins.BadPlugin` where its level is none."""
    if family.LEVEL not in LEVELS:
        raise plugins.BadPlugin(f"{where}: LEVEL is {family.LEVEL!r}", "write 1, 2 or 3")


def is_variant(name: str) -> bool:
    """Whether a family is another one on other pages (`VARIANT_OF`): only drawn by its name."""
    return bool(family_modules()[name].VARIANT_OF)


def named(text: str) -> str:
    """The family that a caller means by `text`: an `OwnFile`, or a name to be looked up.

    Pass nothing here that a record, a request or a suite says: what comes back may be run.
    """
    return OwnFile(text) if text.endswith(".py") and not is_environment(text) else text


def own_families(files: Sequence[str]) -> dict[str, OwnFile]:
    """The files of families that a caller names, by what records call each. Raises `BadTaskSet`."""
    found: dict[str, OwnFile] = {}
    for text in files:
        file = named(text)
        if not isinstance(file, OwnFile):
            raise BadTaskSet(
                f"--family {text[:SHOWN]!r} is no Python file",
                "name the file of a family of your own; the others are found by themselves",
            )
        if found.setdefault(_label(file), file) != file:
            raise BadTaskSet(f"--family {text[:SHOWN]!r}: two have one name", "name each once")
    return found


def family(name: str) -> Family:
    """The family of that name, or of an `OwnFile`. Raises `plugins.UnknownName`.

    `name.variant` is a variant of a family that has them, `browsergym/name` an environment. Plain
    text finds only what is known: no file is run for it.
    """
    if isinstance(name, OwnFile):
        return _own_family(name)
    if is_environment(name):
        return cast("Family", environment(name))
    known = family_modules()
    if name in known:
        return cast("Family", known[name])
    base, dot, variant = name.partition(".")
    if base in known and variant and dials.takes(known[base]):
        return cast("Family", dials.of(known[base], base, variant))
    if (
        base not in known
        or (dot and not variant)
        or (variant and not hasattr(known[base], "of_variant"))
    ):
        raise plugins.unknown("family", name, known)
    return cast("Family", known[base].of_variant(variant) if variant else known[base])


def environment(name: str) -> Environment:
    """The family of an environment."""
    return environments.family(name, family_modules(), family, site_data)


def _own_family(file: OwnFile) -> Family:
    found = provided(plugins.load_file(file), file.path.stem, file)
    if len(found) != 1:
        raise BadTaskSet(f"{file} has {len(found)} families", "give it one")
    return cast("Family", next(iter(found.values())))


def scenario(name: str, source: str = "") -> Scenario:
    """The scenario `<site>/<family>/<seed>`; `source` is an `OwnFile` or an environment, which
    has the family in place of the name's. Raises `BadTaskSet`, `plugins.UnknownName`."""
    parts = name.split("/")
    if len(parts) != 3 or not is_seed(parts[2]):
        raise BadTaskSet(f"{name[:80]!r} is no scenario", "write <site>/<family>/<seed>")
    made = family(source or parts[1])
    if parts[0] != made.SITE:
        raise BadTaskSet(
            f"{name!r}: {parts[1]} belongs to the site {made.SITE}",
            f"write {made.SITE}/{parts[1]}/{parts[2]}",
        )
    data = site_data(parts[0])
    if source or made.FOREIGN is not None:  # whose pages are files that may change
        return made.generate(int(parts[2]), data)
    return _drawn(parts[1], int(parts[2]), data.digest)


def is_seed(text: str) -> bool:
    """Whether this is a seed as names have it: its digits, without a zero before them."""
    is_short = len(text) <= len(str(MOST_SEED))
    return is_short and text.isdecimal() and str(int(text)) == text and int(text) <= MOST_SEED


@lru_cache(maxsize=KEPT)
def _drawn(name: str, seed: int, of: str) -> Scenario:
    """The family's scenario of that seed, of the data with the digest `of`: agents of a run, its
    score and its report ask for the same one."""
    made = family(name)
    return made.generate(seed, site_data(made.SITE))


@dataclass(frozen=True)
class TaskSet:
    """The tasks of a run: scenario names, their frozen hashes, and by family the lengths of which
    budgets are made.

    `sources` are the files of one's own families by name, `arguments` the words that ask for
    these tasks on the command line.
    """

    names: Sequence[str]
    hashes: Mapping[str, str] = field(default_factory=dict)
    expert: Mapping[str, int] = field(default_factory=dict)
    label: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    arguments: Sequence[str] = ()


def from_suite(name: str, seeds: range | None = None) -> TaskSet:
    """A frozen suite, or its scenarios whose seeds lie in a range."""
    suite = _suite(name)
    chosen = [each for each in suite.scenarios if seeds is None or _seed(each) in seeds]
    if not chosen:
        raise BadTaskSet(
            f"suite {name} has no scenario with a seed in {_text(seeds)}",
            "leave out --seeds for all of it",
        )
    arguments = ["--suite", name, *(["--seeds", _text(seeds)] if seeds else [])]
    label = f"{name} {_text(seeds)}" if seeds else name
    return TaskSet(chosen, suite.scenarios, suite.expert, label=label, arguments=arguments)


def from_family(name: str, seeds: range) -> TaskSet:
    """A family over a range of seeds."""
    return from_families([name], seeds)


def from_families(names: Sequence[str], seeds: range) -> TaskSet:
    """Families over a range of seeds, one family after the other. The caller names them: one that
    ends in `.py` is a file of the caller's own, and is run."""
    names = [*map(named, names)]
    sites = {_label(name): family(name).SITE for name in names}
    if len(sites) < len(names):
        raise BadTaskSet(f"{', '.join(names)}: two have one name", "name each family once")
    return TaskSet(
        [f"{site}/{label}/{seed}" for label, site in sites.items() for seed in seeds],
        label=f"{','.join(sites)} {_text(seeds)}",
        sources={_label(name): name for name in names if name != _label(name)},
        arguments=[
            *(word for name in names for word in ("--family", name)),
            *("--seeds", _text(seeds)),
        ],
    )


def _label(family: str) -> str:
    """What records call a family: its name, that of its file, or that of its environment."""
    if is_environment(family):
        return environments.label(family)
    return family.path.stem if isinstance(family, OwnFile) else family


def freeze(name: str, family_seeds: Sequence[tuple[str, range]]) -> Suite:
    """Make a suite of these families and seeds, as they are now. Foreign pages are no part of the
    site's data: their own hashes are in the scenarios.

    Of a family with `seeds` of its own, `0:3` are the first three of those.
    """
    data: dict[str, str] = {}
    expert: dict[str, int] = {}
    hashes: dict[str, str] = {}
    for label, seeds in family_seeds:
        made = family(label)
        if made.FOREIGN is None:
            data[made.SITE] = site_data(made.SITE).digest
        own = made.seeds
        for seed in own[seeds.start : seeds.stop : seeds.step] if own else seeds:
            drawn = made.generate(seed, site_data(made.SITE))
            expert[label] = max(expert.get(label, 0), budgeted_length(made, drawn))
            hashes[drawn.name] = drawn.digest()
    return Suite(name, data, expert, hashes)


def hosts_of(tasks: TaskSet) -> set[str]:
    """The sites of the tasks, and the hosts where they begin."""
    named = {(name.split("/")[0], name.split("/")[1]) for name in tasks.names}
    begin = {start_host(family(tasks.sources.get(label, label))) for _, label in named}
    return {*begin, *(site for site, _ in named)}


def read_seeds(text: str) -> range:
    """`0:20` (the end is not included), `4:44:5` (every fifth) or one seed. Raises ValueError."""
    try:
        start, *rest = (int(each) for each in text[:LONGEST_SEEDS].split(":"))
        seeds = range(start, *rest) if rest else range(start, start + 1)
    except (TypeError, ValueError):
        seeds = range(0)
    if not seeds or seeds.start < 0 or seeds.step < 0 or len(text) > LONGEST_SEEDS:
        raise BadTaskSet(f"{text[:80]!r} is no range of seeds", "write 0:20 for the seeds 0 to 19")
    if seeds[-1] > MOST_SEED:
        raise BadTaskSet(f"{text!r}: {seeds[-1]} is too large for a seed", f"stop at {MOST_SEED}")
    return seeds


def _suite(name: str) -> Suite:
    """Raises `BadTaskSet` for a suite of an earlier version, `UnknownName` for no suite at all."""
    if name in suites.REMOVED:
        raise BadTaskSet(f"suite {name} was removed", f"use {suites.REMOVED[name]}")
    if name not in suites.names():
        raise plugins.unknown("suite", name, suites.names())
    return suites.load(name)


def _seed(scenario_name: str) -> int:
    return int(scenario_name.rsplit("/", 1)[1])


def _text(seeds: range | None) -> str:
    if not seeds:
        return "all seeds"
    return f"{seeds.start}:{seeds.stop}" + (f":{seeds.step}" if seeds.step != 1 else "")
