"""Buy the tea that is cheapest per piece in place of a tea that is no longer sold.

The new tea must keep some facts of the old one and hold at least as many pieces in a pack. An order
shows the price paid, and the old product's page shows the facts to keep. No page shows the price of
one piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.phrasings import Speaker
from scenarios.scenario import Contender, NearMiss, Scenario
from scenarios.store.market import task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import visits
from scenarios.store.wishes import _buying, _owned
from scenarios.store.wishes._owned import Owned, Quest
from sites.store import StoreData
from sites.store.account.operations import REVIEWS_PER_PAGE
from sites.store.market.account.account import STORE, MarketLine
from sites.store.market.goods.bank import WordedFact
from sites.store.market.goods.goods import Good, texts
from sites.store.market.goods.reviews import reviews
from sites.store.market.offers import Offer

SITE = "store"
TAG = "transaction"
SCORING = "market"
FROM_ACCOUNT = _owned.FROM_ACCOUNT
STEPS = _owned.STEPS
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where nothing fits")

KIND = "herbal tea"
PIECES = {"bags": "bags", "sticks": "sticks", "loose": "portions"}
"""The word for the pieces of a pack, by the form of the tea."""
PACKS = (12, 15, 16, 18, 20, 24, 25, 30, 32, 36, 40, 45, 48, 50, 60, 70, 75, 80, 90, 100, 120)
GRAMS = (1.2, 3.4)
"""The least and the most weight of one piece, in grams."""
PAID = range(395, 3400)
"""The possible prices of one pack of the old tea, in cents."""
AHEAD = 0.03
"""The least lead of the best tea's price per piece over the second best, as a share."""
OVER = (0.06, 0.4)
"""By what share the old tea cost more per piece than the best one: least and most, if one fits."""
UNDER = (0.06, 0.2)
ALIKE = ("herb", "form", "sweet", "packaging", "origin")
"""The facts of the old tea that may have to stay the same; the phrasings file has words for each.
"""
_TEXT_OF = {"table": 0, "description": 1, "features": 1, "answers": 2}
"""The index of the text for a fact that a place of the product's pages shows, by the place."""
_SHAPE = wishes.Shape((0, 1), (0, 0), (0, 1), negation=0.6, option=0, price=0)

