"""Buy a cable that fits a device bought before; an order names the device and its revision.

The cable's page shows a table of the devices, and their revisions, that it fits. Several cables
meet the rest of the request, so that this table decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.phrasings import Speaker, phrasings
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import visits
from scenarios.store.wishes import _buying, _fits, _owned
from scenarios.store.wishes._owned import Owned, Quest
from sites.store import StoreData
from sites.store.market.account.account import MarketLine
from sites.store.market.goods import facets
from sites.store.market.goods.bank import MeasuredFact
from sites.store.market.goods.goods import Good
from sites.store.market.offers import Offer
from sites.store.shop import operations

SITE = "store"
TAG = "transaction"
SCORING = "market"
FROM_ACCOUNT = _owned.FROM_ACCOUNT
STEPS = _owned.STEPS
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where nothing fits")

KIND, QUERY = "charging cables", "cable"
DEVICES = {"desk lamps": ("supply", ("usb", "battery")), "computer monitors": ("input", ("usbc",))}
"""For each kind of device, the fact that shows if such a cable suits it, and that fact's values."""
REVISIONS = ("2", "2S", "3", "4", "4S", "5")
RIVALS = 2
"""The least number of cables that meet the request but fit another device or revision."""
TRAP, ELSEWHERE = 0.7, 0.1
"""Shares of cables that fit the device but break the request: of those to look at, and of the rest.
"""
_OTHER_THINGS = re.compile("tablet|phone|cradle")
"""Words that name a different device; sentences of requests that contain one are not used."""
_SHAPE = wishes.Shape((0, 0), (0, 0), (0, 0), negation=0, option=0.8, price=0.5)

BOTH = 0.3
"""The probability that a wrong table names both the device and another of its design."""
Table = tuple[tuple[str, str], ...]

world = task.world
length = _owned.length
solve = _buying.solve
advise = _owned.advise


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: a cable, a request, an old order, and a table for every
    cable.
    """
    rng = visits.rng("buy_compatible", seed)
    split = visits.split_of(seed)
    possible = not visits.is_rare("buy_compatible", seed, task.IMPOSSIBLE_ONE_IN)
    search = None
    while search is None:
        search = _draw(split, rng, possible=possible)
    device, revision = search.device, search.revision
    options = {name: rng.choice(values) for name, values in device.options.items()}
    cents = round(device.price * 100) * rng.choice((90, 95, 100, 105)) // 100
    line = MarketLine(device.asin, cents, 1, options, revision)
    owned = _owned.draw(line, search.shown, data.market, rng)
    tables = dict(_tables(search, rng))
    notes = {"order": f"{device.name}, revision {revision}"}
    gold = {
        **_owned.gold_of(_quest(search, owned, tables), notes),
        "wrong": dict(_wrong(search, tables)),
    }
    offers = {asin: Offer(fits=rows) for asin, rows in tables.items()}
    text = _text(search, owned, split, rng)
    level = _level(gold)
    return task.scenario(
        "buy_compatible", seed, text, gold, data, account=owned.account, offered=offers, level=level
    )


@dataclass(frozen=True)
class Search:
    """The cable to find: it meets the request and fits this revision of the device.

    The cables to look at are `shown`. If nothing is `possible`, `good` meets the request but does
    not fit.
    """

    device: Good
    revision: str
    good: Good
    wished: Sequence[Constraint]
    shown: Sequence[Good]
    possible: bool

    @property
    def rivals(self) -> list[Good]:
        """Return the cables, except the right one, that meet the request."""
        return [each for each in wishes.fitting(self.shown, self.wished) if each is not self.good]

    def fits(self, rows: Table) -> bool:
        """Return whether a table says that the cable fits this revision of the device."""
        return any(
            device == self.device.name and _fits.covers(stated, self.revision)
            for device, stated in rows
        )


# Drawing -----------------------------------------------------------------------------------------


def _draw(split: str, rng: Random, *, possible: bool) -> Search | None:
    """Draw a cable and a request; None if too few or too many cables have to be looked at."""
    cables = task.of_kind(KIND)
    good = rng.choice([each for each in cables if each.facts["source"] != "car"])
    wished = [*_worded(good, split, rng), _reach(good, split, rng)]
    listed = _owned.listed(cables, wished)
    if len(listed) > operations.PER_PAGE or _owned.names_time(wished):
        return None
    wished += wishes.draw(good, split, _SHAPE, rng)
    prices = [each for each in wished if each.form == wishes.PRICE]
    shown = wishes.fitting(listed, prices)
    if len(shown) not in _owned.LISTED or not wishes.is_fair(cables, wished):
        return None
    device, revision = rng.choice(_devices()), rng.choice(REVISIONS)
    search = Search(device, revision, good, wished, shown, possible)
    return search if len(search.rivals) >= RIVALS else None


def _worded(good: Good, split: str, rng: Random) -> Iterator[Constraint]:
    """Yield constraints on the facets of the results, in words that do not name another device."""
    for fact in facets.fact_facets(good.kind):
        value = str(good.facts[fact.name])
        texts = fact.values[value].wish[split]
        able = [each for each in texts if not _OTHER_THINGS.search(each)]
        yield Constraint(fact.name, wishes.IS, value, rng.choice(able))


@cache
def reach() -> Mapping[str, tuple[str, ...]]:
    """Return sentences that ask for a least length of the cable, by split."""
    return {split: tuple(phrasings("buy_compatible", split)["reach"]) for split in visits.SPLITS}


def _reach(good: Good, split: str, rng: Random) -> Constraint:
    """Draw the constraint on the cable's least length."""
    fact = good.kind.facts["length"]
    assert isinstance(fact, MeasuredFact)
    return wishes.bound(good, replace(fact, least=reach()), split, rng)


