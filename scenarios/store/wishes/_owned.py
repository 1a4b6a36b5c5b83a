"""Tasks about something that was bought before: its order is one of a customer's, and what is to be
bought now follows from that order, from the old product's page, and from a wish.

The gold of these families holds what `_market` says, and:

- `owned`: the asin and name of what was bought, in the order `order`;
- `asked`: the numbers of the orders that may hold it, as My Orders lists them; the last one does;
- `since`, `until`: between which days these were placed;
- `shown`: what has to be looked at, by its asin, as the narrowed results list it;
- `query`: what is searched for, in words of the wish or of the old product's name;
- `notes`: what is to be remembered of the order and of the old product, by the page;
- `keeps`: whether something of the old product is kept.

Details hold `account` and `offers`, of which the world is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, partial
from random import Random
from typing import Any

from agent.interface import Advice, Click, Element, Note, Observation, Type
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import account_pages, visits
from scenarios.store.pages.screen import cards, click, find, page_of, unopened
from sites.months import MONTHS
from sites.store import StoreData
from sites.store.market import pricing
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder
from sites.store.market.account.draw import COMPLETE, draw_account
from sites.store.market.goods import facets
from sites.store.market.goods.bank import shared
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import ShopRules
from sites.store.shop import operations
from sites.world import World

FROM_ACCOUNT = ("owned", "query", "since", "until", "decides", "path", "notes")
"""The parts of the gold that name what the account holds from the start."""
STEPS = ("open orders", "look through orders", "open item", "read on", "search", "narrow",
         "choose options", "buy")  # fmt: skip
ORDERS = range(25, 41)
"""So many orders an account has."""
ASKED = 3
"""At most so many orders of the time that the customer names have to be opened until one holds what
was bought."""
LISTED = range(4, 8)
"""The screw of both families: so many goods are left when the results are narrowed by all that was
wished for, and have to be looked at."""
TIMES = {
    "in spring": (date(2025, 3, 1), date(2025, 5, 31)),
    "in summer": (date(2025, 6, 1), date(2025, 8, 31)),
    "last fall": (date(2025, 9, 1), date(2025, 11, 30)),
    "in April": (date(2025, 4, 1), date(2025, 4, 30)),
    "in July": (date(2025, 7, 1), date(2025, 7, 31)),
    "in September": (date(2025, 9, 1), date(2025, 9, 30)),
    "in October": (date(2025, 10, 1), date(2025, 10, 31)),
    "in November": (date(2025, 11, 1), date(2025, 11, 30)),
}
"""When something was bought, as its buyer says it on the day of the clock."""
NEAR = timedelta(days=30)
"""So long before and after that time nothing else of its kind was bought."""
CONTEXTS = (
    "I am on the bus, so never mind my spelling.",
    "I asked at the shop round the corner, they only shrugged.",
    "Guests come in about three weeks.",
    "We are four people and a dog here.",
    "My neighbour says that I should just wait for the sales, but no.",
    "I would look myself, but my glasses are at the optician's.",
    "We moved in the meantime and still eat off boxes.",
    "My brother paid {price} dollars for his, which is madness.",
    "It has rained for nine days, so I am in no mood for shopping.",
    "The last thing that I ordered by myself was {price} pairs of socks.",
)
"""What does not matter; some with a figure that could be mistaken for a wish."""
_NUMBER = re.compile(r"\d{9}")


@dataclass(frozen=True)
class Owned:
    """Something that was bought at a time: `asked` are the orders of that time that may hold it, as
    My Orders lists them, down to its own."""

    good: Good
    account: MarketAccount
    asked: tuple[MarketOrder, ...]
    when: str

    @property
    def order(self) -> MarketOrder:
        return self.asked[-1]

    @property
    def line(self) -> MarketLine:
        return next(each for each in self.order.lines if each.asin == self.good.asin)


# The account -------------------------------------------------------------------------------------


def draw(line: MarketLine, but: Sequence[Good], stock: Market, rng: Random) -> Owned:
    """A customer who has bought this once, nothing else of its kind at about that time, and none of
    the others ever. My Orders names an order by its first line, which is this one in half of the
    accounts. There are no codes, for Buy Now takes none."""
    good = task.by_asin(line.asin)
    is_first = rng.random() < 0.5
    while True:
        account = draw_account(rng, stock, ORDERS)
        known = {each.asin for order in account.orders for each in order.lines}
        known.update(asin for each in account.lists for asin in each.asins)
        times = rng.sample(sorted(TIMES), len(TIMES))
        able = [(when, order) for when in times for order in _able(account, good, when)]
        for when, old in able if known.isdisjoint(each.asin for each in but) else ():
            placed = [each for each in account.orders if _is_in(each.placed, when)]
            asked = [] if is_first else [e for e in placed[: placed.index(old)] if len(e.lines) > 1]
            if len(asked) < ASKED:
                new = _with_line(old, line, stock, is_first=is_first)
                every = tuple(new if each is old else each for each in account.orders)
                found = replace(account, orders=every, codes=())
                return Owned(good, found, (*asked, new), when)


def _able(account: MarketAccount, good: Good, when: str) -> list[MarketOrder]:
    """The orders of a time in any of which it could have been bought; [] where something of its
    kind was bought at about that time."""
    first, last = TIMES[when]
    about = [o for o in account.orders if first - NEAR <= o.placed <= last + NEAR]
    kinds = {task.by_asin(line.asin).kind.name for order in about for line in order.lines}
    if good.kind.name in kinds:
        return []
    return [each for each in about if _is_in(each.placed, when) and _is_plain(each, account)]


def _is_in(day: date, when: str) -> bool:
    first, last = TIMES[when]
    return first <= day <= last


def _is_plain(order: MarketOrder, account: MarketAccount) -> bool:
    """Whether the customer got it at home, and kept it."""
    kept = order.status == COMPLETE and not order.refunds and not order.discount
    return kept and order.ship_to == account.addresses[0]


def _with_line(
    order: MarketOrder, line: MarketLine, stock: Market, *, is_first: bool
) -> MarketOrder:
    """The order with this as its first or second line, and what that then cost."""
    first, *others = order.lines
    lines = (line, *others) if is_first else (first, line, *others[1:])
    then = [replace(stock.line(each.asin, each.quantity), cents=each.cents) for each in lines]
    cost = pricing.quote(then, ShopRules(), order.method)
    return replace(order, lines=lines, postage=cost.postage + cost.bulky, extras=0, tax=cost.tax)


# Wording -----------------------------------------------------------------------------------------


def tell(first: str, sentences: Sequence[str], last: Sequence[str], rng: Random) -> str:
    """What the customer writes: what it is about, sentences in any order, then the offer."""
    frames = shared()["wishes"]
    order = list(sentences)
    rng.shuffle(order)
    for context in rng.sample(CONTEXTS, rng.choice((0, 1, 1, 2))):
        order.insert(rng.randrange(len(order) + 1), context.format(price=rng.randrange(12, 90)))
    ending = (rng.choice(frames["unmet"]), rng.choice(frames["closings"]))
    opening = rng.choice(frames["openings"][:9])
    return " ".join(filter(None, (opening.strip(), first, *order, *last, *ending)))


def names_time(wished: Sequence[Constraint]) -> bool:
    """Whether a wish holds words by which a customer says when something was bought."""
    return any(when in each.text for when in TIMES for each in wished)


# Gold --------------------------------------------------------------------------------------------


def listed(goods: Sequence[Good], wished: Sequence[Constraint]) -> list[Good]:
    """Those that are left when the results are narrowed by what was wished for."""
    return alike(goods, _narrowing(goods[0], wished))


def alike(goods: Sequence[Good], wished: Sequence[Constraint]) -> list[Good]:
    """Those of a kind that have these values of worded facts."""
    kind = goods[0].kind.name
    every = [_having(kind, each.fact, each.value) for each in wished]
    asins = frozenset.intersection(*every) if every else frozenset(e.asin for e in goods)
    return [each for each in goods if each.asin in asins]


@cache
def _having(kind: str, fact: str, value: str) -> frozenset[str]:
    return frozenset(e.asin for e in task.of_kind(kind) if e.facts[fact] == value)


def _narrowing(good: Good, wished: Sequence[Constraint]) -> list[Constraint]:
    names = {fact.name for fact in facets.fact_facets(good.kind)}
    return [each for each in wished if each.form == wishes.IS and each.fact in names]


@dataclass(frozen=True)
class Quest:
    """What is to be found: `good` is right where it is `possible` at all, else what would be but
    for one thing. `query` finds its kind; `shown` are the goods to be looked at, `kept` what the
    wish takes from the old product, `reasons` the pages of which one speaks against another."""

    owned: Owned
    good: Good
    shown: Sequence[Good]
    wished: Sequence[Constraint]
    reasons: Callable[[Good], Sequence[str]]
    possible: bool
    query: str
    kept: Sequence[Constraint] = ()

    @property
    def others(self) -> list[Good]:
        return [each for each in self.shown if each is not self.good]


def gold_of(quest: Quest, notes: Mapping[str, str]) -> dict[str, Any]:
    """The gold; `notes` by the page of what was bought, or of its order."""
    owned, good, wished = quest.owned, quest.good, quest.wished
    decides = list(_decides(quest))
    return {
        "asin": good.asin,
        "name": good.name,
        "kind": good.kind.name,
        "constraints": [each.to_json() for each in wished],
        "options": {each.fact: each.value for each in wished if each.form == wishes.OPTION},
        "owned": {"asin": owned.good.asin, "name": owned.good.name},
        "order": int(owned.order.number),
        "asked": [int(each.number) for each in owned.asked],
        "since": TIMES[owned.when][0].isoformat(),
        "until": TIMES[owned.when][1].isoformat(),
        "shown": [each.asin for each in (*quest.others, good)],
        "query": quest.query,
        "narrowed": 1 + len(_narrowing(good, wished)),
        "decides": decides,
        "path": list(_path(quest, decides)),
        "notes": dict(notes),
        "keeps": bool(quest.kept),
        "told": visits.spellings(owned.when, *(each.text for each in wished)),
        "possible": quest.possible,
    }


def _decides(quest: Quest) -> Iterator[list[task.Row]]:
    """What has to be seen: the order, what is kept of the old product, one thing against each other
    good, and all that speaks for the right one."""
    good, old = quest.good, quest.owned.good
    yield [visits.opened("order", int(quest.owned.order.number))]
    if quest.kept:
        pages = (task.pages(old, each)[:1] for each in quest.kept)
        yield from _each_once(old, [["item"], *pages])
    for other in quest.others:
        yield task.rows_of(other, quest.reasons(other))
    if quest.possible:
        yield from _each_once(good, [["item"], *(task.pages(good, e) for e in quest.wished)])
    else:
        yield task.rows_of(good, quest.reasons(good))


def _each_once(good: Good, pages: Sequence[Sequence[str]]) -> Iterator[list[task.Row]]:
    for place, names in enumerate(pages):
        if names not in pages[:place]:
            yield task.rows_of(good, names)


def _path(quest: Quest, decides: Sequence[Sequence[task.Row]]) -> Iterator[visits.PathStep]:
    owned, good = quest.owned, quest.good
    for order in owned.asked:
        page = visits.orders_page(owned.account.orders.index(order))
        yield from visits.orders_path(page)
        yield visits.path_step("order", "look through orders", number=int(order.number))
    if quest.kept:
        yield from task.looked_at([owned.good], decides[1:])
    yield visits.path_step("results", "search", query=quest.query, number=1)
    yield from task.looked_at([*quest.others, good], decides[1:])


def length(scenario: Scenario) -> int:
    """One action for each page of the path, one to come back from each tab and each item but the
    last, one to the search; then to narrow, to choose the options, and to buy."""
    gold = scenario.gold
    path = gold["path"]
    tabs = sum(each["page"] not in ("orders", "order", "item", "results") for each in path)
    back = len(gold["shown"]) - gold["possible"]
    deal = len(gold["options"]) + 1 if gold["possible"] else 0
    return int(len(path) + tabs + back + 1 + gold["narrowed"] + deal)


def look(scenario: Scenario, world: World, data: StoreData) -> None:
    """See everything that decides, through the site's operations."""
    visits.walk(scenario.gold["path"], world, data.of(world))


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    look(scenario, world, data)
    if not scenario.gold["possible"]:
        return visits.NOT_ACHIEVABLE
    buy(scenario.gold["asin"], scenario.gold["options"], data, world)
    return ""


