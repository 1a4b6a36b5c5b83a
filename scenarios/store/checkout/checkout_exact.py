"""Place an order exactly as described: items, pieces, address, delivery, gift text, code, card.

The instruction uses the words of the pages. The task is hard because nothing may be forgotten, and
because the shop has preset some choices. In one seed of eight the order is impossible. Seeds 0-499
are the test split, 500-1499 the dev split, and from 1500 on the train split; each split has its own
wordings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Click, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import ordering, task
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import click, find, next_card, page_of, search_for
from sites.store import StoreData
from sites.store.catalogue.clock import TODAY
from sites.store.market import pricing
from sites.store.market.account.account import STORE, MarketAccount
from sites.store.market.account.draw import draw_account
from sites.store.market.checkout import cart, checkout
from sites.store.market.goods import bank
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.offers import Offer
from sites.store.market.pricing import PLAN, ROUND_UP, WRAP, Code, Method, ShopRules
from sites.store.shop import operations
from sites.store.shop.journal import as_json
from sites.world import World

SITE = "store"
TAG = "transaction"
SCORING = "order"
STEPS = ("search", "open item", *ordering.STEPS)
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where it cannot be done")

LINES = (2, 3)
"""The possible numbers of different items to order; more items make the family harder."""
PIECES = (1, 1, 2, 2, 3)
PRESET = (PLAN, ROUND_UP, checkout.SUBSCRIPTION, "Express")
MOST_STEPS = 28
"""The most actions that the expert may need; methods whose papers allow thirty can then finish."""
SLACK_DAYS = 4
"""The most days between the arrival of the right delivery and the deadline."""
LATE, SHORT = "late", "short"
"""Why the order is impossible: every delivery is too late, or there are too few of an item."""


# The world ---------------------------------------------------------------------------------------


def world(scenario: Scenario) -> World:
    """Return the visit's database (its world) at the start; in some seeds an item is in the
    cart.
    """
    made = task.world(scenario, cart=True)
    for asin in scenario.details["in_cart"]:
        made.write(
            "INSERT INTO cart_lines (shop, asin, options, quantity, saved) VALUES (?, ?, ?, 1, 0)",
            (STORE, asin, as_json({})),
        )
    return made


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Drawn:
    """The order that the instruction describes; `method` is the right delivery, `day` the
    deadline.
    """

    account: MarketAccount
    rules: ShopRules
    lines: tuple[tuple[Good, dict[str, str], int], ...]
    ship_to: int
    method: Method
    day: date
    text: str
    code: Code
    card: str
    is_wrapped: bool
    reason: str


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed.

    Orders are drawn until the expert needs few actions and a search for each name finds its item.
    """
    rng = visits.rng("checkout_exact", seed)
    rare = visits.is_rare("checkout_exact", seed, task.IMPOSSIBLE_ONE_IN)
    while True:
        made = _scenario(seed, rng.choice((LATE, SHORT)) if rare else "", data, rng)
        asked = made.gold["wanted"]["lines"]
        if length(made) <= MOST_STEPS and all(_is_found(asin, data.market) for asin, *_ in asked):
            return made


def _is_found(asin: str, market: Market) -> bool:
    """Return whether a search for an item's name lists it on the first page."""
    return asin in market.hits(market.good(asin).name)[: operations.PER_PAGE]


def _scenario(seed: int, reason: str, data: StoreData, rng: Random) -> Scenario:
    split = visits.split_of(seed)
    drawn = _draw(reason, split, data.market, rng)
    short, offers = _offers(drawn, rng)
    gold = _gold(drawn, short)
    left = _goods(1, rng, [line[0] for line in drawn.lines])
    in_cart = [good.asin for good in left if rng.random() < 0.5]
    return task.scenario(
        "checkout_exact",
        seed,
        _instruction(drawn, split, rng),
        gold,
        data,
        account=drawn.account,
        offered=offers,
        rules={STORE: drawn.rules},
        in_cart=in_cart,
        level=_level(drawn, gold, bool(in_cart)),
    )


