"""The application of the airline desk, on its own host."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from sites import dials
from sites.crm.airline_desk.pages.routes import pages
from sites.crm.base.world import CrmData
from sites.site_app import create_site
from sites.world import Worlds

AIRLINE = "airline"
"""The name of the desk's host."""


def create_airline_desk(data: CrmData, worlds: Worlds) -> Flask:
    """Return the Flask application of the airline desk, which serves the desks of three airlines.

    Args:
        data: The site's read-only data.
        worlds: The open worlds; each is a visit to one of the airlines.
    """
    app = create_site(AIRLINE, Path(__file__).parent, worlds, scripted=frozenset())
    app.extensions[AIRLINE] = data
    app.register_blueprint(pages)
    dials.install(app)
    return app
