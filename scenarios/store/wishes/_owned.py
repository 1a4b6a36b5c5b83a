"""Tasks about a product that the customer bought before: its order is in the customer's account.

The right purchase follows from that order, from the page of the old product, and from the request.
The gold holds the keys of `scenarios.store.market.task`, and:

- `owned`: the asin and name of the old product, which the order `order` holds;
- `asked`: the numbers of the orders that may hold it, as My Orders lists them; the last one does;
- `since`, `until`: the days between which these orders were placed;
- `shown`: the asins of the products to look at, as the narrowed results list them;
- `query`: the words to search for, from the request or from the old product's name;
- `notes`: the facts to remember from the order and from the old product's pages, by page;
- `keeps`: whether the new product must keep something of the old product.

The details hold `account` and `offers`, from which the visit's database is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any

from agent.interface import Advice, Click, Note, Observation, Type
from scenarios.phrasings import phrasings
from scenarios.scenario import Scenario
from scenarios.store.market import task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import (
    Needs,
    OrderRow,
    click,
    find,
    order_rows,
    page_of,
)
from sites.months import MONTHS
from sites.store.market import pricing
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder
from sites.store.market.account.draw import COMPLETE, draw_account
from sites.store.market.goods import facets
from sites.store.market.goods.bank import shared
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import ShopRules
from sites.store.shop import operations

FROM_ACCOUNT = ("owned", "query", "since", "until", "decides", "path", "notes")
"""Keys of the gold with values that account pages show; the test for leaked solutions skips them.
"""
STEPS = ("open orders", "look through orders", "open item", "read on", "search", "narrow",
         "choose options", "buy")  # fmt: skip
ORDERS = range(25, 41)
"""The possible numbers of orders of an account."""
ASKED = 3
"""The most orders to open until the agent finds the old product's order.

They lie in the period that the customer names.
"""
LISTED = range(4, 8)
"""The possible numbers of products to look at after the results are narrowed by the request.

This sets the difficulty of both families.
"""
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
"""The first and last days of periods, by a customer's words for them, such as "in spring"."""
NEAR = timedelta(days=30)
"""The time before and after the named period in which the customer bought nothing of the same kind.
"""


@dataclass(frozen=True)
class Owned:
    """A product that the customer bought in the period `when`.

    The orders of the period that may hold it are `asked`, as My Orders lists them. The last of
    these does hold it.
    """

    good: Good
    account: MarketAccount
    asked: tuple[MarketOrder, ...]
    when: str

    @property
    def order(self) -> MarketOrder:
        """Return the order that holds the product."""
        return self.asked[-1]

    @property
    def line(self) -> MarketLine:
        """Return the product's line in its order."""
        return next(each for each in self.order.lines if each.asin == self.good.asin)


# The account -------------------------------------------------------------------------------------


def draw(line: MarketLine, but: Sequence[Good], stock: Market, rng: Random) -> Owned:
    """Draw a customer who bought a product once, and nothing else of its kind near that time.

    My Orders shows only the first line of an order; in half of the accounts that is this product.
    The account has no discount codes, because *Buy Now* does not accept any.

    Args:
        line: The line of the old product.
        but: Products that the account must not hold in any order or list.
        stock: The market's stock.
        rng: The source of randomness.
    """
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
    """Return the orders of a period to which the old product could be added.

    The list is empty if something of the product's kind was bought near that period.
    """
    first, last = TIMES[when]
    about = [o for o in account.orders if first - NEAR <= o.placed <= last + NEAR]
    kinds = {task.by_asin(line.asin).kind.name for order in about for line in order.lines}
    if good.kind.name in kinds:
        return []
    return [each for each in about if _is_in(each.placed, when) and _is_plain(each, account)]


def _is_in(day: date, when: str) -> bool:
    """Return whether a day lies in a period of `TIMES`."""
    first, last = TIMES[when]
    return first <= day <= last


def _is_plain(order: MarketOrder, account: MarketAccount) -> bool:
    """Return whether the customer got the order at home, without a discount, and kept it."""
    kept = order.status == COMPLETE and not order.refunds and not order.discount
    return kept and order.ship_to == account.addresses[0]


def _with_line(
    order: MarketOrder, line: MarketLine, stock: Market, *, is_first: bool
) -> MarketOrder:
    """Return the order with the old product as its first or second line, and with the new costs."""
    first, *others = order.lines
    lines = (line, *others) if is_first else (first, line, *others[1:])
    then = [replace(stock.line(each.asin, each.quantity), cents=each.cents) for each in lines]
    cost = pricing.quote(then, ShopRules(), order.method)
    return replace(order, lines=lines, postage=cost.postage + cost.bulky, extras=0, tax=cost.tax)


# Wording -----------------------------------------------------------------------------------------