def _draw(reason: str, split: str, market: Market, rng: Random) -> _Drawn:
    account, ship_to = _account(market, rng)
    rules = _rules(rng)
    lines = tuple(
        (good, _options(good, rng), rng.choice(PIECES)) for good in _goods(rng.choice(LINES), rng)
    )
    codes = _codes(lines[0][0], rng)
    account = replace(account, codes=tuple(rng.sample(codes, len(codes))))
    country = account.addresses[ship_to - 1].country
    going = [each for each in rules.methods if pricing.goes_to(each, country)]
    method = rng.choice(going)
    return _Drawn(
        account=account,
        rules=rules,
        lines=lines,
        ship_to=ship_to,
        method=method,
        day=_day(method, going, reason, rng),
        text=Speaker("checkout_exact", split, rng).choose("texts"),
        code=codes[0],
        card=rng.choice(account.cards).last,
        is_wrapped=rng.random() < 0.3,
        reason=reason,
    )


def _rules(rng: Random) -> ShopRules:
    preset = tuple(rng.sample(PRESET, rng.randint(2, len(PRESET))))
    return ShopRules(preset=preset, tax=rng.choice((0, 0, 45, 62, 70)))


def _account(market: Market, rng: Random) -> tuple[MarketAccount, int]:
    """Draw a customer with three or four addresses and no orders; return the order's address, too.

    The address is its number in the address book. No card's brand contains "Express", the name of a
    delivery.
    """
    while True:
        account = replace(draw_account(rng, market, range(1)), lists=())
        others = [place for place, note in enumerate(account.notes) if _who(note)]
        is_clear = not any("Express" in card.brand for card in account.cards)
        if len(account.addresses) > 2 and others and is_clear:
            return account, rng.choice(others) + 1


def _who(note: str) -> str:
    """Return whose address a note in the address book names: "my sister"; "" for the customer's
    own.
    """
    named = note.partition(".")[0]
    if named.startswith("My "):
        return f"my {named[3:]}"
    return f"my {named.lower()}" if named.startswith("Friend") else ""


def _goods(number: int, rng: Random, but: Sequence[Good] = ()) -> list[Good]:
    """Draw products of different kinds, other than the kinds of `but`."""
    others = {good.kind.name for good in but}
    kinds = sorted({kind.name for kind in bank.kinds().values()} - others)
    return [rng.choice(task.of_kind(name)) for name in rng.sample(kinds, number)]


def _options(good: Good, rng: Random) -> dict[str, str]:
    return {name: rng.choice(values) for name, values in good.options.items()}


def _codes(good: Good, rng: Random) -> list[Code]:
    """Draw the discount code to use, and one or two others that the shop would accept too."""
    stems = rng.sample(ordering.CODE_STEMS, rng.randint(2, 3))
    named = [f"{stem}{rng.choice((10, 12, 15, 20))}" for stem in stems]
    kinds = [rng.choice(("", good.kind.name)) for _ in named]
    return [
        Code(name, percent=int(name[-2:]), kind=kind)
        for name, kind in zip(named, kinds, strict=True)
    ]


def _day(method: Method, going: Sequence[Method], reason: str, rng: Random) -> date:
    """Draw the deadline of the order: the right delivery arrives by then, and slower ones do not.

    If the order has to be impossible, every delivery arrives after it.
    """
    days = sorted({pricing.arrives(TODAY, each) for each in going})
    if reason == LATE:
        return TODAY + timedelta(days=rng.randint(0, (days[0] - TODAY).days - 1))
    own = pricing.arrives(TODAY, method)
    later = [day for day in days if day > own]
    most = min(SLACK_DAYS, (later[0] - own).days - 1) if later else SLACK_DAYS
    return own + timedelta(days=rng.randint(0, most))


def _offers(drawn: _Drawn, rng: Random) -> tuple[str, dict[str, Offer]]:
    """Draw limited stocks for some items; return the asin of the item with too few ("" if none),
    too.
    """
    some = {good.asin: Offer(stock=quantity + rng.randint(0, 3))
            for good, _, quantity in drawn.lines if rng.random() < 0.5}  # fmt: skip
    if drawn.reason != SHORT:
        return "", some
    good, _, quantity = rng.choice(drawn.lines)
    return good.asin, {**some, good.asin: Offer(stock=quantity - 1)}