world = task.world
length = _owned.length
solve = _buying.solve
advise = _owned.advise


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: a tea no longer sold, its old order, and a request for
    another.
    """
    rng = visits.rng("cheaper_substitute", seed)
    split = visits.split_of(seed)
    impossible = visits.is_rare("cheaper_substitute", seed, task.IMPOSSIBLE_ONE_IN)
    deal = None
    while deal is None:
        deal = _draw(split, rng, impossible=impossible)
    color, quantity = rng.choice(deal.old.options["color"]), rng.choice((1, 1, 2, 3))
    line = MarketLine(deal.old.asin, deal.paid, quantity, {"color": color})
    owned = _owned.draw(line, deal.shown, data.market, rng)
    gold = {**_owned.gold_of(_quest(deal, owned), _notes(deal)), "wrong": dict(_wrong(deal))}
    text = _text(deal, owned, split, rng)
    return task.scenario(
        "cheaper_substitute", seed, text, gold, data,
        account=owned.account, offered=_offers(deal), level=_level(gold),
    )  # fmt: skip


@dataclass(frozen=True)
class Deal:
    """The old tea, the request for its replacement, and the packs.

    The part of the request that repeats facts of the old tea is `kept`. The teas to look at are
    `shown`, and `pieces` are the numbers of pieces in a pack of each tea, by asin. `paid` is the
    price of a pack of the old tea, in cents.
    """

    old: Good
    kept: Sequence[Constraint]
    wished: Sequence[Constraint]
    shown: Sequence[Good]
    pieces: Mapping[str, int]
    paid: int = 0

    def apiece(self, good: Good) -> float:
        """Return the price of one piece of a tea, in cents."""
        return round(good.price * 100) / self.pieces[good.asin]

    @property
    def limit(self) -> float:
        """Return the price that the customer paid for one piece of the old tea, in cents."""
        return self.paid / self.pieces[self.old.asin]

    def is_enough(self, good: Good) -> bool:
        """Return whether a pack of a tea holds at least as many pieces as a pack of the old tea."""
        return self.pieces[good.asin] >= self.pieces[self.old.asin]

    @property
    def ranked(self) -> list[Good]:
        """Return the teas that fit apart from their price, the cheapest per piece first."""
        fits = wishes.fitting(self.shown, self.wished)
        return sorted(filter(self.is_enough, fits), key=self.apiece)

    @property
    def possible(self) -> bool:
        """Return whether the cheapest fitting tea costs no more per piece than the old tea."""
        return self.apiece(self.ranked[0]) <= self.limit


# Drawing -----------------------------------------------------------------------------------------


def _draw(split: str, rng: Random, *, impossible: bool) -> Deal | None:
    """Draw the old tea and the request; None if the best tea is not clear or no wrong tea looks
    cheaper.
    """
    teas = task.of_kind(KIND)
    old = rng.choice(teas)
    names = ["form", *rng.sample(sorted({*ALIKE} - {"form"}), 2)]
    kept = [_alike(old, name, split, rng) for name in names]
    others = [each for each in teas if each is not old]
    able = _owned.alike(others, kept)
    if not able:
        return None
    new = [e for e in wishes.draw(rng.choice(able), split, _SHAPE, rng) if e.fact not in names]
    shown = _owned.listed(others, [*kept, *new])
    if not new or len(shown) not in _owned.LISTED or _owned.names_time(new):
        return None
    pieces = {each.asin: _pack(each, rng) for each in teas}
    return _priced(Deal(old, kept, [*kept, *new], shown, pieces), rng, impossible=impossible)


def _alike(old: Good, name: str, split: str, rng: Random) -> Constraint:
    """Return the constraint that the new tea has the same value of a fact as the old tea."""
    text = Speaker("cheaper_substitute", split, rng).choose(name)
    return Constraint(name, wishes.IS, old.facts[name], text)


def _pack(good: Good, rng: Random) -> int:
    """Draw how many pieces a pack of a tea holds, such that a piece has a usual weight."""
    grams = good.facts["weight"]
    assert isinstance(grams, float)
    able = [each for each in PACKS if GRAMS[0] <= grams / each <= GRAMS[1]]
    return rng.choice(able)


def _priced(deal: Deal, rng: Random, *, impossible: bool) -> Deal | None:
    """Return the task with the price paid; None if the best tea is not clear or nothing is
    tempting.
    """
    ranked = deal.ranked
    if len(ranked) < 2 or deal.apiece(ranked[1]) < deal.apiece(ranked[0]) * (1 + AHEAD):
        return None
    share = 1 - rng.uniform(*UNDER) if impossible else 1 + rng.uniform(*OVER)
    cents = deal.apiece(ranked[0]) * deal.pieces[deal.old.asin] * share
    deal = replace(deal, paid=round(cents))
    clear = all(abs(deal.apiece(each) / deal.limit - 1) > wishes.GAP for each in ranked)
    return deal if clear and deal.paid in PAID and _tempts(deal) else None


def _tempts(deal: Deal) -> bool:
    """Return whether a wrong tea shows a lower price than the best tea, per pack or per piece."""
    best = deal.ranked[0]
    return any(
        each.price < best.price if each in deal.ranked else deal.apiece(each) < deal.apiece(best)
        for each in deal.shown
        if each is not best
    )


def _offers(deal: Deal) -> dict[str, Offer]:
    """Return the pack sizes that this customer sees, by asin; the old tea is no longer sold."""
    return {
        each.asin: Offer(
            pieces=deal.pieces[each.asin],
            piece=PIECES[str(each.facts["form"])],
            gone=each is deal.old,
        )
        for each in task.of_kind(KIND)
    }


def _text(deal: Deal, owned: Owned, split: str, rng: Random) -> str:
    """Return the instruction: the customer's request, with the sentence about the old order
    first.
    """
    speaker = Speaker("cheaper_substitute", split, rng)
    first = speaker.phrase("first", when=owned.when)
    sentences = [each.text for each in deal.wished]
    return _owned.tell(first, sentences, [speaker.choose("last")], rng)


# Gold --------------------------------------------------------------------------------------------


def _quest(deal: Deal, owned: Owned) -> Quest:
    best = deal.ranked[0]

    def reasons(good: Good) -> list[str]:
        """Return the pages that rule a tea out: its price and number of pieces, or what else it
        lacks.
        """
        if not deal.is_enough(good) or deal.apiece(good) >= deal.apiece(best):
            return ["item"]
        broken = wishes.violated(good, deal.wished)
        return [page for each in broken for page in task.pages(good, each)]

    return Quest(
        owned, best, deal.shown, deal.wished, reasons, deal.possible, deal.old.head, deal.kept
    )


def _notes(deal: Deal) -> dict[str, str]:
    """Return the notes to take from the order and from the old tea's pages, by page."""
    old = deal.old
    piece = PIECES[str(old.facts["form"])]
    notes = {
        "order": f"{old.name}, ${deal.paid / 100:.2f} for one pack",
        "item": f"{deal.pieces[old.asin]} {piece} in a pack",
    }
    for each in deal.kept:
        page = task.pages(old, each)[0]
        value = _as_shown(old, each.fact)
        notes[page] = f"{notes[page]}, {value}" if page in notes else value
    return notes


