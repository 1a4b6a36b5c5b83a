"""The store's pages on a world, from one application: to make one takes longer than many pages."""

from __future__ import annotations

from functools import cache

from flask import Flask
from flask.testing import FlaskClient

from scenarios import registry
from sites.store import create_app
from sites.world import World, Worlds


@cache
def _application() -> tuple[Flask, Worlds]:
    worlds = Worlds()
    return create_app(registry.site_data("store"), worlds), worlds


def visit(world: World) -> FlaskClient:
    """A client that knows no other world, until another one of the same session is visited."""
    application, worlds = _application()
    worlds.publish(world)
    return application.test_client()
