"""The lane without a browser shows and does what Chromium shows and does."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.interface import Action, Back, Click, Goto, Hover, KeyboardType, Press, Select, Type
from evaluators.episode.environment import EnvironmentPool
from scenarios import registry
from sites.kit import Site
from tests.contracts.harness import EpisodeHarness
from tests.contracts.lanes import differences, differences_at_random
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

ACTIONS = 60
DRAWN = "skin-17"
"""A skin that is drawn by seed."""
FAMILIES = [
    name for name, made in sorted(registry.family_modules().items())
    if not registry.needs_browser(made)
]  # fmt: skip
IN_THE_SLICE = ("vote_newest", "latest_order", "buy_item")
SEEDS = range(12 if DEEP else 4)


def walks() -> list[tuple[str, int]]:
    """Return the walks: of each family one, of those in the slice one for each seed."""
    made = []
    for name in FAMILIES:
        skins = skins_of(name)
        made += [(f"{name}{skins[seed % len(skins)]}", seed) for seed in SEEDS]
    return made


def is_deep(family: str, seed: int) -> bool:
    """Return whether a walk is left to `tox -e deep`.

    The families of a declared site share its pages, so two of three are left out.
    """
    name = family.partition(".")[0]
    if name in IN_THE_SLICE:
        return False
    return seed > 0 or (len(skins_of(name)) > 1 and FAMILIES.index(name) % 3 > 0)


def skins_of(family: str) -> list[str]:
    """Return the endings of a family's name for its skins, a drawn one last; [""] without skins."""
    site = registry.site(registry.family(family).SITE)
    if not isinstance(declared := getattr(site, "SITE", None), Site):
        return [""]
    drawn = [f".{DRAWN}"] if DRAWN in declared.skin else []
    return ["", *(f".{skin.name}" for skin in declared.skins[1:]), *drawn]


@pytest.mark.parametrize(
    ("family", "seed"),
    [pytest.param(*walk, marks=[pytest.mark.deep] if is_deep(*walk) else []) for walk in walks()],
)
def test_walks_are_equal_in_both_lanes(
    environments: EnvironmentPool, runner: asyncio.Runner, family: str, seed: int
) -> None:
    assert runner.run(differences_at_random(environments, family, seed, ACTIONS)) == []


BASKET = (
    Click("To the outlet"),
    Click("Basket (0 pieces)"),
    Click("camping chairs"),  # which the dialog covers
    Click("Keep looking"),
    Click("Basket (0 pieces)"),
    Press("Tab"),
    Press("Escape"),
    Type("Search the outlet", "rain jacket"),
    Press("Escape"),
    Type("Search the outlet", "jacket", enter=True),
    Click("//ol//a"),
    Click("//details[not(@open)]/summary"),
    Click("//details[not(@open)]/summary"),
    Click("//details[@open]/summary"),
    Click("Basket (0 pieces)"),
    Select("Size", "50"),
    Press("Escape"),
    Select("Size", "50"),
    Click("//fieldset//button"),
    Click("Add to basket"),
    Click("Basket (1 piece)"),  # over the page of the same basket
    Type("//dialog//input[@inputmode]", "2", enter=True),
    Click("Basket (2 pieces)"),
    Click("Go to the checkout"),
    Click("//fieldset[2]/p[2]/label"),
    Click("//fieldset[2]/p[2]/input[@checked]"),
    Click("//fieldset[3]/p[2]/label"),
    Press("ArrowDown"),
    Click("Basket (2 pieces)"),
    Click("//dialog//button[@name='remove']"),
    Back(),
    Back(),
)


def test_the_outlets_basket_is_equal_in_both_lanes(
    environments: EnvironmentPool, runner: asyncio.Runner
) -> None:
    way = [lambda _, action=action: action for action in BASKET]
    assert runner.run(differences(environments, "two_shops_cheapest", 0, way)) == []


KEYS = (
    Press("Tab"),
    Hover("//main//li[1]//button"),  # the hovered element does not count
    Press("Tab"),
    Click("//main//h1"),  # which has no focus, but Tab goes on from it
    Press("Tab"),
    Goto("/f/bonsai"),
    Hover("//main//li[1]//button"),
    Press("Tab"),
    Goto("#nothing"),
    Press("Tab"),
    Back(),
    Press("Tab"),
    Goto("#top"),
    Press("Tab"),
    Goto("#top"),
    Back(),
    Back(),
    Goto("http://forum.localhost/f/bonsai"),
    Hover("//main//li[1]//button"),
    Press("Shift+Tab"),
)
"""A walk with the keyboard over a page of the forum."""
TYPED = ("l", "li", "line one\nline two", "kk", "kkk", "kkkn", "kn kn", "KN", "pép", " p", "x" * 99)


def test_keys_go_on_from_the_same_place_in_both_lanes(
    environments: EnvironmentPool, runner: asyncio.Runner
) -> None:
    way = [lambda _, action=action: action for action in (Goto("/f/bonsai"), *KEYS)]
    assert runner.run(differences(environments, "post_in_forum", 9, way)) == []


def test_keys_choose_the_same_option_in_both_lanes(
    environments: EnvironmentPool, runner: asyncio.Runner
) -> None:
    actions: list[Action] = []
    for typed in (*map(KeyboardType, TYPED), Press("p"), Press("P")):
        actions += [Goto("/search?category=&q="), Select("Category", "kites"), typed]
    way = [lambda _, action=action: action for action in actions]
    assert runner.run(differences(environments, "order_field", 3, way)) == []


@pytest.mark.parametrize(
    "scenario",
    [
        "store/checkout_exact.busy/0",
        pytest.param("store/fitting_set.busy/8", marks=pytest.mark.wide),
        pytest.param("store/two_shop_split.busy/6", marks=pytest.mark.wide),
    ],
)
def test_episodes_on_pages_that_get_in_the_way_are_equal(
    harness: EpisodeHarness, quick_harness: EpisodeHarness, scenario: str, tmp_path: Path
) -> None:
    """The page after a lost form leads back to the page that the form was on."""
    one, other = (
        each.run("expert", scenario, tmp_path / name)
        for name, each in (("browser", harness), ("text", quick_harness))
    )
    assert [_seen(event) for event in one.trace] == [_seen(event) for event in other.trace]
    assert one.record["success"]


def _seen(event: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(event.get(name) for name in ("kind", "step", "action", "url", "text", "error"))


def test_every_family_of_a_declared_site_is_offered() -> None:
    missing = [
        name
        for name, made in registry.family_modules().items()
        if hasattr(registry.site(made.SITE), "SITE") and registry.needs_browser(made)
    ]
    assert missing == []


def test_a_family_that_is_not_offered_says_why() -> None:
    for name in ("login-user", "TASK_FIND_FLIGHT", "cheapest_fit"):
        assert registry.needs_browser(registry.family(name)), name