def _gold(drawn: _Drawn, short: str) -> dict[str, Any]:
    """Return the solution of a drawn order; `short` is the asin of an item with too few pieces."""
    wanted = ordering.order(
        [(good.asin, options, quantity) for good, options, quantity in drawn.lines],
        [drawn.method.name],
        ship_to=drawn.ship_to,
        gift_text=drawn.text,
        codes=[drawn.code.name],
        card=drawn.card,
        extras=[WRAP] * drawn.is_wrapped,
    )
    return {
        "possible": not drawn.reason,
        "orders": [] if drawn.reason else [wanted],
        "wanted": wanted,
        "reason": drawn.reason,
        "short": short,
        "names": [good.name for good, _, _ in drawn.lines],
        "decides": list(_decides(drawn, short)),
        "path": list(_path(drawn)),
        "told": visits.spellings(*_words(drawn)),
    }


def _decides(drawn: _Drawn, short: str) -> Iterator[list[dict[str, Any]]]:
    """Yield the journal rows that prove that each item's page and each checkout step was opened.

    If the order is impossible, they prove only that the agent saw why.
    """
    if short:
        yield [{"page": "item", "asin": short}]
        return
    if drawn.reason == LATE:
        delivery = {"page": "help", "options": {"topic": "delivery"}}
        yield [{"page": "checkout", "options": {"step": "delivery"}}, delivery]
        return
    yield from ([{"page": "item", "asin": good.asin}] for good, _, _ in drawn.lines)
    yield from ([{"page": "checkout", "options": {"step": step}}] for step in checkout.STEPS)


def _path(drawn: _Drawn) -> Iterator[site_map.PathStep]:
    for good, _, _ in drawn.lines:
        yield site_map.path_step("results", "search", query=good.name, number=1)
        yield site_map.path_step("item", "open item", asin=good.asin, name=good.name)


def _words(drawn: _Drawn) -> list[str]:
    """Return the values that the order depends on, as the instruction says them."""
    options = [value for _, chosen, _ in drawn.lines for value in chosen.values()]
    numbers = [visits.NUMBERS[quantity] for _, _, quantity in drawn.lines]
    rest = [_whom(drawn), visits.spoken_day(drawn.day), drawn.text, drawn.code.name, drawn.card]
    return [*(good.name for good, _, _ in drawn.lines), *options, *numbers, *rest]


def _level(drawn: _Drawn, gold: Mapping[str, Any], has_left: bool) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/levels.md.

    Traps are the preset choices, and an item that lies in the cart.
    """
    return {"name": "L2", "P": len(gold["decides"]), "M": len(gold["told"]), "C": 0, "R": 0,
            "W": 0, "K": len(drawn.rules.preset) + has_left}  # fmt: skip


# Words -------------------------------------------------------------------------------------------


def _instruction(drawn: _Drawn, split: str, rng: Random) -> str:
    speaker = Speaker("checkout_exact", split, rng)
    middle = ["when", "text"]
    rng.shuffle(middle)
    extras = "wrap" if drawn.is_wrapped else "bare"
    what, *dated, extra, otherwise = map(speaker.choose, ("what", *middle, extras, "else"))
    pay = speaker.choose("code") + speaker.choose("card")
    who = _whom(drawn)
    return " ".join((what, *dated, pay, extra, otherwise)).format(
        items=_listed([_item(*line) for line in drawn.lines]),
        who=who,
        who_first=f"{who[:1].upper()}{who[1:]}",
        day=visits.spoken_day(drawn.day),
        text=drawn.text,
        code=drawn.code.name,
        card=drawn.card,
    )


def _whom(drawn: _Drawn) -> str:
    return _who(drawn.account.notes[drawn.ship_to - 1])


def _item(good: Good, options: Mapping[str, str], quantity: int) -> str:
    """Return how the instruction names a line: "two of the Corvane Heron Desk Lamp NK-6579 in
    black".
    """
    color, size = options.get("color", ""), options.get("size", "")
    return f"{visits.NUMBERS[quantity]} of the {good.name}" + "".join(
        [f" in {color}" if color else "", f", size {size}" if size else ""]
    )


def _listed(items: Sequence[str]) -> str:
    return f"{'; '.join(items[:-1])}; and {items[-1]}"


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert, who puts the items into the cart and checks out.

    If the order is impossible, the expert stops at the page that shows it.
    """
    gold = scenario.gold
    lines, in_cart = gold["wanted"]["lines"], len(scenario.details["in_cart"])
    if gold["short"]:
        before = [line[0] for line in lines].index(gold["short"])
        return int(sum(map(_to_add, lines[:before])) + before + 2 + bool(before) * in_cart)
    if gold["reason"] == LATE:
        return _to_delivery(scenario)
    return _to_delivery(scenario) - 3 + ordering.length(scenario, gold["wanted"])


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions for a shopper who learns only at the deliveries that it is
    impossible.

    By then all items are in the cart.
    """
    return _to_delivery(scenario)


def _to_delivery(scenario: Scenario) -> int:
    """Return the number of actions from the start to the checkout's deliveries, with the right
    cart.
    """
    lines = scenario.gold["wanted"]["lines"]
    added = sum(map(_to_add, lines)) + len(lines) - 1
    return int(added + len(scenario.details["in_cart"]) + 1 + 2)


def _to_add(line: Sequence[Any]) -> int:
    """Return the number of actions to put an item into the cart: search, open, choose options,
    add.
    """
    return 2 + len(line[1]) + int(line[2] != 1) + 1


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Place the order, or open the pages that show that it is impossible and say so."""
    if scenario.gold["possible"]:
        return ordering.solve(scenario, world, data)
    _look(scenario, world, data)
    return visits.NOT_ACHIEVABLE


