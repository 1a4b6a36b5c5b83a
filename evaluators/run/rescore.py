"""Score an episode again from the databases that it left, without a browser or a model."""

from __future__ import annotations

from collections.abc import Sequence

from evaluators.episode.result import attempts, profile_fields, score_fields
from evaluators.records import files, own_families
from evaluators.records.models import EpisodeRecord
from evaluators.records.own_families import OwnFamilies
from evaluators.run.manifest import ChangedRun
from evaluators.scoring.context import ScoringContext
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.scenario import answer_schema, tag_of
from sites.world import Snapshot


class NotScorable(RehearsalError, ValueError):
    """A recorded database cannot be scored, or the record contradicts itself."""


def rescored(
    record: EpisodeRecord,
    worlds: Sequence[Snapshot],
    own: OwnFamilies = own_families.NONE,
    made_by: str = "",
) -> EpisodeRecord:
    """Return the record of an episode with its scores and its tag computed by this version.

    Args:
        record: The record of a scored episode.
        worlds: The databases that its attempts left, in order; the last is the final database.
        own: The families that are files of the user's own.
        made_by: The version that recorded it, for the message of `ChangedRun`; "" if unknown.

    Raises:
        ChangedRun: This version draws another scenario.
        FamilyNotNamed: The record's family is a file that `own` lacks.
        NotScorable: The databases cannot be scored.
    """
    try:
        return _rescored(record, worlds, own_families.source(record, own), made_by)
    except RehearsalError:
        raise
    except Exception as error:  # what a stranger recorded can break any code that reads it
        raise NotScorable(
            f"its world cannot be scored ({type(error).__name__})",
            f"{files.REMEDY} ({record.episode})",
        ) from error


def _rescored(
    record: EpisodeRecord, worlds: Sequence[Snapshot], source: str, made_by: str
) -> EpisodeRecord:
    if record.scenario != f"{record.site}/{record.family}/{record.seed}":
        raise NotScorable(
            f"{record.episode}: its record does not agree with itself on the scenario",
            files.REMEDY,
        )
    scenario = registry.scenario(record.scenario, source)
    if scenario.digest() != record.hashes.get("scenario"):
        raise ChangedRun(
            f"{record.scenario} is not the scenario that this run recorded",
            f"score this run with {made_by or 'the version that made it'}",
        )
    family = registry.family(source or scenario.family)
    context, asks = ScoringContext.of(scenario, family), answer_schema(family, scenario) is not None
    *earlier, end = worlds
    final = context.score(end, record.answer)
    answers = [each.answer for each in record.attempts[: len(earlier)]]
    before = [
        context.score(world, answer or "") for world, answer in zip(earlier, answers, strict=True)
    ]
    scores = [*before, final]
    scored = [
        was.to_json() | now
        for was, now in zip(record.attempts, attempts(scores, asks, answers), strict=False)
    ]
    profile = profile_fields(context, scores, record.answer)
    found = {"attempts": scored, "asks": asks, "tag": tag_of(family, scenario)}
    values = record.to_json() | score_fields(final) | found | profile
    return files.parse(EpisodeRecord, values)
