"""Order a present for each of three people, from lists on which a single thing fits each person.

The address book notes what a person cannot have. Earlier orders show what they had and their sizes,
and a help page tells delivery and postage. Each present is an order of its own. If nothing fits for
one person, nothing may be ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any
from urllib.parse import urlsplit

from agent.interface import Action, Advice, AnswerSchema, Click, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import Contender, NearMiss, Scenario
from scenarios.store.checkout import _gifts
from scenarios.store.checkout._gifts import LIMIT, NOTE, SIZE, Party, Person
from scenarios.store.market import ordering, task
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import Gold, click, click_starting, order_rows, unvisited
from scenarios.store.pages.site_map import PathStep
from sites.store import StoreData
from sites.store.catalogue.clock import WEEKDAYS, spoken
from sites.store.market import pricing
from sites.store.market.account.account import STORE, MarketOrder
from sites.store.market.account.draw import COMPLETE
from sites.store.market.goods import charts
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.service import help as rules
from sites.store.shop import operations

SITE = "store"
TAG = "transaction"
SCORING = "order"
MEMORY = True
FROM_ACCOUNT = ("orders", "people", "asked", "decides", "path", "told")
"""Keys of the gold with values that account pages show; the test for leaked solutions skips them.
"""
STEPS = (*site_map.STEPS, "read on", *ordering.STEPS)
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where one gets nothing")
Row = dict[str, Any]
ACTS = ("ask", "notes", "had", "size", "day", "limit", "apart", "card", "extra", "unmet")
"""The passages of the customer's text, in the order in which their words are drawn."""


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: three people with lists, and the customer's text."""
    rng, split = visits.rng("gifts_for_people", seed), visits.split_of(seed)
    barren = visits.is_rare("gifts_for_people", seed, task.IMPOSSIBLE_ONE_IN)
    party = _gifts.draw(split, data.market, rng, barren=barren)
    text, given = _instruction(party, split, rng)
    gold = {**_gold(party, data.market), "told": visits.spellings(*given)}
    return task.scenario(
        "gifts_for_people",
        seed,
        text,
        gold,
        data,
        account=party.account,
        offered=party.offers,
        rules={STORE: party.frame.rules},
        level=_level(gold, party),
    )


world = ordering.world
solve = ordering.solve


