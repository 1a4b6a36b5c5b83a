"""Visits of a signed-in customer: how such a scenario is made, and its solution by operations.

Beside what a family adds, the gold holds `check` (what is judged: question, listing, draft or
wishes), `answer` (its `kind` and its `text`, where a question is asked), `values` (what the answer
is made of, as pages show it), `told` (the spellings of each value that the instruction gives),
`evidence` (for each page that must have been opened the lines of the journal that prove it, one of
which is enough) and `path`: the pages to open, in order, each with the `step` that leads to it and
with the `note` to take before it is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from scenarios.scenario import NearMiss, Scenario, name, public_id
from sites.store import StoreData, new_world, operations
from sites.store import account_operations as customer
from sites.store.account import Account, Order, draw_account
from sites.store.product import Product
from sites.world import World

SITE = "store"
NOT_FOUND, NOT_ACHIEVABLE = "NOT_FOUND", "NOT_ACHIEVABLE"
OPENINGS = (
    "",
    "I am signed in already. ",
    "A small errand in this store. ",
    "Please help me out. ",
    "One more thing today. ",
    "It is for my records. ",
    "I have little time. ",
    "Do this for me in the store. ",
)
Stop = dict[str, Any]
Gold = Mapping[str, Any]


def rng(family: str, seed: int) -> Random:
    return Random(f"{SITE}/{family}/{seed}")


def scenario(
    family: str, seed: int, instruction: str, gold: Gold, account: Account, data: StoreData
) -> Scenario:
    return Scenario(
        site=SITE,
        family=family,
        seed=seed,
        instruction=instruction,
        start=f"/{public_id(name(SITE, family, seed))}",
        details={"account": account.to_json(), "data": data.digest},
        gold=gold,
    )


def account(family: str, seed: int, data: StoreData) -> Account:
    return draw_account(Random(f"{SITE}/{family}/{seed}/account"), data)


def world(scenario: Scenario) -> World:
    """The account before anything was done."""
    return new_world(
        scenario.id, scenario.instruction, Account.from_json(scenario.details["account"])
    )


def question(kind: str, text: str, values: Sequence[str]) -> dict[str, Any]:
    """The part of the gold that an answer is judged by."""
    return {"check": "question", "answer": {"kind": kind, "text": text}, "values": list(values)}


def wording(family: str, seed: int, *parts: Sequence[str]) -> str:
    """An opening and one of each of the parts; seeds take turns through all combinations."""
    deck = ["".join(chosen) for chosen in product(OPENINGS, *parts)]
    Random(f"{SITE}/{family}").shuffle(deck)
    return deck[seed % len(deck)]


def told(*values: str) -> list[list[str]]:
    return [[value] for value in values]


# Paths -------------------------------------------------------------------------------------------


def stop(page: str, step: str, note: str = "", **about: Any) -> Stop:
    return {"page": page, "step": step, **about, **({"note": note} if note else {})}


def length(path: Iterable[Stop]) -> int:
    """An action for each page; notes touch none."""
    return len(list(path))


def orders_page(index: int) -> int:
    """The page of My Orders on which the order of this place (from 0) stands."""
    return index // customer.ORDERS_PER_PAGE + 1


def orders_path(last: int, notes: Mapping[int, str] | None = None) -> list[Stop]:
    """My Orders, page by page up to the last; `notes` by page."""
    return [
        stop(
            "orders",
            "look through orders" if page > 1 else "open orders",
            (notes or {}).get(page, ""),
            number=page,
        )
        for page in range(1, last + 1)
    ]


def order_path(index: int, order: Order, note: str = "") -> list[Stop]:
    """Through My Orders into one order."""
    opened = stop("order", "look through orders", note, number=int(order.number))
    return [*orders_path(orders_page(index)), opened]


def seen(index: int, order: Order) -> list[dict[str, Any]]:
    """What proves that this order was looked at, in a list or by itself."""
    recent = [{"page": "account"}] if index < customer.LAST_ORDERS else []
    listed = {"page": "orders", "number": orders_page(index)}
    return [listed, opened("order", int(order.number)), *recent]


def opened(page: str, number: int, **about: Any) -> dict[str, Any]:
    return {"page": page, "number": number, **about}


def item_path(item: Product) -> list[Stop]:
    """Search for a product by its name and open it."""
    return [
        stop("results", "search", query=item.name, number=1),
        stop("item", "open item", asin=item.asin, name=item.name),
    ]


def is_found(item: Product, data: StoreData) -> bool:
    """Whether a search for its name lists it on the first page, and it is the only one so named."""
    hits = data.search.search(item.name)[: operations.PER_PAGE]
    names = [operations.product(data, asin).name for asin in hits]
    return item.asin in hits and names.count(item.name) == 1


# Solutions ---------------------------------------------------------------------------------------


def walk(path: Iterable[Stop], world: World, data: StoreData) -> None:
    """Open the pages of a path by the site's operations."""
    for each in path:
        _open(each, world, data)


def _open(each: Stop, world: World, data: StoreData) -> None:
    page = each["page"]
    if page == "orders":
        customer.orders(world, each["number"])
    elif page == "order":
        customer.order(world, str(each["number"]))
    elif page == "results":
        operations.search(world, data, each["query"], each["number"])
    elif page == "item":
        operations.open_item(world, data, each["asin"], {})
    elif page == "Reviews":
        customer.reviews_page(world, data, each["asin"], each["number"])
    elif page == "category":
        customer.category(world, data, **_listing(each))
    elif page == "contact":
        customer.open_contact(world)
    else:
        customer.wishes(world)


def _listing(each: Stop) -> dict[str, Any]:
    told = {key: each[key] for key in ("name", "sort", "direction")}
    return {**told, "page": each["number"]}


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open every page of the path and answer."""
    walk(scenario.gold["path"], world, data)
    return str(scenario.gold.get("answer", {}).get("text", ""))


def answered(scenario: Scenario, data: StoreData, text: str, fails: str = "answer") -> NearMiss:
    """The whole path, and another answer at its end."""

    def apply(world: World) -> str:
        walk(scenario.gold["path"], world, data)
        return text

    return NearMiss(apply, fails)


def careless(scenario: Scenario, data: StoreData) -> dict[str, NearMiss]:
    """What can go wrong with every question, though the answer is right."""
    return {
        "left too early": unread(scenario, data),
        "wished for something": besides(scenario, data),
    }


def unread(scenario: Scenario, data: StoreData) -> NearMiss:
    """The right answer by somebody who left before the last page."""

    def apply(world: World) -> str:
        walk(scenario.gold["path"][:-1], world, data)
        return str(scenario.gold["answer"]["text"])

    return NearMiss(apply, "pages opened")


def besides(scenario: Scenario, data: StoreData) -> NearMiss:
    """The right answer, and something on the wish list that nobody asked for."""

    def apply(world: World) -> str:
        walk(scenario.gold["path"], world, data)
        customer.wish(world, data, next(iter(data.catalogue.asins())))
        return str(scenario.gold["answer"]["text"])

    return NearMiss(apply, "nothing else changed")
