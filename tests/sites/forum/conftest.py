"""Visits to the forum."""

from __future__ import annotations

import pytest

from sites import forum
from tests.sites.declared import Visit, visiting

SKINS = [each.name for each in forum.SITE.skins]
USERS = "SELECT author AS name FROM submissions GROUP BY author ORDER BY count(*) DESC"


@pytest.fixture
def visit():
    """A function that makes a visit under a skin."""
    with visiting(forum, Visit, "submit", USERS) as make:
        yield make
