"""The columns Att, Opt and Type of LASER's table 2, from the parts of WebShop's reward."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evaluators.analysis.intervals import mean, rounded
from evaluators.records.models import EpisodeRecord

SHARES = {"reward_att": "r_att", "reward_opt": "r_option", "reward_type": "r_type"}
"""The fields of a summary's row, with the names of the parts."""


def reward_shares(records: Iterable[EpisodeRecord]) -> dict[str, Any]:
    """Return the mean share of wanted attributes, of wanted options, and of the type, by the field
    of a summary's row; None for each if no episode has such a reward.

    An episode without a purchase counts as 0. A wish without attributes or options is left out of
    their mean.
    """
    found = [parts for each in records if (parts := _parts(each)) is not None]
    bought = any(found)
    return {
        field: rounded(mean(_values(found, part))) if bought else None
        for field, part in SHARES.items()
    }


def _parts(record: EpisodeRecord) -> Mapping[str, Any] | None:
    """Return the parts of the published reward of a purchase; empty if nothing was bought, None if
    the episode has no reward of this kind.
    """
    if record.reward is None or record.reward_parts is None:
        return None
    if not record.reward_parts:
        return {}
    published = record.reward_parts.get("published")
    return published if isinstance(published, Mapping) and "r_type" in published else None


def _values(found: Iterable[Mapping[str, Any]], part: str) -> list[float]:
    values = [each.get(part) if each else 0.0 for each in found]
    return [float(value) for value in values if value is not None]
