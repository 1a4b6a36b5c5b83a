"""The scripted model: it answers from the request alone, in each method's own format.

A method's file has a function for each purpose, and `lost` for a request that lacks what is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ExtraEpisode:
    """An episode that sends a text which the others do not.

    Without a `family` it is the first of each site. `context` is the model's, in tokens.
    """

    agent: str
    family: str = ""
    seed: int = 3
    context: int | None = None


@dataclass(frozen=True)
class Coverage:
    """A scripted answers file may define one as `COVERAGE`.

    `families`: so many of each site, evenly spread, and those of `also`. `able`: by site, the only
    families that the method can do. `unable`: by variant ("" for the method itself), families that
    its limits put out of reach. `seeds`: by family, another seed than the usual. `extra`: episodes
    that send the texts which the others do not. `unsent`: texts for what this model never does;
    tests of the method send them.
    """

    families: int = 2
    also: tuple[str, ...] = ()
    unsent: tuple[str, ...] = ()
    able: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seeds: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    extra: tuple[ExtraEpisode, ...] = ()
