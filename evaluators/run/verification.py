"""Verify an exported run: score its final databases (worlds) again and check that the run is
complete.

A verified file shows that these scores follow from these worlds on these scenarios. It cannot show
that an agent, or which agent, produced a world.

The file may come from a stranger: nothing is expanded before it is compared, and any content ends
as a finding or as `BadSubmission`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from evaluators.analysis import summary
from evaluators.episode.result import evaluator_digest
from evaluators.records import files, own_families, run_folder, submission
from evaluators.records.models import (
    INFRA,
    EpisodeRecord,
    RunManifest,
    RunPart,
    RunSettings,
    ScoreRecord,
    Summary,
)
from evaluators.records.own_families import OwnFamilies
from evaluators.records.run_plan import Key, RunPlan
from evaluators.records.submission import ReadEpisode, SubmittedEpisode
from evaluators.run import catalogues
from evaluators.run.manifest import ChangedRun, made_with, package_version, tasks_digests
from evaluators.run.rescore import NotScorable, rescored
from rehearsal_errors import RehearsalError
from scenarios import joined, labels, registry
from scenarios.environments import SITE, is_environment
from scenarios.scenario import UNACHIEVABLE
from sites.store import CatalogueSource

MOST_FINDINGS = 1_000
"""After this many findings the rest of the file is not read."""
LONGEST = 300
"""The most characters of a finding's text, and of the episode name beside it."""
MOST_ROWS, MOST_BYTES = 20_000, 8 * 2**20
"""The most rows and bytes of an episode's final database.

No agent leaves a database that takes a minute to score.
"""
LONGEST_ANSWER = 100_000
"""The most characters of an answer."""
RUN = "the run"
"""The name that stands for the whole run in findings that are not about an episode."""
PROFILE = ("skills", "near_miss", "difficulty")
"""Fields of a record for the agent's profile; records lack them if their version had no such
figures for the family.
"""
NO_SCORE = "ended as infra_error ({cause}) and has no score; resume the run"
UNVERIFIED = "its site was told the verdict over HTTP, and anybody can have said it"


class NotVerified(RehearsalError):
    """An episode of an exported run does not match its claims."""


@dataclass(frozen=True)
class Verification:
    """The result of a verification.

    `verified` counts the episodes whose claims hold, out of `wanted`. `summary` covers the
    episodes whose final databases give the recorded scores, and episodes that an infrastructure
    error ended without a score. `findings` are pairs of an episode and a problem. `notes` are other
    remarks for the reader.
    """

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
    """Verify a file that `rehearse export` wrote.

    Args:
        path: The file.
        catalogue: The catalogue that the store sold in the run; None for its own products.
        own: The families that are files of the user's own.

    Raises:
        BadSubmission: The file cannot be read as an exported run.
        OtherCatalogue: The run was made with another catalogue.
    """
    manifest, submitted = submission.read(path)
    with catalogues.matching(str(path), manifest.config.catalogue, catalogue):
        checked = _Checked(manifest, own)
        for each in submitted:
            if len(checked.findings) >= MOST_FINDINGS:
                checked.find(RUN, "has more that is wrong; the file was read no further")
                break
            checked.add(each)
        else:
            checked.find_missing()
        made = summary.summary(manifest.run, checked.records)
        notes = [*_notes(manifest, checked.evaluators)]
        wanted = checked.plan.episodes
        return Verification(made, checked.verified, wanted, checked.findings, notes)


