"""Visits to the map."""

from __future__ import annotations

import pytest

from sites import map as site
from tests.sites import declared

SKINS = [each.name for each in site.SITE.skins]


@pytest.fixture
def visit():
    """A function that makes a visit under a skin."""
    with declared.visiting(site, declared.Visit, "notes", site.SITE.personas) as make:
        yield make


@pytest.fixture
def atlas(visit):
    return visit("atlas")