def _look(scenario: Scenario, world: World, data: StoreData) -> None:
    """Open the pages of the site that show that the order is impossible."""
    gold, stock = scenario.gold, ordering.stock_in(world, data)
    site_map.walk(gold["path"], world, stock)
    if not gold["short"]:
        ordering.fill(world, stock, gold["wanted"])
        checkout.choose(world, stock, address=gold["wanted"]["ship_to"])
        checkout.open_step(world, STORE, "delivery")


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to put the items into the cart, then to go through the checkout."""
    gold = scenario.gold
    wanted, needs = gold["wanted"], following.needs(gold)
    if observation.url.partition("/receipt/")[1]:
        return Advice("place order", answer="")
    if _is_impossible(gold, observation):
        return Advice("open item", answer=visits.NOT_ACHIEVABLE, needs=needs)
    advice = ordering.advise(wanted, observation, needs)
    return advice or ordering.add(wanted, observation, needs) or _to_next(gold, observation)


def _to_next(gold: Mapping[str, Any], observation: Observation) -> Advice:
    """Advise the way to the first item that is not in the cart, or to the cart if all are."""
    wanted, needs = gold["wanted"], following.needs(gold)
    lacking = ordering.missing(wanted, observation)
    if not lacking:
        return Advice("change cart", ordering.to_cart(observation), needs=needs)
    name = gold["names"][wanted["lines"].index(lacking[0])]
    card = next_card([name], observation) if page_of(observation) == "results" else None
    if card is not None:
        return Advice("open item", (Click(card.link.id),), needs=((name,),))
    if find(observation, "Search products") is None:
        return Advice("search", click(observation, "Back to Search"), needs=needs)
    return replace(search_for(observation, name), needs=((name,),))


def _is_impossible(gold: Mapping[str, Any], observation: Observation) -> bool:
    """Return whether this page shows that the order is impossible."""
    if gold["possible"]:
        return False
    if gold["short"]:
        return f"/{gold['short']}/" in observation.url and page_of(observation) == "item"
    return observation.url.endswith("/delivery")


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: orders with a single mistake, and wrong answers."""
    gold, stock = scenario.gold, ordering.stock_of(scenario, data)
    if not gold["possible"]:
        return _of_impossible(scenario, data)
    placing = partial(ordering.placing, data, path=gold["path"])
    misses = {
        label: placing([{**gold["wanted"], **changed}], fails)
        for label, (fails, changed) in _otherwise(scenario, stock)
    }
    first = gold["wanted"]["lines"][0][0]
    if stock.offer(first).stock is None:
        misses["left one in the cart"] = NearMiss(partial(_leave, scenario, data), "empty cart")
    return {
        **misses,
        "ordered twice": placing([gold["wanted"]] * 2, "orders"),
        "gave up": visits.gave_up("orders"),
    }


