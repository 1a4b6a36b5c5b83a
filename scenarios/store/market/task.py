"""Tasks at the market: draw a wish that one good meets, prove it, and find the way to the good.

The gold of these families holds, besides the family's own keys:

- `asin`, `name`, `design`: the good, also where it cannot be had;
- `constraints`: what is wished for (`_wish.Constraint`), with the sentences of the wish;
- `options`: what must be chosen;
- `route`: a query in the shop's words, and the page of its results that lists the good;
- `decides`: for each thing that must be seen before the choice is justified, the journal rows of
  which one proves it: all that was wished for of the good, and one thing that speaks against each
  sibling on the same page of results; where nothing fits, the one that is too dear;
- `path`: the pages that show all that, in order (`_visit.walk`);
- `possible`: whether anything fits. Where nothing does, the good is what fits but for one bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from agent.interface import Action, Advice, Click, Element, Observation, Type
from scenarios.scenario import Scenario
from scenarios.store.market import look_alikes, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import visits
from scenarios.store.pages.screen import Card, cards, click, find, page_of
from sites.store import StoreData, new_world
from sites.store.catalogue.product import Product
from sites.store.market.account.account import MarketAccount
from sites.store.market.goods import facets, supplies
from sites.store.market.goods.goods import Good, goods, texts
from sites.store.market.offers import (
    Offers,
    offers_from_json,
    offers_to_json,
    rules_from_json,
    rules_to_json,
)
from sites.store.market.pricing import ShopRules
from sites.store.market.visit import new_market_world
from sites.store.shop import operations
from sites.store.shop.data import MARKET
from sites.world import World

IMPOSSIBLE_ONE_IN = 8
PAGE_OF = {"table": "item", "description": "Description", "features": "Features",
           "answers": "Features", "reviews": "Reviews"}  # fmt: skip
"""The page that shows what is told in a place."""
IN_ORDER = ("item", "Description", "Features", "Reviews")
"""A good's page and its tabs, as somebody reads on."""
MOST_LOOKALIKES = 5
STEPS = ("search", "narrow", "open item", "read on", "choose options", "buy")
Gold = Mapping[str, Any]
Row = dict[str, Any]
Drawn = tuple[Good, list[Constraint]]


@cache
def every() -> Sequence[Good]:
    return tuple(goods().values())


@cache
def of_kind(name: str) -> Sequence[Good]:
    """All goods of a kind: nothing else can be what was wished for."""
    return tuple(good for good in every() if good.kind.name == name)


@cache
def by_name() -> Mapping[str, Good]:
    return {good.name: good for good in every()}


def by_asin(asin: str) -> Good:
    return supplies.good(asin)


def scenario(
    family: str,
    seed: int,
    instruction: str,
    gold: Gold,
    data: StoreData,
    *,
    account: MarketAccount | None = None,
    offered: Offers | None = None,
    rules: Mapping[str, ShopRules] | None = None,
    **details: Any,
) -> Scenario:
    """Of a visitor to the market; with an account of a customer, whom the store offers this on
    these terms (by shop)."""
    if offered:
        details["offers"] = offers_to_json(offered)
    if rules:
        details["rules"] = rules_to_json(rules)
    split = visits.split_of(seed)
    return visits.scenario(
        family, seed, instruction, gold, account, data.market, **details, split=split
    )


def world(scenario: Scenario, *, cart: bool = False) -> World:
    """The market before anything was done; it knows the instruction, for every page shows it."""
    own = scenario.details.get("account")
    if own is None:
        return new_world(scenario.id, scenario.instruction, stock=MARKET)
    return new_market_world(
        scenario.id,
        scenario.instruction,
        MarketAccount.from_json(own),
        offered(scenario),
        rules(scenario),
        cart=cart,
    )


def offered(scenario: Scenario) -> Offers:
    return offers_from_json(scenario.details.get("offers", {}))


def rules(scenario: Scenario) -> Mapping[str, ShopRules]:
    """By the shop's name; of other shops the usual ones hold."""
    return rules_from_json(scenario.details.get("rules", {}))


# Drawing and proving -----------------------------------------------------------------------------


def draw(family: str, seed: int, shape: wishes.Shape, rng: Random) -> Drawn:
    """A good and a wish that it alone meets; in the rare case nothing does, for its price."""
    return proved(family, seed, lambda: _any(visits.split_of(seed), shape, rng), rng)


