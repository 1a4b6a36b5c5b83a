"""Find the sites, families, suites and scenarios by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from scenarios import dials, environments, own_name, suites
from scenarios.environments import Environment, is_environment
from scenarios.scenario import (
    LEVELS,
    Family,
    Scenario,
    budgeted_length,
    sites_of,
    start_host,
)
from scenarios.suites import Suite
from sites import browsergym
from sites.world import World, Worlds

DRAWN_BY_THE_PAGE = ("solve", "near_misses")
"""Members that a family lacks if its page draws the problem and shows the instruction."""

SHOWN = 60
"""Maximum number of characters of a name that an error message quotes."""
KEPT = 100
"""The largest number of drawn scenarios that a process caches."""
MOST_SEED = 10**15
"""The largest seed; records hold no larger number."""
LONGEST_SEEDS = 100
"""Maximum number of characters of a range of seeds."""


class BadTaskSet(RehearsalError, ValueError):
    """The tasks of a run cannot be read, or the run has none."""


class Site(Protocol):
    """A site: the members that `sites/<site>/__init__.py` defines.

    The members with a value here are optional.

    Attributes:
        NOW: The time that the pages show at first, in epoch seconds; None means the real time.
        ACTION_MS: Milliseconds by which each action moves the pages' clock on from `NOW`; None
            means that their time stands still.
        Reports: Called as `Reports(world, data)`. It returns a function that receives the messages
            that the site's pages send by themselves: the number of the JavaScript context and the
            text. None if the pages send no messages.
        HOSTS: The names under which the pages are served, the site's own name first. Empty if its
            own name is the only one.
        NEEDS_BROWSER: Why the pages of a host need a browser, by the host. A host that is not named
            works without one.
        SECONDS_OUTSIDE: The value of `seconds` that the control plane puts into the address of a
            page that ends an episode by the clock. None if no page of the site does so.
    """

    NOW: float | None = None
    ACTION_MS: float | None = None
    Reports: Callable[[World, Any], Callable[[int, str], None]] | None = None
    HOSTS: Sequence[str] = ()
    NEEDS_BROWSER: Mapping[str, str] = {}
    SECONDS_OUTSIDE: int | None = None

    def create_app(self, data: Any, worlds: Worlds, **options: Any) -> Flask:
        """Return the Flask application of the site.

        Args:
            data: The site's data, as `load_data` returns it.
            worlds: The open worlds; the cookie or session of a request decides which one a page
                shows.
            **options: Further options of this site.
        """
        ...

    def load_data(self) -> Any:
        """Return the site's read-only data, an object with the attribute `digest`."""
        ...


def site_names() -> list[str]:
    """Return the names of all sites, sorted."""
    return plugins.folders(sites)


def host_names() -> set[str]:
    """Return every host that a task can start at.

    These are the names of all sites, the further hosts of these sites, and the names that stand for
    BrowserGym's environments, whose pages are not part of this project.
    """
    hosts = {host for name in site_names() for host in site(name).HOSTS}
    return {*site_names(), *hosts, *environments.HOSTS}


@cache
def site(name: str) -> Site:
    """Return the package of a site.

    Raises:
        plugins.UnknownName: No site has this name.
        plugins.BadPlugin: The package lacks a member of `Site` or misspells one.
    """
    if name == browsergym.SITE:
        return cast("Site", plugins.conform("site", browsergym, Site, "sites/browsergym.py"))
    if name not in site_names():
        raise plugins.unknown("site", name, site_names())
    package = plugins.load("site", sites, name)
    return cast("Site", plugins.conform("site", package, Site, f"sites/{name}/__init__.py"))


def needs_browser(family: Family) -> str:
    """Return why the episodes of a family need a browser; "" if they can be played without one."""
    for name in sites_of(family):
        reasons = site(name).NEEDS_BROWSER
        for host in family.HOSTS or (name,):
            if host in reasons:
                return reasons[host]
    return ""


@cache
def _own_data(name: str) -> Any:
    """Load the site's own data once per process."""
    return site(name).load_data()


