"""A family of tasks on a declared site: it says what is drawn and what is right, and this module
derives the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

from agent import plugins
from agent.interface import Advice, AnswerSchema, Observation
from scenarios import registry
from scenarios._kit import beside, misses, view
from scenarios._kit.drawing import OR, Again, Draw, Right, See, in_order
from scenarios._kit.gold import Gold, Held
from scenarios._kit.starts import STARTS
from scenarios._kit.visit import BadRight, changed, done, end_of, opened
from scenarios.scenario import Family as FamilyProtocol
from scenarios.scenario import Level, NearMiss, Scenario, name, public_id
from sites.kit import Do, Map, Place, Site, hold
from sites.world import World

TRIES = 100
"""The most attempts to draw a scenario."""
SMALL = "small"
HOLDS = {
    See: "pages of d.page(...); d.list(...) gives several pages: write {part}=d.list(...) alone, or"
    " [d.page(...), *d.list(...)]",
    Do: "calls of operations, such as [write_note(d.me, note)]",
    Sequence: "lists of calls of operations, such as [[write_note(d.me, note)], [remove(d.me)]]",
}
"""What a part of `Right` holds, by the type of its elements."""


@dataclass(frozen=True)
class Family:
    """A family of tasks on a declared site; a family's file has it as `FAMILY`.

    Attributes:
        file: The file of the family, which gives the family its name and its site.
        draw: Draws a scenario and returns its right outcome.
        wordings: The instructions, with the slots in braces. Seeds take them in turns.
        ANSWER: The form of the answer, None if the family asks for no answer. The answer of a
            scenario that cannot be done is a status.
        skin: The skin of the pages; "" for the site's first skin.
        site: The name of the site; "" for the name of the file's folder.
        sites: The sites of an episode, the family's own first; empty for its own alone.
        templates: The published templates that the family stands for, such as "webarena:27".
        LEVEL: The difficulty level.
        size: The size of the site's worlds.
        carries: Whether the agent must carry a fact from page to page, although the family asks for
            no answer.
        has_slots: False if the instruction is the same on all seeds, so that only the signed-in
            user and the world vary.

    Example:
        FAMILY = Family(__file__, draw, WORDINGS)
    """

    file: str
    draw: Callable[[Draw], Right]
    wordings: Sequence[str]
    ANSWER: AnswerSchema | None = None
    skin: str = ""
    site: str = ""
    sites: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    LEVEL: Level = 1
    size: str = SMALL
    carries: bool = False
    has_slots: bool = True

    def __post_init__(self) -> None:
        about = getattr(self.draw, "__globals__", {}).get("__doc__")
        object.__setattr__(self, "__doc__", about)
        plugins.complete(self, FamilyProtocol)

    # The members of the registry's protocol

    @property
    def base(self) -> str:
        """The name without the skin."""
        return Path(self.file).stem

    @property
    def name(self) -> str:
        return f"{self.base}.{self.skin}" if self.skin else self.base

    @property
    def SITE(self) -> str:  # noqa: N802
        return self.site or Path(self.file).parent.name

    @property
    def VARIANT_OF(self) -> str:  # noqa: N802
        return self.base if self.skin else ""

    @property
    def JOINT_SITES(self) -> tuple[str, ...]:  # noqa: N802
        return self.sites

    @property
    def HOSTS(self) -> tuple[str, ...]:  # noqa: N802
        return self.sites

    @property
    def TEMPLATES(self) -> tuple[str, ...]:  # noqa: N802
        return self.templates

    @property
    def KNOWN_AS(self) -> str:  # noqa: N802
        return self.VARIANT_OF

    @property
    def TAG(self) -> str:  # noqa: N802
        return "information" if self.ANSWER else "content"

    @property
    def MEMORY(self) -> bool:  # noqa: N802
        return self.carries or self.ANSWER is not None

    @cached_property
    def STEPS(self) -> tuple[str, ...]:  # noqa: N802
        pages = (f"find {page.name}" for page in self._site.pages)
        return (*pages, *self._site.operation, *beside.steps(self.sites))

    @property
    def _site(self) -> Site:
        site: Site = registry.site_data(self.SITE).site
        return site

    def of_variant(self, skin: str) -> Family:
        """Return the same family on the pages of a skin.

        Raises:
            plugins.UnknownName: The site has no such skin.
        """
        try:
            self._site.skin[skin]
        except KeyError:
            raise plugins.unknown(f"skin of {self.SITE}", skin, self._site.skin) from None
        return replace(self, skin=skin)

    # Drawing

    def generate(self, seed: int, data: Any) -> Scenario:
        """Draw the scenario of a seed.

        Raises:
            BadRight: No attempt gave a scenario, or the right outcome contradicts itself.
        """
        refused: Counter[int] = Counter()
        for attempt in range(TRIES):
            try:
                return self._attempt(seed, attempt, data)
            except Again as refusal:
                refused[self._line(refusal)] += 1
        [(line, times)] = refused.most_common(1)
        raise BadRight(
            f"{self.file}, line {line}: {times} of {TRIES} attempts to draw seed {seed} were given"
            " up here; relax this condition, or pick from rows that meet it"
        )

    def _line(self, refusal: Again) -> int:
        """Return the line of the family's file that gave an attempt up."""
        line, trace = 0, refusal.__traceback__
        while trace is not None:
            is_own = trace.tb_frame.f_code.co_filename == self.draw.__code__.co_filename
            line, trace = (trace.tb_lineno if is_own else line), trace.tb_next
        return line

    def _attempt(self, seed: int, attempt: int, data: Any) -> Scenario:
        rng = Random(f"{self.SITE}/{self.base}/{seed}/{attempt}")
        number = rng.randrange(data.bases)
        with data.base(self.size, number).fork() as world:
            world.about = self._about(rng, world)
            others = {each: registry.site_data(each) for each in self.sites[1:]}
            shown = Map(data.site, world)
            base = self.size, number
            draw = Draw(rng, world, world.about["me"], shown, data=others, base=base)
            right = self.draw(draw)
            world.write("DELETE FROM log_change")
            gold = self._gold(right, draw, data.site).to_json()
        details = {
            "base": number,
            "size": self.size,
            **world.about,
            "plants": [[*each] for each in draw.plants],
            "named": self._named(seed, right.slots),
        }
        if self.sites:
            gold["beside"] = beside.to_gold(right.beside)
            details["data"] = {each: held.digest for each, held in others.items()}
        return self._scenario(seed, right, details, gold, draw)

    def _about(self, rng: Random, world: World) -> dict[str, str]:
        """Draw the signed-in user."""
        me = rng.choice(in_order(world, self._site.personas))["name"]
        return {"me": me, "skin": self.skin or self._site.skins[0].name}

    def _named(self, seed: int, slots: Mapping[str, Any]) -> list[str]:
        """Return the values that the wording of a seed names."""
        named = {name for _, name, _, _ in Formatter().parse(self.wording(seed))}
        return [str(value) for name, value in slots.items() if name in named]

    def wording(self, seed: int) -> str:
        """Return the wording of a seed, with its slots in braces."""
        return self.wordings[seed % len(self.wordings)]

    def _scenario(
        self,
        seed: int,
        right: Right,
        details: Mapping[str, Any],
        gold: Mapping[str, Any],
        draw: Draw,
    ) -> Scenario:
        first = draw.map.url(self._first(right))
        mark = "&" if "?" in first else "?"
        start = f"{first}{mark}scenario={public_id(name(self.SITE, self.name, seed))}"
        words = self.wording(seed).format(**right.slots)
        return Scenario(self.SITE, self.name, seed, words, start, details, gold)

    def _first(self, right: Right) -> Place:
        """Return the page that is open at the start."""
        return right.start.place if right.start else Place.of(self._site.home, {})

    def _gold(self, right: Right, draw: Draw, site: Site) -> Gold:
        """Return the gold of a right outcome.

        Raises:
            BadRight: The outcome asks for nothing, or for an answer that the family has not
                declared.
        """
        self._check(right)
        ends = [end_of(site, draw.world, each, right.has) for each in (right.do, *right.any_of)]
        known = {*draw.map.things(self._first(right))}
        asked = {thing for see in right.read for thing in draw.evidence(see)}
        unseen = {each for each in asked if not {*each.split(OR)} & known}
        if asked and not unseen and not right.beside:
            raise BadRight(self._seen_at_start(asked))
        text = right.status or right.answer
        return Gold(
            tuple(ends),
            tuple(right.via),
            tuple(right.read),
            tuple(right.search),
            tuple(sorted(unseen)),
            right.end.place if right.end else None,
            self._held(right.draft, draw.map) if right.draft else None,
            {"kind": self.ANSWER.kind, "text": text} if self.ANSWER and text else {},
            {key: each if isinstance(each, str) else tuple(each) for key, each in
             right.instead.items()},
        )  # fmt: skip

    def _held(self, do: Do, site_map: Map) -> Held:
        """Return the draft of an operation, in the first form that keeps drafts of it."""
        for place, spot in site_map.stands(do).items():
            if spot.form.keeps:
                return Held(spot.form.name, site_map.url(place), do)
        raise BadRight(
            f"{self.file}: no form keeps a draft of {do.operation}; declare its form with"
            " keeps=True"
        )

    def _seen_at_start(self, shown: Collection[str]) -> str:
        rows = " and ".join(f"“{each}”" for each in sorted(shown)[:3])
        return (
            f"{self.file}: the start page shows {rows} already, so nobody has to open the pages of"
            " `read`; ask about rows that the start page does not show, with"
            " d.need(not d.is_at_start(page))"
        )

    def _check(self, right: Right) -> None:
        for part, kind, given in (
            ("via", See, right.via),
            ("read", See, right.read),
            ("search", See, right.search),
            ("do", Do, right.do),
            ("any_of", Sequence, right.any_of),
            *(("any_of", Do, each) for each in right.any_of if isinstance(each, Sequence)),
        ):
            for each in given:
                if not isinstance(each, kind):
                    raise BadRight(f"{self.file}: `{part}` holds {HOLDS[kind].format(part=part)}")
        notes = Counter(each.note for each in {*right.via, *right.read} if each.note)
        if twice := [note for note, times in notes.items() if times > 1]:
            raise BadRight(
                f"{self.file}: two pages have the note “{twice[0]}”, and the expert would take the"
                " second page for read; write notes that differ"
            )
        if not (right.do or right.read or right.end or right.draft):
            raise BadRight(f"{self.file}: `Right` asks for nothing; give it do, read, end or draft")
        if (right.answer or right.status) and not self.ANSWER:
            raise BadRight(
                f"{self.file}: `Right` has an answer, but the family asks for none; give `Family`"
                ' an AnswerSchema, such as AnswerSchema("number")'
            )

    def world(self, scenario: Scenario) -> World:
        """Return a new start world of a scenario; the caller must release it."""
        with STARTS.open(scenario) as plan:
            return beside.joint_world(plan.map.world.fork(), scenario, self.sites)

    # The way

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """Return the right next actions on a page."""
        with STARTS.open(scenario) as plan:
            elsewhere = beside.advise(scenario, observation)
            return elsewhere or beside.remembered(scenario, view.advise(plan, observation))

    def length(self, scenario: Scenario) -> int:
        """Return the number of actions that the expert needs."""
        with STARTS.open(scenario) as plan:
            return plan.walk.length + beside.length(scenario)

    def planned(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the steps that a scenario's advice names, in their order."""
        with STARTS.open(scenario) as plan:
            return (*beside.steps(self.sites), *plan.steps)

    def honest_length(self, scenario: Scenario) -> int:
        """Return the number of actions of an agent that looks through the pages of `search`."""
        with STARTS.open(scenario) as plan:
            return plan.honest_length

    def solve(self, scenario: Scenario, world: World, data: Any) -> str:
        """Bring a world into the nearest right end state; what is done already stays done."""
        beside.walk(scenario.gold, world)
        return self._solve_at_home(scenario, data, world)

    def _solve_at_home(self, scenario: Scenario, data: Any, world: World) -> str:
        """Do what `solve` does at the family's own site."""
        gold, site = Gold.from_json(scenario.gold), data.site
        opened(site, world, (each.place for each in gold.read))
        made = changed(site, world)
        done(site, world, max(gold.ends, key=lambda end: end.share(made)).left(made))
        if gold.draft:
            hold(world, gold.draft.form, gold.draft.url, gold.draft.do)
        opened(site, world, [gold.end] if gold.end else [])
        return gold.text

    def near_misses(self, scenario: Scenario, data: Any) -> Mapping[str, NearMiss]:
        """Return the wrong outcomes that look right, by the name of the mistake."""
        gold = Gold.from_json(scenario.gold)
        with STARTS.open(scenario) as plan:
            found = misses.near_misses(gold, plan.map, may_fail=self.ANSWER is not None)
        return beside.near_misses(scenario, found, partial(self._solve_at_home, scenario, data))
