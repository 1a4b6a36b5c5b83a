"""Claim what the shop still owes by the promises on a help page, in one claim and to the cent.

The pages of items show the prices of each day, and the pages of orders show deliveries and refunds.
If nothing is owed any more, nothing may be claimed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any
from urllib.parse import urlsplit

from agent.interface import Action, Advice, AnswerSchema, Click, Note, Observation
from scenarios.phrasings import phrasings
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.ledger import _audit
from scenarios.store.ledger._audit import BACK, Audit, Owed
from scenarios.store.market import task
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import Needs, click, find
from sites.store import StoreData
from sites.store.catalogue.clock import spoken
from sites.store.market.account.account import MarketLine, MarketOrder
from sites.store.market.offers import offers_of
from sites.store.market.service import claims
from sites.store.market.service.claims import LATE, PRICE
from sites.store.market.service.help import dollars
from sites.world import World

SITE = "store"
TAG = "transaction"
SCORING = "filed"
MEMORY = True
FROM_ACCOUNT = ("rows", "decides", "path", "told", "wrong")
"""Keys of the gold with values that account pages show; the test for leaked solutions skips them.
"""
STEPS = ("open help", "read help", "open orders", "look through orders", "open order", "open item",
         "open claim", "write claim", "send claim")  # fmt: skip
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where nothing is owed")
TOPIC = {"topic": claims.PROMISES.name, "title": claims.PROMISES.title}
Row = dict[str, Any]


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: orders with what the shop owes for them, and the customer's
    text.
    """
    rng, split = visits.rng("ledger_audit", seed), visits.split_of(seed)
    barren = visits.is_rare("ledger_audit", seed, task.IMPOSSIBLE_ONE_IN)
    audit = _audit.draw(data.market, rng, barren=barren)
    since = spoken(audit.since)
    text = _wording(seed, split).format(since=since)
    gold = {**_gold(audit), "told": visits.spellings(since)}
    return task.scenario(
        "ledger_audit",
        seed,
        text,
        gold,
        data,
        account=audit.account,
        offered=audit.offers,
        promises=claims.PROMISES.to_json(audit.promises),
        level=_level(gold, audit),
    )


def world(scenario: Scenario) -> World:
    """Return the visit's database (its world) at the start of the episode, with the shop's
    promises.
    """
    made = task.world(scenario)
    claims.PROMISES.offer(made, claims.PROMISES.from_json(scenario.details["promises"]))
    return made


