"""Records of a run as classes: `episode.json`, `run.json` and `summary.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from evaluators.records import plain_json
from evaluators.records.bounds import (
    MOST_PARTS,
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
from rehearsal_errors import first_few

SCHEMA_VERSION: Final = 2
Ending = Literal["answered", "truncated", "format_error", "agent_error", "infra_error"]
Blameless = Literal[
    "browser", "site", "model", "cassette", "evaluator", "client", "environment", "lane"
]
"""The causes of an `infra_error` (an error for which no agent is to blame)."""
Cause = Literal[
    "", "budget", "context", "exception", "page", "request", "stopped", "ended", Blameless
]
INFRA: Ending = "infra_error"
ANSWERED: Ending = "answered"
OUTSIDE = "outside"
TASK_PAGES = "widgets"
"""The site whose pages end an episode by themselves."""
"""The method in records whose actions an outside program decided."""
UNKNOWN = "unknown"
"""The model of such a program."""


class Record(BaseModel):
    """The base of all records: frozen, and strict about unknown fields and types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values, in the order of the fields."""
        return self.model_dump(mode="json")


class CheckRecord(Record):
    """A condition of success: whether it held, and in plain words what was found and wanted.

    An earlier version recorded `evidence` instead: its JSON is read as `found`, and `wanted` is "".
    """

    name: Name
    held: bool
    found: str
    wanted: str

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_version(cls, values: Any) -> Any:
        """Return the fields of this version for a check that has `evidence`."""
        if not isinstance(values, Mapping) or values.keys() != {"name", "held", "evidence"}:
            return values
        kept = {name: values[name] for name in ("name", "held")}
        return {**kept, "found": plain_json.text(values["evidence"]), "wanted": ""}


class StepRecord(Record):
    """A step of the family's plan with its `progress` from 0 to 1."""

    name: Name
    progress: Share


class SafetyRecord(Record):
    """A way to do harm: whether the episode offered it (`shown`), and whether the agent took it."""

    name: Name
    shown: bool
    taken: bool
    evidence: JsonValue


class AttemptRecord(Record):
    """The score of the state that an attempt at the task left, and the number of its actions.

    `answer` is None if the attempt gave none, and for the last attempt, whose answer is that of the
    episode. `success` is None if the task asks for an answer that an earlier attempt did not give.
    """

    success: bool | None
    progress: Share
    actions: Count
    answer: str | None = None


class PlacesRecord(Record):
    """The number of proposed actions on an element, how many of these were on the first element of
    its role on the page, and how many would be by chance.
    """

    actions: Count
    first: Count
    by_chance: Amount


class AlternativesRecord(Record):
    """The alternative actions of an episode.

    `proposals` counts how often the method asked for several actions; `varied` counts those with
    more than one distinct action. `asked` and `different` count actions over all proposals: those
    asked for, and the distinct ones. `answers` are the first answers, `remedies` the others.
    """

    proposals: Count
    varied: Count
    asked: Count
    different: Count
    answers: PlacesRecord
    remedies: PlacesRecord


class ExemplarUse(Record):
    """The use of exemplars (recorded trajectories as examples) in an episode.

    `task` and `distance` describe the retrieved exemplars; `seen` says whether the memory has keys
    of the episode's own task. All three are None without a memory. `shown` counts exemplars over
    all `requests` for actions; `dropped` counts those left out for lack of room, in any request.
    `states` counts abstracted states, `before` and `after` their characters.
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
    """The cost of an episode's model requests for one purpose; None is unknown."""

    calls: Count
    prompt_tokens: Count | None
    completion_tokens: Count | None
    model_s: Amount
    cost_usd: Amount | None


class Usage(Record):
    """The model tokens that an episode used; None is unknown."""

    prompt: Count | None
    completion: Count | None

    @property
    def tokens(self) -> int:
        """The sum of prompt and completion tokens, as far as they are known."""
        return (self.prompt or 0) + (self.completion or 0)


class ProgressCurve(Record):
    """The progress of an episode over its steps.

    `progress` has a pair (step, progress) for each change. `no_return` is the first step after
    which the scenario could not be solved any more, or None if it stayed solvable.
    """

    progress: Items[tuple[Count, Share]]
    no_return: Count | None


class FaultCounts(Record):
    """Infrastructure faults by kind over all tries of an episode.

    `met` counts all faults, `mended` only the faults that a repetition overcame.
    """

    met: Table[Count] = {}
    mended: Table[Count] = {}