def _leave(scenario: Scenario, data: StoreData, world: World) -> None:
    """Make a wrong end state: after the right order, a piece of an item lies in the cart."""
    ordering.solve(scenario, world, data)
    first = scenario.gold["wanted"]["lines"][0][0]
    cart.add(world, ordering.stock_in(world, data), first, {})


Mistake = tuple[str, tuple[str, dict[str, Any]]]
"""A mistake in an order: its label, the check that must fail, and the changed parts of the order.
"""


def _otherwise(scenario: Scenario, stock: Market) -> Iterator[Mistake]:
    """Yield the mistakes that an order can easily have, with their labels."""
    gold, account = scenario.gold["wanted"], ordering.account_of(scenario)
    yield from _other_extras(gold, ordering.rules_of(scenario).preset)
    yield "another word in the text", ("gift text", {"gift_text": f"{gold['gift_text']} dear"})
    yield "no text", ("gift text", {"gift_text": ""})
    yield "code not used", ("codes", {"codes": []})
    other = next(code.name for code in account.codes if code.name not in gold["codes"])
    yield "another code", ("codes", {"codes": [other]})
    if account.cards[0].last != gold["card"]:
        yield "usual card", ("card", {"card": account.cards[0].last})
    yield from _other_places(account, gold)
    yield from _other_lines(gold, stock, scenario.details["in_cart"])


def _other_extras(gold: Mapping[str, Any], preset: Sequence[str]) -> Iterator[Mistake]:
    """Yield orders with wrong extras: a preset extra is kept, or a wanted extra is forgotten."""
    for name in (PLAN, ROUND_UP):
        if name in preset:
            extras = sorted([*gold["extras"], name])
            yield f"{name} left ticked", ("extras", {"extras": extras})
    if checkout.SUBSCRIPTION in preset:
        yield "subscription left ticked", ("extras", {"subscribed": True})
    if gold["extras"]:
        yield "not wrapped", ("extras", {"extras": []})


def _other_places(account: MarketAccount, gold: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield orders with another address, or with a delivery that is dearer or too late."""
    yield "usual address", ("address", {"ship_to": 1})
    country = account.addresses[gold["ship_to"] - 1].country
    own = ShopRules().method(gold["methods"][0])
    for each in ShopRules().methods:
        if pricing.goes_to(each, country) and each != own:
            label = "dearer than needed" if each.days < own.days else "arrives too late"
            yield label, ("delivery", {"methods": [each.name]})


def _other_lines(
    gold: Mapping[str, Any], stock: Market, in_cart: Sequence[str]
) -> Iterator[Mistake]:  # fmt: skip
    """Yield orders with wrong items, pieces or options."""
    lines = gold["lines"]
    if any(quantity > 1 for _, _, quantity in lines):
        single = [[asin, options, 1] for asin, options, _ in lines]
        yield "one piece of each", ("pieces", {"lines": single})
    yield "one item forgotten", ("items", {"lines": lines[:-1]})
    if in_cart:
        more = [*lines, [in_cart[0], {}, 1]]
        yield "what lay in the cart, too", ("items", {"lines": more})
    asin, options, quantity = lines[-1]
    for name, values in stock.good(asin).options.items():
        other = next(value for value in values if value != options[name])
        changed = [*lines[:-1], [asin, {**options, name: other}, quantity]]
        yield "another option", ("options", {"lines": changed})
    siblings = [good.asin for good in task.of_kind(stock.good(asin).kind.name)
                if good.design == stock.good(asin).design and good.asin != asin]  # fmt: skip
    yield "a sibling", ("items", {"lines": [*lines[:-1], [siblings[0], {}, quantity]]})


def _of_impossible(scenario: Scenario, data: StoreData) -> dict[str, NearMiss]:
    gold = scenario.gold
    lines = [[asin, options, quantity - (asin == gold["short"])]
             for asin, options, quantity in gold["wanted"]["lines"]]  # fmt: skip
    able = [line for line in lines if line[2]]

    def anyway(world: World) -> None:
        _look(scenario, world, data)
        order = {**gold["wanted"], "lines": able, "codes": []}
        ordering.place(world, ordering.stock_in(world, data), order)

    return {
        "ordered what could be had": NearMiss(anyway, "nothing ordered"),
        "did not say so": NearMiss(lambda world: _look(scenario, world, data), "said so"),
        "gave up unseen": visits.gave_up("pages opened"),
    }