def tell(first: str, sentences: Sequence[str], last: Sequence[str], rng: Random) -> str:
    """Return the customer's text, with the sentences and some irrelevant remarks in random order.

    Args:
        first: The opening sentence with the request.
        sentences: The sentences that are shuffled.
        last: Sentences about the offer, such as the price, which come last.
        rng: The source of randomness.
    """
    frames = shared()["wishes"]
    order = list(sentences)
    rng.shuffle(order)
    for context in rng.sample(phrasings("remarks", "")["remark"], rng.choice((0, 1, 1, 2))):
        order.insert(rng.randrange(len(order) + 1), context.format(price=rng.randrange(12, 90)))
    ending = (rng.choice(frames["unmet"]), rng.choice(frames["closings"]))
    opening = rng.choice(frames["openings"][:9])
    return " ".join(filter(None, (opening.strip(), first, *order, *last, *ending)))


def names_time(wished: Sequence[Constraint]) -> bool:
    """Return whether a request contains the words for one of the periods in `TIMES`."""
    return any(when in each.text for when in TIMES for each in wished)


# Gold --------------------------------------------------------------------------------------------


def listed(goods: Sequence[Good], wished: Sequence[Constraint]) -> list[Good]:
    """Return the products that are left when the results are narrowed by the request's facets."""
    return alike(goods, _narrowing(goods[0], wished))


def alike(goods: Sequence[Good], wished: Sequence[Constraint]) -> list[Good]:
    """Return the products that have the values of all these constraints on worded facts.

    Args:
        goods: Products of one kind.
        wished: The constraints.
    """
    kind = goods[0].kind.name
    every = [_having(kind, each.fact, each.value) for each in wished]
    asins = frozenset.intersection(*every) if every else frozenset(e.asin for e in goods)
    return [each for each in goods if each.asin in asins]


@cache
def _having(kind: str, fact: str, value: str) -> frozenset[str]:
    """Return the asins of a kind's products that have this value of a fact."""
    return frozenset(e.asin for e in task.of_kind(kind) if e.facts[fact] == value)


def _narrowing(good: Good, wished: Sequence[Constraint]) -> list[Constraint]:
    """Return the constraints of a request by which the store's results can be narrowed."""
    names = {fact.name for fact in facets.fact_facets(good.kind)}
    return [each for each in wished if each.form == wishes.IS and each.fact in names]


@dataclass(frozen=True)
class Quest:
    """The product to find, as replacement or accessory of the product bought before.

    If no product is `possible`, `good` fails in one thing only, else it is the right product.
    `query` finds its kind. `shown` are the products to look at, and `kept` are the constraints that
    the new product takes from the old product. `reasons` returns the pages that show why another
    product is wrong; any of these pages is enough.
    """

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
        """Return the products to look at except the right one."""
        return [each for each in self.shown if each is not self.good]


def gold_of(quest: Quest, notes: Mapping[str, str]) -> dict[str, Any]:
    """Return the gold of a task.

    Args:
        quest: The product to find.
        notes: The notes to take, by the page that shows the facts ("order" for the old order).
    """
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
    """Yield the journal rows that prove that each page that matters was opened.

    These are the order, the kept facts of the old product, one reason against each other product,
    and all facts of the right product that the request asks for.
    """
    good, old = quest.good, quest.owned.good
    yield [visits.opened("order", int(quest.owned.order.number))]
    if quest.kept:
        pages = (task.pages(old, each)[:1] for each in quest.kept)
        yield from task.proofs(old, [["item"], *pages])
    for other in quest.others:
        yield task.rows_of(other, quest.reasons(other))
    if quest.possible:
        yield from task.proofs(good, [["item"], *(task.pages(good, e) for e in quest.wished)])
    else:
        yield task.rows_of(good, quest.reasons(good))