@dataclass(frozen=True)
class ChosenData:
    """Data that replaces a site's own data, for example a catalogue that the user chose.

    Attributes:
        data: The data, as the site's `load_data` would return it.
        seeds: The valid seeds by family. Families that are missing here cannot be drawn from the
            data. An empty mapping means that every family and seed can.
        source: The object from which the data was made, or None.
    """

    data: Any
    seeds: Mapping[str, range] = field(default_factory=dict)
    source: object = None


_CHOSEN: dict[str, ChosenData] = {}


def site_data(name: str) -> Any:
    """Return the read-only data of a site: its own, unless `using` has replaced it."""
    return _CHOSEN[name].data if name in _CHOSEN else _own_data(name)


@contextmanager
def using(name: str, data: ChosenData) -> Iterator[None]:
    """Replace a site's data, in this process, for the duration of a `with` block."""
    before = _CHOSEN.get(name)
    _CHOSEN[name] = data
    try:
        yield
    finally:
        del _CHOSEN[name]
        if before is not None:
            _CHOSEN[name] = before


def chosen(name: str) -> ChosenData | None:
    """Return the data that replaces a site's own data (see `using`); None if nothing does."""
    return _CHOSEN.get(name)


def seeds_of(family: str, site: str) -> range | None:
    """Return the seeds that the chosen data of a site allows for a family.

    Returns:
        An empty range if the data has no tasks of the family. None if every seed is allowed.
    """
    data = chosen(site)
    return data.seeds.get(family, range(0)) if data and data.seeds else None


def check_drawable(scenario: str) -> None:
    """Raise `BadTaskSet` if the data chosen for the scenario's site has no such scenario.

    Args:
        scenario: The name `<site>/<family>/<seed>`.
    """
    site, family, seed = scenario.split("/")
    seeds = seeds_of(family, site)
    if seeds == range(0):
        known = ", ".join(_CHOSEN[site].seeds)
        raise BadTaskSet(f"the catalogue has no tasks of {family}", f"write --family {known}")
    if seeds is not None and int(seed) not in seeds:
        raise BadTaskSet(f"the catalogue has no goal {seed}", f"give --seeds within 0:{seeds.stop}")


@cache
def family_modules() -> Mapping[str, Any]:
    """Return every family of all sites, keyed by its name."""
    found: dict[str, Any] = {}
    for name in plugins.folders(scenarios):
        if name not in site_names():
            continue
        found |= _families_below(plugins.load("site", scenarios, name), name)
    return found


def _families_below(package: ModuleType, path: str) -> dict[str, Any]:
    """Return the families of a site's folder or of a package in it, by name.

    Every file directly in the site's folder is a family. In a package below it, a module that
    provides no family is a helper and is skipped.
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

    A module that lacks just one required member counts as a family, so that `conform` can name the
    missing member.
    """
    if hasattr(module, "FAMILIES") or hasattr(module, "FAMILY"):
        return True
    needed = plugins.members(Family) - plugins.defaults(Family).keys()
    return sum(hasattr(module, each) for each in needed) >= len(needed) - 1


def provided(module: ModuleType, name: str, where: str) -> dict[str, Any]:
    """Return the families of a file, keyed by name.

    Args:
        module: The imported file. Its families are the objects in `FAMILIES`, or the object in
            `FAMILY`, or else the module itself.
        name: The family's name if the module is the family itself.
        where: The path that error messages show.

    Raises:
        plugins.BadPlugin: A family lacks or misspells a member, or its level does not exist.
    """
    if hasattr(module, "FAMILIES"):
        made = {each.name: each for each in module.FAMILIES}
    elif hasattr(module, "FAMILY"):
        made = {module.FAMILY.name: module.FAMILY}
    else:
        made = {name: module}
    for each_name, each in made.items():
        drawn_by_page = getattr(each, "instruction", None)
        without = DRAWN_BY_THE_PAGE if drawn_by_page else ()
        _check_level(plugins.conform("family", each, Family, where, without), where)
        own_name.checked(each, each_name, where)
    return made


def _check_level(family: Family, where: str) -> None:
    """Raise `plugins.BadPlugin` if the family's `LEVEL` is not 1, 2 or 3."""
    if family.LEVEL not in LEVELS:
        raise plugins.BadPlugin(f"{where}: LEVEL is {family.LEVEL!r}", "write 1, 2 or 3")