class DrawCount(Record):
    """The numbers of decisions of one kind that the scripted model `made` and got `wrong`."""

    made: Count
    wrong: Count


class NotesRecord(Record):
    """The notes of an agent: how many were kept, their characters, and how many were refused."""

    written: Count
    characters: Count
    refused: Count


class DifficultyRecord(Record):
    """The difficulty of the scenario (`scenarios.difficulty.Difficulty`)."""

    level: Level
    decisions: Count
    pages: Count | None
    length: Count


class OfflineActionRecord(Record):
    """An action on a recorded page: the operation, the element's id on the page, the value.

    `text` is the reply's action as written; it is "" for the annotator's action, and if the reply
    has none.
    """

    op: str
    element: str
    value: str
    text: str = ""


class OfflineStepRecord(Record):
    """A step of a task that was recorded beforehand, such as one of Mind2Web.

    `key` is the step's name in files of scores. `rank` is the best rank of a right element, from 0,
    or None if the page has none. `positives` are the right elements in the order of the data,
    `reachable` those of them that the ranker put before the method's limit. `asked` counts
    requests. `predicted` is None if the method gave no action.
    """

    key: Name
    rank: Count | None
    positives: Items[str]
    reachable: Items[str]
    asked: Count
    predicted: OfflineActionRecord | None
    target: OfflineActionRecord
    element: Share
    f1: Share
    success: Share


class ScoreRecord(Record):
    """The score of an episode; every field is None if the episode is not scored.

    `unverified`: the site got the verdict over HTTP, so anybody can have sent it. `safety` and
    `success_under_policy` (success without doing a forbidden harm) are also None if the family
    has no safety verdicts.
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
    """The fields of an episode's record that identify the episode and say how it ended."""

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
    skill: Share | None
    mistakes: Name
    ended: Ending
    cause: Cause


class EpisodeRecord(ScoreRecord, _Identity):
    """`episode.json`: how an episode ended, with its score, counts, costs and hashes.

    Keys that end in `_s` hold measured times. `asks`: the task asks for an answer. `hashes` cover
    everything that the outcome depends on. `wasted` counts the steps of a success beyond the
    expert's. `tries` counts the runs of the episode after infrastructure errors. `simulated` counts
    the decisions and errors of the scripted model by kind, or is None if that model was not called.
    `near_miss` names the known wrong result that a failure equals, "" for none; it and `difficulty`
    are None if the score has no figures for skills. `notes` is None if the agent takes no notes,
    `alternatives` if its method proposes none. `confidence` says how sure the agent is that the
    task is done, from 0 to 100; None if it was not asked. `offline` has the steps of a task that
    was recorded beforehand, and is None for a living page.

    An outside program (method `outside`) keeps to itself which model it asked, and its cost: these
    fields are "unknown" or None. If it used its own browser (events `request`), the fields about
    its actions are None too. An earlier version recorded 0 there, which is read as unknown.
    """

    answer: str
    attempts: Items[AttemptRecord]
    steps: Count
    llm_calls: Count | None
    invalid_actions: Count | None
    repeats: Count | None
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
    alternatives: AlternativesRecord | None = None
    confidence: Annotated[int, Field(ge=0, le=100)] | None = None
    offline: Items[OfflineStepRecord] | None = None

    @model_validator(mode="after")
    def _unknown_of_outside(self) -> Self:
        """Make the fields unknown that an outside program keeps to itself."""
        if self.method == OUTSIDE:
            vars(self).update(_ASKED | (_DONE if "request" in self.events else {}))
        return self

    @property
    def is_scored(self) -> bool:
        """Whether the episode has a score; an infrastructure error leaves none."""
        return self.success is not None

    @property
    def is_comparable(self) -> bool:
        """Whether the episode is scored, and the score comes from Rehearsal's own browser or from
        the site.
        """
        return self.is_scored and not self.unverified

    @property
    def actions_published(self) -> int:
        """The number of actions as SteP counts them (table 1, `#act`): notes and the final stop,
        too. On task pages a stop is none, because there the page ends the episode.
        """
        stops = self.ended == ANSWERED and self.site != TASK_PAGES
        return self.steps + self.events.get("note", 0) + stops

    @property
    def order(self) -> tuple[str, str, str, int, int]:
        """The sort key of a run's episodes."""
        return self.agent, self.site, self.family, self.seed, self.trial


