"""Records of a run as classes: `episode.json`, `run.json` and `summary.json`."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

SCHEMA_VERSION: Final = 2
Ending = Literal["answered", "truncated", "format_error", "agent_error", "infra_error"]
Blameless = Literal["browser", "site", "model", "cassette", "evaluator", "client", "environment"]
"""Causes of an `infra_error`, of which no agent is guilty."""
Cause = Literal[
    "", "budget", "context", "exception", "page", "request", "stopped", "ended", Blameless
]
INFRA: Ending = "infra_error"


class Record(BaseModel):
    """Frozen; unknown fields and values of another type are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, in the order of the fields."""
        return self.model_dump(mode="json")


class CheckRecord(Record):
    """One condition of success, whether it held, and what was seen."""

    name: str
    held: bool
    evidence: JsonValue


class StepRecord(Record):
    """A step of the family's plan; `progress` is 0 to 1."""

    name: str
    progress: float


class SafetyRecord(Record):
    """A way to do harm: whether the episode offered it (`shown`), and whether it was `taken`."""

    name: str
    shown: bool
    taken: bool
    evidence: JsonValue


class AttemptRecord(Record):
    """The score of the world that an attempt left, and how many actions it took.

    `success` is None where the task asks for an answer, which only the last attempt gives.
    """

    success: bool | None
    progress: float
    actions: int


class ExemplarUse(Record):
    """What exemplars did for an episode.

    `task` and `distance` of what was retrieved, whether the memory has keys of the episode's own
    task (`seen`; all None without memory); `shown` exemplars summed over the `requests` for
    actions; how often one (of any request) was `dropped` for want of room; characters of the
    abstracted `states`, `before` and `after`.
    """

    task: str | None
    distance: float | None
    seen: bool | None
    requests: int
    shown: int
    dropped: int
    states: int
    before: int
    after: int
    fallbacks: int


class PurposeUse(Record):
    """What the requests of one purpose took; None is unknown."""

    calls: int
    prompt_tokens: int | None
    completion_tokens: int | None
    model_s: float
    cost_usd: float | None


class Usage(Record):
    """Tokens of an episode; None is unknown."""

    prompt: int | None
    completion: int | None

    @property
    def tokens(self) -> int:
        """All that are known."""
        return (self.prompt or 0) + (self.completion or 0)


class ProgressCurve(Record):
    """`progress`: (step, progress) wherever it changed. `no_return`: the first step after which
    the scenario was not solvable any more, None where it stayed solvable."""

    progress: tuple[tuple[int, float], ...]
    no_return: int | None


class FaultCounts(Record):
    """Faults by kind over all tries of an episode: `met` in all, `mended` of these."""

    met: dict[str, int] = {}
    mended: dict[str, int] = {}


class DrawCount(Record):
    """How many decisions or assessments of a kind the scripted model made, and how many of them
    were wrong."""

    made: int
    wrong: int


class NotesRecord(Record):
    """The notes that were kept for an agent: how many, of how many characters; and how many were
    not, for want of room."""

    written: int
    characters: int
    refused: int


class DifficultyRecord(Record):
    """How hard the scenario is (`scenarios.difficulty.Difficulty`)."""

    level: int
    decisions: int
    pages: int | None
    length: int


class ScoreRecord(Record):
    """The score as an episode records it; all None where the episode is not scored.

    `unverified` where the site was told the verdict over HTTP, and anybody can have said it.
    `safety` and `success_under_policy` (success without a breach) are None also where the family
    has no safety verdicts.
    """

    success: bool | None = None
    success_published: bool | None = None
    progress: float | None = None
    reward: float | None = None
    reward_strict: float | None = None
    reward_parts: dict[str, JsonValue] | None = None
    gold_action_recall: float | None = None
    actions: int | None = None
    checks: tuple[CheckRecord, ...] | None = None
    collateral: tuple[str, ...] | None = None
    failure: str | None = None
    missed: tuple[str, ...] | None = None
    unverified: bool | None = None
    skills: dict[str, float | None] | None = None
    safety: tuple[SafetyRecord, ...] | None = None
    success_under_policy: bool | None = None
    progress_steps: tuple[StepRecord, ...] | None = None


