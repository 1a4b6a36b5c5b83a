"""TASK_BOOK_FLIGHT with hidden labels: the pages that SteP was evaluated on."""

from __future__ import annotations

from scenarios.crm import TASK_BOOK_FLIGHT as labelled
from scenarios.crm import _task
from scenarios.scenario import Scenario
from sites.crm import CrmData

VARIANT_OF = "TASK_BOOK_FLIGHT"
SITE, STEPS, ANSWER = labelled.SITE, labelled.STEPS, labelled.ANSWER
world, advise, length = labelled.world, labelled.advise, labelled.length
solve, near_misses = labelled.solve, labelled.near_misses


def generate(seed: int, data: CrmData) -> Scenario:
    return _task.bare(labelled.generate(seed, data))
