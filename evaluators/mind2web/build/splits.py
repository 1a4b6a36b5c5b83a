"""Split files: they say which tasks make up the splits of a data set in the format of Mind2Web.

A split file is TOML. Each of its parts names a site, and by that every family that the site's
folder has: a new site joins with one part, or without any if it is named on the command line.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import product
from pathlib import Path
from typing import Any

from agent.mind2web.files import SPLITS
from rehearsal_errors import RehearsalError
from scenarios import index, registry
from scenarios.scenario import Scenario

HERE = Path(__file__).parent
HELD_OUT = "held-out"
TRAIN = "train"


class BadSplits(RehearsalError, ValueError):
    """A split file cannot be read; the message names it and says what to write."""


@dataclass(frozen=True)
class Part:
    """A part of a split: some families of a site, over some seeds.

    Attributes:
        split: The name of the split.
        site: The name of the site.
        families: The names of the families; all of the site without any.
        variants: The skins, airlines or dials of the families; "" for the families themselves.
        seeds: The seeds of each family and variant.
        least: The fewest steps of a task; shorter ones are left out.
    """

    split: str
    site: str
    families: Sequence[str] = ()
    variants: Sequence[str] = ("",)
    seeds: range = range(1)
    least: int = 1

    @property
    def names(self) -> Iterator[str]:
        """The names of its scenarios, in their order."""
        chosen = self.families or [each.family for each in index.entries() if self._has(each)]
        for base, variant, seed in product(chosen, self.variants, self.seeds):
            yield (
                f"{self.site}/{base}.{variant}/{seed}" if variant else f"{self.site}/{base}/{seed}"
            )

    def _has(self, entry: index.Entry) -> bool:
        return entry.site == self.site and not registry.is_variant(entry.family)


@dataclass(frozen=True)
class Splits:
    """A data set to build.

    Attributes:
        name: The name of the data set.
        parts: Its parts; the parts of a split stand in the order of its tasks.
        domains: The domain of each site; a site that is not named is a domain of its own.
    """

    name: str
    parts: Sequence[Part]
    domains: Mapping[str, str] = field(default_factory=dict)

    def domain(self, site: str) -> str:
        """Return the domain of a site."""
        return self.domains.get(site, site.capitalize())

    @property
    def names(self) -> Sequence[str]:
        """The names of the splits."""
        return tuple(dict.fromkeys(part.split for part in self.parts))


def is_refused(scenario: Scenario, split: str) -> str:
    """Return why a scenario must not be in a split, or ""."""
    held_out = scenario.details.get("phrasing") == HELD_OUT
    return "held-out words" if held_out and split == TRAIN else ""


def shipped() -> list[str]:
    """Return the names of the split files that Rehearsal brings along."""
    return sorted(path.stem for path in HERE.glob("*.toml"))


def load(name: str) -> Splits:
    """Return the splits of a file.

    Args:
        name: The name of a file that Rehearsal brings along, or the path of a TOML file.

    Raises:
        BadSplits: The file is missing, no TOML, or has other keys.
    """
    path = HERE / f"{name}.toml" if name in shipped() else Path(name)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        parts = [_part(each) for each in data["parts"]]
        splits = Splits(path.stem, parts, data.get("domains", {}))
    except OSError:
        known = ", ".join(shipped())
        raise BadSplits(f"there is no split file {name}", f"give a TOML file or {known}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadSplits(f"{path}: {error}", "write it as docs/mind2web.md shows") from None
    _check(splits, str(path))
    return splits


def of(families: Sequence[str], sites: Sequence[str], seeds: str, split: str) -> Splits:
    """Return one split of some families and of all families of some sites.

    Args:
        families: The names of families and of variants.
        sites: The names of sites.
        seeds: The seeds of each family, such as "3000:3005".
        split: The name of the split.

    Raises:
        BadSplits: The split is unknown, or a family is named twice.
        BadTaskSet: The seeds are no range.
        UnknownName: A family or a site is unknown.
    """
    chosen = registry.read_seeds(seeds)
    parts = [_of_family(each, chosen, split) for each in families]
    for site in sites:
        registry.site(site)
        parts.append(Part(split, site, seeds=chosen))
    splits = Splits("own", parts)
    _check(splits, "these options")
    return splits


def _of_family(name: str, seeds: range, split: str) -> Part:
    base, _, variant = name.partition(".")
    return Part(split, registry.family(name).SITE, [base], [variant], seeds)


def _part(data: Mapping[str, Any]) -> Part:
    known = {each.name for each in fields(Part)}
    if other := {*data} - known:
        raise ValueError(f"a part has no key {', '.join(sorted(other))}")
    return Part(**{**data, "seeds": registry.read_seeds(str(data["seeds"]))})


def _check(splits: Splits, where: str) -> None:
    """Raise `BadSplits` if a split or a site is unknown, or if a task stands in two places."""
    for part in splits.parts:
        if part.split not in SPLITS:
            raise BadSplits(f"{where}: no split {part.split}", f"write {', '.join(SPLITS)}")
    names = [name for part in splits.parts for name in part.names]
    twice = next((name for name, count in Counter(names).items() if count > 1), "")
    if twice:
        raise BadSplits(f"{where}: {twice} stands in two parts", "give the parts other seeds")
