"""The family that a record is of: one that is known, or a file that the caller names as well."""

from __future__ import annotations

from collections.abc import Mapping

from agent.plugins import OwnFile
from evaluators.records.models import EpisodeRecord
from rehearsal_errors import RehearsalError
from scenarios.environments import is_environment

OwnFamilies = Mapping[str, OwnFile]
"""The files that the caller named, by what records call their families
(`registry.own_families`)."""
NONE: OwnFamilies = {}
SHOWN = 100
"""Characters at the end of a file's name that a message quotes."""


class FamilyNotNamed(RehearsalError, ValueError):
    """A record is of a family in a file that the caller did not name."""


def source(record: EpisodeRecord, given: OwnFamilies) -> str:
    """The source of the record's family, for `registry.scenario`: the caller's file, an
    environment, or "" for a family of the tree. Raises `FamilyNotNamed`."""
    file = record.source or (record.family if record.family.endswith(".py") else "")
    if not file or is_environment(file):
        return file
    if record.family not in given:
        raise FamilyNotNamed(
            f"{file[-SHOWN:]} is a file, and none is run because a record names it",
            "name it with --family FILE if you trust it",
        )
    return given[record.family]