def _any(split: str, shape: wishes.Shape, rng: Random) -> Drawn:
    good = rng.choice(every())
    return good, wishes.draw(good, split, shape, rng)


def proved(family: str, seed: int, attempt: Callable[[], Drawn], rng: Random) -> Drawn:
    """The first of some draws that holds; in the rare case its price is too high."""
    impossible = visits.is_rare(family, seed, IMPOSSIBLE_ONE_IN)
    while True:
        good, wished = attempt()
        if is_proved(good, wished):
            tried = _too_cheap(good, wished, rng) if impossible else wished
            if tried:
                return good, tried


def is_proved(good: Good, wished: Sequence[Constraint]) -> bool:
    """Whether this good and no other meets the wish, clearly, and few look like it."""
    rivals = of_kind(good.kind.name)
    return (
        wishes.fitting(rivals, wished) == [good]
        and wishes.is_fair(rivals, wished)
        and len(list(lookalikes(good, wished))) < MOST_LOOKALIKES
    )


def _too_cheap(good: Good, wished: Sequence[Constraint], rng: Random) -> list[Constraint]:
    """The wish with a price that nothing has which fits otherwise; [] where one does."""
    others = [each for each in wished if each.form != wishes.PRICE]
    lower = wishes.price_bound(good.price * (1 - rng.uniform(*wishes.SLACK)), rng)
    tried = [*others, lower]
    rivals = of_kind(good.kind.name)
    fits = wishes.fitting(rivals, others) == [good] and not wishes.fitting(rivals, tried)
    return tried if fits and wishes.is_fair(rivals, tried) else []


def gold_of(good: Good, wished: Sequence[Constraint], data: StoreData) -> dict[str, Any]:
    """The part of the gold that all families with one good share."""
    query, page = route(good, data)
    shown = data.market.hits(query)[(page - 1) * operations.PER_PAGE : page * operations.PER_PAGE]
    rivals = [each for each in lookalikes(good, wished) if each.asin in shown]
    rivals.sort(key=lambda each: shown.index(each.asin))
    possible = bool(wishes.fitting(of_kind(good.kind.name), wished))
    rows = decides(good, rivals, wished)
    return {
        "asin": good.asin,
        "name": good.name,
        "design": good.design,
        "kind": good.kind.name,
        "constraints": [each.to_json() for each in wished],
        "options": {each.fact: each.value for each in wished if each.form == wishes.OPTION},
        "route": {"query": query, "page": page},
        "decides": rows if possible else [_too_dear(good)],
        "path": [
            *(_results(query, number) for number in range(1, page + 1)),
            *looked_at([*rivals, good], rows),
        ],
        "told": visits.spellings(*(each.text for each in wished)),
        "possible": possible,
    }


def route(good: Good, data: StoreData) -> tuple[str, int]:
    """A query in the shop's words, and the page of its results that lists the good."""
    described = (
        each for each in good.kind.facts.values() if "description" in good.places[each.name]
    )
    query = " ".join([good.kind.name, *(texts(good, fact)[1] for fact in described)])
    query = query[: operations.LONGEST_QUERY].rpartition(" ")[0]
    hits = data.market.hits(query)
    if good.asin not in hits:
        query = good.design
        hits = data.market.hits(query)
    return query, hits.index(good.asin) // operations.PER_PAGE + 1


def is_hard(good: Good, instruction: str, data: StoreData) -> bool:
    """Whether neither the kind's name nor the words of the wish bring the good to page one."""
    tries = (good.kind.name, instruction)
    return not any(good.asin in data.market.hits(query)[: operations.PER_PAGE] for query in tries)


def lookalikes(good: Good, wished: Sequence[Constraint]) -> Iterator[Good]:
    """The siblings that a list does not tell from the good."""
    rivals = of_kind(good.kind.name)
    of_design = (each for each in rivals if each.design == good.design and each is not good)
    return (each for each in of_design if not _shown_by_card(each, wished))


def _shown_by_card(good: Good, wished: Sequence[Constraint]) -> bool:
    return any(each.form == wishes.PRICE for each in wishes.violated(good, wished))


def pages(good: Good, constraint: Constraint) -> list[str]:
    """The pages that tell whether a good meets a constraint; the quickest first."""
    if constraint.form in (wishes.OPTION, wishes.PRICE):
        return ["item"]
    if constraint.form == wishes.SIZE:
        return ["Description"]
    found = dict.fromkeys(PAGE_OF[place] for place in good.places[constraint.fact])
    return list(found)


