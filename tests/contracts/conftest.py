"""Episodes that several contracts look into, and the order in which tests come to them."""

from __future__ import annotations

import pytest

from scenarios import registry
from scenarios.scenario import start_host
from tests.contracts.harness import EpisodeHarness
from tests.contracts.shared_episodes import SharedEpisodes


@pytest.fixture(scope="session")
def shared_episodes(
    quick_harness: EpisodeHarness, tmp_path_factory: pytest.TempPathFactory
) -> SharedEpisodes:
    return SharedEpisodes(quick_harness, tmp_path_factory.mktemp("shared_episodes"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look into the same episodes come together, so that one process runs them."""
    places = [place for place, item in enumerate(items) if _about(item)]
    ordered = sorted((items[place] for place in places), key=_about)
    for place, item in zip(places, ordered, strict=True):
        items[place] = item


def _about(item: pytest.Item) -> tuple[str, ...]:
    """The site, the method and the family that a test of shared episodes is about."""
    if "shared_episodes" not in getattr(item, "fixturenames", ()):
        return ()
    assert isinstance(item, pytest.Function)
    params = item.callspec.params
    family = str(params.get("family", ""))
    site = str(params["site"]) if "site" in params else start_host(registry.family(family))
    return site, str(params["agent"]).split(":")[0], family
