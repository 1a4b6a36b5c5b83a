"""Advice on the account pages of a market customer: recognize the page, and follow a path.

A path is a list of steps made by `scenarios.store.pages.visits.path_step`. The pages of that module
are extended here by the help pages (`topic`, empty for the overview), the wallet, the addresses,
the shared lists and the list of one `person`, the subscriptions and messages, and a single
subscription or message (`number` and `name`). In a path, the pages that a list leads to follow that
list: orders follow their page of My Orders, items follow their order or list, and help pages follow
the overview. A step that opens an order also holds its `day`, by which the advice finds the link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

from agent.interface import Action, Advice, Click, Element, Note, Observation, Text
from scenarios.scenario import Scenario
from scenarios.store.pages import account_pages, visits
from scenarios.store.pages.screen import cards, click, find
from scenarios.store.pages.visits import Gold, PathStep
from sites.store.account import orders as account
from sites.store.catalogue.clock import spoken
from sites.store.market.account.account import MarketOrder
from sites.store.market.goods.stock import Market
from sites.store.market.service import help as rules
from sites.store.market.service import subscriptions
from sites.world import World

STEPS = ("open addresses", "open orders", "look through orders", "open order", "open wallet",
         "open lists", "open list", "open help", "read help", "search", "open item")  # fmt: skip
LISTED_STEPS = ("open messages", "open message", "open subscriptions", "open subscription")
"""Names of steps that the advice takes only for customers who have subscriptions."""
LABELS = {
    "account": "My Account",
    "orders": "My Orders",
    "addresses": "Address Book",
    "wallet": "Wallet",
    "lists": "Shared Lists",
    "wishlist": "My Wish List",
    "help": "Help",
    "subscriptions": "Subscriptions",
    "messages": "Messages",
}
"""Labels of the links in the page header, by the page that each opens."""
_LISTED = {"subscriptions": "subscription", "messages": "message"}
"""Pages that list numbered entries, each with the page of a single entry."""
_BACK = {
    "order": "Back to My Orders",
    "shared": "Back to Shared Lists",
    "help": "Back to Help",
    "subscription": "Back to Subscriptions",
    "message": "Back to Messages",
    "item": "< Prev",
}
LINKS = ("link", "button")
"""Roles that a link may have: some renderings show links as buttons."""
_NUMBER = re.compile(r"\d{9}")
_DAY = re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}")
Needs = account_pages.Needs


# Steps -------------------------------------------------------------------------------------------


def orders_step(number: int, note: str = "") -> PathStep:
    """Return the step that opens one page of My Orders.

    Args:
        number: The page's number, from 1.
        note: What to note before leaving the page; "" for nothing.
    """
    step = "look through orders" if number > 1 else "open orders"
    return visits.path_step("orders", step, note, number=number)


def order_step(order: MarketOrder, note: str = "") -> PathStep:
    """Return the step that opens an order from My Orders, with a note to take there."""
    day = spoken(order.placed)
    return visits.path_step("order", "open order", note, number=int(order.number), day=day)


def addresses_step(note: str = "") -> PathStep:
    """Return the step that opens the Address Book, with a note to take there."""
    return visits.path_step("addresses", "open addresses", note)


def shared_steps(person: str, note: str = "") -> list[PathStep]:
    """Return the steps that open the overview of shared lists, then the list of one person."""
    return [
        visits.path_step("lists", "open lists"),
        visits.path_step("shared", "open list", note, person=person),
    ]


def help_steps(*topics: str) -> list[PathStep]:
    """Return the steps that open the overview of the help pages, then the pages of these topics."""
    read = (visits.path_step("help", "read help", topic=topic) for topic in topics)
    return [visits.path_step("help", "open help", topic=""), *read]


def listed_steps(page: str, *about: tuple[int, str]) -> list[PathStep]:
    """Return the steps that open a list of the account, then these entries of it.

    Args:
        page: "subscriptions" or "messages".
        about: For each entry to open, its number and the text of its link.
    """
    one = _LISTED[page]
    opened = (
        visits.path_step(one, f"open {one}", number=number, name=name) for number, name in about
    )
    return [visits.path_step(page, f"open {page}"), *opened]


def item_step(asin: str, name: str) -> PathStep:
    """Return the step that opens an item from an order, a shared list or search results."""
    return visits.path_step("item", "open item", asin=asin, name=name)


def actions(path: Sequence[PathStep]) -> int:
    """Return how many actions a path takes: one per page, and one per step back up to a list."""
    return len(path) + sum(map(_ways_back, path, path[1:]))


def _ways_back(here: PathStep, ahead: PathStep) -> int:
    """Return how many steps back lead from one page to the list that links to the next.

    The number is 0 if the next page has a link in the header, which every page shows.
    """
    if not _is_near(ahead):
        return 0
    return max(0, _depth(here) - max(1, _depth(ahead) - 1))


def _depth(step: PathStep) -> int:
    """Return a page's level: 1 if the header links to it, 2 for an entry of a list, 3 for an item,
    else 4.
    """
    page = step["page"]
    if page in ("order", "shared", *_LISTED.values()) or (page == "help" and step.get("topic")):
        return 2
    if page == "item":
        return 3
    return 1 if page in (*LABELS, "results") else 4


# The current page --------------------------------------------------------------------------------


def here(observation: Observation) -> PathStep:
    """Return the open page as a path names it, without step and note.

    The `page` of an unknown page is "".
    """
    parts = [unquote(part) for part in urlsplit(observation.url).path.split("/")[1:]]
    if parts[0] == "help":
        return {"page": "help", "topic": parts[2] if len(parts) > 2 else ""}
    if parts[0] == "account" and len(parts) > 3 and parts[2] == "lists":
        return {"page": "shared", "person": parts[3]}
    if parts[0] == "account" and len(parts) > 3 and parts[2] in _LISTED and parts[3].isdigit():
        return {"page": _LISTED[parts[2]], "number": int(parts[3])}
    return account_pages.here(observation)


# Along a path ------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to follow the path of a question, to take its notes, and to answer at its end."""
    gold = scenario.gold
    return follow(gold, observation) or account_pages.finish(gold, observation)