@dataclass
class _Checked:
    """The state of a verification while episodes are checked one after the other."""

    manifest: RunManifest
    own: OwnFamilies
    records: list[EpisodeRecord] = field(default_factory=list)
    verified: int = 0
    findings: list[tuple[str, str]] = field(default_factory=list)
    evaluators: set[str] = field(default_factory=set)
    _taken: set[Key] = field(default_factory=set)
    _sames: dict[tuple[str, ...], tuple[object, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.plan.episodes:
            self.find(RUN, "has no episodes")
        for part in self.manifest.parts:
            for what in _wrong_with(part):
                self.find(RUN, what)

    @cached_property
    def plan(self) -> RunPlan:
        """The episodes that the run is to have."""
        return RunPlan(self.manifest)

    def find(self, name: str, what: str) -> None:
        """Add a finding about an episode."""
        self.findings.append((_brief(name), _brief(what)))

    def add(self, read: ReadEpisode) -> None:
        """Check an episode; a claim that does not hold becomes a finding."""
        record = read.submitted.episode
        try:
            self._take(record)
            scored = _verified(read, self.own)
            self._check_same(scored)
            self.records.append(_slim(scored if self._asks(scored) else _without_model(scored)))
            self.evaluators |= _other_evaluator(record)
            _check_verdict(scored)
            self.verified += 1
        except RehearsalError as error:
            self.find(record.episode, str(error))

    def _take(self, record: EpisodeRecord) -> None:
        key = record.agent, record.scenario, record.trial
        if not self.plan.has(record):
            raise NotVerified("is none of the run")
        if key in self._taken:
            raise NotVerified("is there twice")
        self._taken.add(key)

    def _check_same(self, record: EpisodeRecord) -> None:
        """Raise `NotVerified` if the agent's episodes differ in method, options, model, skill or
        mistakes.

        The summary has one row for an agent on a site, so all its episodes must agree. The model of
        an agent that asks none is not compared: earlier versions recorded the run's.
        """
        row = record.agent, record.site
        model = (record.model, record.mistakes) if self._asks(record) else ()
        named = (record.method, record.options, record.skill, *model)
        if self._sames.setdefault(row, named) != named:
            raise NotVerified("names another method, model or skill than the agent's first episode")

    def _asks(self, record: EpisodeRecord) -> bool:
        """Return whether an episode asked a model or may have, or its agent asks one in some
        part.
        """
        return record.llm_calls != 0 or self.plan.asks_anywhere(record.agent)

    def find_missing(self) -> None:
        """Add a finding for each episode of the run that the file lacks."""
        missing = (key for key in self.plan if key not in self._taken)
        for key in islice(missing, MOST_FINDINGS):
            self._taken.add(key)
            self.find("/".join(map(str, key)), "is missing")
        if next(missing, None):
            left = self.plan.episodes - len(self._taken)
            self.find(RUN, f"lacks {left:,} more episodes")


def _wrong_with(part: RunPart) -> Iterator[str]:
    """Yield the false claims of a part of the run's manifest."""
    setting, label = part.config, part.label
    for kind, names in (("agent", setting.agents), ("scenario", setting.scenarios)):
        for name, count in Counter(names).most_common(1):
            if count > 1:
                yield f"names the {kind} {name} {count:,} times"
    if use := labels.removed(label):
        yield f"is labelled {label!r}, a suite that this version does not have: use {use}"
    elif label and not labels.names_exactly(label, setting.scenarios):
        count = len(setting.scenarios)
        yield f"is labelled {label!r}, and its {count:,} scenarios are not those"
    elif changed := _changed_suites(label, setting):
        yield f"has another {changed} than this version: its file differs"


def _changed_suites(label: str, setting: RunSettings) -> str:
    """Return the suites of a part's label if their tasks are others in this version, or "".

    A run of an earlier version has no digest for each family. Each episode has one of its own.
    """
    names = labels.suites_of(label)
    if not names or isinstance(setting.tasks, str):
        return ""
    found = tasks_digests(joined.from_suites(names))
    same = all(found.get(family, digest) == digest for family, digest in setting.tasks.items())
    return "" if same else joined.AND.join(names)


def _verified(read: ReadEpisode, own: OwnFamilies) -> EpisodeRecord:
    """Return the record with the scores of this version. Raise `NotVerified` if a claim of the
    record does not hold.
    """
    submitted = read.submitted
    record = submitted.episode
    source = own_families.source(record, own)
    _check_names(record, source)
    scored = _scored(submitted, own)
    if record.is_scored:
        _check_drawn(record, source)
    if submitted.files.get(run_folder.EPISODE) != read.checksum:
        raise NotVerified(f"{run_folder.EPISODE} is not the file whose checksum is given")
    return scored


def _scored(submitted: SubmittedEpisode, own: OwnFamilies) -> EpisodeRecord:
    record = submitted.episode
    _check_ending(record)
    if not record.is_scored:
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


def _check_drawn(record: EpisodeRecord, source: str) -> None:
    """Raise `NotVerified` if the record's seed gives another scenario name or another instruction.

    The instruction is not compared if a page draws it.
    """
    drawn = registry.scenario(record.scenario, source)
    if drawn.name != record.scenario:
        raise NotVerified(f"its scenario is called {drawn.name}")
    by_page = registry.family(source or drawn.family).instruction is not None
    if not by_page and not source and record.instruction != drawn.instruction:
        raise NotVerified("its instruction is not that of its scenario")


def _check_ending(record: EpisodeRecord) -> None:
    """Raise `NotVerified` unless exactly the episodes without an infrastructure error have a
    score.
    """
    if record.is_scored and record.ended == INFRA:
        raise NotVerified(f"ended as {INFRA} and has a score")
    if not record.is_scored and record.ended != INFRA:
        raise NotVerified(f"ended as {record.ended} and has no score")


def _check_verdict(record: EpisodeRecord) -> None:
    """Raise `NotVerified` for an episode without a verified score, as it may hide a failure."""
    if not record.is_scored:
        raise NotVerified(NO_SCORE.format(cause=record.cause or "no cause"))
    if record.unverified:
        raise NotVerified(UNVERIFIED)


def _without_model(record: EpisodeRecord) -> EpisodeRecord:
    """Return the record of an agent that asks no model, without the run's model."""
    return record.model_copy(update={"model": "", "mistakes": ""})


def _slim(record: EpisodeRecord) -> EpisodeRecord:
    """Return the record without long texts, which no summary reads."""
    nothing = {"instruction": "", "answer": "", "error": "", "knobs": {}, "hashes": {}}
    return record.model_copy(update={**nothing, "checks": (), "collateral": ()})


def _brief(text: str) -> str:
    """Return the text in one line, shortened if it is long."""
    line = " ".join(text[: 2 * LONGEST].split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def _check_names(record: EpisodeRecord, source: str) -> None:
    family = record.family
    made = registry.family(source or family)
    scenario = f"{made.SITE}/{family}/{record.seed}"
    claimed = (record.scenario, record.site, record.episode)
    name = f"{record.agent}/{scenario}/{record.trial}"
    if claimed != (scenario, made.SITE, name) or record.tag not in (made.TAG, UNACHIEVABLE):
        raise NotVerified("its record does not agree with itself on the scenario")


def _check_worlds(submitted: SubmittedEpisode) -> None:
    record, worlds = submitted.episode, submitted.worlds
    if len(worlds) != max(1, len(record.attempts)):
        raise NotVerified(f"has {len(worlds)} worlds for {len(record.attempts)} attempts")
    for name, world in zip(run_folder.world_names(record), worlds, strict=True):
        data = files.json_bytes(world)
        if submitted.files.get(name) != hashlib.sha256(data).hexdigest():
            raise NotVerified(f"{name} is not the file whose checksum is given")
        rows = sum(map(len, world.values()))
        if rows > MOST_ROWS or len(data) > MOST_BYTES:
            raise NotVerified(f"{name} has {rows:,} rows in {len(data):,} bytes, too many to score")
    longest = max(len(each or "") for each in (record.answer, *_answers(record)))
    if longest > LONGEST_ANSWER:
        raise NotVerified(f"its answer has {longest:,} characters, too many to score")


def _answers(record: EpisodeRecord) -> list[str | None]:
    return [each.answer for each in record.attempts]


def _differing(record: EpisodeRecord, scored: EpisodeRecord) -> Iterator[str]:
    for name in dict.fromkeys((*ScoreRecord.model_fields, "attempts", "asks", *PROFILE)):
        before, now = (_claimed(name, getattr(each, name)) for each in (record, scored))
        unknown = name in PROFILE and not before  # its version had no figures for this family
        if before != now and not unknown:
            shown = f" was {before}, is {now}" if isinstance(now, bool | float) else ""
            yield f"{name}{shown}"


def _claimed(name: str, value: Any) -> Any:
    """Return what a field claims; of checks, not the words, which may differ between versions."""
    if name != "checks":
        return value
    return [(check.name, check.held) for check in value or ()]


def _other_evaluator(record: EpisodeRecord) -> set[str]:
    """Return a set with the record's site if another version of the site's scorer scored it, else
    an empty set.
    """
    known = record.site in {*registry.site_names(), SITE}
    same = known and record.hashes.get("evaluator") == evaluator_digest(record.site)
    return set() if same else {record.site}


def _notes(manifest: RunManifest, evaluators: set[str]) -> Iterator[str]:
    theirs, ours = " and ".join(made_with(manifest.parts)), package_version()
    if theirs != ours:
        yield f"made with version {_brief(theirs) or 'unknown'}, verified with {ours}"
    named = (name for part in manifest.parts for name in part.config.scenarios)
    if any(map(is_environment, named)):
        yield f"{SITE}: rewards are what the environments said; here they were only summed again"
    for site in sorted(evaluators):
        yield f"{site}: its scorer has changed since"
