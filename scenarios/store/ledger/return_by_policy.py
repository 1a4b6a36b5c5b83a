"""Send back all that may go back at no cost, with exact forms, by the rules of a help page.

The pages of orders show departments, days of delivery, refunds and discounts, and the pages of
items show final sales. If nothing may go back, no return may be started.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any
from urllib.parse import urlsplit

from agent.interface import Action, Advice, AnswerSchema, Click, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.ledger import _returns
from scenarios.store.ledger._returns import FEE, FINAL, GIFT, OLD, PAID, VOUCHER, Errand, Owned
from scenarios.store.market import task
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import click
from sites.store import StoreData
from sites.store.catalogue.clock import spoken
from sites.store.market.account.account import MarketOrder
from sites.store.market.goods.stock import Market
from sites.store.market.service import returns
from sites.store.market.service.returns import DAMAGED, MONEY, OPENED, PICK_UP, SEALED, UNUSED
from sites.world import World

SITE = "store"
TAG = "transaction"
SCORING = "filed"
MEMORY = True
FROM_ACCOUNT = ("rows", "decides", "path", "told", "wrong")
"""Keys of the gold with values that account pages show; the test for leaked solutions skips them.
"""
STEPS = ("open help", "read help", "open orders", "look through orders", "open order", "open item",
         "open form", "send back")  # fmt: skip
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where nothing may go back")
TOPIC = {"topic": returns.RULES.name, "title": returns.RULES.title}
Row = dict[str, Any]
ACTS = ("ask", "opened", "money", "gifts", "reason", "unmet")
"""The passages of the customer's text, in the order in which their words are drawn."""


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: an account, rules for returns, and the customer's text."""
    rng, split = visits.rng("return_by_policy", seed), visits.split_of(seed)
    barren = visits.is_rare("return_by_policy", seed, task.IMPOSSIBLE_ONE_IN)
    errand = _returns.draw(data.market, rng, barren=barren)
    text, given = _instruction(errand, split, rng)
    gold = {**_gold(errand), "told": visits.spellings(*given)}
    return task.scenario(
        "return_by_policy",
        seed,
        text,
        gold,
        data,
        account=errand.account,
        returns=returns.RULES.to_json(errand.frame.policy),
        level=_level(gold, errand),
    )


def world(scenario: Scenario) -> World:
    """Return the visit's database (its world) at the start, with the shop's rules for returns."""
    made = task.world(scenario)
    returns.RULES.offer(made, returns.RULES.from_json(scenario.details["returns"]))
    return made


def _level(gold: Mapping[str, Any], errand: Errand) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/market.md.

    The agent works out a last day for each line.
    """
    lines = len(_of_the_time(errand))
    return {"name": "L3", "P": len(gold["decides"]), "M": lines + len(gold["rows"]), "C": lines,
            "R": 9, "W": 0.1, "K": 4}  # fmt: skip


def _instruction(errand: Errand, split: str, rng: Random) -> tuple[str, list[str]]:
    """Return the customer's text, and the values in it that the agent needs."""
    frame = errand.frame
    values = {"since": spoken(frame.since), **dict(zip("abc", frame.opened, strict=True))}
    text = visits.letter(Speaker("return_by_policy", split, rng), ACTS, **values)
    return text, list(values.values())


# Gold --------------------------------------------------------------------------------------------


def _gold(errand: Errand) -> dict[str, Any]:
    rows = [_row(errand, own) for own in _returns.right(errand)]
    return {
        "check": "returns",
        "rows": rows,
        "decides": [
            [{"page": "help", "options": {"topic": returns.RULES.name}}],
            *_decides(errand),
        ],
        "path": list(_path(errand)),
        "wrong": {
            name: [_row(errand, own) for own in _returns.right(errand, reading)]
            for name, reading in _returns.READINGS.items()
        },
        "possible": bool(rows),
        "answer": {"kind": "text", "text": "" if rows else visits.NOT_ACHIEVABLE},
    }


