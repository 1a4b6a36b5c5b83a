"""Scenarios (one family of tasks with one seed) and the protocol that every family implements."""

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
    """A family of tasks with one seed: the task text, the start page and the right outcome.

    Attributes:
        site: The name of the site.
        family: The name of the family.
        seed: The seed from which the family draws everything.
        instruction: The task text that the agent gets.
        start: The path of the first page, such as "/?scenario=<id>".
        details: JSON values that describe the scenario. The agent never sees them.
        gold: JSON values that the scorer compares the world with. The agent never sees them.
    """

    site: str
    family: str
    seed: int
    instruction: str
    start: str
    details: Mapping[str, Any] = field(default_factory=dict)
    gold: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The readable name `<site>/<family>/<seed>`."""
        return name(self.site, self.family, self.seed)

    @property
    def id(self) -> str:
        """The public id that stands in addresses instead of the name (see `public_id`)."""
        return public_id(self.name)

    def to_json(self) -> dict[str, Any]:
        """Return all fields as a dict that JSON can hold, together with `name` and `id`."""
        return {"name": self.name, "id": self.id, **asdict(self)}

    def digest(self) -> str:
        """Return the first 16 hex digits of the SHA-256 of all fields, as suites freeze it."""
        text = json.dumps(self.to_json(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def name(site: str, family: str, seed: int) -> str:
    """Return the readable name `<site>/<family>/<seed>` of a scenario."""
    return f"{site}/{family}/{seed}"


def public_id(scenario: str) -> str:
    """Return the public id of a scenario: 20 lower-case letters and digits.

    The id is a hash of the name. It keeps addresses free of family names, but it is not a secret.

    Args:
        scenario: The name `<site>/<family>/<seed>`.
    """
    number = int.from_bytes(hashlib.sha256(scenario.encode()).digest(), "big")
    letters = []
    for _ in range(20):
        number, digit = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[digit])
    return "".join(letters)


@dataclass(frozen=True)
class NearMiss:
    """A wrong end state that looks right. A test applies it and expects the scorer to reject it.

    Attributes:
        apply: Brings a start world into the wrong end state. If the task asks a question, it
            returns the wrong answer; otherwise it returns None.
        fails: The name of the scorer's check that must fail.
    """

    apply: Callable[[World], str | None]
    fails: str


@dataclass(frozen=True)
class Contender:
    """A product that would become the right answer if its price dropped.

    The dials `repriced` and `sold_out` show such a product at a lower price than it has.

    Attributes:
        shop: The name of the shop that sells it.
        asin: The id of the product.
        cents: Its real price.
        wins: Returns whether the product would clearly be right at the given price in cents.
    """

    shop: str
    asin: str
    cents: int
    wins: Callable[[int], bool]


@dataclass(frozen=True)
class ForeignPages:
    """A description of pages that another project made, such as a published benchmark's.

    Their files are not part of the site's data. If an element has no role or no name, its look
    decides which role and name the agent sees.

    Attributes:
        action_ms: Milliseconds that pass on the page's clock with each action.
    """

    action_ms: float


class Family(Protocol):
    """A family of tasks: the members that a file in `scenarios/<site>/` defines.

    A module, an object in its `FAMILY` or the objects in its `FAMILIES` can be families. A module
    that is a family itself is named after its file. In all methods `data` is the site's read-only
    data, as the site's `load_data()` returns it. The members with a value here are optional; a
    family that leaves one out gets that value.

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
        """Draw the scenario of a seed; the same seed always gives the same scenario, byte for byte.

        Args:
            seed: A seed from `seeds`, or any number if `seeds` is None.
            data: The site's read-only data.
        """
        ...

    def world(self, scenario: Scenario) -> World:
        """Return a new world in the start state of the episode; the caller must release it."""
        ...

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """Return the right next actions on the current screen.

        The expert agent and the scripted model use this advice. It may read the scenario's gold.

        Args:
            scenario: The scenario that is played.
            observation: The screen as the agent sees it.
        """
        ...

    def length(self, scenario: Scenario) -> int:
        """Return the number of actions that the expert needs."""
        ...

    def solve(self, scenario: Scenario, world: World, data: Any) -> str:
        """Bring a start world into its right end state by calling the site's operations.

        Returns:
            The right answer, or "" if the task asks for none.
        """
        ...

    def near_misses(self, scenario: Scenario, data: Any) -> Mapping[str, NearMiss]:
        """Return wrong end states that look right, keyed by a name for the mistake."""
        ...


def start_host(family: Family) -> str:
    """Return the host where the family's episodes begin. Prompts are chosen by this host."""
    return family.HOSTS[0] if family.HOSTS else family.SITE


def known_as(family: Family, scenario: Scenario) -> str:
    """Return the name that prompts and exemplars use for a scenario's family."""
    return family.KNOWN_AS or scenario.family


def budgeted_length(family: Family, scenario: Scenario) -> int:
    """Return the number of actions from which an episode's budget is computed.

    It is the family's `honest_length` or `length`, whichever is greater.
    """
    longer = family.honest_length(scenario) if family.honest_length else 0
    return max(longer, family.length(scenario))


def published_details(family: Family, scenario: Scenario) -> dict[str, Any]:
    """Return the JSON that the control plane publishes about a scenario next to its instruction.

    A family without `published` publishes all of `details` and `gold`.
    """
    if family.published:
        return {**family.published(scenario)}
    return {**scenario.details, **scenario.gold}


def answer_schema(family: Family, scenario: Scenario) -> AnswerSchema | None:
    """Return the answer schema of a scenario, or None if the scenario asks for no answer."""
    return family.answer(scenario) if family.answer else family.ANSWER
