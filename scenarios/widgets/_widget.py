"""A family of the widget tasks: a task page, over its seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from agent import plugins
from agent.interface import Advice, Observation
from scenarios.scenario import Family, ForeignPages, Scenario, name, public_id
from scenarios.widgets import _original_pages, _page_view
from scenarios.widgets._page_view import PageView
from sites import clock
from sites.widgets import PIXELS, VARIANTS, WidgetsData, new_world, originals, variants_of
from sites.widgets.originals import ORIGINAL
from sites.world import World

CLOCK = "clock"
"""The name of the variant whose page's time also passes with what the model writes."""
CLOCKED = ("button-delay", "chase-circle", "hover-shape", "moving-items", "simon-says")
"""The tasks with this variant: those whose page moves by itself.

`stock-market` is left out. Its price moves between the reading and the click, and nothing on the
page tells where it goes, so no way to act is sure.
"""
Adviser = Callable[[PageView], Advice]
"""A function that advises on a view, called again after each change; no actions means giving up."""


@dataclass(frozen=True)
class Outcome:
    """An ending of the task other than success, for tests of the page's reward.

    Attributes:
        adviser: Gives the advice that leads to this ending.
        raw: The page's raw reward, or a function that computes it from the first view.
        seeds: Seeds with this ending if chance matters; otherwise all seeds of the family.
    """

    adviser: Adviser
    raw: float | Callable[[PageView], float] = -1
    seeds: Sequence[int] = ()

    def expected(self, first: PageView) -> float:
        """Return the raw reward of this ending, given the first view of the page."""
        return self.raw(first) if callable(self.raw) else self.raw


@dataclass(frozen=True)
class Widget:
    """The family of a widget task; each family file has it as `FAMILY`.

    Attributes:
        file: The family's file, which gives the task its name.
        about: The description that `rehearse list` prints.
        actions: The most actions that the expert needs. Time that must pass counts as actions,
            because some agents lack `wait`.
        outcomes: The endings other than success, such as "wrong" and "partial".
        seeds: If chance matters, seeds on which the expert wins.
        on_original: The adviser for the original page if it works differently from our page.
    """

    SITE: ClassVar[str] = "widgets"

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
        plugins.complete(self, Family)

    @property
    def task(self) -> str:
        return Path(self.file).stem.replace("_", "-")

    @property
    def name(self) -> str:
        """The task's name, followed by the variant's name unless it is the standard variant."""
        return self.task if self.variant == VARIANTS[0] else f"{self.task}.{self.variant}"

    def of_variant(self, variant: str) -> Widget:
        """Return the family of another variant of the page.

        Raises:
            plugins.UnknownName: The page has no such variant.
            originals.NotInstalled: The original pages are not installed.
        """
        if variant == ORIGINAL and self.task in originals.tasks():
            return self.on_original_page()
        clocked = (CLOCK,) if self.task in CLOCKED else ()
        known = (*variants_of(self.task), *clocked)
        if variant not in known:
            raise plugins.unknown(f"variant of {self.task}", variant, known)
        return replace(self, variant=variant)

    def on_original_page(self) -> Original:
        """Return the family of this task on the original page."""
        return Original.of(self)

    def generate(self, seed: int, data: WidgetsData) -> Scenario:
        """Return a scenario with the page's address and seed; the page itself draws the problem."""
        timed = {CLOCK: True} if self.variant == CLOCK else {}
        return Scenario(
            site=self.SITE,
            family=self.name,
            seed=seed,
            instruction="Do what the page says.",
            start=self.start(seed),
            details={
                "task": self.task,
                "variant": self.page_variant,
                **timed,
                **self.drawn(seed, data),
            },
        )

    def start(self, seed: int) -> str:
        """Return the address of the page with the seed and the variant."""
        return f"/miniwob/{self.task}.html?seed={seed}&variant={self.page_variant}"

    @property
    def page_variant(self) -> str:
        """The variant of the page; a visit with a clock has the standard one."""
        return VARIANTS[0] if self.variant == CLOCK else self.variant

    def drawn(self, seed: int, data: WidgetsData) -> dict[str, Any]:
        """Return the scenario's details that identify its page: here the digest of the page's
        files.
        """
        return {"page": data.pages[self.task].digest}

    def world(self, scenario: Scenario) -> World:
        made = new_world(public_id(name(self.SITE, self.name, scenario.seed)), scenario.start)
        if self.variant == CLOCK:
            clock.start(made)
        return made

    def instruction(self, observation: Observation) -> str:
        """Return the instruction from the page as it was opened."""
        return _page_view.instruction(observation)

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """Advise by the instruction and the page alone, as the scenario has no stored solution.

        The adviser gives up on a page that is drawn entirely on a canvas, because it cannot read
        it.
        """
        if self.variant == PIXELS and not _page_view.over(observation):
            return Advice(self.STEPS[0])
        return self.advised_by(self.adviser, scenario, observation)

    def advised_by(self, adviser: Adviser, scenario: Scenario, observation: Observation) -> Advice:
        """Return an adviser's advice, or the end of the task once the episode is over."""
        if _page_view.over(observation):
            return Advice(self.STEPS[-1], answer="")
        advice = adviser(PageView(scenario.instruction, observation))
        return replace(advice, step=advice.step or self.STEPS[0])

    def length(self, scenario: Scenario) -> int:
        return self.actions


THEIRS = ForeignPages(originals.ACTION_MS)


@dataclass(frozen=True)
class Original(Widget):
    """The family of a task on the original MiniWoB page, which sets the problem and the reward.

    Our adviser is used. If the original page shows something differently, the adviser gets it in
    the form of our page.
    """

    FOREIGN: ForeignPages = THEIRS

    @classmethod
    def of(cls, ours: Widget) -> Original:
        actions = _original_pages.ACTIONS.get(ours.task, ours.actions)
        adviser = ours.on_original or ours.adviser
        made = cls(ours.file, ours.about, adviser, actions, variant=ORIGINAL, STEPS=ours.STEPS)
        read = ours.task not in _original_pages.UNREAD
        return replace(made, FOREIGN=replace(made.FOREIGN, is_read=read))

    def start(self, seed: int) -> str:
        return originals.start(self.task, seed)

    def drawn(self, seed: int, data: WidgetsData) -> dict[str, Any]:
        """Return the digests of the original page and of the files that it loads."""
        return originals.digests(self.task)

    def instruction(self, observation: Observation) -> str:
        return super().instruction(_original_pages.as_ours(self.task, observation))

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """Advise by the instruction and the page; give up if our advisers cannot read the page."""
        if not self.FOREIGN.is_read and not _page_view.over(observation):
            return Advice(self.STEPS[0])
        return super().advise(scenario, observation)

    def advised_by(self, adviser: Adviser, scenario: Scenario, observation: Observation) -> Advice:
        """Return an adviser's advice on the page in the form of ours, with actions ahead whose
        XPaths are of the original page.
        """
        shown = _original_pages.as_ours(self.task, observation)
        advice = super().advised_by(adviser, scenario, shown)
        return replace(advice, ahead=_original_pages.as_theirs(self.task, advice.ahead))
