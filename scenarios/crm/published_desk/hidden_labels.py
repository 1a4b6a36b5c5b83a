"""The families `<family>_BARE`, whose form fields have no names, only captions before them."""

from __future__ import annotations

from scenarios.crm.published_desk import (
    TASK_BOOK_FLIGHT,
    TASK_CANCEL_FLIGHT,
    TASK_FIND_BOOKING,
    TASK_FIND_FLIGHT,
    TASK_UPDATE_PASSENGER_DETAILS,
    _task,
)
from scenarios.crm.published_desk._relabelled import Relabelled

ABOUT = "hidden labels: captions stand before fields without names"
FAMILIES = tuple(
    Relabelled(each, _task.BARE, ABOUT, _task.bare)
    for each in (
        TASK_BOOK_FLIGHT,
        TASK_CANCEL_FLIGHT,
        TASK_FIND_BOOKING,
        TASK_FIND_FLIGHT,
        TASK_UPDATE_PASSENGER_DETAILS,
    )
)