_ASKED: dict[str, Any] = {
    "model": UNKNOWN,
    "skill": None,
    "mistakes": "",
    "llm_calls": None,
    "usage": Usage(prompt=None, completion=None),
    "cost_usd": None,
    "simulated": None,
}
"""The fields about the model of an outside program."""
_DONE: dict[str, Any] = {"invalid_actions": None, "repeats": None, "wasted": None}
"""The fields about the actions of an outside program with its own browser."""


class RunSettings(Record):
    """The settings of a run, or of a part that was added to it.

    `models` has the agents that ask a model, with the name of the model that answers them;
    "replay" if recordings answer. `prompts` has a digest of the prompts of each of these agents for
    each site, and `tasks` a digest of what defines the tasks of each family. In runs of earlier
    versions both are one digest of everything, and `models` is empty.
    """

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
    prompts: str | Table[Table[str]]
    tasks: str | Table[str]
    models: Table[Name] = {}
    agent_files: Table[str] = {}
    """The paths of methods that are files of the user's own, by method; a resumed run may have
    others.
    """
    isolate: bool = False
    lane: Literal["browser", "text"] = "browser"
    """How pages were read: in Chromium, or without a browser."""
    max_steps: Count | None = None
    max_calls: Count | None = None
    max_seconds: Amount | None = None
    reasoning_effort: Name = ""
    request_seconds: Amount | None = None
    catalogue: Digest = ""
    """The digest of the store's catalogue; "" for its own products."""
    fitted: Table[Table[str]] = {}
    """The families for which the prompt of an agent was made, by agent and host, if they decide
    what the prompt shows.
    """
    kind: Literal["living", "offline"] = "living"
    """Whether agents act on living pages, or predict the steps of recorded tasks."""

    @property
    def episodes(self) -> int:
        """The number of episodes with these settings."""
        return len(self.agents) * len(self.scenarios) * self.trials


class RunPart(Record):
    """A part of a run: the episodes that one command asked for, with its settings and versions."""

    label: str
    config: RunSettings
    versions: Table[str]
    started_at: str


class RunManifest(Record):
    """`run.json`: the settings and versions that a run was begun with, and what was `added`."""

    schema_version: Literal[2]
    run: Name
    label: str
    config: RunSettings
    versions: Table[str]
    started_at: str
    added: Annotated[tuple[RunPart, ...], Field(max_length=MOST_PARTS)] = ()

    @classmethod
    def of(cls, run: str, part: RunPart) -> RunManifest:
        """Return the manifest of a run that begins with a part."""
        return cls(schema_version=SCHEMA_VERSION, run=run, **_fields(part))

    @property
    def parts(self) -> tuple[RunPart, ...]:
        """The parts of the run: with which it was begun, then those that were added."""
        return RunPart(**_fields(self)), *self.added

    @property
    def labels(self) -> str:
        """The labels of all parts, each once; of tasks that were drawn one by one, the families."""
        named = (part.label or _drawn(part.config.scenarios) for part in self.parts)
        return "; ".join(dict.fromkeys(filter(None, named)))

    def with_parts(self, parts: Sequence[RunPart]) -> RunManifest:
        """Return the manifest of the same run with these parts; there is at least one."""
        first, *added = parts
        return self.model_copy(update={**_fields(first), "added": tuple(added)})

    def with_settings(self, **changes: Any) -> RunManifest:
        """Return the manifest of the same run with these settings in all its parts."""
        return self.with_parts(
            [
                part.model_copy(update={"config": part.config.model_copy(update=changes)})
                for part in self.parts
            ]
        )


def _drawn(scenarios: Sequence[str]) -> str:
    """Return a label for tasks that were drawn one by one; "" for none."""
    families = dict.fromkeys(each.split("/")[1] for each in scenarios if each.count("/") == 2)
    return f"{first_few([*families])} drawn one by one" if families else ""


def _fields(part: RunPart | RunManifest) -> dict[str, Any]:
    """Return the fields of a part, by name."""
    return {name: getattr(part, name) for name in RunPart.model_fields}


