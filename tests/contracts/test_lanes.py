"""The lane without a browser shows and does what Chromium shows and does."""

from __future__ import annotations

import asyncio

import pytest

from evaluators.episode.environment import EnvironmentPool
from scenarios import registry
from sites.kit import Site
from tests.contracts.lanes import differences
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

ACTIONS = 60
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
