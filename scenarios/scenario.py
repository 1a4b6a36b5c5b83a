"""A scenario: one family of tasks with one seed; and the protocol of a family."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from agent.interface import Advice, AnswerSchema, Observation
from sites.world import World

Level = Literal[1, 2, 3]
LEVELS: tuple[Level, ...] = (1, 2, 3)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True)
class Scenario:
    """`start` is the path of the first page. `details` and `gold` are JSON and never shown."""

    site: str
    family: str
    seed: int
    instruction: str
    start: str
    details: Mapping[str, Any] = field(default_factory=dict)
    gold: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return name(self.site, self.family, self.seed)

    @property
    def id(self) -> str:
        return public_id(self.name)

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "id": self.id, **asdict(self)}

    def digest(self) -> str:
        """The first sixteen digits of the SHA-256 of all its fields."""
        text = json.dumps(self.to_json(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def name(site: str, family: str, seed: int) -> str:
    return f"{site}/{family}/{seed}"


def public_id(scenario: str) -> str:
    """Twenty lower-case letters and digits made from the name: an address, not a secret."""
    number = int.from_bytes(hashlib.sha256(scenario.encode()).digest(), "big")
    letters = []
    for _ in range(20):
        number, digit = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[digit])
    return "".join(letters)


@dataclass(frozen=True)
class NearMiss:
    """A wrong end state that looks right: how to produce it, and the check that must fail.

    If the task asks a question, `apply` returns the answer.
    """

    apply: Callable[[World], str | None]
    fails: str


@dataclass(frozen=True)
class Contender:
    """A good of a shop at `cents`, and whether it would be right in place of the gold's, clearly,
    if it cost so many."""

    shop: str
    asin: str
    cents: int
    wins: Callable[[int], bool]


@dataclass(frozen=True)
class ForeignPages:
    """Pages that somebody else made: `action_ms` milliseconds pass on them with each action, and
    what has no role or name there is given one by what it looks like. They are no part of the
    site's data."""

    action_ms: float


class Family(Protocol):
    """The members of a file in `scenarios/<site>/`; the file's name is the family's.

    `data` is the site's read-only data, as its `load_data()` returns it. Members with a value here
    are optional, and that value is their default:

    `TAG` is the category of its tasks (transaction, information, navigation, content,
    unachievable). `STEPS` names the steps that `Advice.step` may be. `SCORING` names one of the
    scorers of its site, where that has several. `VARIANT_OF` is the family that this one shows on
    other pages: it is only drawn by its own name. `HOSTS` are the hosts of its site that an episode
    may reach, the one where it begins first; without it that is the site's own. `KNOWN_AS` is the
    name by which prompts and exemplars know it, where that is not its own. `FOREIGN` says that
    its pages are not of our making. `seeds` are its
    seeds where not every number is one. `answer(scenario)` is for a family of which not all
    scenarios ask for the same, and `instruction(observation)` for one whose page tells the
    instruction; such a page draws the problem, so the family has neither `solve` nor `near_misses`.
    `published(scenario)` is what the control plane tells of it as `details`, where that is not all
    of `details` and `gold`. `honest_length(scenario)` is how many actions it takes who has to find
    out what the expert knows, where that is more than `length`; budgets are made from it. `LEVEL`
    is the rung of the desk's ladder: at 1 the instruction tells all, at 2 part is to be looked up,
    and an episode's time grows with its budget. `contenders(scenario, data)` are the goods of a
    shop that would be right in place of the gold's if they cost less. `MEMORY` says that facts are
    to be carried from page to page, so that agents with the option `notes=true` may take notes.
    `other_ends(scenario, data)` are the parts of a gold that lead to wrong ends, by the names under
    which null agents ask for them ("naive", "declined", "obeyed").
    """

    SITE: str
    ANSWER: AnswerSchema | None
    TAG: str = ""
    STEPS: tuple[str, ...] = ()
    SCORING: str = ""
    VARIANT_OF: str = ""
    HOSTS: Sequence[str] = ()
    KNOWN_AS: str = ""
    FOREIGN: ForeignPages | None = None
    seeds: Sequence[int] | None = None
    answer: Callable[[Scenario], AnswerSchema | None] | None = None
    instruction: Callable[[Observation], str] | None = None
    published: Callable[[Scenario], Mapping[str, Any]] | None = None
    honest_length: Callable[[Scenario], int] | None = None
    contenders: Callable[[Scenario, Any], Iterable[Contender]] | None = None
    other_ends: Callable[[Scenario, Any], Mapping[str, Mapping[str, Any]]] | None = None
    LEVEL: Level = 1
    MEMORY: bool = False

    def generate(self, seed: int, data: Any) -> Scenario:
        """The scenario of a seed. Same seed, same bytes."""
        ...

    def world(self, scenario: Scenario) -> World:
        """The start world of the episode."""
        ...

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """The right next actions on this screen; reads the gold and the observation."""
        ...

    def length(self, scenario: Scenario) -> int:
        """The number of actions that the expert needs."""
        ...

    def solve(self, scenario: Scenario, world: World, data: Any) -> str:
        """Bring the world into its right end state by the site's operations; return the answer."""
        ...

    def near_misses(self, scenario: Scenario, data: Any) -> Mapping[str, NearMiss]:
        """Wrong end states that look right, by what is wrong with them."""
        ...


def start_host(family: Family) -> str:
    """The host where its episodes begin; prompts are written for it."""
    return family.HOSTS[0] if family.HOSTS else family.SITE


def known_as(family: Family, scenario: Scenario) -> str:
    """The name by which prompts and exemplars know a scenario's family."""
    return family.KNOWN_AS or scenario.family


def budgeted_length(family: Family, scenario: Scenario) -> int:
    """The number of actions from which an episode's budget is made."""
    longer = family.honest_length(scenario) if family.honest_length else 0
    return max(longer, family.length(scenario))


def published_details(family: Family, scenario: Scenario) -> dict[str, Any]:
    """What the control plane tells of a scenario besides its instruction."""
    if family.published:
        return {**family.published(scenario)}
    return {**scenario.details, **scenario.gold}


def answer_schema(family: Family, scenario: Scenario) -> AnswerSchema | None:
    """What a scenario of the family asks for; None where it asks for no answer."""
    return family.answer(scenario) if family.answer else family.ANSWER