def is_variant(name: str) -> bool:
    """Return whether a family shows another family's tasks on other pages (`VARIANT_OF`).

    Such a family is drawn only if a user asks for it by its own name.
    """
    return bool(family_modules()[name].VARIANT_OF)


def named(text: str) -> str:
    """Return the user's text as an `OwnFile` if it is the path of a Python file, else unchanged.

    Call it only with text that the user typed. Text from a record, a request or a suite must not
    pass here, because the file that an `OwnFile` names is executed when the family is loaded.
    """
    return OwnFile(text) if text.endswith(".py") and not is_environment(text) else text


def own_families(files: Sequence[str]) -> dict[str, OwnFile]:
    """Return the Python files of families that a user named, keyed by the name that records use.

    Raises:
        BadTaskSet: A text is not the path of a Python file, or two files have the same name.
    """
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
    """Return the family with a name.

    Plain text only finds the registered families; no file is executed for it.

    Args:
        name: The name of a family, `name.variant` for a variant of a family, `browsergym/name` for
            an environment of BrowserGym, or an `OwnFile` to load the family from the user's own
            file.

    Raises:
        plugins.UnknownName: No family has this name, or the family has no such variant.
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
        raise plugins.with_own_file(plugins.unknown("family", name, known), name)
    return cast("Family", known[base].of_variant(variant) if variant else known[base])


def environment(name: str) -> Environment:
    """Return the family that stands for an environment of BrowserGym, `browsergym/<name>`."""
    return environments.family(name, family_modules(), family, site_data)


def _own_family(file: OwnFile) -> Family:
    """Load the single family of a user's own file. Raises `BadTaskSet` if the file has several."""
    found = provided(plugins.load_file(file), file.path.stem, file)
    if len(found) != 1:
        raise BadTaskSet(f"{file} has {len(found)} families", "give it one")
    return cast("Family", next(iter(found.values())))


def scenario(name: str, source: str = "") -> Scenario:
    """Return a scenario by its name.

    Args:
        name: The name `<site>/<family>/<seed>`.
        source: An `OwnFile` or the name of an environment that provides the family. "" means the
            registered family that `name` says.

    Raises:
        BadTaskSet: The name has another form, or its family belongs to another site.
        plugins.UnknownName: No family has this name.
    """
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
    if source or made.FOREIGN is not None:  # their pages are files, which may change
        return made.generate(int(parts[2]), data)
    return _drawn(parts[1], int(parts[2]), *(site_data(each).digest for each in sites_of(made)))


def is_seed(text: str) -> bool:
    """Return whether a text is a seed as names spell it: decimal digits without leading zeros."""
    is_short = len(text) <= len(str(MOST_SEED))
    return is_short and text.isdecimal() and str(int(text)) == text and int(text) <= MOST_SEED


@lru_cache(maxsize=KEPT)
def _drawn(name: str, seed: int, *of: str) -> Scenario:
    """Return a family's scenario of a seed, from a cache.

    The agents of a run, its score and its report all ask for the same scenario. `of` has the digest
    of each site's data; it is only part of the cache key.
    """
    made = family(name)
    return made.generate(seed, site_data(made.SITE))


@dataclass(frozen=True)
class TaskSet:
    """The tasks of a run.

    Attributes:
        names: The names of the scenarios.
        hashes: The frozen hash of each scenario that comes from a suite, by name.
        expert: The number of actions from which the budget of a scenario of a suite is computed, by
            name.
        label: A short description for reports, such as "store-20" or "buy_item 0:5".
        sources: The user's own files (or environments) by family name.
        arguments: The command-line words that select these tasks.
    """

    names: Sequence[str]
    hashes: Mapping[str, str] = field(default_factory=dict)
    expert: Mapping[str, int] = field(default_factory=dict)
    label: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    arguments: Sequence[str] = ()


