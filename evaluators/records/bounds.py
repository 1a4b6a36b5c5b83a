"""Bounds for the values of records: every number is finite and lies in a range.

All records, even those of strangers, are read through these types.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import Field

MOST = 10**15
"""The upper bound of each count, measure and cost in an episode's record; a float holds all
integers up to it.
"""
MOST_IN_RUN = 10**24
"""The upper bound of each sum and mean over the episodes of a run."""
MOST_TRIALS = 10**6
MOST_PARTS = 1_000
"""The most parts that were added to a run."""
LONGEST_NAME = 1_000
"""The most characters in the name of an agent, a family, a scenario, a site or a model."""
LONGEST_LIST = 100_000
"""The most entries of a list or a table of counts within a record."""

Count = Annotated[int, Field(ge=0, le=MOST)]
Trials = Annotated[int, Field(ge=0, le=MOST_TRIALS)]
Level = Annotated[int, Field(ge=1, le=3)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
"""The type of a fraction from 0 to 1, such as progress, a rate or a skill."""
Amount = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)]
"""The type of a number of seconds or US dollars, or of a distance; it is not negative."""
Reward = Annotated[float, Field(ge=-MOST, le=MOST, allow_inf_nan=False)]
"""The type of a benchmark's reward; an environment may give a negative reward."""
RunAmount = Annotated[float, Field(ge=0, le=MOST_IN_RUN, allow_inf_nan=False)]

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-z]{0,128}$")]

Item = TypeVar("Item")
Items = Annotated[tuple[Item, ...], Field(max_length=LONGEST_LIST)]
Table = Annotated[dict[Name, Item], Field(max_length=LONGEST_LIST)]
