"""The family in which one person leaves a party's booking, and money, seats, an infant and bags
follow.
"""

from __future__ import annotations

from scenarios.crm.after_sale.split_party.task import TASK
from scenarios.crm.airline_desk.family import on_all

FAMILIES = on_all(TASK)
