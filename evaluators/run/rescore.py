"""Score an episode again from the worlds that it left; no browser, no model."""

from __future__ import annotations

from collections.abc import Sequence

from evaluators.episode.result import attempts, profile_fields, score_fields
from evaluators.records import files
from evaluators.records.models import EpisodeRecord
from evaluators.run.manifest import ChangedRun
from evaluators.scoring.context import ScoringContext
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.scenario import answer_schema
from sites.world import Snapshot


class Unscorable(RehearsalError, ValueError):
    """A recorded world that no site can have left: a scorer cannot read it."""


def rescored(record: EpisodeRecord, worlds: Sequence[Snapshot]) -> EpisodeRecord:
    """The record with the scores of today; `worlds` are what its attempts left, the last one the
    end. Raises `ChangedRun` where its scenario is another one today, and `Unscorable`."""
    try:
        return _rescored(record, worlds)
    except RehearsalError:
        raise
    except Exception as error:  # what a stranger recorded can break any code that reads it
        raise Unscorable(
            f"the world of {record.episode} cannot be scored ({type(error).__name__})",
            "run the episode again",
        ) from error


def _rescored(record: EpisodeRecord, worlds: Sequence[Snapshot]) -> EpisodeRecord:
    scenario = registry.scenario(record.scenario, record.source)
    if scenario.digest() != record.hashes.get("scenario"):
        raise ChangedRun(
            f"{record.scenario} is not the scenario that this run recorded",
            "score this run with the version that made it",
        )
    family = registry.family(record.source or scenario.family)
    context, asks = ScoringContext.of(scenario, family), answer_schema(family, scenario) is not None
    *earlier, end = worlds
    final = context.score(end, record.answer)
    scores = [*(context.score(world) for world in earlier), final]
    scored = [
        before.to_json() | now
        for before, now in zip(record.attempts, attempts(scores, asks), strict=False)
    ]
    profile = profile_fields(context, scores, record.answer)
    values = record.to_json() | score_fields(final) | {"attempts": scored, "asks": asks} | profile
    return files.parse(EpisodeRecord, values)
