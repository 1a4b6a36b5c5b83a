"""The types of what records hold: every number is finite and lies between two bounds.

Whoever reads a record, of a run or of a stranger, reads it through these types.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import Field

MOST = 10**15
"""Of anything that an episode counts, measures or pays; a float has every whole number up to it."""
MOST_IN_RUN = 10**24
"""Of sums and means over a run, which are made of these."""
MOST_TRIALS = 10**6
LONGEST_NAME = 1_000
"""Characters of a name: of an agent, a family, a scenario, a site, a model."""
LONGEST_LIST = 100_000
"""Entries of a list or a table of counts within a record."""

Count = Annotated[int, Field(ge=0, le=MOST)]
Trials = Annotated[int, Field(ge=0, le=MOST_TRIALS)]
Level = Annotated[int, Field(ge=1, le=3)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
"""A part of a whole: progress, a rate, a skill."""
Amount = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)]
"""Seconds, dollars, distances."""
Reward = Annotated[float, Field(ge=-MOST, le=MOST, allow_inf_nan=False)]
"""The reward of a benchmark; an environment may take some away."""
RunAmount = Annotated[float, Field(ge=0, le=MOST_IN_RUN, allow_inf_nan=False)]

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-z]{0,128}$")]

Item = TypeVar("Item")
Items = Annotated[tuple[Item, ...], Field(max_length=LONGEST_LIST)]
Table = Annotated[dict[Name, Item], Field(max_length=LONGEST_LIST)]
