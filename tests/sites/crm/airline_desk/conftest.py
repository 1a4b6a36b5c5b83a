"""The desk of each airline, with one open world, for somebody who has its pages only."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from sites.crm import CrmData, create_app
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.model.world import Rows, new_world
from sites.world import Worlds
from tests.sites.crm.airline_desk.served import Visitor


@pytest.fixture(scope="module")
def desk(data: CrmData) -> tuple[Flask, Worlds]:
    """The application, and the worlds of its visitors."""
    worlds = Worlds()
    return create_app(data, worlds), worlds


@pytest.fixture
def visitor(desk: tuple[Flask, Worlds]) -> Callable[..., Visitor]:
    """`visitor(airline, rows)`: at the desk of this airline, in a world with these rows."""
    app, worlds = desk

    def opened(airline: str, rows: Rows | None = None) -> Visitor:
        world = new_world(f"{airline}-1", airline, rows or {})
        return Visitor(app, worlds, world, airlines()[airline])

    return opened