def _row(errand: Errand, own: Owned) -> Row:
    """Return the right values of the return form for an order line.

    The method is pick-up if no way to send it back is free.
    """
    opened = own.good.kind.name in errand.frame.opened
    return {
        "order_number": own.order.number,
        "asin": own.line.asin,
        "name": own.good.name,
        "condition": [OPENED if opened else SEALED],
        "reason": [UNUSED],
        "method": _returns.free_ways(errand.frame.policy, own) or [PICK_UP],
        "refund": [MONEY],
    }


def _of_the_time(errand: Errand) -> list[Owned]:
    """Return the order lines that lists of orders do not rule out by their day or recipient."""
    listed = {OLD, GIFT}
    return [own for own in errand.asked if not listed & {*_returns.broken(errand.frame, own)}]


def _is_to_be_opened(errand: Errand, own: Owned) -> bool:
    """Return whether an item's own page must be read, because its order rules nothing out."""
    return not {*_returns.broken(errand.frame, own)} - {FINAL}


def _decides(errand: Errand) -> Iterator[list[Row]]:
    """Yield the journal rows that prove that each page that matters was opened: orders, then items.

    An order must be opened unless the day or the kind of all its lines rules them out.
    """
    needed = dict[str, None]()
    for own in _of_the_time(errand):
        if not {*_returns.broken(errand.frame, own)} - {FINAL, FEE, VOUCHER, PAID}:
            needed[own.order.number] = None
    yield from ([{"page": "order", "number": int(number)}] for number in needed)
    for own in _of_the_time(errand):
        if _is_to_be_opened(errand, own):
            yield [{"page": "item", "asin": own.line.asin}]


def _path(errand: Errand) -> Iterator[site_map.PathStep]:
    """Yield the steps to the rules, to each order in question, and to the items that decide."""
    yield site_map.path_step("help", "open help", topic="")
    yield site_map.path_step("help", "read help", **TOPIC)
    orders = errand.account.orders
    asked = {own.order.number for own in _of_the_time(errand)}
    last = max(place for place, each in enumerate(orders) if each.number in asked)
    for page in range(1, visits.orders_page(last) + 1):
        yield site_map.orders_step(page)
        for order in orders[(page - 1) * 10 : page * 10]:
            if order.number in asked:
                yield site_map.order_step(order)
                yield from _items(errand, order)


def _items(errand: Errand, order: MarketOrder) -> Iterator[site_map.PathStep]:
    for own in (Owned(order, line) for line in order.lines):
        if _is_to_be_opened(errand, own):
            yield site_map.item_step(own.line.asin, own.good.name)


# The way -----------------------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open all pages that the gold lists, then start the returns that are not started yet."""
    site_map.walk(scenario.gold["path"], world, data.market)
    started = {(each.order_number, each.asin) for each in returns.returns(world)}
    _file(world, data.market, [row for row in scenario.gold["rows"] if _key(row) not in started])
    return str(scenario.gold["answer"]["text"])


def _key(row: Row) -> tuple[str, str]:
    return row["order_number"], row["asin"]


def _file(world: World, stock: Market, rows: Sequence[Row], **changed: str) -> None:
    """Start these returns, with the fields in `changed` replaced in each."""
    for row in rows:
        filled = {name: row[name][0] for name in returns.FIELDS}
        returns.open_form(world, *_key(row))
        returns.send_back(world, stock, *_key(row), {**filled, **changed})


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    There is an action for each page of the path and each way back, and a form for each return.
    """
    gold = scenario.gold
    forms = sum(_clicks(row) for row in gold["rows"])
    return int(site_map.actions(gold["path"]) + forms + _is_left_over(gold))


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of an agent that opens the page of every item in question."""
    opened = len([each for each in scenario.gold["path"] if each["page"] == "item"])
    return length(scenario) + 2 * (int(scenario.details["level"]["C"]) - opened)


def _clicks(row: Row) -> int:
    """Return the actions to open a form, change its preset fields, and send it."""
    filled = sum(_BEFORE[name] not in row[name] for name in returns.FIELDS)
    return 2 + filled


