"""Tasks in the store: make the scenario, and solve it by the site's operations.

The gold of every family with a signed-in customer holds the family's own keys and these:

- `check`: the kind of scoring (question, listing, draft, wishes or redirection);
- `answer`: its `kind` and its `text`, for a question;
- `values`: the parts of the answer, as pages show them;
- `told`: the values that the instruction gives, each with its spellings;
- `evidence`: for each page that must be opened, the journal rows that prove it (any row is enough);
- `path`: the pages to open, in order, each with the `step` that leads to it and the `note` to take
  before leaving it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import product
from random import Random
from typing import Any

from scenarios.phrasings import Speaker, phrasings
from scenarios.scenario import NearMiss, Scenario, name, public_id
from scenarios.store.pages.site_map import (
    PathStep,
    actions,
    item_step,
    orders_step,
    path_step,
    walk,
)
from sites.months import MONTHS
from sites.store import StoreData, new_world
from sites.store.account import operations as customer
from sites.store.account import orders
from sites.store.account.draw import draw_account
from sites.store.catalogue.product import Product
from sites.store.catalogue.stock import Stock
from sites.store.market.account.account import MarketAccount, MarketOrder
from sites.store.shop import operations
from sites.world import World

SITE = "store"
SPLITS = {"test": range(500), "dev": range(500, 1500), "train": range(1500, 1_000_000)}
"""The seeds of each split, for families with splits; each split has wordings of its own."""
NOT_FOUND, NOT_ACHIEVABLE = "NOT_FOUND", "NOT_ACHIEVABLE"
NUMBERS = ("no", "one", "two", "three", "four")
"""Number words, by number from 0 to 4, for numbers of pieces in a customer's instruction."""
Gold = Mapping[str, Any]


def split_of(seed: int) -> str:
    """Return the split that contains a seed."""
    return next((split for split, seeds in SPLITS.items() if seed in seeds), "train")


def rng(family: str, seed: int) -> Random:
    """Return the random generator from which a family draws the scenario of a seed."""
    return Random(f"{SITE}/{family}/{seed}")


def scenario(
    family: str,
    seed: int,
    instruction: str,
    gold: Gold,
    account: MarketAccount | None,
    data: Stock,
    **details: Any,
) -> Scenario:
    """Return a scenario of a family for a guest or a signed-in customer.

    Args:
        account: The account of the signed-in customer; None for a guest.
        details: More entries of the scenario's details.
    """
    customer = {"account": account.to_json()} if account else {}
    return Scenario(
        site=SITE,
        family=family,
        seed=seed,
        instruction=instruction,
        start=f"/{public_id(name(SITE, family, seed))}",
        details={**details, **customer, "data": data.digest},
        gold=gold,
    )


def account(family: str, seed: int, data: StoreData) -> MarketAccount:
    """Draw the account of a scenario's customer."""
    return draw_account(Random(f"{SITE}/{family}/{seed}/account"), data)


def world(scenario: Scenario) -> World:
    """Return the visit's database (its world) before the agent acts; it holds the instruction,
    too.
    """
    account = scenario.details.get("account")
    customer = MarketAccount.from_json(account) if account else None
    return new_world(scenario.id, scenario.instruction, customer)


def is_rare(family: str, seed: int, one_in: int) -> bool:
    """Return whether a seed gets the rare case: one seed in each block of `one_in` seeds."""
    block, place = divmod(seed, one_in)
    return Random(f"{SITE}/{family}/rare/{block}").randrange(one_in) == place


def question(kind: str, text: str, values: Sequence[str]) -> dict[str, Any]:
    """Return the part of the gold against which the answer is scored."""
    return {"check": "question", "answer": {"kind": kind, "text": text}, "values": list(values)}


def wording(family: str, seed: int, *acts: str) -> str:
    """Return an opening and a sentence for each named passage (act) of an instruction.

    Consecutive seeds go through all combinations.
    """
    words = phrasings(family, "")
    deck = ["".join(chosen) for chosen in product(*(words[act] for act in ("opening", *acts)))]
    Random(f"{SITE}/{family}").shuffle(deck)
    return deck[seed % len(deck)]