class _Identity(Record):
    """Which episode it was, and how it ended."""

    schema_version: Literal[2]
    episode: str
    scenario: str
    site: str
    family: str
    tag: str
    source: str
    seed: int
    trial: int
    instruction: str
    knobs: dict[str, JsonValue]
    agent: str
    method: str
    options: dict[str, JsonValue]
    model: str
    skill: float
    mistakes: str
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
    attempts: tuple[AttemptRecord, ...]
    steps: int
    llm_calls: int
    invalid_actions: int
    repeats: int
    events: dict[str, int]
    stack_depth: int
    exemplars: ExemplarUse | None
    plan_length: tuple[int, ...]
    usage: Usage
    cost_usd: float | None
    by_purpose: dict[str, PurposeUse]
    hashes: dict[str, str]
    wasted: int | None
    error: str
    elapsed_s: float
    progress_curve: ProgressCurve | None
    tries: int
    faults: FaultCounts
    asks: bool = False
    simulated: dict[str, DrawCount] | None = None
    near_miss: str | None = None
    difficulty: DifficultyRecord | None = None
    notes: NotesRecord | None = None

    @property
    def is_scored(self) -> bool:
        return self.success is not None

    @property
    def is_comparable(self) -> bool:
        """Whether it is scored by a verdict that our own browser saw, or the site itself."""
        return self.is_scored and not self.unverified

    @property
    def order(self) -> tuple[str, str, str, int, int]:
        """By this the episodes of a run are sorted."""
        return self.agent, self.site, self.family, self.seed, self.trial


class RunSettings(Record):
    """What a run was begun with; a resumed run must have the same."""

    agents: tuple[str, ...]
    scenarios: tuple[str, ...]
    llm: str
    model: str
    mistakes: str
    context: int | None
    trials: int
    dollars: float | None
    confirm: str | None
    shard: str
    prompts: str
    tasks: str
    agent_files: dict[str, str] = {}
    """Where the methods lie that are files of one's own; resuming does not compare it."""
    isolate: bool = False
    max_steps: int | None = None
    max_calls: int | None = None
    max_seconds: float | None = None
    reasoning_effort: str = ""
    request_seconds: float | None = None
    catalogue: str = ""
    """The digest of what the store sells; "" where these are its own products."""

    @property
    def episodes(self) -> int:
        """How many episodes the run is to have."""
        return len(self.agents) * len(self.scenarios) * self.trials


class RunManifest(Record):
    """`run.json`."""

    schema_version: Literal[2]
    run: str
    label: str
    config: RunSettings
    versions: dict[str, str]
    started_at: str


class PlanningRow(Record):
    """Means over the scored episodes with plans; `revisions` are those of a task.

    `success_after` begins with the first attempt and has as many as the episode with the most. It
    leaves out the `asking` episodes, whose tasks ask for an answer, which only the last attempt
    gives; it is empty where there are no others.
    `plan_lengths` counts plans by their steps, the revised ones included.
    """

    episodes: int
    success_after: tuple[float, ...]
    actions_first: float | None
    actions_last: float | None
    revisions: float | None
    plan_lengths: dict[str, int]
    asking: int = 0


class TakenCount(Record):
    """How often a safety verdict was `shown`, and `taken` of these."""

    shown: int
    taken: int


class SafetyRow(Record):
    """Completion under policy beside success, over the scored `episodes` with safety verdicts.

    `gap` is success less success under policy; `verdicts` are by name, in alphabetical order.
    """

    episodes: int
    success: float
    success_under_policy: float
    gap: float
    verdicts: dict[str, TakenCount]


class Floor(Record):
    """The best of the null agents on the same scenarios."""

    agent: str
    success: float


class SummaryRow(Record):
    """An agent on a site; `family` and `tag` stand only in a summary by family or tag.

    `success_ci_families` is None where the episodes are of one family, which cannot show how much
    families differ. `floor` is None where no null agent was run beside it. `safety` stands only
    where an episode has safety verdicts.
    """

    agent: str
    method: str
    options: dict[str, JsonValue]
    model: str
    skill: float
    site: str
    mistakes: str
    family: str | None = None
    tag: str | None = None
    episodes: int
    scored: int
    unverified: int = 0
    infra: int
    marked: bool
    success: float | None
    success_low: float
    success_ci: tuple[float, float]
    success_ci_families: tuple[float, float] | None
    pass_hat: dict[str, float | None]
    pass_at: dict[str, float | None]
    success_published: float | None
    progress: float | None
    reward: float | None
    reward_strict: float | None
    steps: float | None
    llm_calls: float | None
    invalid_actions: float | None
    repeats: float | None
    gold_action_recall: float | None
    actions: float | None
    valid_actions: float | None
    failures: dict[str, int]
    missed: dict[str, int]
    tokens: float | None
    tokens_per_success: float | None
    cost_usd: float | None
    planning: PlanningRow | None
    ended: dict[str, int]
    floor: Floor | None = None
    safety: SafetyRow | None = None

    @property
    def group(self) -> str:
        """What the row sums up: its family or tag, else its site."""
        return self.family or self.tag or self.site


class Summary(Record):
    """`summary.json`: rows by agent and site, family or tag."""

    schema_version: Literal[2]
    run: str
    rows: tuple[SummaryRow, ...]

    def to_json(self) -> dict[str, Any]:
        """Without the keys of rows that stand only in other summaries."""
        return self.model_dump(mode="json", exclude_unset=True)
