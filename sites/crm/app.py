"""The CRM's Flask application: the published desk and the airline desk, each on its own host."""

from __future__ import annotations

from flask import Flask

from sites.crm.airline_desk.app import AIRLINE, create_airline_desk
from sites.crm.base.world import CrmData
from sites.crm.published_desk.app import create_published_desk
from sites.site_app import by_host
from sites.world import Worlds


def create_app(data: CrmData, worlds: Worlds) -> Flask:
    """Return the CRM's Flask application.

    Args:
        data: The site's read-only data.
        worlds: The open worlds of the visitors.
    """
    app = create_published_desk(data, worlds)
    airline = create_airline_desk(data, worlds)
    answer = by_host(app.wsgi_app, {AIRLINE: airline.wsgi_app})
    app.wsgi_app = answer  # type: ignore[method-assign, assignment]  # Flask's own way
    return app
