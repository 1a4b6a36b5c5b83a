"""Score the sites beside the declared one: pages were opened there, and nothing changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.scoring import in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, changes
from scenarios.scenario import sites_of
from sites.joint import of_site
from sites.world import Row, Snapshot


@dataclass(frozen=True)
class BesideScore:
    """The score at the other sites of a visit.

    Attributes:
        checks: A check for each site whose pages the task needs.
        changes: The changes at other sites, which nobody asked for.
        share: The share of the needed facts that were shown; None if the task needs none.
    """

    checks: tuple[Check, ...] = ()
    changes: tuple[str, ...] = ()
    share: float | None = None

    def joined(self, share: float | None) -> float | None:
        """Return the mean of this share and the share at the task's own site; None counts as no
        share.
        """
        shares = [each for each in (self.share, share) if each is not None]
        return sum(shares) / len(shares) if shares else None


def score(context: ScoringContext, after: Snapshot) -> BesideScore:
    """Score the other sites of a visit.

    Args:
        context: The scenario to score against, with the databases of all sites at the start.
        after: The tables of all sites at the end, by site and table.
    """
    others = sites_of(context.family)[1:]
    changed = (_changed(site, context.before, after) for site in others)
    seen = [_seen(reading, after) for reading in context.scenario.gold.get("beside", ())]
    facts = [fact for each in seen for fact in each]
    checks = [_check(reading["site"], each) for reading, each in _paired(context, seen)]
    share = sum(facts) / len(facts) if facts else None
    return BesideScore(tuple(checks), tuple(line for each in changed for line in each), share)


def _paired(context: ScoringContext, seen: Sequence[Any]) -> list[tuple[Mapping[str, Any], Any]]:
    return list(zip(context.scenario.gold.get("beside", ()), seen, strict=True))


def _changed(site: str, before: Snapshot, after: Snapshot) -> list[str]:
    """Return a line for each changed table of a site."""
    found = changes(of_site(before, site), of_site(after, site))
    return [
        f"{site}.{table}: {in_words.counted(len(gone) + len(new), 'row')} changed"
        for table, (gone, new) in found.items()
    ]


def _seen(reading: Mapping[str, Any], after: Snapshot) -> list[bool]:
    """Return for each fact whether a row of the site's journal proves that it was shown."""
    rows = of_site(after, reading["site"])["log_pages"]
    return [
        any(_fits(row, line) for row in rows for line in accepted)
        for accepted in reading["evidence"]
    ]


def _fits(row: Row, line: Mapping[str, Any]) -> bool:
    """Return whether a row of a journal has the values of a line; objects are compared as JSON."""
    return all(_plain(row.get(key), value) == value for key, value in line.items())


def _plain(held: Any, wanted: Any) -> Any:
    return json.loads(held or "{}") if isinstance(wanted, dict) else held


def _check(site: str, seen: Sequence[bool]) -> Check:
    found = f"{sum(seen)} of {len(seen)} were opened"
    return Check(f"pages of the {site}", all(seen), found, f"all {len(seen)}")
