"""Send a placed order to another address; its page allows that while the order waits.

Three of four orders wait. The page of any other order says that its address cannot be changed, and
the right result is then to change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import click
from sites.store import StoreData
from sites.store.account import operations as customer
from sites.store.account import orders
from sites.store.account.account import STATUSES, WAITING_STATUSES, Address
from sites.store.market.account.account import MarketAccount
from sites.world import World

SITE = "store"
TAG = "content"
SCORING = "account"
TEMPLATES = ("webarena:191",)
STEPS = ("open orders", "look through orders", "redirect order")
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where it cannot be done")
IMPOSSIBLE_ONE_IN = 4
"""In one of this many seeds, the order can no longer be sent to another address."""
RECENT = 15
"""The order to send elsewhere is one of the customer's newest orders; this is their number."""

_STATUSES = tuple(each for each in STATUSES if each not in WAITING_STATUSES)

world = visits.world


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("change_shipped_address", seed)
    impossible = visits.is_rare("change_shipped_address", seed, IMPOSSIBLE_ONE_IN)
    drawn = visits.account("change_shipped_address", seed, data)
    index = rng.randrange(min(RECENT, len(drawn.orders)))
    account = _with_status(drawn, index, rng.choice(_STATUSES if impossible else WAITING_STATUSES))
    order = account.orders[index]
    elsewhere = rng.choice([each for each in account.addresses if each != order.ship_to])
    wording = visits.wording("change_shipped_address", seed, "ask", "else")
    instruction = wording.format(number=order.number, street=_line(elsewhere))
    gold = _gold(account, index, elsewhere)
    return visits.scenario("change_shipped_address", seed, instruction, gold, account, data)


def _with_status(account: MarketAccount, index: int, status: str) -> MarketAccount:
    orders = list(account.orders)
    orders[index] = replace(orders[index], status=status)
    return replace(account, orders=tuple(orders))


def _line(address: Address) -> str:
    return f"{address.street}, {address.city} {address.postcode}"


def _gold(account: MarketAccount, index: int, elsewhere: Address) -> dict[str, Any]:
    order = account.orders[index]
    possible = order.status in WAITING_STATUSES
    asked = visits.question("text", visits.NOT_ACHIEVABLE, [])
    return {
        **({"check": "redirection"} if possible else asked),
        "told": visits.spellings(order.number, _line(elsewhere)),
        "evidence": [[visits.opened("order", int(order.number))]],
        "path": visits.order_path(index, order),
        "order": order.number,
        "ship_to": asdict(elsewhere),
        "address": account.addresses.index(elsewhere) + 1,
    }


def is_possible(scenario: Scenario) -> bool:
    """Return whether the scenario's order can still be sent to another address."""
    return bool(scenario.gold["check"] == "redirection")


def length(scenario: Scenario) -> int:
    return visits.length(scenario) + is_possible(scenario)


def advise(scenario: Scenario, observation: Observation) -> Advice:
    gold, place = scenario.gold, site_map.here(observation)
    if not is_possible(scenario) or not site_map.is_at(gold["path"][-1], place):
        return following.advise(scenario, observation)
    needs = following.needs(gold)
    press = click(observation, f"Send to {_line(Address(**gold['ship_to']))}")
    if not press:
        return Advice("redirect order", answer="", needs=needs)
    return Advice("redirect order", press, needs=needs)


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    answer = visits.solve(scenario, world, data)
    if is_possible(scenario):
        customer.redirect_order(world, scenario.gold["order"], scenario.gold["address"])
    return answer


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    return _of_possible(scenario, data) if is_possible(scenario) else _of_impossible(scenario, data)


def _of_impossible(scenario: Scenario, data: StoreData) -> dict[str, NearMiss]:
    def moved(world: World) -> str:
        _move_home(scenario, world, data)
        return visits.NOT_ACHIEVABLE

    return {
        "did not look": visits.unread(scenario, data),
        "changed the address book": NearMiss(moved, "nothing else changed"),
        "claimed it": visits.answered(scenario, data, "done"),
        "did not find it": visits.answered(scenario, data, visits.NOT_FOUND),
    }


def _of_possible(scenario: Scenario, data: StoreData) -> dict[str, NearMiss]:
    others = list(_other_moves(scenario))

    def gave_up(world: World) -> str:
        site_map.walk(scenario.gold["path"], world, data)
        return visits.NOT_ACHIEVABLE

    def denied(world: World) -> str:
        solve(scenario, world, data)
        return visits.NOT_ACHIEVABLE

    def moved(world: World) -> None:
        solve(scenario, world, data)
        _move_home(scenario, world, data)

    def moved_another(world: World) -> None:
        solve(scenario, world, data)
        customer.redirect_order(world, *others[0])

    return {
        "gave up": NearMiss(gave_up, "sent there"),
        "did it and denied it": NearMiss(denied, "did not give up"),
        "changed the address book, too": NearMiss(moved, "nothing else changed"),
        **({"another order, too": NearMiss(moved_another, "other orders")} if others else {}),
    }


def _other_moves(scenario: Scenario) -> Iterator[tuple[str, int]]:
    """Yield each other order that can still be redirected, with the number of its other address."""
    account = MarketAccount.from_json(scenario.details["account"])
    for each in account.orders:
        if each.status in WAITING_STATUSES and each.number != scenario.gold["order"]:
            yield each.number, 2 if each.ship_to == account.addresses[0] else 1


def _move_home(scenario: Scenario, world: World, data: StoreData) -> None:
    """Make a wrong end state: overwrite the address in the address book instead of redirecting the
    order.
    """
    site_map.walk(scenario.gold["path"], world, data)
    elsewhere = Address(**scenario.gold["ship_to"])
    book = orders.addresses(world)
    number = next(each.number for each in book if each.address != elsewhere)
    customer.change_address(world, number, elsewhere)
