"""`<family>_BARE`: the families on pages whose fields have no names, only captions before them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scenarios.crm.published_desk import (
    TASK_BOOK_FLIGHT,
    TASK_CANCEL_FLIGHT,
    TASK_FIND_BOOKING,
    TASK_FIND_FLIGHT,
    TASK_UPDATE_PASSENGER_DETAILS,
    _task,
)
from scenarios.scenario import Scenario
from sites.crm import CrmData


@dataclass(frozen=True)
class HiddenLabels:
    """A family on pages that hide the labels of their fields.

    All else is taken from the labelled family.
    """

    VARIANT_OF: str
    labelled: Any

    def __post_init__(self) -> None:
        about = f"{self.VARIANT_OF} with hidden labels: captions stand before fields without names."
        object.__setattr__(self, "__doc__", about)

    @property
    def name(self) -> str:
        return f"{self.VARIANT_OF}{_task.BARE}"

    def generate(self, seed: int, data: CrmData) -> Scenario:
        return _task.bare(self.labelled.generate(seed, data))

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "labelled"), name)


FAMILIES = tuple(
    HiddenLabels(each.__name__.rpartition(".")[2], each)
    for each in (
        TASK_BOOK_FLIGHT,
        TASK_CANCEL_FLIGHT,
        TASK_FIND_BOOKING,
        TASK_FIND_FLIGHT,
        TASK_UPDATE_PASSENGER_DETAILS,
    )
)