def _path(quest: Quest, decides: Sequence[Sequence[task.Row]]) -> Iterator[site_map.PathStep]:
    """Yield the steps through My Orders and the pages of the old product to the results."""
    owned, good = quest.owned, quest.good
    for order in owned.asked:
        page = visits.orders_page(owned.account.orders.index(order))
        yield from visits.orders_path(page)
        yield site_map.path_step("order", "look through orders", number=int(order.number))
    if quest.kept:
        yield from task.looked_at([owned.good], decides[1:])
    yield site_map.path_step("results", "search", query=quest.query, number=1)
    yield from task.looked_at([*quest.others, good], decides[1:])


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    There is an action for each page of the path, for coming back from each tab and from each item
    but the last, and for reaching the search; then those to narrow, to choose the options, and to
    buy.
    """
    gold = scenario.gold
    path = gold["path"]
    tabs = sum(each["page"] not in ("orders", "order", "item", "results") for each in path)
    back = len(gold["shown"]) - gold["possible"]
    deal = len(gold["options"]) + 1 if gold["possible"] else 0
    return int(len(path) + tabs + back + 1 + gold["narrowed"] + deal)


def line_of(scenario: Scenario) -> MarketLine:
    """Return the old product's line in its order."""
    account, gold = MarketAccount.from_json(scenario.details["account"]), scenario.gold
    [order] = [each for each in account.orders if int(each.number) == gold["order"]]
    return next(each for each in order.lines if each.asin == gold["owned"]["asin"])


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to find the order, read the old product's facts, then search, narrow and buy what
    fits.

    The answer is NOT_ACHIEVABLE if nothing fits.
    """
    gold, here = scenario.gold, site_map.here(observation)
    page = here["page"]
    if page_of(observation) == "done":
        return Advice("buy", answer="")
    if page == "orders":
        return _at_orders(gold, observation)
    if page == "order":
        return _at_order(gold, here["number"], observation)
    if page == "results":
        names = [task.by_asin(asin).name for asin in gold["shown"]]
        return task.at_results(gold, names, _choices(gold), observation, _known(gold))
    if page == "item":
        is_owned = here["asin"] in gold["owned"].values()  # the address holds either
        return (
            _at_owned(gold, observation) if is_owned else _at_item(gold, here["asin"], observation)
        )
    if page in operations.SUB_PAGES:
        notes = _note(gold, page) if here["asin"] in gold["owned"].values() else ()
        return Advice(
            "read on", (*notes, *click(observation, "< Prev")), needs=following.needs(gold)
        )
    return _at_index(scenario, observation)


def _known(gold: task.Gold) -> Needs:
    """Return the values that the instruction gives, and the notes taken from the old product's
    pages.
    """
    return (*following.needs(gold), *((each,) for each in gold["notes"].values()))


def _note(gold: task.Gold, page: str) -> tuple[Note, ...]:
    """Return the note to take on the page with this name; () if there is none."""
    return (Note(gold["notes"][page]),) if page in gold["notes"] else ()


def _at_index(scenario: Scenario, observation: Observation) -> Advice:
    """Advise on the home page: search if the old product's facts were seen, else go to My Orders.

    The recently viewed pages show that.
    """
    gold = scenario.gold
    last = gold["owned"]["name"] if gold["keeps"] else f"Order {gold['order']}"
    if find(observation, last) is None:
        return Advice("open orders", click(observation, "My Orders"), needs=following.needs(gold))
    box = find(observation, roles=("searchbox",))
    actions = (Type(box.id, gold["query"], enter=True),) if box else ()
    return Advice("search", actions, needs=following.needs(gold))


def _at_orders(gold: task.Gold, observation: Observation) -> Advice:
    """Advise on My Orders: open the next order that may hold the old product, or turn the page.

    An order that the list names by the old product comes first, then orders with more lines than
    shown.
    """
    rows = [each for each in order_rows(observation) if _is_in_time(gold, each)]
    design = task.by_asin(gold["owned"]["asin"]).design
    named = [each for each in rows if design in each.texts[1]]
    longer = [each for each in rows if " more" in each.texts[1]]
    unread = [each for each in (*named, *longer) if "visited" not in each.link.states]
    opened = (Click(unread[0].link.id),) if unread else click(observation, "Next page")
    return Advice("look through orders", opened, needs=following.needs(gold)[:1])


def _is_in_time(gold: task.Gold, row: OrderRow) -> bool:
    """Return whether an order was placed in the period that the customer names."""
    month, number, year = row.day.replace(",", "").split()
    day = date(int(year), MONTHS.index(month) + 1, int(number)).isoformat()
    return bool(gold["since"] <= day <= gold["until"])


def _at_order(gold: task.Gold, number: int, observation: Observation) -> Advice:
    if number != gold["order"]:
        return Advice(
            "look through orders", click(observation, "My Orders"), needs=following.needs(gold)[:1]
        )
    label = gold["owned"]["name"] if gold["keeps"] else "Back to Search"
    actions = (*_note(gold, "order"), *click(observation, label))
    return Advice(
        "open item" if gold["keeps"] else "search", actions, needs=following.needs(gold)[:1]
    )


def _at_owned(gold: task.Gold, observation: Observation) -> Advice:
    """Advise on the old product's page: read the tabs that show facts to keep, then go to the
    search.
    """
    good = task.by_asin(gold["owned"]["asin"])
    tab = next(task.unread(gold, good, observation), None)
    if tab is not None:
        return Advice("read on", (Click(tab),), needs=following.needs(gold))
    actions = (*_note(gold, "item"), *click(observation, "Back to Search"))
    return Advice("search", actions, needs=following.needs(gold))


def _choices(gold: task.Gold) -> Iterator[tuple[str, str]]:
    """Yield the facets by which the request narrows the results, as links (`screen.unchosen`)."""
    good = task.by_asin(gold["asin"])
    yield task.facet(good.kind, facets.KIND, good.kind.name)
    for each in _narrowing(good, wishes.constraints(gold)):
        yield task.facet(good.kind, each.fact, str(each.value))


def _at_item(gold: task.Gold, asin: str, observation: Observation) -> Advice:
    good, needs = task.by_asin(asin), _known(gold)
    tab = next(task.unread(gold, good, observation), None)
    if tab is not None:
        return Advice("read on", (Click(tab),), needs=needs)
    if asin != gold["asin"] or not gold["possible"]:
        return Advice("open item", click(observation, "< Prev"), needs=needs)
    advice = task.buy(gold, observation)
    return replace(advice, needs=(*needs, *advice.needs))
