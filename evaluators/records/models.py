"""Records of a run as classes: `episode.json`, `run.json` and `summary.json`."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from evaluators.records.bounds import (
    Amount,
    Count,
    Digest,
    Items,
    Level,
    Name,
    Reward,
    RunAmount,
    Share,
    Table,
    Trials,
)

SCHEMA_VERSION: Final = 2
Ending = Literal["answered", "truncated", "format_error", "agent_error", "infra_error"]
Blameless = Literal["browser", "site", "model", "cassette", "evaluator", "client", "environment"]
"""Causes of an `infra_error`, for which no agent is to blame."""
Cause = Literal[
    "", "budget", "context", "exception", "page", "request", "stopped", "ended", Blameless
]
INFRA: Ending = "infra_error"


class Record(BaseModel):
    """The base of all records: frozen, and strict about unknown fields and types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values, in the order of the fields."""
        return self.model_dump(mode="json")


class CheckRecord(Record):
    """One condition of success, whether it held, and what was seen."""

    name: Name
    held: bool
    evidence: JsonValue


class StepRecord(Record):
    """A step of the family's plan; `progress` is 0 to 1."""

    name: Name
    progress: Share


class SafetyRecord(Record):
    """A way to do harm: whether the episode offered it (`shown`), and whether it was `taken`."""

    name: Name
    shown: bool
    taken: bool
    evidence: JsonValue


class AttemptRecord(Record):
    """The score of the world that an attempt left, and how many actions it took.

    `success` is None where the task asks for an answer, which only the last attempt gives.
    """

    success: bool | None
    progress: Share
    actions: Count


class ExemplarUse(Record):
    """What exemplars did for an episode.

    `task` and `distance` of what was retrieved, whether the memory has keys of the episode's own
    task (`seen`; all None without memory); `shown` exemplars summed over the `requests` for
    actions; how often one (of any request) was `dropped` for want of room; characters of the
    abstracted `states`, `before` and `after`.
    """

    task: Name | None
    distance: Amount | None
    seen: bool | None
    requests: Count
    shown: Count
    dropped: Count
    states: Count
    before: Count
    after: Count
    fallbacks: Count


class PurposeUse(Record):
    """What the requests of one purpose took; None is unknown."""

    calls: Count
    prompt_tokens: Count | None
    completion_tokens: Count | None
    model_s: Amount
    cost_usd: Amount | None


class Usage(Record):
    """Tokens of an episode; None is unknown."""

    prompt: Count | None
    completion: Count | None

    @property
    def tokens(self) -> int:
        """The sum of the known counts."""
        return (self.prompt or 0) + (self.completion or 0)


class ProgressCurve(Record):
    """`progress`: (step, progress) wherever it changed. `no_return`: the first step after which
    the scenario was not solvable any more, None where it stayed solvable."""

    progress: Items[tuple[Count, Share]]
    no_return: Count | None


class FaultCounts(Record):
    """Faults by kind over all tries of an episode: `met` in all, `mended` of these."""

    met: Table[Count] = {}
    mended: Table[Count] = {}


class DrawCount(Record):
    """How many decisions or assessments of a kind the scripted model made, and how many of them
    were wrong."""

    made: Count
    wrong: Count


class NotesRecord(Record):
    """The notes that were kept for an agent: how many, of how many characters; and how many were
    not, for want of room."""

    written: Count
    characters: Count
    refused: Count


class DifficultyRecord(Record):
    """How hard the scenario is (`scenarios.difficulty.Difficulty`)."""

    level: Level
    decisions: Count
    pages: Count | None
    length: Count


class ScoreRecord(Record):
    """The score of an episode; every field is None if the episode is not scored.

    `unverified`: the site was told the verdict over HTTP, so anybody can have sent it. `safety` and
    `success_under_policy` (success without a breach) are also None if the family has no safety
    verdicts.
    """

    success: bool | None = None
    success_published: bool | None = None
    progress: Share | None = None
    reward: Reward | None = None
    reward_strict: Reward | None = None
    reward_parts: Table[JsonValue] | None = None
    gold_action_recall: Share | None = None
    actions: Count | None = None
    checks: Items[CheckRecord] | None = None
    collateral: Items[str] | None = None
    failure: Name | None = None
    missed: Items[Name] | None = None
    unverified: bool | None = None
    skills: Table[Share | None] | None = None
    safety: Items[SafetyRecord] | None = None
    success_under_policy: bool | None = None
    progress_steps: Items[StepRecord] | None = None


class _Identity(Record):
    """The fields that say which episode it was and how it ended."""

    schema_version: Literal[2]
    episode: Name
    scenario: Name
    site: Name
    family: Name
    tag: Name
    source: str
    seed: Count
    trial: Count
    instruction: str
    knobs: Table[JsonValue]
    agent: Name
    method: Name
    options: Table[JsonValue]
    model: Name
    skill: Share
    mistakes: Name
    ended: Ending
    cause: Cause


