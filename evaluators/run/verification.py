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
from itertools import islice
from pathlib import Path
from typing import Any

from evaluators.analysis import summary
from evaluators.episode.result import evaluator_digest
from evaluators.records import files, own_families, run_folder, submission
from evaluators.records.models import INFRA, EpisodeRecord, RunManifest, ScoreRecord, Summary
from evaluators.records.own_families import OwnFamilies
from evaluators.records.submission import ReadEpisode, SubmittedEpisode
from evaluators.run import catalogues
from evaluators.run.manifest import ChangedRun, package_version, tasks_digest
from evaluators.run.rescore import NotScorable, rescored
from rehearsal_errors import RehearsalError
from scenarios import labels, registry
from scenarios.environments import SITE, is_environment
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
        wanted = manifest.config.episodes
        return Verification(made, checked.verified, wanted, checked.findings, notes)


Key = tuple[str, str, int]


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
    _sames: dict[tuple[str, str], tuple[object, ...]] = field(default_factory=dict)
    _agents: frozenset[str] = frozenset()
    _scenarios: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._agents = frozenset(self.manifest.config.agents)
        self._scenarios = frozenset(self.manifest.config.scenarios)
        for what in _wrong_with(self.manifest):
            self.find(RUN, what)

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
            self.records.append(_slim(scored))
            self.evaluators |= _other_evaluator(record)
            _check_verdict(scored)
            self.verified += 1
        except RehearsalError as error:
            self.find(record.episode, str(error))

    def _take(self, record: EpisodeRecord) -> None:
        key = record.agent, record.scenario, record.trial
        known = record.agent in self._agents and record.scenario in self._scenarios
        if not known or record.trial >= self.manifest.config.trials:
            raise NotVerified("is none of the run")
        if key in self._taken:
            raise NotVerified("is there twice")
        self._taken.add(key)

    def _check_same(self, record: EpisodeRecord) -> None:
        """Raise `NotVerified` if the agent's episodes differ in method, options, model, skill or
        mistakes.

        The summary has one row for an agent on a site, so all its episodes must agree.
        """
        named = (record.method, record.options, record.model, record.skill, record.mistakes)
        if self._sames.setdefault((record.agent, record.site), named) != named:
            raise NotVerified("names another method, model or skill than the agent's first episode")

    def find_missing(self) -> None:
        """Add a finding for each episode of the run that the exported file lacks."""
        missing = (key for key in _wanted(self.manifest) if key not in self._taken)
        for key in islice(missing, MOST_FINDINGS):
            self.find("/".join(map(str, key)), "is missing")
        if next(missing, None):
            left = self.manifest.config.episodes - len(self._taken) - MOST_FINDINGS
            self.find(RUN, f"lacks {left:,} more episodes")


def _wanted(manifest: RunManifest) -> Iterator[Key]:
    """Yield (agent, scenario, trial) of each episode that the run's manifest declares.

    It is lazy, since a stranger's file may name any number.
    """
    setting = manifest.config
    for agent in setting.agents:
        for scenario in setting.scenarios:
            yield from ((agent, scenario, trial) for trial in range(setting.trials))


def _wrong_with(manifest: RunManifest) -> Iterator[str]:
    """Yield a text for each false claim of the run's manifest, such as an agent that it names
    twice.
    """
    setting = manifest.config
    if not setting.episodes:
        yield "has no episodes"
    for kind, names in (("agent", setting.agents), ("scenario", setting.scenarios)):
        for name, count in Counter(names).most_common(1):
            if count > 1:
                yield f"names the {kind} {name} {count:,} times"
    if use := labels.removed(manifest.label):
        yield f"is labelled {manifest.label!r}, a suite that this version does not have: use {use}"
    elif manifest.label and not labels.names_exactly(manifest.label, setting.scenarios):
        count = len(setting.scenarios)
        yield f"is labelled {manifest.label!r}, and its {count:,} scenarios are not those"
    suite = labels.suite_of(manifest.label)
    if suite and setting.tasks != tasks_digest(registry.from_suite(suite)):
        yield f"has another {suite} than this version: its file differs"


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
    claimed = (record.scenario, record.site, record.tag, record.episode)
    name = f"{record.agent}/{scenario}/{record.trial}"
    if claimed != (scenario, made.SITE, made.TAG, name):
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
    if len(record.answer) > LONGEST_ANSWER:
        raise NotVerified(f"its answer has {len(record.answer):,} characters, too many to score")


def _differing(record: EpisodeRecord, scored: EpisodeRecord) -> Iterator[str]:
    for name in dict.fromkeys((*ScoreRecord.model_fields, "attempts", "asks", *PROFILE)):
        before, now = getattr(record, name), getattr(scored, name)
        unknown = name in PROFILE and not before  # its version had no figures for this family
        if before != now and not unknown:
            shown = f" was {before}, is {now}" if isinstance(now, bool | float) else ""
            yield f"{name}{shown}"


def _other_evaluator(record: EpisodeRecord) -> set[str]:
    """Return a set with the record's site if another version of the site's scorer scored it, else
    an empty set.
    """
    known = record.site in {*registry.site_names(), SITE}
    same = known and record.hashes.get("evaluator") == evaluator_digest(record.site)
    return set() if same else {record.site}


def _notes(manifest: RunManifest, evaluators: set[str]) -> Iterator[str]:
    theirs, ours = manifest.versions.get("rehearsal-web", ""), package_version()
    if theirs != ours:
        yield f"made with version {_brief(theirs) or 'unknown'}, verified with {ours}"
    if any(is_environment(scenario) for scenario in manifest.config.scenarios):
        yield f"{SITE}: rewards are what the environments said; here they were only summed again"
    for site in sorted(evaluators):
        yield f"{site}: its scorer has changed since"
