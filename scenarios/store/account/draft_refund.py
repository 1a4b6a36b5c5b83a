"""Write to the store for a refund of something that was bought, and leave the message unsent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.interface import Advice, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.account import orders
from scenarios.store.account.orders import Bought
from scenarios.store.pages import following, site_map, visits
from sites.store import StoreData
from sites.store.account import operations as customer
from sites.store.market.account.account import MarketAccount
from sites.world import World

SITE = "store"
TAG = "content"
SCORING = "account"
TEMPLATES = ("webarena:153",)
STEPS = ("open orders", "look through orders", "read order", "write message")
FIELDS = {"order_number": "Order number (optional)", "subject": "Subject", "text": "Message"}
"""The labels of the contact form's fields, by the fields' names."""


world = visits.world


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("draft_refund", seed)
    account = visits.account("draft_refund", seed, data)
    chosen = orders.bought(account, rng, data)[0]
    speaker = Speaker("draft_refund", "", rng)
    subject, reason = speaker.choose("subject"), speaker.choose("reason")
    instruction = visits.wording("draft_refund", seed, "ask").format(
        name=chosen.name,
        when=chosen.at_time,
        fields=speaker.phrase("fields", subject=subject, reason=reason),
    )
    gold = _gold(account, chosen, subject, reason)
    return visits.scenario("draft_refund", seed, instruction, gold, account, data)


def _gold(account: MarketAccount, chosen: Bought, subject: str, reason: str) -> dict[str, Any]:
    number = chosen.order.number
    to_order = visits.order_path(chosen.index, chosen.order, note=f"order {number}")
    return {
        "check": "draft",
        "told": visits.spellings(chosen.name, chosen.when, subject, reason),
        "draft": {"order_number": number, "subject": subject, "text": reason},
        "path": [*to_order, site_map.path_step("contact", "read order")],
        "others": [each.number for each in account.orders if each.number != number],
    }


def length(scenario: Scenario) -> int:
    return visits.length(scenario) + len(scenario.gold["draft"])


def advise(scenario: Scenario, observation: Observation) -> Advice:
    gold = scenario.gold
    if site_map.here(observation)["page"] != "contact":
        return following.advise(scenario, observation)
    wanted = {FIELDS[field]: text for field, text in gold["draft"].items()}
    actions = following.fill(observation, wanted)
    if not actions:
        return Advice("write message", answer="")
    draft = gold["draft"]
    noted = [each.text for each in actions if each.text == draft["order_number"]]
    needs = visits.spellings(draft["subject"], draft["text"], *noted)
    return Advice("write message", actions, needs=tuple(map(tuple, needs)))


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    site_map.walk(scenario.gold["path"], world, data)
    _draft(world, scenario.gold["draft"])
    return ""


def _draft(world: World, values: Mapping[str, str]) -> None:
    for field, text in values.items():
        customer.draft(world, field, text)


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    wanted = scenario.gold["draft"]

    def drafted(fails: str, **other: str) -> NearMiss:
        def apply(world: World) -> None:
            site_map.walk(scenario.gold["path"], world, data)
            _draft(world, {**wanted, **other})

        return NearMiss(apply, fails)

    def sent(world: World) -> None:
        site_map.walk(scenario.gold["path"], world, data)
        _draft(world, wanted)
        customer.send_message(world, **wanted)

    def wished(world: World) -> None:
        solve(scenario, world, data)
        customer.wish(world, data, next(iter(data.catalogue.asins())))

    return {
        "sent it": NearMiss(sent, "not sent"),
        "another order": drafted("order_number", order_number=scenario.gold["others"][0]),
        "no order": drafted("order_number", order_number=""),
        "another subject": drafted("subject", subject="Question"),
        "half of the message": drafted("text", text=wanted["text"][:-4]),
        "wished for something": NearMiss(wished, "nothing else changed"),
    }