def _as_shown(good: Good, name: str) -> str:
    """Return a fact of a tea in the words of the first page that shows it."""
    fact, place = good.kind.facts[name], good.places[name][0]
    if place != "reviews":
        return texts(good, fact)[_TEXT_OF[place]]
    assert isinstance(fact, WordedFact)
    wordings = fact.values[str(good.facts[name])].review
    page = " ".join(each.body for each in reviews(good)[:REVIEWS_PER_PAGE]).casefold()
    return next(each for each in wordings if each.casefold() in page)


def _wrong(deal: Deal) -> Iterator[tuple[str, str]]:
    """Yield the purchases of an agent that overlooks one thing: a label and the asin."""
    if not deal.possible:
        return
    best, *others = deal.ranked
    cheapest = min(deal.ranked, key=lambda each: each.price)
    if cheapest is not best:
        yield "lowest price on its card", cheapest.asin
    yield "second best", others[0].asin
    for each in others:
        if each.design == best.design:
            yield "the same from a dearer pack", each.asin
        if deal.apiece(each) > deal.limit:
            yield "dearer apiece than then", each.asin
    for each in deal.shown:
        broken = wishes.violated(each, deal.wished)
        if len(broken) == 1 and deal.is_enough(each):
            yield "lacks one fact", each.asin
        if not broken and not deal.is_enough(each):
            yield "fewer in a pack", each.asin


def _level(gold: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/levels.md."""
    shown, facts = len(gold["shown"]), len(gold["constraints"])
    return {"name": "L2", "P": len(gold["decides"]), "M": facts + 2, "C": shown, "R": 0,
            "W": round(facts / (facts + 2), 2), "K": 2}  # fmt: skip


def contenders(scenario: Scenario, data: StoreData) -> Iterator[Contender]:
    """Yield the teas that would be right if they cost less per piece, each with a test of the
    price.

    These fit and cost more than the best tea; if nothing fits, only the limit rules them out.
    """
    gold, offers = scenario.gold, task.offered(scenario)
    best, paid = task.by_asin(gold["asin"]), _owned.line_of(scenario).cents
    pieces = offers[gold["owned"]["asin"]].pieces
    limit = paid / pieces
    if gold["possible"]:
        limit = round(best.price * 100) / offers[best.asin].pieces
    wished = wishes.constraints(gold)

    def wins(asin: str, cents: int) -> bool:
        return cents / offers[asin].pieces <= limit * (1 - AHEAD)

    for asin in gold["shown"]:
        good = task.by_asin(asin)
        fits = not wishes.violated(good, wished) and offers[asin].pieces >= pieces
        if fits and (good is best) != gold["possible"]:
            yield Contender(STORE, asin, round(good.price * 100), partial(wins, asin))


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: wrong purchases and wrong answers."""
    gold = scenario.gold
    rivals = {label: task.by_asin(asin) for label, asin in gold["wrong"].items()}
    return _buying.bought_wrongly(gold, task.by_asin(gold["asin"]), rivals,
                                  partial(_buying.buy, data),
                                  "bought though dearer than then")  # fmt: skip
