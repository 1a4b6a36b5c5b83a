"""The lane without a browser shows and does what Chromium shows and does."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path

import pytest

from evaluators.episode.environment import EnvironmentPool
from scenarios import registry
from sites.kit import Site
from tests.contracts.lanes import differences
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

ACTIONS = 60
PAGE = (Path(__file__).parents[2] / "docs" / "text-lane.md").read_text(encoding="utf-8")
DRAWN = "skin-17"
"""A skin that is drawn by seed."""
FAMILIES = [
    name for name, made in sorted(registry.family_modules().items())
    if not registry.needs_browser(made)
]  # fmt: skip
SEEDS = range(12 if DEEP else 4)


def walks() -> list[tuple[str, int]]:
    """Return the walks: of each family one, of those in the slice one for each seed."""
    made = []
    for name in FAMILIES:
        skins = skins_of(name)
        made += [(f"{name}{skins[seed % len(skins)]}", seed) for seed in SEEDS]
    return made


def skins_of(family: str) -> list[str]:
    """Return the endings of a family's name for its skins, a drawn one last; [""] without skins."""
    site = registry.site(registry.family(family).SITE)
    if not isinstance(declared := getattr(site, "SITE", None), Site):
        return [""]
    drawn = [f".{DRAWN}"] if DRAWN in declared.skin else []
    return ["", *(f".{skin.name}" for skin in declared.skins[1:]), *drawn]


@pytest.mark.parametrize(
    ("family", "seed"),
    [
        pytest.param(family, seed, marks=[pytest.mark.deep] if seed and wide else [])
        for family, seed in walks()
        for wide in [family.partition(".")[0] not in ("vote_newest", "latest_order", "buy_item")]
    ],
)
def test_walks_are_equal_in_both_lanes(
    environments: EnvironmentPool, runner: asyncio.Runner, family: str, seed: int
) -> None:
    assert runner.run(differences(environments, family, seed, ACTIONS)) == []


def test_the_page_says_of_each_site_how_many_families_play_and_why_others_do_not() -> None:
    rows = re.findall(r"^\| `(\w+)`.*?\| (\d+).*?\| (.*) \|$", PAGE, re.MULTILINE)
    shown = Counter(
        {(site, reason.rpartition("not: ")[2]): int(count) for site, count, reason in rows}
    )
    families = registry.family_modules().values()
    reasons = [(made.SITE, registry.needs_browser(made)) for made in families]
    for (site, reason), count in Counter(reasons).items():
        offered = sum(
            shown[each] for each in shown if each[0] == site and each[1].startswith("all")
        )
        assert (shown[site, reason] if reason else offered) == count, (site, reason, count)


def test_every_family_of_a_declared_site_is_offered() -> None:
    missing = [
        name
        for name, made in registry.family_modules().items()
        if hasattr(registry.site(made.SITE), "SITE") and registry.needs_browser(made)
    ]
    assert missing == []


def test_a_family_that_is_not_offered_says_why() -> None:
    for name in ("two_shop_split", "login-user", "TASK_FIND_FLIGHT", "cheapest_fit"):
        assert registry.needs_browser(registry.family(name)), name