def buy(asin: str, options: Mapping[str, str], data: StoreData, world: World) -> None:
    """Buy a product, with what it has of the options."""
    product = operations.open_item(world, data.of(world), asin, {})
    able = {
        name: value for name, value in options.items() if value in product.options.get(name, ())
    }
    operations.buy(world, product, able)


def line_of(scenario: Scenario) -> MarketLine:
    """What was bought, as its order holds it."""
    account, gold = MarketAccount.from_json(scenario.details["account"]), scenario.gold
    [order] = [each for each in account.orders if int(each.number) == gold["order"]]
    return next(each for each in order.lines if each.asin == gold["owned"]["asin"])


# Near misses -------------------------------------------------------------------------------------


def bought(
    scenario: Scenario,
    data: StoreData,
    asin: str,
    fails: str = "product",
    options: Mapping[str, str] | None = None,
) -> NearMiss:
    chosen = scenario.gold["options"] if options is None else options
    return NearMiss(partial(buy, asin, chosen, data), fails)


def careless(scenario: Scenario, data: StoreData, dear: str) -> dict[str, NearMiss]:
    """Mistakes that can go with any such task; `dear` names what speaks against what nearly fits
    where nothing does."""
    gold = scenario.gold
    if not gold["possible"]:
        return {
            dear: bought(scenario, data, gold["asin"], "nothing bought"),
            "gave up unseen": visits.gave_up("pages opened"),
        }

    def twice(world: World) -> None:
        for _ in range(2):
            buy(gold["asin"], gold["options"], data, world)

    return {
        "bought twice": NearMiss(twice, "one purchase"),
        "said that nothing fits": visits.gave_up("one purchase"),
    }


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Look for the order, and at what was bought where something of it is kept; then search,
    narrow, look at what is left, and buy what fits or say that nothing does."""
    gold, here = scenario.gold, account_pages.here(observation)
    page = here["page"]
    if page_of(observation) == "done":
        return Advice("buy", answer="")
    if page == "orders":
        return _at_orders(gold, observation)
    if page == "order":
        return _at_order(gold, here["number"], observation)
    if page == "results":
        return _at_results(gold, observation)
    if page == "item":
        is_owned = here["asin"] in gold["owned"].values()  # by its name, where that was opened
        return (
            _at_owned(gold, observation) if is_owned else _at_item(gold, here["asin"], observation)
        )
    if page in operations.SUB_PAGES:
        notes = _note(gold, page) if here["asin"] in gold["owned"].values() else ()
        return Advice("read on", (*notes, *click(observation, "< Prev")), needs=_given(gold))
    return _at_index(scenario, observation)


def _given(gold: task.Gold) -> task.Needs:
    return tuple(tuple(each) for each in gold["told"])


def _known(gold: task.Gold) -> task.Needs:
    """The wish, and what had to be remembered."""
    return (*_given(gold), *((each,) for each in gold["notes"].values()))


def _note(gold: task.Gold, page: str) -> tuple[Note, ...]:
    return (Note(gold["notes"][page]),) if page in gold["notes"] else ()


def _at_index(scenario: Scenario, observation: Observation) -> Advice:
    """Search once what had to be seen before is among what was viewed recently."""
    gold = scenario.gold
    last = gold["owned"]["name"] if gold["keeps"] else f"Order {gold['order']}"
    if find(observation, last) is None:
        return Advice("open orders", click(observation, "My Orders"), needs=_given(gold))
    box = find(observation, roles=("searchbox",))
    actions = (Type(box.id, gold["query"], enter=True),) if box else ()
    return Advice("search", actions, needs=_given(gold))


def _at_orders(gold: task.Gold, observation: Observation) -> Advice:
    """Open the order of that time which names it, else the next that has more in it than it names;
    turn the page where there is none."""
    rows = [each for each in _rows(observation) if gold["since"] <= each.day <= gold["until"]]
    named = [each for each in rows if task.by_asin(gold["owned"]["asin"]).design in each.items]
    longer = [each for each in rows if " more" in each.items]
    unread = [each for each in (*named, *longer) if "visited" not in each.link.states]
    opened = (Click(unread[0].link.id),) if unread else click(observation, "Next page")
    return Advice("look through orders", opened, needs=_given(gold)[:1])


@dataclass(frozen=True)
class _Row:
    """An order as My Orders lists it; its `day` as an ISO date."""

    link: Element
    day: str
    items: str


def _rows(observation: Observation) -> Iterator[_Row]:
    link, texts = None, list[str]()
    for node in observation.content:
        if isinstance(node, Element):
            link, texts = (node if _NUMBER.fullmatch(node.name) else None), []
        elif link is not None:
            texts.append(node.text)
            if len(texts) == 2:
                yield _Row(link, _iso(texts[0]), texts[1])


def _iso(day: str) -> str:
    month, number, year = day.replace(",", "").split()
    return date(int(year), MONTHS.index(month) + 1, int(number)).isoformat()


def _at_order(gold: task.Gold, number: int, observation: Observation) -> Advice:
    if number != gold["order"]:
        return Advice(
            "look through orders", click(observation, "My Orders"), needs=_given(gold)[:1]
        )
    label = gold["owned"]["name"] if gold["keeps"] else "Back to Search"
    actions = (*_note(gold, "order"), *click(observation, label))
    return Advice("open item" if gold["keeps"] else "search", actions, needs=_given(gold)[:1])


def _at_owned(gold: task.Gold, observation: Observation) -> Advice:
    """Read of the old product what is kept of it."""
    good = task.by_asin(gold["owned"]["asin"])
    tab = next(task.unread(gold, good, observation), None)
    if tab is not None:
        return Advice("read on", (Click(tab),), needs=_given(gold))
    actions = (*_note(gold, "item"), *click(observation, "Back to Search"))
    return Advice("search", actions, needs=_given(gold))


def _at_results(gold: task.Gold, observation: Observation) -> Advice:
    """Narrow them until one page lists all that has to be looked at, and look at one by one."""
    needs, names = _known(gold), [task.by_asin(asin).name for asin in gold["shown"]]
    listed = cards(observation)
    if not set(names) <= {each.title for each in listed}:
        facet = _facet(gold, observation)
        turned = (Click(facet.id),) if facet else click(observation, "Next >")
        return Advice("narrow", turned, needs=needs)
    able = [card for name in names for card in listed if card.title == name]
    following = unopened(able)
    if following is not None:
        return Advice("open item", (Click(following.link.id),), needs=needs)
    if not gold["possible"]:
        return Advice("open item", answer=visits.NOT_ACHIEVABLE, needs=needs)
    return Advice("open item", (Click(able[-1].link.id),), needs=needs)


def _facet(gold: task.Gold, observation: Observation) -> Element | None:
    """The link of the next value, of those wished for, that was not chosen yet."""
    good, wished = task.by_asin(gold["asin"]), wishes.constraints(gold)
    chosen = ((each.fact, str(each.value)) for each in _narrowing(good, wished))
    facts = {fact.name: fact for fact in facets.fact_facets(good.kind)}
    values = ((facts[name].labels[0], facts[name].values[value].table) for name, value in chosen)
    for label, value in (("Kind", good.kind.name), *values):
        link = find(observation, value)
        if link is not None and find(observation, f"Any {label.lower()}") is None:
            return link
    return None


def _at_item(gold: task.Gold, asin: str, observation: Observation) -> Advice:
    good, needs = task.by_asin(asin), _known(gold)
    tab = next(task.unread(gold, good, observation), None)
    if tab is not None:
        return Advice("read on", (Click(tab),), needs=needs)
    if asin != gold["asin"] or not gold["possible"]:
        return Advice("open item", click(observation, "< Prev"), needs=needs)
    advice = task.buy(gold, observation)
    return replace(advice, needs=(*needs, *advice.needs))
