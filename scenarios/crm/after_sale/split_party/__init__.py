"""A party's booking that one person leaves, with money, seats, an infant and bags to settle."""

from __future__ import annotations

from scenarios.crm.after_sale.split_party.task import TASK
from scenarios.crm.airline_desk.family import on_all

FAMILIES = on_all(TASK)
