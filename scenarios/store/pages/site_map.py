"""The map of the store's pages: the address of each, the link that leads to it, and the way back.

A path is a list of steps, as a gold holds it: the page to open with its keys (such as the `number`
of an order), the `step` by which it is opened, and the `note` to take before leaving it. In a path,
the pages that a list leads to follow that list: orders follow their page of My Orders, items follow
their order or list, and help pages follow the overview, whose `topic` is empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from agent.interface import Element, Observation
from scenarios.store.pages.screen import Needs, OrderRow, cards, find, order_rows, unopened
from sites.store.account import operations as customer
from sites.store.account import orders
from sites.store.catalogue.clock import spoken
from sites.store.catalogue.stock import Stock
from sites.store.market.account.account import MarketOrder
from sites.store.market.goods.stock import Market
from sites.store.market.service import help as rules
from sites.store.market.service import subscriptions
from sites.store.outlet import operations as outlet
from sites.store.outlet.goods import sold
from sites.store.shop import operations
from sites.store.shop.address import read_keywords
from sites.world import World

PathStep = dict[str, Any]
STEPS = ("open addresses", "open orders", "look through orders", "open order", "open wallet",
         "open lists", "open list", "open help", "read help", "search", "open item")  # fmt: skip
LISTED_STEPS = ("open messages", "open message", "open subscriptions", "open subscription")
"""Names of steps that the advice takes only for customers who have subscriptions."""
LINKS = ("link", "button")
"""Roles that a link may have: some renderings show links as buttons."""
PREV = "< Prev"


@dataclass(frozen=True)
class Page:
    """A kind of page.

    Attributes:
        open: Opens a page of a path by the site's operations, without a browser.
        address: Its address, with <key> for a key of the step, * for any part, and ** for any rest.
            "" if its address is not read.
        options: The keys that the options of the address hold, with the values of missing options.
        level: 1 if every page links to it, 2 for an entry of a list, 3 for an item, 4 for a page
            about an item.
        link: The label of the link to it, with {key} for a key of the step. "" if there is none.
        back: The label of the link from it to the list that shows it.
    """

    open: Callable[[World, Stock, PathStep], object]
    address: str = ""
    options: Mapping[str, str | int] = field(default_factory=dict)
    level: int = 1
    link: str = ""
    back: str = PREV

    def keys(self, path: str, options: Mapping[str, str]) -> PathStep | None:
        """Return the keys that an address holds; None if it is the address of another page."""
        found = _pattern(self.address).fullmatch(path)
        if found is None:
            return None
        keys: PathStep = {key: unquote(text or "") for key, text in found.groupdict().items()}
        keys |= {key: options.get(_OPTIONS.get(key, key), usual)
                 for key, usual in self.options.items()}  # fmt: skip
        return {key: _READ[key](text) if key in _READ else text for key, text in keys.items()}


_OPTIONS = {"number": "page"}
_READ: Mapping[str, Callable[[Any], Any]] = {
    "number": int,
    "query": lambda text: " ".join(read_keywords(text)),
}
"""How the values of keys are read from an address."""


@cache
def _pattern(address: str) -> re.Pattern[str]:
    """Return the regular expression of an address; it fits nothing if there is no address."""
    parts = re.sub(
        r"\*+|<[a-z]+>", lambda each: _PARTS.get(each[0]) or f"(?P{each[0]}[^/]+)", address
    )
    return re.compile(parts or "$^")


_PARTS = {"*": "[^/]+", "**": ".*"}


def _entries(page: str, open_list: Any, open_one: Any) -> dict[str, Page]:
    """Return the page of a list of the account, and that of one of its numbered entries."""
    label = f"{page.capitalize()}s"
    one = Page(lambda world, stock, step: open_one(world, step["number"]),
               f"/account/*/{page}s/<number>", level=2, link="{name}",
               back=f"Back to {label}")  # fmt: skip
    listed = Page(lambda world, stock, step: open_list(world), f"/account/*/{page}s", link=label)
    return {page: one, f"{page}s": listed}


def _open_tab(world: World, stock: Stock, step: PathStep) -> None:
    if step["page"] == "Reviews":
        customer.reviews_page(world, stock, step["asin"], step["number"])
    else:
        operations.open_sub_page(world, stock, step["asin"], step["page"], {})


def _open_listing(world: World, stock: Stock, step: PathStep) -> None:
    order = step["sort"], step["direction"]
    customer.category(world, stock, step["name"], step["number"], *order)


def _search_outlet(world: World, stock: Stock, step: PathStep) -> None:
    assert isinstance(stock, Market)
    outlet.search(world, stock, step["query"], step["narrowing"], step["number"])


_TURNED = {"number": 1}
PAGES: Mapping[str, Page] = {
    "order": Page(
        lambda world, stock, step: orders.order(world, str(step["number"])),
        "/account/*/orders/<number>", level=2, back="Back to My Orders",
    ),
    "orders": Page(
        lambda world, stock, step: orders.orders(world, step["number"]),
        "/account/*/orders", _TURNED, link="My Orders",
    ),
    "shared": Page(
        lambda world, stock, step: orders.shared_list(world, step["person"]),
        "/account/*/lists/<person>", level=2, link="{person}", back="Back to Shared Lists",
    ),
    "lists": Page(
        lambda world, stock, step: orders.shared_lists(world),
        "/account/*/lists", link="Shared Lists",
    ),
    **_entries("subscription", subscriptions.listed, subscriptions.open_one),
    **_entries("message", subscriptions.messages, subscriptions.open_message),
    "addresses": Page(
        lambda world, stock, step: orders.addresses(world),
        "/account/*/addresses", link="Address Book",
    ),
    "wallet": Page(
        lambda world, stock, step: orders.wallet(world), "/account/*/wallet", link="Wallet"
    ),
    "wishlist": Page(
        lambda world, stock, step: customer.wishes(world),
        "/account/*/wishlist", link="My Wish List",
    ),
    "account": Page(
        lambda world, stock, step: orders.dashboard(world), "/account/*", link="My Account"
    ),
    "contact": Page(
        lambda world, stock, step: customer.open_contact(world), "/contact/*", link="Contact Us"
    ),
    "help": Page(
        lambda world, stock, step: rules.open_help(world), "/help/*", link="Help"
    ),
    "topic": Page(
        lambda world, stock, step: rules.open_topic(world, step["topic"]),
        "/help/*/<topic>", level=2, back="Back to Help",
    ),
    "category": Page(
        _open_listing, "/category/*/<name>**",
        {"sort": "position", "direction": "asc", **_TURNED}, link="{name}",
    ),
    "results": Page(
        lambda world, stock, step: operations.search(
            world, stock, step["query"], step["number"], step.get("narrowing")
        ),
        "/search_results/*/<query>/<number>",
    ),
    "item": Page(
        lambda world, stock, step: operations.open_item(world, stock, step["asin"], {}),
        "/item_page/*/<asin>**", level=3, link="{name}",
    ),
    **{
        page: Page(
            _open_tab, f"/item_sub_page/*/<asin>/*/*/{page}**", _TURNED, level=4, link=page
        )
        for page in operations.SUB_PAGES
    },
    "outlet results": Page(_search_outlet),
    "outlet item": Page(
        lambda world, stock, step: outlet.open_item(world, sold()[step["asin"]], {})
    ),
    "outlet help": Page(lambda world, stock, step: outlet.open_help(world)),
}  # fmt: skip
"""The kinds of pages, by the names that paths and journals have for them; "topic" is a page of the
help, which they name "help".
"""
_UNKNOWN = Page(lambda world, stock, step: None, level=4)


def page_of(step: PathStep) -> Page:
    """Return the kind of a page of a path."""
    name = "topic" if step.get("topic") else step["page"]
    return PAGES.get(name, _UNKNOWN)


# The current page --------------------------------------------------------------------------------


def here(observation: Observation) -> PathStep:
    """Return the open page as a path names it; its `page` is "" if it is unknown."""
    split = urlsplit(observation.url)
    options = {key: values[0] for key, values in parse_qs(split.query).items()}
    try:
        found = ((name, page.keys(split.path, options)) for name, page in PAGES.items())
        name, keys = next((name, keys) for name, keys in found if keys is not None)
    except (StopIteration, ValueError):
        return {"page": ""}
    if name in ("help", "topic"):
        return {"page": "help", "topic": "", **keys}
    return {"page": name, **keys}


def is_at(step: PathStep, place: PathStep) -> bool:
    """Return whether the page `place` is the page that a step of a path opens."""
    return all(step.get(key) == value for key, value in place.items())


def is_turned(place: PathStep, ahead: PathStep) -> bool:
    """Return whether two pages are pages with different numbers of the same list."""
    if "number" not in page_of(place).options:
        return False
    keys = place.keys() - {"number", "step", "note"}
    return all(ahead.get(k) == place[k] for k in keys) and ahead["number"] != place["number"]


def link(step: PathStep, observation: Observation, given: Needs = ()) -> Element | None:
    """Return the link to a page of a path, on the open page or in its header; None if there is
    none.

    If several rows of a list look right, the first that was not opened yet counts.

    Args:
        step: The step that opens the page.
        observation: The open page.
        given: The values that the instruction gives, each with its spellings. An order is known by
            its day, its month or its number among them, if the step does not hold its day.
    """
    if step["page"] == "order":
        rows = [row for row in order_rows(observation) if _is_right(row, step, given)]
        fresh = (row.link for row in rows if "visited" not in row.link.states)
        return next(fresh, rows[-1].link if rows else None)
    if step.get("topic"):
        title = step.get("title") or rules.ALL_TOPICS[step["topic"]].title
        return find(observation, title, roles=LINKS)
    label = page_of(step).link.format(**step)
    own = find(observation, label, roles=LINKS) if label else None
    return own or (_card(label, observation) if step["page"] == "item" else None)


def _is_right(row: OrderRow, step: PathStep, given: Needs) -> bool:
    """Return whether a row of a list shows what is known of the order that a step opens.

    What only the site knows, such as the number of an order that nobody named, does not count.
    """
    if "day" in step:
        return bool(row.day == step["day"])
    known = {each for spellings in given for each in spellings}
    if str(step["number"]) in known:
        return row.link.name.endswith(str(step["number"]))
    return bool(known & {row.day, re.sub(r" \d+,", "", row.day)})


def _card(title: str, observation: Observation) -> Element | None:
    """Return the link of the first unopened item with this title in a list of items, else of the
    last item.
    """
    named = [card for card in cards(observation) if card.title == title]
    found = unopened(named) or next(reversed(named), None)
    return found.link if found else None


# Paths -------------------------------------------------------------------------------------------


def path_step(page: str, step: str, note: str = "", **about: Any) -> PathStep:
    """Return a step of a path: the page to open, its `step` (the name of the action) and `note`.

    The note is what the agent writes down on that page; "" for none.
    """
    return {"page": page, "step": step, **about, **({"note": note} if note else {})}


def orders_step(number: int, note: str = "") -> PathStep:
    """Return the step that opens one page of My Orders.

    Args:
        number: The page's number, from 1.
        note: What to note before leaving the page; "" for nothing.
    """
    step = "look through orders" if number > 1 else "open orders"
    return path_step("orders", step, note, number=number)


def order_step(order: MarketOrder, note: str = "") -> PathStep:
    """Return the step that opens an order from My Orders, with a note to take there."""
    day = spoken(order.placed)
    return path_step("order", "open order", note, number=int(order.number), day=day)


def addresses_step(note: str = "") -> PathStep:
    """Return the step that opens the Address Book, with a note to take there."""
    return path_step("addresses", "open addresses", note)


def shared_steps(person: str, note: str = "") -> list[PathStep]:
    """Return the steps that open the overview of shared lists, then the list of one person."""
    return [
        path_step("lists", "open lists"),
        path_step("shared", "open list", note, person=person),
    ]


def help_steps(*topics: str) -> list[PathStep]:
    """Return the steps that open the overview of the help pages, then the pages of these topics."""
    read = (path_step("help", "read help", topic=topic) for topic in topics)
    return [path_step("help", "open help", topic=""), *read]


def listed_steps(page: str, *about: tuple[int, str]) -> list[PathStep]:
    """Return the steps that open a list of the account, then these entries of it.

    Args:
        page: "subscriptions" or "messages".
        about: For each entry to open, its number and the text of its link.
    """
    one = page.removesuffix("s")
    opened = (path_step(one, f"open {one}", number=number, name=name) for number, name in about)
    return [path_step(page, f"open {page}"), *opened]


def item_step(asin: str, name: str) -> PathStep:
    """Return the step that opens an item from an order, a shared list or search results."""
    return path_step("item", "open item", asin=asin, name=name)


def walk(path: Iterable[PathStep], world: World, stock: Stock) -> None:
    """Open the pages of a path by the site's operations, without a browser."""
    for step in path:
        page_of(step).open(world, stock, step)


def actions(path: Sequence[PathStep]) -> int:
    """Return how many actions a path takes: one per page, and one per step back up to a list."""
    return len(path) + sum(map(_ways_back, path, path[1:]))


def _ways_back(place: PathStep, ahead: PathStep) -> int:
    """Return how many steps back lead from one page to the list that links to the next.

    The number is 0 if the next page has a link in the header, which every page shows.
    """
    if not is_near(ahead) or is_turned(place, ahead):
        return 0
    return max(0, page_of(place).level - max(1, page_of(ahead).level - 1))


def is_near(ahead: PathStep) -> bool:
    """Return whether a page is reached from the list before it, not from a link in the header."""
    return page_of(ahead).level > 1 or (ahead["page"] == "orders" and ahead["number"] > 1)
