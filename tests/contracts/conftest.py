"""The stage, with short ways to play on it."""

from __future__ import annotations

import asyncio

import pytest

from evaluators.episode.environment import EnvironmentPool
from scenarios import registry
from tests.contracts.harness import EpisodeHarness
from tests.contracts.shared_episodes import SharedEpisodes


@pytest.fixture(scope="session")
def harness(runner: asyncio.Runner, environments: EnvironmentPool) -> EpisodeHarness:
    return EpisodeHarness(runner, environments)


@pytest.fixture(scope="session")
def repertoire(harness: EpisodeHarness, tmp_path_factory: pytest.TempPathFactory) -> SharedEpisodes:
    return SharedEpisodes(harness, tmp_path_factory.mktemp("repertoire"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look into the same episodes stand together, so that one process plays them."""
    places = [place for place, item in enumerate(items) if _cast(item)]
    ordered = sorted((items[place] for place in places), key=_cast)
    for place, item in zip(places, ordered, strict=True):
        items[place] = item


def _cast(item: pytest.Item) -> tuple[str, ...]:
    """The site, the method and the family that a test of the repertoire is about."""
    if "repertoire" not in getattr(item, "fixturenames", ()):
        return ()
    assert isinstance(item, pytest.Function)
    about = item.callspec.params
    family = str(about.get("family", ""))
    site = str(about["site"]) if "site" in about else registry.family(family).SITE
    return site, str(about["agent"]).split(":")[0], family
