"""Visits to the back office."""

from __future__ import annotations

import pytest

from sites import admin
from tests.sites import declared

SKINS = [each.name for each in admin.SITE.skins]


@pytest.fixture
def visit():
    """A function that makes a visit under a skin."""
    with declared.visiting(admin, declared.Visit, "new_product", admin.SITE.personas) as make:
        yield make


@pytest.fixture
def counter(visit):
    return visit("counter")
