"""Verify a submission: score its worlds again, and see that the run is whole.

What holds then: these scores follow from these worlds on these scenarios. Whether an agent, and
which, brought a world about, a file cannot show.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from evaluators.analysis import summary
from evaluators.episode.result import evaluator_digest
from evaluators.records import files, own_families, run_folder, submission
from evaluators.records.models import INFRA, EpisodeRecord, RunManifest, ScoreRecord, Summary
from evaluators.records.own_families import OwnFamilies
from evaluators.records.submission import SubmittedEpisode
from evaluators.run import catalogues
from evaluators.run.manifest import ChangedRun, package_version
from evaluators.run.rescore import NotScorable, rescored
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.environments import SITE, is_environment
from sites.store import CatalogueSource


class NotVerified(RehearsalError):
    """An episode of a submission is not what it says."""


@dataclass(frozen=True)
class Verification:
    """`summary` is of the `verified` episodes, of all that were `wanted`. `findings` are what is
    wrong, by episode; `notes` what a reader should know besides."""

    summary: Summary
    verified: int
    wanted: int
    findings: Sequence[tuple[str, str]]
    notes: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        return {
            "verified": self.verified,
            "wanted": self.wanted,
            "findings": [{"episode": name, "what": what} for name, what in self.findings],
            "notes": [*self.notes],
            "summary": self.summary.to_json(),
        }


def verify(
    path: Path, catalogue: CatalogueSource | None = None, own: OwnFamilies = own_families.NONE
) -> Verification:
    """Verify a file that `rehearse export` wrote; `catalogue` is the run's, where that was not the
    store's own, and `own` are the families that are files. Raises `BadSubmission`,
    `OtherCatalogue`."""
    manifest, submitted = submission.read(path)
    with catalogues.matching(str(path), manifest.config.catalogue, catalogue):
        records, findings, evaluators = list[EpisodeRecord](), list[tuple[str, str]](), set[str]()
        left = _wanted(manifest)
        for each in submitted:
            name = each.episode.episode
            try:
                _take(left, each.episode)
                records.append(_verified(each, own))
            except RehearsalError as error:
                findings.append((name, str(error)))
            evaluators |= _other_evaluator(each.episode)
        findings += (("/".join(map(str, key)), "is missing") for key in left.elements())
        made = summary.summary(manifest.run, records)
        wanted = manifest.config.episodes
        return Verification(made, len(records), wanted, findings, [*_notes(manifest, evaluators)])


Key = tuple[str, str, int]


def _wanted(manifest: RunManifest) -> Counter[Key]:
    """What the run was begun to do, once each."""
    setting = manifest.config
    return Counter(product(setting.agents, setting.scenarios, range(setting.trials)))


def _take(left: Counter[Key], record: EpisodeRecord) -> None:
    key = record.agent, record.scenario, record.trial
    if key not in left:
        raise NotVerified("is none of the run")
    if not left[key]:
        raise NotVerified("is there twice")
    left[key] -= 1


def _verified(submitted: SubmittedEpisode, own: OwnFamilies) -> EpisodeRecord:
    """The record with the scores of today. Raises `NotVerified`."""
    record = submitted.episode
    _check_names(record, own)
    if not record.is_scored:
        if record.ended != INFRA:
            raise NotVerified(f"ended as {record.ended} and has no score")
        return record
    _check_worlds(submitted)
    try:
        scored = rescored(record, submitted.worlds, own)
    except ChangedRun:
        raise NotVerified("its scenario is another one in this version") from None
    except NotScorable as error:
        raise NotVerified(error.problem) from None
    differing = [*_differing(record, scored)]
    if differing:
        raise NotVerified(f"its world scores otherwise: {'; '.join(differing)}")
    return scored


def _check_names(record: EpisodeRecord, own: OwnFamilies) -> None:
    family, claimed = record.family, (record.scenario, record.tag)
    made = registry.family(own_families.source(record, own) or family)
    if claimed != (f"{made.SITE}/{family}/{record.seed}", made.TAG):
        raise NotVerified("its record does not agree with itself on the scenario")


def _check_worlds(submitted: SubmittedEpisode) -> None:
    record, worlds = submitted.episode, submitted.worlds
    if len(worlds) != max(1, len(record.attempts)):
        raise NotVerified(f"has {len(worlds)} worlds for {len(record.attempts)} attempts")
    for name, world in zip(run_folder.world_names(record), worlds, strict=True):
        found = hashlib.sha256(files.json_bytes(world)).hexdigest()
        if submitted.files.get(name) != found:
            raise NotVerified(f"{name} is not the file whose checksum is given")


def _differing(record: EpisodeRecord, scored: EpisodeRecord) -> Iterator[str]:
    for name in (*ScoreRecord.model_fields, "attempts"):
        before, now = getattr(record, name), getattr(scored, name)
        unknown = name == "skills" and not before  # its version had no figures for this family
        if before != now and not unknown:
            shown = f" was {before}, is {now}" if isinstance(now, bool | float) else ""
            yield f"{name}{shown}"


def _other_evaluator(record: EpisodeRecord) -> set[str]:
    """The site, where another version of its scorer made the record."""
    known = record.site in {*registry.site_names(), SITE}
    same = known and record.hashes.get("evaluator") == evaluator_digest(record.site)
    return set() if same else {record.site}


def _notes(manifest: RunManifest, evaluators: set[str]) -> Iterator[str]:
    theirs, ours = manifest.versions.get("rehearsal-web", ""), package_version()
    if theirs != ours:
        yield f"made with version {theirs or 'unknown'}, verified with {ours}"
    if any(is_environment(scenario) for scenario in manifest.config.scenarios):
        yield f"{SITE}: rewards are what the environments said; here they were only summed again"
    for site in sorted(evaluators):
        yield f"{site}: its scorer has changed since"
