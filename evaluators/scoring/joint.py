"""Score a visit to a declared site and to sites beside it: those are read, and nothing may change
there.

The declared site is scored by `evaluators.scoring.declared`. Its check "nothing else" also fails by
a change at another site. Each site that the task reads has a check of its own. The share of its
facts that were shown is a quarter of the progress; each changed table of another site divides it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaluators.scoring import declared, in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.evidence import is_seen
from evaluators.scoring.score import Check, Score, changes, progress
from scenarios.scenario import Family, sites_of
from sites.joint import of_site
from sites.world import Snapshot, is_journal

NOTHING_ELSE = "nothing else"
PAGES = 0.25
"""The share of the progress that the pages of other sites have."""


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score the end state of a visit, whether it had one site or several."""
    home, *others = sites_of(context.family)
    if not others:
        return declared.score(context, after, answer)
    at_home = replace(context, before=of_site(context.before, home))
    found = declared.score(at_home, of_site(after, home), answer)
    changed = [line for site in others for line in _changed(site, context.before, after)]
    seen = {each["site"]: _seen(each, after) for each in context.scenario.gold["beside"]}
    checks = (*_with_changes(found.checks, changed), *_pages(seen))
    success = all(each.held for each in checks)
    reached = _reached(found.progress, seen, changed)
    return replace(
        found,
        success=success,
        progress=1.0 if success else reached,
        checks=checks,
        collateral=(*found.collateral, *changed),
        failure="" if success else "missed detail" if reached else "gave up",
    )


def reads(family: Family) -> Callable[[str], bool]:
    """Return a function that says of a table whether `score` reads it: the journal of the declared
    site, and all tables of the sites beside it.
    """
    home, *others = sites_of(family)
    if not others:
        return is_journal
    return lambda table: not table.startswith(f"{home}.") or is_journal(table)


def _reached(at_home: float, seen: Mapping[str, Sequence[bool]], changed: Sequence[str]) -> float:
    """Return the progress of a failure."""
    facts = [fact for each in seen.values() for fact in each]
    share = sum(facts) / len(facts) if facts else at_home
    reached = (1 - PAGES) * at_home + PAGES * share
    return progress(reached / (1 + len(changed)), success=False)


def _with_changes(checks: Sequence[Check], changed: Sequence[str]) -> Iterator[Check]:
    """Yield the checks of the declared site; "nothing else" also covers the other sites."""
    for each in checks:
        if each.name == NOTHING_ELSE and changed:
            found = "; ".join((*([] if each.held else [each.found]), *changed))
            yield replace(each, held=False, found=found)
        else:
            yield each


def _changed(site: str, before: Snapshot, after: Snapshot) -> list[str]:
    """Return a line for each changed table of a site."""
    found = changes(of_site(before, site), of_site(after, site))
    return [
        f"{site}.{table}: {in_words.counted(len(gone) + len(new), 'row')} changed"
        for table, (gone, new) in found.items()
    ]


def _pages(seen: Mapping[str, Sequence[bool]]) -> Iterator[Check]:
    for site, facts in seen.items():
        found = f"{sum(facts)} of {len(facts)} were opened"
        yield Check(f"pages of the {site}", all(facts), found, f"all {len(facts)}")


def _seen(reading: Mapping[str, Any], after: Snapshot) -> list[bool]:
    """Return for each fact whether a row of the site's journal proves that it was shown."""
    there = of_site(after, reading["site"])
    return [is_seen(accepted, there) for accepted in reading["evidence"]]