def follow(gold: Gold, observation: Observation) -> Advice | None:
    """Return the advice that leads to the next page of the path.

    Links that the page marks as visited show which pages were opened already. If several rows of a
    list match, the first unvisited link is opened next.

    Returns:
        None at the end of the path, or on a page outside the path if everything was opened.
    """
    path, place = gold["path"], here(observation)
    at = _index(path, place)
    if at is None:
        return _beside(gold, place, observation)
    below = list(_below(path, at))
    unopened = [each for each in below if _is_unopened(each, observation)]
    if unopened:
        first = len(unopened) == len(below)
        return _advice(gold, path[at] if first else None, unopened[0], observation)
    end = _end(path, at)
    if end == len(path) and (below or at == end - 1):
        return None
    return _advice(gold, None if below else path[at], path[end], observation)


def _index(path: Sequence[PathStep], place: PathStep) -> int | None:
    at = [number for number, each in enumerate(path) if account_pages.is_at(each, place)]
    return at[-1] if at else None


def _end(path: Sequence[PathStep], at: int) -> int:
    """Return the index after the last page that is reached from the page at index `at`."""
    own = _depth(path[at])
    others = (number for number in range(at + 1, len(path)) if _depth(path[number]) <= own)
    return next(others, len(path))


def _below(path: Sequence[PathStep], at: int) -> Iterator[PathStep]:
    """Return the pages of the path to which the page at this index leads directly."""
    block = path[at + 1 : _end(path, at)]
    return (each for each in block if _depth(each) <= _depth(block[0]))


def _beside(gold: Gold, place: PathStep, observation: Observation) -> Advice | None:
    """Return the advice that leads from a page outside the path back to it, or to its next page."""
    if _depth(place) > 1:
        back = click(observation, _BACK.get(place["page"], "< Prev"))
        if back:
            return Advice(gold["path"][0]["step"], back, needs=account_pages.needs(gold))
    tops = [each for each in gold["path"] if _depth(each) == 1]
    ahead = next((each for each in tops if _is_unopened(each, observation)), None)
    return _advice(gold, None, ahead, observation) if ahead else None


def _is_unopened(step: PathStep, observation: Observation) -> bool:
    """Return whether this page shows an unvisited link to the step's page."""
    found = _link(step, observation)
    return found is not None and "visited" not in found.states


def _link(step: PathStep, observation: Observation) -> Element | None:
    """Return the link to a step's page, on the current page or in the header; None if there is
    none.
    """
    page = step["page"]
    if page == "order":
        return _order_link(step, observation)
    if page == "shared":
        return find(observation, step["person"], roles=LINKS)
    if page in _LISTED.values():
        return find(observation, step["name"])
    if page == "help" and step["topic"]:
        title = step.get("title") or rules.ALL_TOPICS[step["topic"]].title
        return find(observation, title, roles=LINKS)
    if page == "item":
        return _item_link(step["name"], observation)
    return find(observation, LABELS[page]) if page in LABELS else find(observation, page)


