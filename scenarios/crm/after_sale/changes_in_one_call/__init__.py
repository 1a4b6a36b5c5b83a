"""The family in which a customer asks on the telephone for changes to two bookings, with
corrections and a fallback.
"""

from __future__ import annotations

from scenarios.crm.after_sale.changes_in_one_call.task import TASK
from scenarios.crm.airline_desk.family import on_all

FAMILIES = on_all(TASK)
