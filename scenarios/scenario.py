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

    Its `repr`, which logs and failed tests print, leaves out `details` and `gold`.

    Example:
        >>> chair = Scenario("store", "buy_chair", 0, "Buy a chair.", "/", gold={"asin": "B01"})
        >>> chair.name
        'store/buy_chair/0'
        >>> Scenario("store", "buy_chair", 0, "Buy a chair.", "/").digest() == chair.digest()
        False
    """

    site: str
    family: str
    seed: int
    instruction: str
    start: str
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)
    gold: Mapping[str, Any] = field(default_factory=dict, repr=False)

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

    Example:
        >>> public_id("store/buy_chair/0")
        'ujebtlff49es0uoakkki'
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

    Example:
        A world without an order, although the task asks for one:

        >>> NearMiss(lambda world: None, fails="bought").fails
        'bought'
    """

    apply: Callable[[World], str | None]
    fails: str


@dataclass(frozen=True)
class Contender:
    """A product that would become the right answer if its price dropped.

    The difficulty settings (dials) `repriced` and `sold_out` show such a product at a lower price
    than it has.

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
        is_read: Whether the expert can read the page of this family.
    """

    action_ms: float
    is_read: bool = field(default=True, compare=False)


class Family(Protocol):
    """A family of tasks: the members that a file in `scenarios/<site>/` defines.

    A module, an object in its `FAMILY` or the objects in its `FAMILIES` can be families. A module
    that is a family itself is named after its file. In all methods `data` is the site's read-only
    data, as the site's `load_data()` returns it. The members with a value here are optional; a
    family that leaves one out gets that value.

    Attributes:
        SITE: The name of the site.
        ANSWER: The answer that the task asks for, or None if it asks for no answer.
        TAG: The category of the tasks: transaction, information, navigation or content. A scenario
            that cannot be done has a category of its own (`tag_of`).
        STEPS: The values that `Advice.step` may have.
        SCORING: The name of the scorer, if the site has several.
        VARIANT_OF: The family whose tasks this one shows on other pages, or "". A variant is drawn
            only if it is asked for by its own name.
        HOSTS: The hosts of the site that an episode may reach; the episode starts at the first one.
            An empty sequence means the site's own host only.
        JOINT_SITES: The sites of an episode, `SITE` first, if there are several. Its world is then
            a `sites.joint.JointWorld`, and `HOSTS` names a host of each site. An empty sequence
            means `SITE` only.
        KNOWN_AS: The name that prompts and exemplars use for the family, or "" for its own name.
        FOREIGN: How to handle the pages if another project made them; None for our own pages.
        seeds: The valid seeds, or None if every number is valid.
        answer: Returns the answer schema of one scenario, for a family whose scenarios differ in
            it.
        instruction: Reads the task text from the first observation, for a family whose page draws
            the problem and shows the instruction. Such a family has no `solve` and no
            `near_misses`.
        published: Returns the `details` that the control plane publishes for a scenario. Without it
            the control plane publishes all of `details` and `gold`.
        honest_length: Returns how many actions an agent takes that must first find out the facts
            that the expert knows. Budgets use it if it is greater than `length`.
        planned: Returns the steps of one scenario in their order, for a family whose scenarios do
            not all have the same steps.
        contenders: Returns the products of a shop that would be right if they cost less. Only such
            a family of a shop has the variants `repriced` and `sold_out`.
        LEVEL: The difficulty level, 1 to 3. At level 1 the instruction says everything; at 2 and 3
            the agent has to look some facts up, and an episode's time limit grows with its action
            budget.
        TEMPLATES: The templates of a published benchmark whose tasks the family's are like, such as
            "webarena:27".
        MEMORY: True if the agent has to carry facts from page to page. Agents with the option
            `notes=true` may then take notes.
        other_ends: Returns the parts of a gold that lead to wrong end states, by the names under
            which null agents ask for them ("naive", "declined", "obeyed").
    """

    SITE: str
    ANSWER: AnswerSchema | None = None
    TAG: str = ""
    STEPS: tuple[str, ...] = ()
    SCORING: str = ""
    VARIANT_OF: str = ""
    HOSTS: Sequence[str] = ()
    JOINT_SITES: Sequence[str] = ()
    KNOWN_AS: str = ""
    FOREIGN: ForeignPages | None = None
    seeds: Sequence[int] | None = None
    answer: Callable[[Scenario], AnswerSchema | None] | None = None
    instruction: Callable[[Observation], str] | None = None
    published: Callable[[Scenario], Mapping[str, Any]] | None = None
    honest_length: Callable[[Scenario], int] | None = None
    planned: Callable[[Scenario], Sequence[str]] | None = None
    contenders: Callable[[Scenario, Any], Iterable[Contender]] | None = None
    other_ends: Callable[[Scenario, Any], Mapping[str, Mapping[str, Any]]] | None = None
    LEVEL: Level = 1
    TEMPLATES: Sequence[str] = ()
    MEMORY: bool = False

    def generate(self, seed: int, data: Any) -> Scenario:
        """Draw the scenario of a seed; the same seed always gives the same scenario, byte for byte.

        Args:
            seed: A seed from `seeds`, or any number if `seeds` is None.
            data: The site's read-only data.
        """
        ...

    def world(self, scenario: Scenario) -> World:
        """Return the database of a new visit (its world) in the start state; the caller must
        release it.
        """
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
        """Bring a visit's database (its world) into the right end state by the site's operations.

        Returns:
            The right answer, or "" if the task asks for none.
        """
        ...

    def near_misses(self, scenario: Scenario, data: Any) -> Mapping[str, NearMiss]:
        """Return wrong end states that look right, keyed by a name for the mistake."""
        ...


def sites_of(family: Family) -> Sequence[str]:
    """Return the sites of the family's episodes, its own first."""
    return family.JOINT_SITES or (family.SITE,)


def start_host(family: Family) -> str:
    """Return the host at which the family's episodes begin. Prompts are chosen by this host."""
    return family.HOSTS[0] if family.HOSTS else family.SITE


def known_as(family: Family, scenario: Scenario) -> str:
    """Return the name that prompts and exemplars use for a scenario's family."""
    return family.KNOWN_AS or scenario.family


UNACHIEVABLE = "unachievable"
"""The category of the scenarios whose right answer says that the goal cannot be achieved."""


def tag_of(family: Family, scenario: Scenario) -> str:
    """Return the category of a scenario: the family's, or `UNACHIEVABLE`, as WebArena groups its
    tasks.
    """
    answer = scenario.gold.get("answer")
    text = answer.get("text") if isinstance(answer, Mapping) else ""
    return UNACHIEVABLE if text == "NOT_ACHIEVABLE" else family.TAG


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


def planned_steps(family: Family, scenario: Scenario) -> tuple[str, ...]:
    """Return the steps of a scenario in order: the family's `planned`, or `STEPS` without it."""
    return tuple(family.planned(scenario) if family.planned else family.STEPS)
