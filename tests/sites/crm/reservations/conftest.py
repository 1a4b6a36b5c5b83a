"""The desk of each airline, with one open world, for somebody who has its pages only."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sites.crm import CrmData, create_app
from sites.crm.reservations.airline import airlines
from sites.crm.reservations.world import Rows, new_world
from sites.world import Worlds
from tests.sites.crm.reservations.served import Visitor


@pytest.fixture
def visitor(data: CrmData) -> Callable[..., Visitor]:
    """`visitor(airline, rows)`: at the desk of this airline, in a world with these rows."""
    worlds = Worlds()
    app = create_app(data, worlds)

    def opened(airline: str, rows: Rows | None = None) -> Visitor:
        world = new_world(f"{airline}-1", airline, rows or {})
        return Visitor(app, worlds, world, airlines()[airline])

    return opened
