"""The data of the airline's desk."""

from __future__ import annotations

import pytest

from scenarios import registry


@pytest.fixture(scope="session")
def data():
    return registry.site_data("crm")
