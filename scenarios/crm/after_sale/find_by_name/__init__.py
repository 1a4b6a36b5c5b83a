"""The family in which an agent finds the booking of a caller with a common surname by what the
caller remembers.
"""

from __future__ import annotations

from scenarios.crm.after_sale.find_by_name.task import TASK
from scenarios.crm.airline_desk.family import on_all

FAMILIES = on_all(TASK)
