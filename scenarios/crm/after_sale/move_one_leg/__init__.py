"""The family in which an agent moves one direction of a booking to the nearest flight of another
day, with payment.
"""

from __future__ import annotations

from scenarios.crm.after_sale.move_one_leg.task import TASK
from scenarios.crm.airline_desk.family import on_all

FAMILIES = on_all(TASK)
