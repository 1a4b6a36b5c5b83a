"""A family of the widgets: one task page, over its seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from agent import plugins
from agent.interface import Advice, AnswerSchema, Observation
from scenarios.scenario import ForeignPages, Level, Scenario, name, public_id
from scenarios.widgets import _original_pages, _page_view
from scenarios.widgets._page_view import PageView
from sites.widgets import PIXELS, VARIANTS, WidgetsData, new_world, originals, variants_of
from sites.widgets.originals import ORIGINAL
from sites.world import World

Adviser = Callable[[PageView], Advice]
"""What to do in this view; asked again when the page has changed. Without actions: give up."""


@dataclass(frozen=True)
class Outcome:
    """Another end than success: who plays it, and the raw reward that the page then gives.

    `raw` may depend on the first view. Where chance decides with the player, `seeds` are some that
    end so; otherwise they are the family's.
    """

    adviser: Adviser
    raw: float | Callable[[PageView], float] = -1
    seeds: Sequence[int] = ()

    def expected(self, first: PageView) -> float:
        return self.raw(first) if callable(self.raw) else self.raw


@dataclass(frozen=True)
class Widget:
    """A task's family; a family file's `FAMILY`.

    `file` gives the task its name. `actions` is how many the expert needs at most; where it has to
    let time pass, without `wait`, which not every agent has. `outcomes` are `wrong`, `partial` and
    others, where the task has them. Where chance decides with the player, `seeds` are some that
    the expert wins. `on_original` advises on the original page, where that is to be used in
    another way than ours.
    """

    SITE: ClassVar[str] = "widgets"
    ANSWER: ClassVar[AnswerSchema | None] = None
    TAG: ClassVar[str] = ""
    SCORING: ClassVar[str] = ""
    VARIANT_OF: ClassVar[str] = ""
    HOSTS: ClassVar[Sequence[str]] = ()
    KNOWN_AS: ClassVar[str] = ""
    FOREIGN: ClassVar[ForeignPages | None] = None
    answer: ClassVar[None] = None
    published: ClassVar[None] = None
    honest_length: ClassVar[None] = None
    LEVEL: ClassVar[Level] = 1
    MEMORY: ClassVar[bool] = False

    file: str
    about: str
    adviser: Adviser
    actions: int
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    seeds: Sequence[int] = range(1_000_000)
    variant: str = VARIANTS[0]
    STEPS: tuple[str, ...] = ("do what the page says",)
    on_original: Adviser | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", self.about)

    @property
    def task(self) -> str:
        return Path(self.file).stem.replace("_", "-")

    @property
    def name(self) -> str:
        """The task's name; of another variant than the standard, followed by it."""
        return self.task if self.variant == VARIANTS[0] else f"{self.task}.{self.variant}"

    def of_variant(self, variant: str) -> Widget:
        """Raises `plugins.UnknownName` where the page cannot be opened so, and
        `originals.NotInstalled` where the pages that are asked for are not there."""
        if variant == ORIGINAL and self.task in originals.tasks():
            return self.on_original_page()
        known = variants_of(self.task)
        if variant not in known:
            raise plugins.unknown(f"variant of {self.task}", variant, known)
        return replace(self, variant=variant)

    def on_original_page(self) -> Original:
        """The task as its adviser knows it on the original page, wherever that is shown."""
        return Original.of(self)

    def generate(self, seed: int, data: WidgetsData) -> Scenario:
        """The page's address with the seed; the page itself draws the problem."""
        return Scenario(
            site=self.SITE,
            family=self.name,
            seed=seed,
            instruction="Do what the page says.",
            start=self.start(seed),
            details={"task": self.task, "variant": self.variant, **self.drawn(seed, data)},
        )

    def start(self, seed: int) -> str:
        """The address of its page."""
        return f"/miniwob/{self.task}.html?seed={seed}&variant={self.variant}"

    def drawn(self, seed: int, data: WidgetsData) -> dict[str, Any]:
        """What a scenario says of its page besides its address."""
        return {"page": data.pages[self.task].digest}

    def world(self, scenario: Scenario) -> World:
        return new_world(public_id(name(self.SITE, self.name, scenario.seed)), scenario.start)

    def instruction(self, observation: Observation) -> str:
        """The task's instruction, from the page as it was opened."""
        return _page_view.instruction(observation)

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """By the instruction and what is shown; there is no gold. What stands on a canvas alone has
        no words for an adviser to read, so that there it gives up."""
        if self.variant == PIXELS and not _page_view.over(observation):
            return Advice(self.STEPS[0])
        return self.advised_by(self.adviser, scenario, observation)

    def advised_by(self, adviser: Adviser, scenario: Scenario, observation: Observation) -> Advice:
        """What another adviser says, until the episode is over."""
        if _page_view.over(observation):
            return Advice(self.STEPS[-1], answer="")
        advice = adviser(PageView(scenario.instruction, observation))
        return replace(advice, step=advice.step or self.STEPS[0])

    def length(self, scenario: Scenario) -> int:
        return self.actions


@dataclass(frozen=True)
class Original(Widget):
    """The task on the original page of its name: the problem and the reward are that page's.

    The adviser is ours. Where the page says something in another form than ours, it is told in the
    form of ours.
    """

    FOREIGN: ClassVar[ForeignPages | None] = ForeignPages(originals.ACTION_MS)

    @classmethod
    def of(cls, ours: Widget) -> Original:
        actions = _original_pages.ACTIONS.get(ours.task, ours.actions)
        adviser = ours.on_original or ours.adviser
        return cls(ours.file, ours.about, adviser, actions, variant=ORIGINAL, STEPS=ours.STEPS)

    def start(self, seed: int) -> str:
        return originals.start(self.task, seed)

    def drawn(self, seed: int, data: WidgetsData) -> dict[str, Any]:
        """What the package's page is, byte for byte."""
        return originals.digests(self.task)

    def instruction(self, observation: Observation) -> str:
        return super().instruction(_original_pages.as_ours(self.task, observation))

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """By the instruction and what is shown, where an adviser can read the page."""
        if self.task in _original_pages.UNREAD and not _page_view.over(observation):
            return Advice(self.STEPS[0])
        return super().advise(scenario, observation)

    def advised_by(self, adviser: Adviser, scenario: Scenario, observation: Observation) -> Advice:
        """What an adviser says of the page in the form of ours. XPaths that are ahead are of our
        pages, so they are left out."""
        shown = _original_pages.as_ours(self.task, observation)
        return replace(super().advised_by(adviser, scenario, shown), ahead=())