def decides(good: Good, rivals: Sequence[Good], wished: Sequence[Constraint]) -> list[list[Row]]:
    """The rows that prove each thing; rivals first, as they are listed."""
    others = [
        [page for each in wishes.violated(rival, wished) for page in pages(rival, each)]
        for rival in rivals
    ]
    found = [rows_of(rival, names) for rival, names in zip(rivals, others, strict=True)]
    own = [rows_of(good, pages(good, each)) for each in wished]
    return [*found, *(rows for place, rows in enumerate(own) if rows not in own[:place])]


def _too_dear(good: Good) -> list[Row]:
    """What shows that nothing fits: the good that is too dear, or the results by their price."""
    by_price = [{"page": "results", "narrowed": name} for name in ("price", "sort")]
    return [*rows_of(good, ["item"]), *by_price]


def _results(query: str, number: int) -> visits.PathStep:
    return visits.path_step("results", "search", query=query, number=number)


def looked_at(shown: Sequence[Good], rows: Sequence[Sequence[Row]]) -> Iterator[visits.PathStep]:
    """Each good's page, and those of its tabs that decide."""
    for good in shown:
        yield visits.path_step("item", "open item", asin=good.asin, name=good.name)
        first = [each[0] for each in rows if each[0]["asin"] == good.asin]
        tabs = dict.fromkeys(row["page"] for row in first if row["page"] != "item")
        for page in tabs:
            yield visits.path_step(page, "read on", asin=good.asin, number=1)


def rows_of(good: Good, names: Sequence[str]) -> list[Row]:
    """What the journal says when these pages of a good were opened."""
    return [
        {"page": page, "asin": good.asin, **({"number": 1} if page == "Reviews" else {})}
        for page in dict.fromkeys(names)
    ]


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """One action for each page of the path, one to come back from each but the last good's; then
    the options, and to buy."""
    gold = scenario.gold
    path = gold["path"]
    items = sum(each["page"] == "item" for each in path)
    tabs = sum(each["page"] not in ("item", "results") for each in path)
    back: int = items - 1 if gold["possible"] else items
    deal = len(gold["options"]) + 1 if gold["possible"] else 0
    return int(len(path) + tabs + back + deal)


def honest_length(scenario: Scenario) -> int:
    """To search for the kind, to narrow the results by what is wished for, and to open what is left
    until one fits."""
    gold, wished = scenario.gold, wishes.constraints(scenario.gold)
    good, goods_of_kind = by_asin(gold["asin"]), of_kind(gold["kind"])
    links = look_alikes.facts_of_links(good.kind)
    listed = look_alikes.left(goods_of_kind, wished, links)
    narrowing = 1 + len(links & {each.fact for each in wished})
    rivals = look_alikes.opening([each for each in listed if each is not good], wished, _tabs_until)
    turned = len(listed) // operations.PER_PAGE
    if not gold["possible"]:
        return 1 + narrowing + turned + rivals
    own = 1 + 2 * max(_tabs_until(good, [each]) for each in wished) + len(gold["options"]) + 1
    return 1 + narrowing + (turned + rivals) // 2 + own


def _tabs_until(good: Good, sought: Iterable[Constraint]) -> int:
    """How many tabs somebody reads on until one tells of one of these."""
    return min(IN_ORDER.index(page) for each in sought for page in pages(good, each))