def _item_link(name: str, observation: Observation) -> Element | None:
    """Find the link of an item by its name, or by the title of a card in the results."""
    named = [card.link for card in cards(observation) if card.title == name]
    fresh = (link for link in named if "visited" not in link.states)
    return find(observation, name, roles=LINKS) or next(fresh, named[-1] if named else None)


def _order_link(step: PathStep, observation: Observation) -> Element | None:
    """Find the link of an order by its day: the first unvisited link of that day, else the last."""
    alike = [link for link, day in listed_orders(observation) if day == step["day"]]
    fresh = (link for link in alike if "visited" not in link.states)
    return next(fresh, alike[-1] if alike else None)


def listed_orders(observation: Observation) -> Iterator[tuple[Element, str]]:
    """Yield the links of a list of orders, each with the day that its row shows."""
    link: Element | None = None
    for node in observation.content:
        if isinstance(node, Element):
            link = node if _NUMBER.fullmatch(node.name) else None
        elif link is not None and isinstance(node, Text) and _DAY.fullmatch(node.text):
            yield link, node.text
            link = None


def _advice(
    gold: Gold, leaving: PathStep | None, ahead: PathStep, observation: Observation
) -> Advice:
    """Return the advice that leads to a page of the path.

    Args:
        gold: The gold of the scenario.
        leaving: The page of the path to be left, whose note is taken first; None to take no note.
        ahead: The page to open.
        observation: The current page.
    """
    note = leaving.get("note", "") if leaving else ""
    moves = _moves(gold, here(observation), ahead, observation)
    if ahead["page"] == "results":
        return Advice(ahead["step"], moves, needs=((ahead["query"],),))
    notes = (Note(note),) if note and moves else ()
    unseen = unshown(note.split(", ") if note else (), observation)
    return Advice(ahead["step"], (*notes, *moves), needs=(*account_pages.needs(gold), *unseen))


def unshown(values: Sequence[str], observation: Observation) -> Needs:
    """Return the values that the page does not show, as `Advice.needs` lists them."""
    shown = observation.text.casefold()
    return tuple((value,) for value in values if value.casefold() not in shown)


def _moves(
    gold: Gold, place: PathStep, ahead: PathStep, observation: Observation
) -> tuple[Action, ...]:
    link = _link(ahead, observation)
    if _depth(ahead) > 1 and link is not None:
        return (Click(link.id),)
    if ahead["page"] == "orders" and place["page"] == "orders":
        turn = "Next page" if ahead["number"] > place["number"] else "Previous page"
        return click(observation, turn)
    if _depth(place) > 1 and _is_near(ahead):
        return click(observation, _BACK.get(place["page"], "< Prev"))
    if link is not None:
        return (Click(link.id),)
    if ahead["page"] in _LEFT_OUT:
        return ()
    return account_pages.move(gold, place, ahead, observation)


_LEFT_OUT = ("help", *_LISTED, *_LISTED.values())
"""Pages that can be opened only from a list: if its link is missing, there is no advice."""


def _is_near(ahead: PathStep) -> bool:
    """Return whether a page is reached from the list before it, not from a link in the header."""
    return _depth(ahead) > 1 or (ahead["page"] == "orders" and ahead["number"] > 1)


# Solutions ---------------------------------------------------------------------------------------


def walk(path: Sequence[PathStep], world: World, stock: Market) -> None:
    """Open the pages of a path by the site's operations."""
    for each in path:
        _open(each, world, stock)


def _open(step: PathStep, world: World, stock: Market) -> None:
    page = step["page"]
    if page == "orders":
        account.orders(world, step["number"])
    elif page == "order":
        account.order(world, str(step["number"]))
    elif page == "addresses":
        account.addresses(world)
    elif page == "wallet":
        account.wallet(world)
    elif page == "lists":
        account.shared_lists(world)
    elif page == "shared":
        account.shared_list(world, step["person"])
    elif page == "help":
        rules.open_topic(world, step["topic"]) if step["topic"] else rules.open_help(world)
    elif page in (*_LISTED, *_LISTED.values()):
        _open_listed(step, world)
    else:
        visits.walk([step], world, stock)


def _open_listed(step: PathStep, world: World) -> None:
    page = step["page"]
    if page == "subscriptions":
        subscriptions.listed(world)
    elif page == "subscription":
        subscriptions.open_one(world, step["number"])
    elif page == "messages":
        subscriptions.messages(world)
    else:
        subscriptions.open_message(world, step["number"])
