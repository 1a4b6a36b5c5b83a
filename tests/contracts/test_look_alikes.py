"""Look-alikes: what only a code tells apart, advice cannot tell apart either.

The expert's screens of every family of the store and the desk are taken. On each, things of a kind
(products, orders, flights) look alike where they have the same role and say the same but for their
code. The codes of two are exchanged, and where there are no two alike a second one is put before
the one that the advice is about. The advice must go by the place, not by the code. A code that
the instruction names is known, and so is that of something which was opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

import pytest

from agent.interface import Advice, Click, Element, Observation, Text
from scenarios import registry
from scenarios.scenario import Scenario
from tests.contracts.expert_episodes import expert_episode, first_seed, on_airlines
from tests.contracts.harness import EpisodeHarness
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

SITES = ("store", "crm")
FAMILIES = sorted(
    name
    for name, made in registry.family_modules().items()
    if made.SITE in SITES and (DEEP or "airline" not in made.HOSTS or not registry.is_variant(name))
)
"""Variants on single airlines, whose advice is that of the family, with `tox -e deep`."""
OTHER = {"B0": "B0ZZZZZZZZ", "M0": "M0ZZZZZZZZ", "10": "109999999", "": "ZZ9999"}
"""By how a code begins: one of its kind that nothing else has."""


@dataclass(frozen=True)
class Kind:
    """A kind of thing with a code: the name of its element, and where its texts stand."""

    name: re.Pattern[str]
    code: re.Pattern[str]
    texts_before: int = 0
    """So many texts before the element belong to it, else those after it."""
    says: re.Pattern[str] = re.compile("")
    """What its name or its texts hold, where the name alone does not tell."""


PRODUCT = Kind(re.compile(r"[BM]0[A-Z0-9]{8}"), re.compile(r"[BM]0[A-Z0-9]{8}"))
ORDER = Kind(re.compile(r"View Order \d{9}"), re.compile(r"\b10\d{7}\b"), texts_before=5)
FLIGHT = Kind(
    re.compile(r"|[A-Z]{2}\d{4}, .*"), re.compile(r"\b[A-Z]{2}\d{4}\b"), says=re.compile(r"\d[ap]m")
)
MARKET_ORDER = Kind(re.compile(r"10\d{7}"), re.compile(r"\b10\d{7}\b"))
KINDS = {"store": (PRODUCT, ORDER, MARKET_ORDER), "crm": (FLIGHT,)}
ALL_KINDS = (PRODUCT, ORDER, MARKET_ORDER, FLIGHT)
NATURAL = ("buy_item", "wish_brand")
"""The families whose pages show products that look alike: the store sells one design in forms that
only their own pages tell apart. Orders differ in their days, flights in their times."""
TWO_SEEDS = (*NATURAL, "ledger_sum")
"""Not on every seed do two look alike, or is a code pressed."""


@dataclass(frozen=True)
class Thing:
    """Something with a code on a screen, the places of its nodes and the place of its element."""

    code: str
    nodes: range
    place: int
    look: tuple[object, ...]


def things(seen: Observation, kind: Kind) -> Iterator[Thing]:
    for place, node in enumerate(seen.content):
        if not isinstance(node, Element) or not kind.name.fullmatch(node.name):
            continue
        nodes = _nodes(seen, place, kind.texts_before)
        texts = [_label(seen.content[at]) for at in nodes]
        codes = {code for text in texts for code in kind.code.findall(text)}
        if len(codes) != 1 or not kind.says.search(" ".join(texts)):
            continue
        [code] = codes
        look = (node.role, node.states, *(text.replace(code, "CODE") for text in texts))
        yield Thing(code, nodes, place, look)


def _nodes(seen: Observation, place: int, before: int) -> range:
    if before:
        return range(place - before, place + 1)
    end = place + 1
    while end < len(seen.content) and isinstance(seen.content[end], Text):
        end += 1
    return range(place, end)


def _label(node: Element | Text) -> str:
    return node.name if isinstance(node, Element) else node.text


def _with_code(node: Element | Text, code: str, other: str) -> Element | Text:
    if isinstance(node, Element):
        return replace(node, name=node.name.replace(code, other))
    return replace(node, text=node.text.replace(code, other))


def exchanged(seen: Observation, one: Thing, two: Thing) -> Observation:
    """The screen with the codes of two things exchanged, all else in its place."""
    content = list(seen.content)
    for thing, other in ((one, two), (two, one)):
        for at in thing.nodes:
            content[at] = _with_code(content[at], thing.code, other.code)
    return replace(seen, content=tuple(content))


def doubled(seen: Observation, thing: Thing) -> Observation:
    """The screen with a look-alike, of another code, right before a thing."""
    other = next(code for start, code in OTHER.items() if thing.code.startswith(start))
    copy = [_with_code(seen.content[at], thing.code, other) for at in thing.nodes]
    start = thing.nodes.start
    content = (*seen.content[:start], *copy, *seen.content[start:])
    return replace(seen, content=tuple(_numbered(content)))


def _numbered(content: Sequence[Element | Text]) -> Iterator[Element | Text]:
    number = 0
    for node in content:
        number += isinstance(node, Element)
        yield replace(node, id=number) if isinstance(node, Element) else node


def _seeds(family: str) -> Sequence[int]:
    """At the airlines those that others look at as well."""
    if DEEP:
        return range(20)
    if family in on_airlines():
        return (first_seed(family),)
    return (0, 4) if family in TWO_SEEDS else (0,)


# The screens of the expert -----------------------------------------------------------------------


@dataclass(frozen=True)
class Screen:
    scenario: Scenario
    seen: Observation

    def advice(self, seen: Observation) -> Advice:
        return registry.family(self.scenario.family).advise(self.scenario, seen)

    @property
    def things(self) -> list[list[Thing]]:
        """What has a code that the instruction does not name, by kind."""
        instruction = self.scenario.instruction
        kinds = KINDS[self.scenario.site]
        return [
            [each for each in things(self.seen, k) if each.code not in instruction] for k in kinds
        ]

    @property
    def pairs(self) -> Iterator[tuple[Thing, Thing]]:
        """The look-alikes, of which none was opened."""
        for of_kind in self.things:
            for one, two in combinations(of_kind, 2):
                if one.look == two.look and "visited" not in one.look[1]:
                    yield one, two

    @property
    def pressed(self) -> Thing | None:
        """The unopened thing that the advice presses first."""
        targets = {getattr(each, "target", None) for each in self.advice(self.seen).actions[:1]}
        for thing in (each for of_kind in self.things for each in of_kind):
            element = self.seen.content[thing.place]
            if element.id in targets and "visited" not in element.states:
                return thing
        return None


def _screens(harness: EpisodeHarness, family: str, seed: int) -> list[Screen]:
    episode = expert_episode(harness, family, seed)
    return [Screen(episode.scenario, each.seen) for each in episode.screens]


# The contract ------------------------------------------------------------------------------------


def in_turn() -> list[str]:
    """All but those at the airlines, whose screens seldom have something with a code to press, and
    of these every third: all with `tox -e deep`."""
    at_airlines = [name for name in FAMILIES if "airline" in registry.family_modules()[name].HOSTS]
    apart = [name for name in FAMILIES if name not in at_airlines]
    return FAMILIES if DEEP else apart + at_airlines[::3]


@pytest.mark.parametrize("family", in_turn())
def test_advice_goes_by_the_place_and_not_by_the_code(harness, family):
    screens = [screen for seed in _seeds(family) for screen in _screens(harness, family, seed)]
    the_codes_of_look_alikes_are_not_followed(family, screens)
    of_a_thing_and_its_double_the_first_is_pressed(family, screens)


def the_codes_of_look_alikes_are_not_followed(family: str, screens: list[Screen]) -> None:
    pairs = [(screen, *pair) for screen in screens for pair in screen.pairs]
    assert pairs or family not in NATURAL, "no page of it shows look-alikes any more"
    for screen, one, two in pairs:
        swapped = screen.advice(exchanged(screen.seen, one, two))
        assert swapped == screen.advice(screen.seen), (
            f"{screen.seen.url}: the advice follows the code {one.code} or {two.code}; go by what"
            " the screen shows, and of look-alikes take the first that was not opened"
        )


def of_a_thing_and_its_double_the_first_is_pressed(family: str, screens: list[Screen]) -> None:
    pressed = [(screen, screen.pressed) for screen in screens if screen.pressed]
    assert pressed or family not in NATURAL, "no episode presses a coded thing any more"
    for screen, thing in pressed:
        seen = doubled(screen.seen, thing)
        first, second = _both(seen, thing)
        for shown in (seen, exchanged(seen, first, second)):
            right = Click(shown.content[first.place].id)
            assert screen.advice(shown).actions[0] == right, (
                f"{screen.seen.url}: another one like {thing.code} stands before it; let `advise`"
                " press the first of those that look right and are not visited"
            )


def _both(seen: Observation, thing: Thing) -> list[Thing]:
    """The thing's double, and the thing behind it."""
    start, behind = thing.nodes.start, thing.nodes.start + len(thing.nodes)
    found = {each.nodes.start: each for kind in ALL_KINDS for each in things(seen, kind)}
    return [found[start], found[behind]]


@pytest.mark.wide
def test_look_alikes_are_opened_one_after_the_other_until_one_fits(harness, tmp_path):
    """In this scenario one that does not fit stands before the one that does."""
    scenario = registry.scenario("store/buy_item/64")
    episode = harness.run("expert", scenario.name, tmp_path, strict=True)
    assert episode.record["success"] is True
    world = json.loads((episode.home / "final_world.json").read_text(encoding="utf-8"))
    rows = (row for row in world["log_pages"] if row["page"] == "item")
    opened = [code for code, _ in groupby(row["asin"] for row in rows)]
    listed = json.loads(world["log_queries"][0]["hits"])
    assert opened == listed[3:5] and opened[-1] == scenario.gold["asin"]
    assert [row["asin"] for row in world["purchases"]] == opened[-1:]
