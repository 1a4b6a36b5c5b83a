"""The booking of a caller with a common surname, found by what the caller remembers."""

from __future__ import annotations

from scenarios.crm.after_sale.find_by_name.task import TASK
from scenarios.crm.airline_desk.family import on_all

FAMILIES = on_all(TASK)
