"""Take one person out of a party's booking, and see to money, seats, infant and bags."""

from __future__ import annotations

from scenarios.crm.after_sale.split_party.task import TASK
from scenarios.crm.airline_desk.family import on_all

FAMILIES = on_all(TASK)