def _level(gold: Mapping[str, Any], audit: Audit) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/market.md.

    The agent works out the last day of each order, and the days that count for each item.
    """
    items = sum(each["page"] == "item" for each in gold["path"])
    return {"name": "L3", "P": len(gold["decides"]), "M": items + len(gold["rows"]),
            "C": items + len(audit.asked), "R": 8, "W": 0.1, "K": 3}  # fmt: skip


def _wording(seed: int, split: str) -> str:
    """Return the instruction's template; consecutive seeds go through all combinations of
    sentences.
    """
    words = phrasings("ledger_audit", split)
    deck = [*product(*(words[act] for act in ("opening", "ask", "once", "unmet", "closing")))]
    Random(f"{SITE}/ledger_audit/{split}").shuffle(deck)
    return " ".join(filter(None, deck[seed % len(deck)]))


# Gold --------------------------------------------------------------------------------------------


def _gold(audit: Audit) -> dict[str, Any]:
    right = _audit.owed(audit)
    path = list(_path(audit, right))
    return {
        "check": "claim",
        "rows": _rows(right),
        "decides": [
            *([_help(topic)] for topic in (claims.PROMISES.name, "delivery")),
            *([_shown(step)] for step in path if step["page"] in ("order", "item")),
        ],
        "path": path,
        "wrong": {
            name: _rows(_audit.owed(audit, reading)) for name, reading in _audit.READINGS.items()
        },
        "possible": bool(right),
        "answer": {"kind": "text", "text": "" if right else visits.NOT_ACHIEVABLE},
    }


def _rows(owed: Owed) -> list[Row]:
    return [
        {"order_number": number, "reason": promise, "cents": [cents]}
        for (number, promise), cents in owed.items()
    ]


def _help(topic: str) -> Row:
    return {"page": "help", "options": {"topic": topic}}


def _shown(step: site_map.PathStep) -> Row:
    """Return the journal row that a step of the path leaves."""
    return {key: step[key] for key in ("page", "number", "asin") if key in step}


def _path(audit: Audit, right: Owed) -> Iterator[site_map.PathStep]:
    """Yield the steps to the promises, to each order in question, and to the items that decide."""
    yield site_map.path_step("help", "open help", topic="")
    yield site_map.path_step("help", "read help", **TOPIC)
    yield site_map.path_step("help", "read help", topic="delivery")
    orders = audit.account.orders
    last = max(place for place, each in enumerate(orders) if each in audit.asked)
    for page in range(1, visits.orders_page(last) + 1):
        yield site_map.orders_step(page)
        for order in orders[(page - 1) * 10 : page * 10]:
            if order in audit.asked:
                noted = any((order.number, promise) in right for promise in claims.REASONS)
                yield site_map.order_step(order, order.number if noted else "")
                yield from _items(audit, order, right)


def _items(audit: Audit, order: MarketOrder, right: Owed) -> Iterator[site_map.PathStep]:
    for line in order.lines:
        name = task.by_asin(line.asin).name
        is_back = f"{BACK}: {name}" in [each.reason for each in order.refunds]
        if not order.discount and not is_back:
            note = _lowest(audit, order, line) if (order.number, PRICE) in right else ""
            yield {**site_map.item_step(line.asin, name), **({"note": note} if note else {})}


def _lowest(audit: Audit, order: MarketOrder, line: MarketLine) -> str:
    """Return the lowest price of an item on the days that count, as text.

    "" if it is not below the price paid.
    """
    lowest = audit.promises.lowest(line.asin, order.placed)
    return dollars(lowest) if lowest is not None and lowest < line.cents else ""


# The way -----------------------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open all pages that the gold lists, then send the claim, unless it was sent already."""
    site_map.walk(scenario.gold["path"], world, data.market.offering(offers_of(world)))
    if scenario.gold["possible"] and not any(row.claim for row in claims.rows(world)):
        _send(world, scenario.gold["rows"])
    return str(scenario.gold["answer"]["text"])


def _send(world: World, rows: Sequence[Row]) -> None:
    """Replace the rows of the unsent claim by these rows, and send it."""
    _write(world, rows)
    claims.send(world, [row.id for row in claims.draft(world)])


def _write(world: World, rows: Sequence[Row]) -> None:
    """Replace the rows of the unsent claim by these rows."""
    claims.open_claim(world)
    for old in claims.draft(world):
        claims.remove_row(world, old.id)
    for row in rows:
        claims.add_row(world, row["order_number"], row["reason"], _amount(row))


def _amount(row: Row) -> str:
    return f"{row['cents'][0] / 100:.2f}"


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    One action for each page of the path and each way back; then those to open the claim, to write
    its rows and to send it.
    """
    gold = scenario.gold
    path: int = site_map.actions(gold["path"])
    if not gold["possible"]:
        return path
    written = sum(3 + (row["reason"] != PRICE) for row in gold["rows"])
    return int(path + 2 + written)


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to read the promises, to open the orders in question and items, and to write the
    claim.
    """
    gold = scenario.gold
    needs = following.needs(gold)
    if urlsplit(observation.url).path.startswith("/claim/"):
        return _at_claim(gold, observation, needs)
    ahead = following.follow(gold, observation)
    if ahead is not None:
        return ahead
    if not gold["possible"]:
        return Advice("open order", answer=visits.NOT_ACHIEVABLE, needs=needs)
    last = gold["path"][-1]
    is_last = site_map.is_at(last, site_map.here(observation))
    notes = (Note(last["note"]),) if is_last and "note" in last else ()
    return Advice("open claim", (*notes, *click(observation, "Claim")), needs=needs)