def look(scenario: Scenario, world: World, data: StoreData) -> Product:
    """See everything that decides, through the site's operations; the good."""
    visits.walk(scenario.gold["path"], world, data.market)
    return operations.product(data.market, scenario.gold["asin"])


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Search for the kind, narrow the results by what they offer, open what looks like the good one
    after the other, read what decides, and buy what fits; or say that nothing does."""
    gold, page = scenario.gold, page_of(observation)
    needs = _needs(gold)
    if page == "done":
        return Advice("buy", answer="")
    if page == "sub":
        return Advice("read on", click(observation, "< Prev"), needs=needs)
    if page == "results":
        return _at_results(gold, observation, needs)
    if page == "item":
        return _at_item(gold, observation, needs)
    return search(scenario, observation)


Needs = tuple[tuple[str, ...], ...]


def _needs(gold: Gold) -> Needs:
    """All that was wished for; of an option its value."""
    return tuple(
        (str(each.value) if each.form == wishes.OPTION else each.text,)
        for each in wishes.constraints(gold)
    )


def search(scenario: Scenario, observation: Observation) -> Advice:
    """For the kind, by its name: it is said, or follows from what the customer needs."""
    box = find(observation, roles=("searchbox", "textbox", "combobox"))
    if box is None:
        return Advice("search", (), answer="")
    kind, split = of_kind(scenario.gold["kind"])[0].kind, visits.split_of(scenario.seed)
    needs = [each for each in kind.needs[split] if each in scenario.instruction]
    about = (needs[0] if needs else kind.one,)
    return Advice("search", (Type(box.id, kind.name, enter=True),), needs=(about,))


def _at_results(gold: Gold, observation: Observation, needs: Needs) -> Advice:
    """Narrow them until one page lists all that has to be looked at."""
    listed = cards(observation)
    able = _to_open(gold)
    narrower = None if set(able) <= {each.title for each in listed} else _facet(gold, observation)
    if narrower is not None:
        return Advice("narrow", (Click(narrower.id),), needs=needs)
    card = _next_card(gold, listed)
    if card is not None:
        return Advice("open item", (Click(card.link.id),), needs=needs)
    if any(each.title == gold["name"] for each in listed):
        return Advice("open item", answer="NOT_ACHIEVABLE", needs=needs)
    page = click(observation, "Next >")
    return Advice("search", page or click(observation, "Back to Search"), needs=needs)


def _to_open(gold: Gold) -> list[str]:
    """The names of what has to be looked at: what looks like the good, then the good."""
    named = (by_asin(rows[0]["asin"]).name for rows in gold["decides"])
    return [each for each in dict.fromkeys(named) if each != gold["name"]] + [gold["name"]]


def _facet(gold: Gold, observation: Observation) -> Element | None:
    """The link of the next value that all of them share and that was not chosen yet."""
    every = [by_name()[each] for each in _to_open(gold)]
    for label, value in _shared(every):
        chosen = find(observation, f"Any {label.lower()}")
        link = find(observation, value)
        if chosen is None and link is not None:
            return link
    return None


def _shared(every: Sequence[Good]) -> Iterator[tuple[str, str]]:
    """The facets that all have one value of, and that value, in the shop's words."""
    first = every[0]
    yield from (("Kind", first.kind.name), ("Brand", first.brand))
    for fact in facets.fact_facets(first.kind):
        if len({good.facts[fact.name] for good in every}) == 1:
            yield fact.labels[0], fact.values[str(first.facts[fact.name])].table


def _next_card(gold: Gold, listed: Sequence[Card]) -> Card | None:
    """The first unopened one that looks like the good; then the good, where it can be had."""
    good = next((card for card in listed if card.title == gold["name"]), None)
    if good is None:
        return None
    rivals = set(_to_open(gold)) - {gold["name"]}
    alike = (card for card in listed if card.title in rivals)
    unopened = [card for card in (*alike, good) if not card.is_opened]
    return unopened[0] if unopened else good if gold["possible"] else None


def _at_item(gold: Gold, observation: Observation, needs: Needs) -> Advice:
    good = next((each for each in _of_design(gold) if each.name in observation.text), None)
    back = Advice("open item", click(observation, "< Prev"), needs=needs)
    if good is None:
        return back
    tab = next((each for each in unread(gold, good, observation)), None)
    if tab is not None:
        return Advice("read on", (Click(tab),), needs=needs)
    if good.name != gold["name"] or not gold["possible"]:
        return back
    return buy(gold, observation)


def _of_design(gold: Gold) -> list[Good]:
    return [good for good in of_kind(gold["kind"]) if good.design == gold["design"]]


def unread(gold: Gold, good: Good, observation: Observation) -> Iterator[int]:
    """The tabs on the path that were not read, by the marks that the page shows."""
    for step in gold["path"]:
        if step.get("asin") == good.asin and step["page"] != "item":
            tab = find(observation, step["page"])
            if tab is not None and "visited" not in tab.states:
                yield tab.id


def buy(gold: Gold, observation: Observation) -> Advice:
    """Choose the options and buy; the options are what is left to know."""
    clicks: list[Action] = []
    for value in gold["options"].values():
        option = find(observation, value, roles=("radio",))
        if option is not None and "checked" not in option.states:
            clicks.append(Click(option.id))
    step = "choose options" if clicks else "buy"
    needs = tuple((str(value),) for value in gold["options"].values())
    return Advice(step, (*clicks, *click(observation, "Buy Now")), needs=needs)