def letter(speaker: Speaker, acts: Sequence[str], **slots: object) -> str:
    """Return a letter: an opening, a sentence for each passage (act), and a closing.

    The passages between the first and the last are shuffled. Openings and closings may be empty.
    """
    first, *middle, last = [speaker.phrase(act, **slots) for act in acts]
    speaker.rng.shuffle(middle)
    whole = (speaker.phrase("opening"), first, *middle, last, speaker.phrase("closing"))
    return " ".join(filter(None, whole))


def spoken_day(day: date) -> str:
    """Return the day without its year, such as "January 23"."""
    return f"{MONTHS[day.month - 1]} {day.day}"


def spellings(*values: str) -> list[list[str]]:
    """Return the values for the gold's `told`, each with one spelling: that of the instruction."""
    return [[value] for value in values]


# Paths -------------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions to follow the gold's path."""
    return actions(scenario.gold["path"])


def orders_page(index: int) -> int:
    """Return the page of My Orders that lists the order with this index (from 0)."""
    return index // orders.ORDERS_PER_PAGE + 1


def orders_path(last: int, notes: Mapping[int, str] | None = None) -> list[PathStep]:
    """Return the path through the pages of My Orders up to `last`; `notes` maps pages to notes."""
    return [orders_step(page, (notes or {}).get(page, "")) for page in range(1, last + 1)]


def order_path(index: int, order: MarketOrder, note: str = "") -> list[PathStep]:
    """Return the path through My Orders to one order."""
    opened = path_step("order", "look through orders", note, number=int(order.number))
    return [*orders_path(orders_page(index)), opened]


def seen(index: int, order: MarketOrder) -> list[dict[str, Any]]:
    """Return the journal rows that prove that an order was seen, in a list or on its own page."""
    recent = [{"page": "account"}] if index < orders.LAST_ORDERS else []
    listed = {"page": "orders", "number": orders_page(index)}
    return [listed, opened("order", int(order.number)), *recent]


def opened(page: str, number: int, **about: Any) -> dict[str, Any]:
    """Return the journal row that proves that a page was opened."""
    return {"page": page, "number": number, **about}


def item_path(item: Product) -> list[PathStep]:
    """Return the path to a product: search for its name and open it."""
    return [
        path_step("results", "search", query=item.name, number=1),
        item_step(item.asin, item.name),
    ]


def is_found(item: Product, data: StoreData) -> bool:
    """Return whether a search for the product's name lists it on page one, without a namesake."""
    hits = data.search.search(item.name)[: operations.PER_PAGE]
    names = [operations.product(data, asin).name for asin in hits]
    return item.asin in hits and names.count(item.name) == 1


# Solutions ---------------------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open every page of the gold's path and return the right answer."""
    walk(scenario.gold["path"], world, data.of(world))
    return str(scenario.gold.get("answer", {}).get("text", ""))


def answered(scenario: Scenario, data: StoreData, text: str) -> NearMiss:
    """Return a wrong end state: the whole path is walked, then the wrong answer `text` is given."""
    return walked(scenario.gold["path"], data, text, "answer")


def careless(scenario: Scenario, data: StoreData) -> dict[str, NearMiss]:
    """Return wrong end states, by label, in which the answer is right: an unread page, a changed
    list.
    """
    return {
        "left too early": unread(scenario, data),
        "wished for something": besides(scenario, data),
    }


def unread(scenario: Scenario, data: StoreData) -> NearMiss:
    """Return a wrong end state: the right answer is given, but the last page was never opened."""
    gold = scenario.gold
    return walked(gold["path"][:-1], data, gold["answer"]["text"], "pages opened")


def gave_up(fails: str) -> NearMiss:
    """Return a wrong end state: no page is opened, and the answer is that the task is not
    achievable.
    """
    return NearMiss(lambda world: NOT_ACHIEVABLE, fails)


def walked(path: Sequence[PathStep], data: StoreData, text: str, fails: str) -> NearMiss:
    """Return a wrong end state: the pages of a path are opened, then this text is the answer.

    Args:
        fails: The check that must fail.
    """

    def apply(world: World) -> str:
        walk(path, world, data.of(world))
        return text

    return NearMiss(apply, fails)


def besides(scenario: Scenario, data: StoreData) -> NearMiss:
    """Return a wrong end state: the right answer is given, and an unwanted item is on the wish
    list.
    """

    def apply(world: World) -> str:
        text = solve(scenario, world, data)
        customer.wish(world, data, next(iter(data.catalogue.asins())))
        return text

    return NearMiss(apply, "nothing else changed")