def _level(gold: Mapping[str, Any], party: Party) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/market.md.

    The agent carries a figure for each thing whose price matters, the notes, and the earlier
    presents from page to page.
    """
    listed = sum(len(each.listed) for each in party.people)
    carried = sum(len(each.notes) + len(each.had) for each in party.people)
    return {"name": "L3", "P": len(gold["decides"]), "M": carried + _gifts.PEOPLE, "C": listed // 2,
            "R": 2, "W": 0.6, "K": 3 + bool(party.frame.rules.preset)}  # fmt: skip


# Wording -----------------------------------------------------------------------------------------


def _instruction(party: Party, split: str, rng: Random) -> tuple[str, list[str]]:
    """Return the customer's text, and the values in it that the agent needs."""
    first = [each.first for each in party.people]
    day = _spoken(party, rng)
    values = {**dict(zip("abc", first, strict=True)), "day": day,
              "limit": party.frame.limit // 100}  # fmt: skip
    text = visits.letter(Speaker("gifts_for_people", split, rng), ACTS, **values)
    return text, [*first, day, str(values["limit"])]


def _spoken(party: Party, rng: Random) -> str:
    day = party.frame.day
    text = visits.spoken_day(day)
    return rng.choice((text, f"{WEEKDAYS[day.weekday()]}, {text}"))


# Gold --------------------------------------------------------------------------------------------


def _gold(party: Party, market: Market) -> dict[str, Any]:
    stock = market.offering(party.offers)
    fits = [_gifts.fitting(stock, each, party.frame) for each in party.people]
    possible = all(fits)
    upto = party.people if possible else party.people[: fits.index([]) + 1]
    people = [_looked_at(party, each, stock) for each in upto]
    barren = people if possible else people[-1:]
    pages = max(page for each in people for page in each.pop("pages"))
    asked = [order for each in people for order in each.pop("asked")]
    right = zip(party.people, fits, strict=True) if possible else ()
    return {
        "orders": [_order(party, each, good, stock) for each, found in right for good in found],
        "people": people,
        "asked": asked,
        "pages": pages,
        "decides": [_OF_NOTES, _OF_POSTAGE, *(row for each in barren for row in each.pop("rows"))],
        "path": list(_path(people, asked, pages)),
        "possible": possible,
    }  # fmt: skip


_OF_NOTES: list[Row] = [{"page": "addresses"}]
_OF_POSTAGE: list[Row] = [
    {"page": "help", "options": {"topic": "delivery"}},
    {"page": "checkout", "options": {"step": "delivery"}},
]


def _order(party: Party, person: Person, good: Good, stock: Market) -> dict[str, Any]:
    methods = [each.name for each in _gifts.able(stock, good, person, party.frame)]
    options = _size_of(person, good)
    ship_to = party.account.addresses.index(person.address) + 1
    return ordering.order([(good.asin, options, 1)], methods, ship_to=ship_to,
                           gift_text=person.first)  # fmt: skip


def _size_of(person: Person, good: Good) -> dict[str, str]:
    """Return the options to choose: the person's last size for clothing, nothing for other
    things.
    """
    sized = good.kind.name in person.sizes
    return {charts.SIZE: person.sizes[good.kind.name]} if sized else {}


def _looked_at(party: Party, person: Person, stock: Market) -> dict[str, Any]:
    """Return what the agent has to look at to find a person's present.

    - `look`: the items to open with their deciding tabs, the right item last;
    - `asked`: the orders to open, and `pages`, the pages of My Orders that list them;
    - `rows`: the journal rows that prove it;
    - `wrong`: an item that breaks each rule, by the rule.
    """
    every = [stock.good(asin) for asin in person.listed]
    fails = {good.asin: _gifts.broken(stock, good, person, party.frame) for good in every}
    tells = {good.asin: list(_tells(person, good, fails[good.asin])) for good in every}
    look = [good for good in every if tells[good.asin]]
    look.sort(key=lambda good: not fails[good.asin])
    had = [_sent(party, person, asin) for asin in person.listed if asin in person.had]
    sized = [_last(party, person, kind) for kind in person.sizes]
    shared: Row = {"page": "shared", "options": {"person": person.address.name}}
    return {
        "person": person.address.name,
        "first": person.first,
        "right": next((good.asin for good in every if not fails[good.asin]), ""),
        "look": [[good.asin, good.name, _tabs(tells[good.asin])] for good in look],
        "asked": [_asked(party, each) for each in sized],
        "pages": [_page(party, each) for each in (*had, *sized)],
        "wrong": {rules[0]: asin for asin, rules in fails.items() if rules},
        "older": _older(party, person),
        "rows": [
            [shared],
            *([*_opened(each), {"page": "orders", "number": _page(party, each)}] for each in had),
            *(_opened(each) for each in sized),
            *(rows for good in look for rows in task.proofs(good, tells[good.asin])),
        ],
    }


def _asked(party: Party, order: MarketOrder) -> Row:
    """Return an order to open: its number, its day, and its page of My Orders."""
    return {"number": order.number, "day": spoken(order.placed), "page": _page(party, order)}


def _tells(person: Person, good: Good, fails: Sequence[str]) -> Iterator[list[str]]:
    """Yield, for each thing to find out about an item, the pages that show it; any of them is
    enough.

    Nothing has to be found out if the item's list, its kind or earlier orders rule it out.
    """
    if not fails or SIZE in fails:
        yield ["item"]
    for note in person.notes:
        fact = note.decides(good)
        if fact and (not fails or (NOTE in fails and note.forbids(good))):
            places = (task.PAGE_OF[place] for place in good.places[fact])
            yield list(dict.fromkeys(places))


def _tabs(tells: Sequence[Sequence[str]]) -> list[str]:
    """Return the tabs of an item's page to open: the first of the pages that show each thing."""
    return list(dict.fromkeys(pages[0] for pages in tells if pages[0] != "item"))


def _opened(order: MarketOrder) -> list[Row]:
    return [{"page": "order", "number": int(order.number)}]


def _page(party: Party, order: MarketOrder) -> int:
    return visits.orders_page(party.account.orders.index(order))


def _sent(party: Party, person: Person, asin: str) -> MarketOrder:
    """Return the order that brought a thing to a person."""
    return next(each for each in _reached(party, person) if each.lines[0].asin == asin)


def _last(party: Party, person: Person, kind: str) -> MarketOrder:
    """Return the last order that brought something of a kind to a person."""
    return next(each for each in _reached(party, person) if _kind(each) == kind)


def _older(party: Party, person: Person) -> str:
    """Return a different size that a person had earlier; "" if there is none."""
    worn = [each for each in _reached(party, person) if _kind(each) in person.sizes]
    sizes = [each.lines[0].options[charts.SIZE] for each in worn]
    return next((each for each in sizes if each != sizes[0]), "")


def _kind(order: MarketOrder) -> str:
    return task.by_asin(order.lines[0].asin).kind.name


def _reached(party: Party, person: Person) -> Iterator[MarketOrder]:
    """Yield the orders that reached a person, the newest first."""
    for each in party.account.orders:
        if each.ship_to == person.address and each.status == COMPLETE:
            yield each


def _path(people: Sequence[Row], asked: Sequence[Row], last: int) -> Iterator[PathStep]:
    step = site_map.path_step
    yield site_map.addresses_step()
    yield from site_map.help_steps("delivery")
    for page in range(1, last + 1):
        yield site_map.orders_step(page)
        here = [each for each in asked if each["page"] == page]
        yield from (step("order", "open order", number=int(each["number"])) for each in here)
    for each in people:
        yield from site_map.shared_steps(each["person"])
        for asin, name, tabs in each["look"]:
            yield site_map.item_step(asin, name)
            yield from (step(tab, "read on", asin=asin, number=1) for tab in tabs)


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    There is an action for each page of the path and for the way back from each page without a link
    onwards. Then each thing is put into the cart, two are saved for later, and there are three
    checkouts.
    """
    gold = scenario.gold
    pages = [each for each in gold["path"] if each["page"] != "order"]
    back = sum(
        1 for each in pages if each["page"] == "item" or each["page"] in operations.SUB_PAGES
    )
    opened = 2 * len(gold["asked"])
    if not gold["possible"]:
        return int(len(pages) + opened + back)
    kept = 3 * (_gifts.PEOPLE - 1)
    orders = sum(ordering.length(scenario, each) for each in gold["orders"])
    orders += sum(len(options) for each in gold["orders"] for _, options, _ in each["lines"])
    return int(len(pages) + opened + back + kept + orders)


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to read notes, rules, orders and lists, and to put the things that fit into the cart.

    With all three things in the cart, the advice checks out one, saving the others for later.
    """
    gold = scenario.gold
    place = site_map.here(observation)
    page = place["page"] or urlsplit(observation.url).path.split("/")[1]
    way = _AT.get(page, _follow("open addresses", "Address Book"))
    step, moves, answer = way(gold, place, observation)
    return Advice(step, moves, answer=answer, needs=following.needs(gold))


Advised = tuple[str, tuple[Action, ...], str | None]
Way = Callable[[Gold, PathStep, Observation], Advised]


def _follow(step: str, label: str) -> Way:
    """Return a function that advises to leave a page by the link with this label."""
    return lambda gold, place, observation: (step, click(observation, label), None)


def _at_help(gold: Gold, place: PathStep, observation: Observation) -> Advised:
    if place["topic"]:
        return "open orders", click(observation, "My Orders"), None
    return "read help", click(observation, rules.TOPICS["delivery"].title), None


def _at_orders(gold: Gold, place: PathStep, observation: Observation) -> Advised:
    """Advise on My Orders: open the next order that matters, found by its day, else the next
    page.
    """
    days = {each["day"] for each in gold["asked"]}
    for row in order_rows(observation):
        if row.day in days and "visited" not in row.link.states:
            return "open order", (Click(row.link.id),), None
    if place["number"] < gold["pages"]:
        return "look through orders", click(observation, "Next page"), None
    return "open lists", click(observation, "Shared Lists"), None


def _at_lists(gold: Gold, place: PathStep, observation: Observation) -> Advised:
    links = [unvisited(observation, each["person"]) for each in gold["people"]]
    unread = [Click(link.id) for link in links if link is not None]
    return "open list", tuple(unread[:1]), None


def _at_list(gold: Gold, place: PathStep, observation: Observation) -> Advised:
    """Advise on a list: open the items that matter, then the next list; give up if no item fits."""
    own = next((each for each in gold["people"] if each["person"] == place["person"]), None)
    for _, name, _ in own["look"] if own else ():
        link = unvisited(observation, name)
        if link is not None:
            return "open item", (Click(link.id),), None
    if own and not own["right"]:
        return "open item", (), visits.NOT_ACHIEVABLE
    return "open lists", click(observation, "Shared Lists"), None


def _at_item(gold: Gold, place: PathStep, observation: Observation) -> Advised:
    """Advise on an item's page: read the tabs that decide, then add it to the cart or go back."""
    tabs = {asin: tabs for each in gold["people"] for asin, _, tabs in each["look"]}
    for label in tabs.get(place["asin"], ()):
        tab = unvisited(observation, label)
        if tab is not None:
            return "read on", (Click(tab.id),), None
    for order in gold["orders"]:
        added = ordering.add(order, observation)
        if added is not None:
            return added.step, added.actions, None
    return "open item", click(observation, "< Prev"), None


def _at_cart(gold: Gold, place: PathStep, observation: Observation) -> Advised:
    """Advise in the cart: go on with the lists until it has all things, then save all but one for
    later.
    """
    names = [task.by_asin(order["lines"][0][0]).name for order in gold["orders"]]
    there = [name for name in names if _button(observation, "Remove", name)]
    if there[:1] == names[:1] and len(there) < len(names):
        return "open lists", click(observation, "Shared Lists"), None
    first, *others = there or names[:1]
    back = _button(observation, "Move", first)
    saving = (_button(observation, "Save", name) for name in others)
    pressed = back or next((each for each in saving if each), ())
    if pressed:
        return "change cart", pressed, None
    return _ordered(gold["orders"][names.index(first)], observation)


def _button(observation: Observation, does: str, name: str) -> tuple[Action, ...]:
    """Return the click on a button ("Remove", ...) of an item in the cart; () if there is none."""
    return click_starting(observation, f"{does} {name}")


def _ordered(order: Row, observation: Observation) -> Advised:
    found = ordering.advise(order, observation)
    return (found.step, found.actions, None) if found else ("change cart", (), None)


def _at_checkout(gold: Gold, place: PathStep, observation: Observation) -> Advised:
    wanted = [each for each in gold["orders"] if not ordering.missing(each, observation)]
    return _ordered(wanted[0], observation) if wanted else _to_cart(observation)


def _at_receipt(gold: Gold, place: PathStep, observation: Observation) -> Advised:
    """Advise after an order: finish if it was the last person's, else go on with the cart."""
    if gold["people"][-1]["person"] in observation.text:
        return "place order", (), ""
    return _to_cart(observation)


def _to_cart(observation: Observation) -> Advised:
    return "change cart", ordering.to_cart(observation), None


_AT: Mapping[str, Way] = {
    "addresses": _follow("open help", "Help"),
    "help": _at_help,
    "orders": _at_orders,
    "order": _follow("look through orders", "Back to My Orders"),
    "lists": _at_lists,
    "shared": _at_list,
    "item": _at_item,
    **dict.fromkeys(operations.SUB_PAGES, _follow("read on", "< Prev")),
    "cart": _at_cart,
    "checkout": _at_checkout,
    "receipt": _at_receipt,
}


# Contenders --------------------------------------------------------------------------------------


def contenders(scenario: Scenario, data: StoreData) -> Iterator[Contender]:
    """Yield the thing on the first list that only the limit rules out, and a test of its price.

    It would be right if it were cheap enough. Later lists do not count: once the first list is
    done, something lies in the cart, and all lists show the prices of today.
    """
    gold = scenario.gold
    if not gold["possible"]:
        return
    stock, shop = ordering.stock_of(scenario, data), ordering.rules_of(scenario)
    limit, asin = 100 * int(gold["told"][-1][0]), gold["people"][0]["wrong"][LIMIT]
    line = stock.line(asin)

    def wins(cents: int) -> bool:
        lines, methods = [replace(line, cents=cents)], gold["orders"][0]["methods"]
        totals = (pricing.quote(lines, shop, method).total for method in methods)
        return min(totals) <= limit - _gifts.APART

    yield Contender(STORE, asin, line.cents, wins)


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: orders with a single mistake, and wrong answers."""
    gold = scenario.gold
    if not gold["possible"]:
        return _barren(scenario, data)
    orders, people = gold["orders"], gold["people"]
    misses = {
        "said that nothing fits": visits.gave_up("did not give up"),
        "left one out": ordering.placing(data, orders[:-1], "orders"),
        "more than the name": ordering.placing(
            data, _with(orders, 0, gift_text=f"For {people[0]['first']}"), "gift text"
        ),
        "two addresses swapped": ordering.placing(data, _swapped(orders), "address"),
        "ordered twice": ordering.placing(data, [*orders, orders[0]], "orders"),
    }
    for place, (order, each) in enumerate(zip(orders, people, strict=True)):
        for rule, asin in each["wrong"].items():
            wrong = _with(orders, place, lines=[[asin, {}, 1]])
            misses.setdefault(f"broke a rule: {rule}", ordering.placing(data, wrong, "items"))
        misses |= _careless(scenario, data, place, order, each)
    return misses


def _careless(
    scenario: Scenario, data: StoreData, place: int, order: Mapping[str, Any], each: Row
) -> dict[str, NearMiss]:
    """Return wrong end states, by label, with one order changed: old size, late delivery or an
    extra.
    """
    orders, found = scenario.gold["orders"], dict[str, NearMiss]()
    [[asin, options, _]] = order["lines"]
    if options and each["older"] in task.by_asin(asin).options[charts.SIZE]:
        lines = [[asin, {charts.SIZE: each["older"]}, 1]]
        found["size of another year"] = ordering.placing(
            data, _with(orders, place, lines=lines), "options"
        )
    shop = ordering.rules_of(scenario)
    known = [method.name for method in shop.methods if method.abroad]
    late = [name for name in known if name not in order["methods"]]
    if late:
        wrong = _with(orders, place, methods=late[:1])
        found["late or too dear"] = ordering.placing(data, wrong, "delivery")
    if shop.preset:
        wrong = _with(orders, place, extras=sorted(shop.preset))
        found["extras left ticked"] = ordering.placing(data, wrong, "extras")
    return found


def _barren(scenario: Scenario, data: StoreData) -> dict[str, NearMiss]:
    """Return wrong end states, by label, if nothing fits for a person.

    The agent orders something all the same, or gives up without a look.
    """
    [*_, last] = scenario.gold["people"]
    account = ordering.account_of(scenario)
    names = [each.name for each in account.addresses]
    wrong = ordering.order(
        [(last["wrong"][LIMIT], {}, 1)],
        ["Standard"],
        ship_to=names.index(last["person"]) + 1,
        gift_text=last["first"],
    )
    return {
        "ordered though nothing fits": ordering.placing(data, [wrong], "nothing ordered"),
        "gave up unseen": visits.gave_up("pages opened"),
    }


def _with(orders: Sequence[Row], place: int, **changed: Any) -> list[Row]:
    """Return the orders, with changes to the order at this place."""
    return [{**each, **changed} if at == place else each for at, each in enumerate(orders)]


def _swapped(orders: Sequence[Row]) -> list[Row]:
    first, second, *rest = orders
    return [
        {**first, "ship_to": second["ship_to"]},
        {**second, "ship_to": first["ship_to"]},
        *rest,
    ]