_BEFORE = {"condition": SEALED, "reason": "", "method": PICK_UP, "refund": returns.VOUCHER}
"""The values of the return form's fields before anything is chosen."""


def _is_left_over(gold: Mapping[str, Any]) -> bool:
    """Return whether the expert, after the last item's page, must go back to its order to return
    things.
    """
    orders = [each for each in gold["path"] if each["page"] == "order"]
    at_item = gold["path"][-1]["page"] == "item"
    return at_item and any(int(row["order_number"]) == orders[-1]["number"] for row in gold["rows"])


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to read the rules, then to open each order and its items, and to send back what may
    go.
    """
    gold = scenario.gold
    needs = following.needs(gold)
    parts = urlsplit(observation.url).path.strip("/").split("/")
    if parts[0] == "returns" and len(parts) == 4:
        return Advice("send back", _filled(_form_of(gold, parts), observation), needs=needs)
    place = site_map.here(observation)
    ahead = following.follow(gold, observation)
    if place["page"] == "order" and (ahead is None or ahead.step != "open item"):
        form = _next_form(gold, place["number"], observation)
        if form:
            return Advice("open form", form, needs=needs)
    if ahead is not None:
        return ahead
    if place["page"] == "item" and _is_left_over(gold):
        return Advice("open order", click(observation, "< Prev"), needs=needs)
    return Advice("open order", answer=str(gold["answer"]["text"]), needs=needs)


def _next_form(
    gold: Mapping[str, Any], number: int, observation: Observation
) -> tuple[Action, ...]:
    for row in gold["rows"]:
        if int(row["order_number"]) == number:
            found = click(observation, f"Send back {row['name']}")
            if found:
                return found
    return ()


def _form_of(gold: Mapping[str, Any], parts: Sequence[str]) -> Row:
    """Return the gold's row for the open return form; {} if nothing is to be returned with it."""
    return next((row for row in gold["rows"] if _key(row) == (parts[2], parts[3])), {})


def _filled(row: Row, observation: Observation) -> tuple[Action, ...]:
    """Return the actions that fill in and send the form, or that leave it if it is not wanted."""
    if not row:
        return click(observation, "Back to the order")
    clicks = [_chosen(row[name], observation) for name in returns.FIELDS]
    return (*(each for own in clicks for each in own), *click(observation, "Start Return"))


def _chosen(accepted: Sequence[str], observation: Observation) -> tuple[Action, ...]:
    radios = [each for each in observation.elements if each.role == "radio"]
    named = {each.name.partition(",")[0]: each for each in radios}
    able = [named[value] for value in accepted if value in named]
    if any("checked" in each.states for each in able):
        return ()
    return tuple(Click(each.id) for each in able[:1])


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: returns with a single mistake, and wrong answers."""
    gold, stock = scenario.gold, data.market
    if not gold["possible"]:
        found = {name: _filing(stock, rows, "nothing filed") for name, rows in gold["wrong"].items()
                 if rows}  # fmt: skip
        return {**found, "gave up unseen": visits.gave_up("pages opened")}
    right = [_key(row) for row in gold["rows"]]
    misses = {
        name: _filing(stock, rows, "rows")
        for name, rows in gold["wrong"].items()
        if [_key(row) for row in rows] != right
    }
    opened = any(row["condition"] == [OPENED] for row in gold["rows"])
    return {
        **misses,
        "said that nothing may go back": visits.gave_up("did not give up"),
        "left one out": _filing(stock, gold["rows"][:-1], "rows"),
        "a voucher": _filing(stock, gold["rows"], "refund", refund=returns.VOUCHER),
        "a reason that is not true": _filing(stock, gold["rows"], "reason", reason=DAMAGED),
        "picked up for a fee": _filing(stock, gold["rows"], "method", method=PICK_UP),
        **({"said to be sealed": _filing(stock, gold["rows"], "condition", condition=SEALED)}
           if opened else {}),
    }  # fmt: skip


def _filing(stock: Market, rows: Sequence[Row], fails: str, **changed: str) -> NearMiss:
    return NearMiss(lambda world: _file(world, stock, rows, **changed), fails)