def from_suite(name: str, seeds: range | None = None) -> TaskSet:
    """Return the tasks of a frozen suite.

    Args:
        name: The name of the suite.
        seeds: Only scenarios whose seeds lie in this range; None for all.

    Raises:
        BadTaskSet: No scenario of the suite has a seed in the range.
        plugins.UnknownName: No suite has this name.
    """
    suite = _suite(name)
    chosen = [each for each in suite.scenarios if seeds is None or _seed(each) in seeds]
    if not chosen:
        raise BadTaskSet(
            f"suite {name} has no scenario with a seed in {_text(seeds)}",
            "leave out --seeds for all of it",
        )
    return TaskSet(
        chosen,
        suite.scenarios,
        {each: suite.expert[each.split("/")[1]] for each in suite.scenarios},
        label=f"{name} {_text(seeds)}" if seeds else name,
        arguments=["--suite", name, *(["--seeds", _text(seeds)] if seeds else [])],
    )


def from_family(name: str, seeds: range) -> TaskSet:
    """Return the tasks of one family over a range of seeds."""
    return from_families([name], seeds)


def from_families(names: Sequence[str], seeds: range) -> TaskSet:
    """Return the tasks of several families over a range of seeds, one family after the other.

    Args:
        names: The names, as the user typed them. A name that ends in `.py` is the path of the
            user's own file, which is executed.
        seeds: The seeds for every family.

    Raises:
        BadTaskSet: Two families have the same name.
        plugins.UnknownName: No family has one of the names.
    """
    names = [*map(named, names)]
    sites = {_label(name): family(name).SITE for name in names}
    if len(sites) < len(names):
        raise BadTaskSet(f"{', '.join(names)}: two have one name", "name each family once")
    sources = {_label(name): name for name in names if name != _label(name)}
    return TaskSet(
        [f"{site}/{label}/{seed}" for label, site in sites.items() for seed in seeds],
        label=f"{','.join(sites)} {_text(seeds)}",
        sources=sources,
        arguments=[
            *(word for name in names for word in ("--family", name)),
            *("--seeds", _text(seeds)),
        ],
    )


def _label(family: str) -> str:
    """Return the name that records use for a family, a user's own file or an environment."""
    if is_environment(family):
        return environments.label(family)
    return family.path.stem if isinstance(family, OwnFile) else family


def freeze(name: str, family_seeds: Sequence[tuple[str, range]]) -> Suite:
    """Return a suite of families and seeds, with the hashes of the scenarios as they are now.

    The digest of a site's data does not cover the pages of other projects; the hashes of their
    scenarios do.

    Args:
        name: The name of the new suite.
        family_seeds: Pairs of a family and its seeds. If the family lists its own `seeds`, the
            range selects from that list: `0:3` means its first three seeds.
    """
    data: dict[str, str] = {}
    expert: dict[str, int] = {}
    hashes: dict[str, str] = {}
    for label, seeds in family_seeds:
        made = family(label)
        if made.FOREIGN is None:
            data |= {each: site_data(each).digest for each in sites_of(made)}
        own = made.seeds
        for seed in own[seeds.start : seeds.stop : seeds.step] if own else seeds:
            drawn = made.generate(seed, site_data(made.SITE))
            expert[label] = max(expert.get(label, 0), budgeted_length(made, drawn))
            hashes[drawn.name] = drawn.digest()
    return Suite(name, data, expert, hashes)


def hosts_of(tasks: TaskSet) -> set[str]:
    """Return the sites of the tasks and the hosts at which their episodes begin."""
    named = {(name.split("/")[0], name.split("/")[1]) for name in tasks.names}
    begin = {start_host(family(tasks.sources.get(label, label))) for _, label in named}
    return {*begin, *(site for site, _ in named)}


def sites_of_tasks(names: Iterable[str], sources: Mapping[str, str] | None = None) -> list[str]:
    """Return the sites that episodes of these scenarios need, sorted.

    Args:
        names: The names of the scenarios.
        sources: The user's own files (or environments) by family name.
    """
    labels = {name.split("/")[1] for name in names}
    families = (family((sources or {}).get(label, label)) for label in labels)
    return sorted({site for each in families for site in sites_of(each)})


def read_seeds(text: str) -> range:
    """Return the range that a text describes.

    Args:
        text: `0:20` (the end is excluded), `4:44:5` (every fifth) or a single seed.

    Raises:
        BadTaskSet: The text is no range, the range is empty, or a seed is too large. The error is
            also a `ValueError`.
    """
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
    """Return the suite with this name.

    Raises:
        BadTaskSet: The suite was removed; only an earlier version had it.
        UnknownName: No suite has this name.
    """
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