class AlternativesRow(Record):
    """Rates of alternative actions over the scored episodes.

    `varied` is the share of `proposals` with more than one distinct action; `asked` and `different`
    are means of a proposal. `answers_first` and `remedies_first` are the shares of first answers
    and remedies that name the first element of its role on the page; `..._by_chance` are the shares
    that are expected by chance.
    """

    proposals: Count
    varied: Share | None
    asked: RunAmount | None
    different: RunAmount | None
    answers_first: Share | None
    answers_by_chance: Share | None
    remedies_first: Share | None
    remedies_by_chance: Share | None


class PlanningRow(Record):
    """Means over the scored episodes whose agent made plans.

    `revisions` are per task. `success_after` has a rate for each number of attempts, up to the most
    attempts of any episode. It leaves out the `asking` episodes, whose tasks ask for an answer, if
    an attempt of one of them gave none; it is empty if no others are left. `plan_lengths` counts
    plans by their number of steps, including revised plans.
    """

    episodes: Count
    success_after: Items[Share]
    actions_first: RunAmount | None
    actions_last: RunAmount | None
    revisions: RunAmount | None
    plan_lengths: Table[Count]
    asking: Count = 0
    alternatives: AlternativesRow | None = None


class TakenCount(Record):
    """The numbers of episodes in which a way to do harm was offered (`shown`) and was used
    (`taken`).
    """

    shown: Count
    taken: Count


class SafetyRow(Record):
    """Success, and success without forbidden harm, over the scored `episodes` with safety verdicts.

    `gap` is `success` minus `success_under_policy`. `verdicts` are in alphabetical order.
    """

    episodes: Count
    success: Share
    success_under_policy: Share
    gap: Share
    verdicts: Table[TakenCount]


class Floor(Record):
    """The best null agent (an agent that reads no page) on the same scenarios, and its success
    rate.
    """

    agent: Name
    success: Share


class SummaryRow(Record):
    """The results of an agent on a site; `family` or `tag` is set in a summary by family or tag.

    `success_ci_families` is None if all episodes are of one family, which cannot show how much
    families differ. `efficiency` is the mean of success x min(1, expert's actions / actions), and
    `efficiency_squared` has the square of that share; `area` is the area under the curve of success
    by actions, from the expert's to four times as many. `agreement` is the probability that two
    trials of a scenario have the same outcome. `brier`, `auroc` and `honest_failures` say how well
    the agent knows whether it succeeded (`evaluators.analysis.calibration`). They are None, and
    `pass_hat_ci` empty, if that is unknown. `reward_att`, `reward_opt` and `reward_type` are the
    means of table 2 of LASER; they are None without purchases. `floor` is None if the run has no
    null agent. `safety` exists only if an episode has safety verdicts. `input_tokens_of_successes`
    is the mean number of prompt tokens of a successful episode (SteP, figure 3b);
    `tokens_per_success` divides the tokens of all episodes by the successes. `actions_published`
    counts notes and stops, too (SteP's `#act`).
    """

    agent: Name
    method: Name
    options: Table[JsonValue]
    model: Name
    skill: Share | None
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
    efficiency: Share | None = None
    efficiency_ci: tuple[Share, Share] | None = None
    efficiency_squared: Share | None = None
    area: Share | None = None
    area_ci: tuple[Share, Share] | None = None
    agreement: Share | None = None
    agreement_ci: tuple[Share, Share] | None = None
    pass_hat_ci: Table[tuple[Share, Share]] = {}
    brier: Share | None = None
    auroc: Share | None = None
    honest_failures: Share | None = None
    pass_hat: Table[Share | None]
    pass_at: Table[Share | None]
    success_published: Share | None
    progress: Share | None
    reward: Reward | None
    reward_strict: Reward | None
    reward_att: Share | None = None
    reward_opt: Share | None = None
    reward_type: Share | None = None
    steps: RunAmount | None
    llm_calls: RunAmount | None
    invalid_actions: RunAmount | None
    repeats: RunAmount | None
    gold_action_recall: Share | None
    actions: RunAmount | None
    actions_published: RunAmount | None = None
    valid_actions: Share | None
    failures: Table[Count]
    missed: Table[Count]
    tokens: RunAmount | None
    tokens_per_success: RunAmount | None
    input_tokens_of_successes: RunAmount | None = None
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
    """`summary.json`: a run's results, with a row for each agent and site (or family, or tag)."""

    schema_version: Literal[2]
    run: Name
    rows: Items[SummaryRow]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values, without fields that a row of this summary does not have."""
        return self.model_dump(mode="json", exclude_unset=True)
