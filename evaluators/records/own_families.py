"""The source of a record's task family: Rehearsal, or a file that the caller must name too."""

from __future__ import annotations

from collections.abc import Mapping

from agent.plugins import OwnFile
from evaluators.records.models import EpisodeRecord
from rehearsal_errors import RehearsalError
from scenarios.environments import is_environment

OwnFamilies = Mapping[str, OwnFile]
"""Files with families of the user's own, which the caller named, by the family's name in records.
"""
NONE: OwnFamilies = {}
SHOWN = 100
"""The number of characters from the end of a file's name that a message quotes."""


class FamilyNotNamed(RehearsalError, ValueError):
    """A record's family is a file that the caller did not name."""


def source(record: EpisodeRecord, given: OwnFamilies) -> str:
    """Return the source of a record's family, for `registry.scenario`.

    Returns:
        The caller's file, the name of an environment, or "" for a built-in family.

    Raises:
        FamilyNotNamed: The family is a file that the caller did not name.
    """
    file = record.source or (record.family if record.family.endswith(".py") else "")
    if not file or is_environment(file):
        return file
    if record.family not in given:
        raise FamilyNotNamed(
            f"{file[-SHOWN:]} is a file, and none is run because a record names it",
            "name it with --family FILE if you trust it",
        )
    return given[record.family]