def _at_claim(gold: Mapping[str, Any], observation: Observation, needs: Needs) -> Advice:
    """Advise on the claim: remove wrong rows, add missing rows, and send it; answer once it is
    sent.
    """
    if not gold["possible"]:
        return Advice("send claim", answer=visits.NOT_ACHIEVABLE, needs=needs)
    buttons = [each.name for each in observation.elements if each.name.startswith("Remove ")]
    wanted = {f"Remove {row['reason'].lower()} of {row['order_number']}": row
              for row in gold["rows"]}  # fmt: skip
    for name in buttons:
        if name not in wanted:
            return Advice("write claim", click(observation, name), needs=needs)
    lacking = [row for name, row in wanted.items() if name not in buttons]
    if "Sent" in observation.text.split("\n") and not buttons:
        return Advice("send claim", answer="", needs=needs)
    if lacking:
        return _add(gold, lacking[0], observation, needs)
    return Advice("send claim", click(observation, "Send Claim"), needs=needs)


def _add(gold: Mapping[str, Any], row: Row, observation: Observation, needs: Needs) -> Advice:
    """Advise to write and add a row of the claim, which needs the notes about its order."""
    noted = tuple((value,) for value in _noted(gold, row))
    typed = {"Order number": row["order_number"], "Amount in dollars": _amount(row)}
    radio = find(observation, row["reason"], roles=("radio",))
    actions: list[Action] = [*following.fill(observation, typed)]
    if radio is not None and "checked" not in radio.states:
        actions.append(Click(radio.id))
    actions += click(observation, "Add Row")
    return Advice("write claim", tuple(actions), needs=(*needs, *noted))


def _noted(gold: Mapping[str, Any], row: Row) -> Iterator[str]:
    """Yield the notes that a row of the claim depends on: of its order, and for a price of its
    items.
    """
    is_of_order = False
    for step in gold["path"]:
        if step["page"] != "item":
            is_of_order = step["page"] == "order" and str(step["number"]) == row["order_number"]
        if is_of_order and (step["page"] == "order" or row["reason"] == PRICE):
            yield from filter(None, [step.get("note", "")])


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: claims with a single mistake, and wrong answers."""
    gold = scenario.gold
    rows, wrong = gold["rows"], gold["wrong"]
    if not gold["possible"]:
        found = {name: _sending(each, "nothing filed") for name, each in wrong.items() if each}
        return {**found, "gave up unseen": visits.gave_up("pages opened")}
    dearer = [{**rows[0], "cents": [rows[0]["cents"][0] + 1]}, *rows[1:]]
    swapped = [{**rows[0], "reason": PRICE if rows[0]["reason"] == LATE else LATE}, *rows[1:]]
    return {
        **{name: _sending(each, _differs(rows, each)) for name, each in wrong.items()
           if each != rows},
        "said that nothing is owed": visits.gave_up("did not give up"),
        "left one out": _sending(rows[:-1], "rows"),
        "a cent more": _sending(dearer, "cents"),
        "the other promise": _sending(swapped, "rows"),
        "two claims": NearMiss(lambda world: _send_twice(world, rows), "one claim"),
        "not sent": NearMiss(lambda world: _write(world, rows), "all sent"),
    }  # fmt: skip


def _differs(rows: Sequence[Row], others: Sequence[Row]) -> str:
    """Return the name of the check that must fail for wrong rows: the amounts, or the rows
    themselves.
    """
    keys = [[(row["order_number"], row["reason"]) for row in each] for each in (rows, others)]
    return "cents" if keys[0] == keys[1] else "rows"


def _sending(rows: Sequence[Row], fails: str) -> NearMiss:
    return NearMiss(lambda world: _send(world, rows), fails)


def _send_twice(world: World, rows: Sequence[Row]) -> None:
    _send(world, rows[:1])
    _send(world, rows[1:])
