"""The application of the whole desk, on a host of its own."""

from __future__ import annotations

from pathlib import Path

import jinja2
from flask import Flask

from sites import dials
from sites.crm.reservations.routes import pages
from sites.crm.world import CrmData
from sites.site_app import create_site
from sites.world import Worlds

AIRLINE = "airline"
"""The name of its host."""
FOLDER = Path(__file__).parents[1]
TEMPLATES = FOLDER / "templates"


def create_airline(data: CrmData, worlds: Worlds) -> Flask:
    """The desk of three airlines over this data; each visit is at one of them."""
    app = create_site(AIRLINE, FOLDER, worlds, scripted=frozenset())
    app.extensions[AIRLINE] = data
    own = jinja2.FileSystemLoader([TEMPLATES / "reservations", TEMPLATES])
    app.jinja_loader = own
    app.register_blueprint(pages)
    dials.install(app)
    return app