@cache
def _devices() -> Sequence[Good]:
    """Return the products that take such a cable, if another product of the same design does so,
    too.
    """
    able = [
        each
        for kind, (fact, values) in DEVICES.items()
        for each in task.of_kind(kind)
        if each.facts[fact] in values
    ]
    designs = Counter(each.design for each in able)
    return tuple(each for each in able if designs[each.design] > 1)


def _siblings(device: Good) -> list[Good]:
    """Return the other products of a device's design that take such a cable."""
    return [e for e in _devices() if e.design == device.design and e is not device]


# What fits what ----------------------------------------------------------------------------------


def _tables(search: Search, rng: Random) -> Iterator[tuple[str, Table]]:
    """Yield the table of every cable, with its asin: about the device, a similar or any other
    device.
    """
    rivals = search.rivals
    wrong = [search.good, *rivals] if not search.possible else rivals
    for each in task.of_kind(KIND):
        if each in wrong:
            rows = _of_other(search, rng, is_device=wrong.index(each) % 2 == 0)
        elif each is search.good or rng.random() < (TRAP if each in search.shown else ELSEWHERE):
            rows = _of_device(search, rng)
        else:
            rows = [_of_any(search, rng)]
        rows = [*rows, _of_any(search, rng)]
        rng.shuffle(rows)
        yield each.asin, tuple(rows)


def _of_device(search: Search, rng: Random) -> list[tuple[str, str]]:
    """Return the rows of a table that covers the device in its revision."""
    return [(search.device.name, _fits.stated_with(search.revision, rng, fits=True))]


def _of_other(search: Search, rng: Random, *, is_device: bool) -> list[tuple[str, str]]:
    """Return the rows of a table that names the device or a similar one, but does not cover it.

    They name other revisions of the device, or this revision of a device of the same design, or
    both.
    """
    device = search.device.name, _fits.stated_with(search.revision, rng, fits=False)
    sibling = rng.choice(_siblings(search.device)).name
    other = sibling, _fits.stated_with(search.revision, rng, fits=True)
    if rng.random() < BOTH:
        return [device, other]
    return [device if is_device else other]


def _of_any(search: Search, rng: Random) -> tuple[str, str]:
    """Return a row of a table that names a device of another design."""
    return rng.choice(_of_other_designs(search.device.design)).name, _fits.stated(rng)


@cache
def _of_other_designs(design: str) -> Sequence[Good]:
    """Return the devices whose design is not this one."""
    return [each for each in _devices() if each.design != design]


# Gold --------------------------------------------------------------------------------------------


def _text(search: Search, owned: Owned, split: str, rng: Random) -> str:
    """Return the instruction: the customer's request, with the sentence about the old order
    first.
    """
    speaker = Speaker("buy_compatible", split, rng)
    thing = speaker.choose(owned.good.kind.name)
    first = speaker.phrase("first", thing=thing, when=owned.when)
    offer = (wishes.PRICE, wishes.OPTION)
    sentences = [each.text for each in search.wished if each.form not in offer]
    return _owned.tell(first, sentences, [e.text for e in search.wished if e.form in offer], rng)


def _quest(search: Search, owned: Owned, tables: Mapping[str, Table]) -> Quest:
    def reasons(good: Good) -> list[str]:
        """Return the pages that rule a cable out: its table of devices, or what else it lacks."""
        broken = wishes.violated(good, search.wished)
        against = [page for each in broken for page in task.pages(good, each)]
        return against if search.fits(tables[good.asin]) else ["item", *against]

    return Quest(owned, search.good, search.shown, search.wished, reasons, search.possible, QUERY)


def _wrong(search: Search, tables: Mapping[str, Table]) -> Iterator[tuple[str, str]]:
    """Yield the purchases of an agent that overlooks one thing: a label and the asin."""
    for each in search.rivals:
        devices = {device for device, _ in tables[each.asin]}
        if search.device.name in devices:
            yield "fits another revision", each.asin
        else:
            yield "fits a sibling", each.asin
    for each in search.shown:
        broken = wishes.violated(each, search.wished)
        if len(broken) == 1 and search.fits(tables[each.asin]):
            yield f"fits, but breaks {broken[0].fact}", each.asin


def _level(gold: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/levels.md.

    The table of devices counts as a rule outside the request.
    """
    facts = [each for each in gold["constraints"] if each["form"] == wishes.IS]
    return {"name": "L2", "P": len(gold["decides"]), "M": len(gold["constraints"]), "C": 1, "R": 1,
            "W": round(len(facts) / (len(gold["constraints"]) + 1), 2), "K": 2}  # fmt: skip


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: the old product again, cables that do not fit, other
    options.
    """
    gold = scenario.gold
    wrong = {"the old thing again": gold["owned"]["asin"], **gold["wrong"]}
    rivals = {label: task.by_asin(asin) for label, asin in wrong.items()}
    return _buying.bought_wrongly(gold, task.by_asin(gold["asin"]), rivals,
                                  partial(_buying.buy, data),
                                  "bought though it does not fit")  # fmt: skip
