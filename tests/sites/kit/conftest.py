from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sites.kit import create_app
from sites.site_app import COOKIE
from sites.world import World, Worlds
from tests.sites.kit import library
from tests.sites.kit.visitor import Visitor

Visit = Callable[..., tuple[Visitor, World]]


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    """Opens a page of the library in a new visit."""
    worlds = Worlds()
    app = create_app(library.SITE, tmp_path, worlds)
    with ExitStack() as owned:

        def begin(url: str = "/", skin: str = "plain", books: int = 25) -> tuple[Visitor, World]:
            world = owned.enter_context(library.world(skin, books))
            client = app.test_client()
            client.set_cookie(COOKIE, worlds.admit(world))
            return Visitor(client, url), world

        yield begin


@pytest.fixture
def world() -> Iterator[World]:
    with library.world() as made:
        yield made
