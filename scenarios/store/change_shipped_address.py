"""Send an order elsewhere that has been placed: nothing on its page can change that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store import _account_pages, _visit
from sites.store import StoreData
from sites.store import account_operations as customer
from sites.store.account import Account, Address, draw_account
from sites.world import World

SITE = "store"
TAG = "unachievable"
SCORING = "account"
STEPS = ("open orders", "look through orders")
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where it cannot be done")

_PHRASES = (
    "Change the delivery address of my order {number} to {street}.",
    "My order {number} must go to {street} instead. Please change that.",
    "I have moved: have order {number} delivered to {street}.",
    "Send the parcel of order {number} to {street}, not to the address that it has.",
    "Redirect order {number} to {street}.",
)
_ELSE = (" If that is not possible, answer NOT_ACHIEVABLE.", "")
_STATUSES = ("Shipped", "Complete", "Processing")

world = _visit.world
length = _visit.length
advise = _account_pages.advise
solve = _visit.solve


def generate(seed: int, data: StoreData) -> Scenario:
    rng = _visit.rng("change_shipped_address", seed)
    account = _visit.account("change_shipped_address", seed, data)
    index = _shipped(account, rng)
    elsewhere = draw_account(rng, data).addresses[0]
    street = f"{elsewhere.street}, {elsewhere.city} {elsewhere.postcode}"
    number = account.orders[index].number
    wording = _visit.wording("change_shipped_address", seed, _PHRASES, _ELSE)
    instruction = wording.format(number=number, street=street)
    gold = _gold(account, index, elsewhere)
    return _visit.scenario("change_shipped_address", seed, instruction, gold, account, data)


def _shipped(account: Account, rng: Random) -> int:
    """The place of an order that is on its way, else of one that has arrived."""
    for status in _STATUSES:
        found = [index for index, each in enumerate(account.orders) if each.status == status]
        if found:
            return rng.choice(found)
    return 0


def _gold(account: Account, index: int, elsewhere: Address) -> dict[str, Any]:
    order = account.orders[index]
    return {
        **_visit.question("text", _visit.NOT_ACHIEVABLE, []),
        "told": _visit.spellings(order.number),
        "evidence": [[_visit.opened("order", int(order.number))]],
        "path": _visit.order_path(index, order),
        "elsewhere": [elsewhere.street, elsewhere.city, elsewhere.postcode],
    }


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    def moved(world: World) -> str:
        _visit.walk(scenario.gold["path"], world, data)
        number, home = next(iter(customer.address_book(world).items()))
        street, city, postcode = scenario.gold["elsewhere"]
        new = replace(home, street=street, city=city, postcode=postcode)
        customer.change_address(world, number, new)
        return _visit.NOT_ACHIEVABLE

    return {
        "did not look": _visit.unread(scenario, data),
        "changed the address book": NearMiss(moved, "nothing else changed"),
        "claimed it": _visit.answered(scenario, data, "done"),
        "did not find it": _visit.answered(scenario, data, _visit.NOT_FOUND),
    }
