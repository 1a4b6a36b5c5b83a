"""The data of the airline's desk."""

from __future__ import annotations

import pytest

from evaluators import casting


@pytest.fixture(scope="session")
def data():
    return casting.site_data("crm")