class EpisodeRecord(ScoreRecord, _Identity):
    """`episode.json`: how an episode ended, its score, counts, costs and hashes.

    Keys that end in `_s` hold measured times. `asks`: the task asks for an answer. `hashes` are of
    all that the outcome depends on, `wasted` counts the steps of a success beyond the expert's,
    `tries` the times that the episode was run because of a fault of ours. `simulated` counts the
    errors of the scripted model by row of its printed constants; None where it was not asked, or a
    recording of it answered. `near_miss` names the near miss that a failure ended in ("": none);
    it and `difficulty` are None where the score has no skills. `notes` is None where none are kept.
    """

    answer: str
    attempts: Items[AttemptRecord]
    steps: Count
    llm_calls: Count
    invalid_actions: Count
    repeats: Count
    events: Table[Count]
    stack_depth: Count
    exemplars: ExemplarUse | None
    plan_length: Items[Count]
    usage: Usage
    cost_usd: Amount | None
    by_purpose: Table[PurposeUse]
    hashes: Table[str]
    wasted: Count | None
    error: str
    elapsed_s: Amount
    progress_curve: ProgressCurve | None
    tries: Count
    faults: FaultCounts
    asks: bool = False
    simulated: Table[DrawCount] | None = None
    near_miss: Name | None = None
    difficulty: DifficultyRecord | None = None
    notes: NotesRecord | None = None

    @property
    def is_scored(self) -> bool:
        """Whether the episode has a score; an infrastructure error leaves none."""
        return self.success is not None

    @property
    def is_comparable(self) -> bool:
        """Whether the episode is scored and its verdict comes from our own browser or from the
        site.
        """
        return self.is_scored and not self.unverified

    @property
    def order(self) -> tuple[str, str, str, int, int]:
        """The sort key of a run's episodes."""
        return self.agent, self.site, self.family, self.seed, self.trial


class RunSettings(Record):
    """What a run was begun with; a resumed run must have the same."""

    agents: Items[Name]
    scenarios: Items[Name]
    llm: Name
    model: Name
    mistakes: Name
    context: Count | None
    trials: Trials
    dollars: Amount | None
    confirm: str | None
    shard: Name
    prompts: str
    tasks: str
    agent_files: Table[str] = {}
    """The paths of methods that are files of the user's own; a resumed run may have others."""
    isolate: bool = False
    max_steps: Count | None = None
    max_calls: Count | None = None
    max_seconds: Amount | None = None
    reasoning_effort: Name = ""
    request_seconds: Amount | None = None
    catalogue: Digest = ""
    """The digest of the store's catalogue; "" for its own products."""

    @property
    def episodes(self) -> int:
        """The number of episodes in the whole run."""
        return len(self.agents) * len(self.scenarios) * self.trials


class RunManifest(Record):
    """`run.json`."""

    schema_version: Literal[2]
    run: Name
    label: str
    config: RunSettings
    versions: Table[str]
    started_at: str


class PlanningRow(Record):
    """Means over the scored episodes with plans; `revisions` are those of a task.

    `success_after` begins with the first attempt and has as many as the episode with the most. It
    leaves out the `asking` episodes, whose tasks ask for an answer, which only the last attempt
    gives; it is empty where there are no others.
    `plan_lengths` counts plans by their steps, the revised ones included.
    """

    episodes: Count
    success_after: Items[Share]
    actions_first: RunAmount | None
    actions_last: RunAmount | None
    revisions: RunAmount | None
    plan_lengths: Table[Count]
    asking: Count = 0


class TakenCount(Record):
    """How often a safety verdict was `shown`, and `taken` of these."""

    shown: Count
    taken: Count


class SafetyRow(Record):
    """Completion under policy beside success, over the scored `episodes` with safety verdicts.

    `gap` is success less success under policy; `verdicts` are by name, in alphabetical order.
    """

    episodes: Count
    success: Share
    success_under_policy: Share
    gap: Share
    verdicts: Table[TakenCount]


class Floor(Record):
    """The best of the null agents on the same scenarios."""

    agent: Name
    success: Share


class SummaryRow(Record):
    """An agent on a site; `family` and `tag` stand only in a summary by family or tag.

    `success_ci_families` is None where the episodes are of one family, which cannot show how much
    families differ. `floor` is None where no null agent was run beside it. `safety` stands only
    where an episode has safety verdicts.
    """

    agent: Name
    method: Name
    options: Table[JsonValue]
    model: Name
    skill: Share
    site: Name
    mistakes: Name
    family: Name | None = None
    tag: Name | None = None
    episodes: Count
    scored: Count
    unverified: Count = 0
    infra: Count
    marked: bool
    success: Share | None
    success_low: Share
    success_ci: tuple[Share, Share]
    success_ci_families: tuple[Share, Share] | None
    pass_hat: Table[Share | None]
    pass_at: Table[Share | None]
    success_published: Share | None
    progress: Share | None
    reward: Reward | None
    reward_strict: Reward | None
    steps: RunAmount | None
    llm_calls: RunAmount | None
    invalid_actions: RunAmount | None
    repeats: RunAmount | None
    gold_action_recall: Share | None
    actions: RunAmount | None
    valid_actions: Share | None
    failures: Table[Count]
    missed: Table[Count]
    tokens: RunAmount | None
    tokens_per_success: RunAmount | None
    cost_usd: RunAmount | None
    planning: PlanningRow | None
    ended: Table[Count]
    floor: Floor | None = None
    safety: SafetyRow | None = None

    @property
    def group(self) -> str:
        """The group that the row summarizes: its family or tag, otherwise its site."""
        return self.family or self.tag or self.site


class Summary(Record):
    """`summary.json`: rows by agent and site, family or tag."""

    schema_version: Literal[2]
    run: Name
    rows: Items[SummaryRow]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values, without fields that a row of this summary does not have."""
        return self.model_dump(mode="json", exclude_unset=True)
