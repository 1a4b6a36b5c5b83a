"""Turn a filled cart into a placed order: for the solutions of families, and as advice.

An order is an entry of the gold's `orders` (see `evaluators.scoring.scorers.store.order`); the
function `order` makes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from agent.interface import Action, Advice, Click, Element, Observation, Text, Type
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import task
from scenarios.store.pages import site_map, visits
from scenarios.store.pages.screen import Needs, click, click_starting, find
from scenarios.store.pages.site_map import PathStep
from sites.store import StoreData
from sites.store.account.customer import cards_of
from sites.store.market.account.account import OUTLET, STORE, MarketAccount, MarketOrder
from sites.store.market.checkout import cart, checkout
from sites.store.market.goods.stock import Market
from sites.store.market.offers import offers_of
from sites.store.market.pricing import ShopRules
from sites.store.market.service.help import EXTRAS
from sites.store.outlet.stock import stock_of as outlet_stock
from sites.store.shop.world import addresses_of
from sites.world import World

Order = Mapping[str, Any]
CODE_STEMS = ("HOME", "NEST", "GIVE", "SAVE", "GLAD", "NICE")
"""Beginnings of the names of discount codes; the percentage that a code takes off follows."""


def stock_of(scenario: Scenario, data: StoreData) -> Market:
    """Return the store's stock with the prices and stocks that the customer of a scenario gets."""
    return data.market.offering(task.offered(scenario))


def stock_in(world: World, data: StoreData, shop: str = STORE) -> Market:
    """Return a shop's stock with the prices and stocks that are set in a visit's database."""
    if shop == OUTLET:
        return outlet_stock(data.market, world)
    return data.market.offering(offers_of(world))


def placing(
    data: StoreData,
    orders: Sequence[Order],
    fails: str,
    path: Sequence[PathStep] = (),
    answer: str = "",
) -> NearMiss:
    """Return a wrong end state: the pages of a path are opened, and these orders are placed.

    Args:
        data: The site data of the store.
        orders: The orders.
        fails: The check that must fail.
        path: The pages to open before.
        answer: The answer to give.
    """

    def apply(world: World) -> str:
        site_map.walk(path, world, stock_in(world, data))
        for each in orders:
            place(world, stock_in(world, data, each["shop"]), each)
        return answer

    return NearMiss(apply, fails)


def rules_of(scenario: Scenario) -> ShopRules:
    """Return the store's rules (delivery, tax, extras) for the visitor of a scenario."""
    return task.rules(scenario)[STORE]


def account_of(scenario: Scenario) -> MarketAccount:
    """Return the account of a scenario's customer."""
    return MarketAccount.from_json(scenario.details["account"])


def order(
    lines: Sequence[tuple[str, Mapping[str, str], int]],
    methods: Sequence[str],
    *,
    ship_to: int = 1,
    shop: str = STORE,
    gift_text: str | None = "",
    codes: Sequence[str] = (),
    card: str | None = None,
    extras: Sequence[str] = (),
    subscribed: bool = False,
) -> dict[str, Any]:
    """Return a right order in the form in which the gold holds it.

    Args:
        lines: For each line the asin, the chosen options and the number of pieces.
        methods: Names of the methods of delivery that are right.
        ship_to: The number of the address among the customer's addresses, from 1.
        shop: The name of the shop.
        gift_text: The text on the gift card; None if any text is right.
        codes: The discount codes to use.
        card: The last digits of the payment card; None if any card is right.
        extras: The names of the extras to add.
        subscribed: Whether the order is a subscription.
    """
    return {
        "shop": shop,
        "lines": [[asin, dict(options), quantity] for asin, options, quantity in lines],
        "ship_to": ship_to,
        "methods": list(methods),
        "gift_text": gift_text,
        "codes": sorted(codes),
        "card": card,
        "extras": sorted(extras),
        "subscribed": subscribed,
    }


# Solutions ---------------------------------------------------------------------------------------


def world(scenario: Scenario) -> World:
    """Return the visit's database (its world) at the start of the episode, with an empty cart."""
    return task.world(scenario, cart=True)


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open all pages that the gold lists, then place its orders that are not placed yet."""
    site_map.walk(scenario.gold["path"], world, stock_in(world, data))
    for each in scenario.gold["orders"]:
        if not is_placed(world, each):
            place(world, stock_in(world, data, each["shop"]), each)
    return "" if scenario.gold["possible"] else visits.NOT_ACHIEVABLE


def place(world: World, stock: Market, wanted: Order) -> MarketOrder:
    """Place an order through cart and checkout by the site's operations, and return it.

    Whatever was chosen before is replaced.
    """
    shop = wanted["shop"]
    fill(world, stock, wanted)
    cart.open_cart(world, shop)
    for step in checkout.STEPS:
        checkout.open_step(world, shop, step)
    for name in checkout.state(world, shop).codes:
        checkout.drop_code(world, stock, shop, name)
    checkout.choose(
        world,
        stock,
        shop,
        address=wanted["ship_to"],
        gift_text=wanted["gift_text"] or "",
        extras=wanted["extras"],
        card=card_of(world, wanted),
        subscribed=wanted["subscribed"],
    )
    checkout.choose(world, stock, shop, method=wanted["methods"][0])
    for name in wanted["codes"]:
        checkout.add_code(world, stock, shop, name)
    return checkout.place(world, stock, shop, checkout.order_count(world))


def fill(world: World, stock: Market, wanted: Order) -> None:
    """Make the shop's cart hold exactly the wanted lines."""
    shop = wanted["shop"]
    for line in cart.lines(world, shop):
        cart.change(world, stock, line.id, 0)
    for asin, options, quantity in wanted["lines"]:
        cart.add(world, stock, asin, options, quantity, shop)


def card_of(world: World, wanted: Order) -> int | None:
    """Return the id of the wanted payment card, or None if any card is right."""
    found = cards_of(world).items()
    return next((number for number, each in found if each.last == wanted["card"]), None)


def is_placed(world: World, wanted: Order) -> bool:
    """Return whether this visit placed an order of the wanted items and pieces to the wanted
    address.
    """
    ship_to = vars(addresses_of(world)[wanted["ship_to"]])
    sql = "SELECT * FROM market_orders WHERE shop = ? AND card <> ''"
    for row in world.read(sql, (wanted["shop"],)):
        own = "SELECT * FROM market_lines WHERE order_number = ?"
        lines = world.read(own, (row["number"],))
        had = sorted((line["asin"], line["quantity"]) for line in lines)
        asked = sorted((asin, quantity) for asin, _, quantity in wanted["lines"])
        if had == asked and json.loads(row["ship_to"]) == ship_to:
            return True
    return False


def length(scenario: Scenario, wanted: Order) -> int:
    """Return the number of actions from the filled cart of a shop to the placed order.

    There is an action for each page, for each choice that differs from the preset one, and two for
    each code.
    """
    rules, account = task.rules(scenario)[wanted["shop"]], account_of(scenario)
    ways = [each.name for each in rules.methods]
    changed = (
        wanted["ship_to"] != 1,
        next((each for each in ways if each in rules.preset), ways[0]) not in wanted["methods"],
        bool(wanted["gift_text"]),
        wanted["card"] not in (None, account.cards[0].last),
    )
    extras = {*wanted["extras"], *[checkout.SUBSCRIPTION] * wanted["subscribed"]}
    ticked = extras ^ ({*rules.preset} - {*ways})
    pages = 1 + len(checkout.STEPS) if wanted["shop"] == STORE else 2
    return int(pages + sum(changed) + len(ticked) + 2 * len(wanted["codes"]))


# Advice ------------------------------------------------------------------------------------------

STEPS = ("put into cart", "change cart", "choose address", "choose delivery", "choose extras",
         "pay", "place order")  # fmt: skip
WantedLine = Sequence[Any]
_CART_LINE = re.compile(r"(\d+) × (.+)")
_NAMES = {**EXTRAS, checkout.SUBSCRIPTION: "Subscription"}
_TEXT_FIELD, _CODE_FIELD = "Text on the gift card (free)", "Code"
_BOXES = ("checkbox", "radio")
"""Roles that the checkbox of an extra may have; some renderings call it a radio button."""


def advise(wanted: Order, observation: Observation, needs: Needs = ()) -> Advice | None:
    """Advise on the way from the filled cart to *Place Order*.

    Args:
        wanted: The order to place.
        observation: The current page.
        needs: The words of the task that the order depends on, as in `Advice.needs`.

    Returns:
        None on pages outside cart and checkout, and in the cart if it lacks a wanted line.
    """
    parts = urlsplit(observation.url).path.strip("/").split("/")
    if parts[0] == "cart":
        return change_cart(wanted, observation, _is_called, STORE_WORDS, needs)
    if parts[0] == "checkout" and parts[-1] in _AT_STEP:
        step, actions = _AT_STEP[parts[-1]](wanted, observation)
        return Advice(step, actions, needs=needs)
    return None


def add(wanted: Order, observation: Observation, needs: Needs = ()) -> Advice | None:
    """Advise to put the item of the open page into the cart, with its options and pieces.

    Returns:
        None if the page is not that of a wanted item, or if the cart holds the item already.
    """
    parts = urlsplit(observation.url).path.strip("/").split("/")
    asin = parts[2] if parts[0] == "item_page" and len(parts) > 2 else ""
    line = next((each for each in missing(wanted, observation) if each[0] == asin), None)
    if line is None:
        return None
    typed = typed_quantity(line[2], observation)
    actions = (*_choose(line, observation), *typed, *click(observation, "Add to Cart"))
    return Advice("put into cart", actions, needs=needs)


def typed_quantity(pieces: int, observation: Observation) -> tuple[Action, ...]:
    """Return the input of the number of pieces on an item's page; () if the field holds it
    already.
    """
    box = find(observation, "Quantity")
    return (Type(box.id, str(pieces)),) if box and box.value != str(pieces) else ()


def missing(wanted: Order, observation: Observation) -> list[WantedLine]:
    """Return the lines of the wanted order that the page does not show among the lines of the
    cart.
    """
    shown = [name for _, name in _in_cart(observation)]
    return [line for line in wanted["lines"] if not any(_is_called(line, each) for each in shown)]


def to_cart(observation: Observation) -> tuple[Action, ...]:
    """Return the click on the link to the cart, which every page has."""
    return click_starting(observation, "Cart (")


def _in_cart(observation: Observation) -> list[tuple[int, str]]:
    """Return the lines of the cart that every page shows: pieces, and the name with its options."""
    texts = (node.text for node in observation.content if isinstance(node, Text))
    found = (_CART_LINE.fullmatch(text) for text in texts)
    return [(int(line[1]), line[2]) for line in found if line]


def _is_called(line: WantedLine, name: str) -> bool:
    """Return whether this is the text of an order line on pages: the item's name, options in
    brackets.
    """
    called, _, options = name.removesuffix(")").partition(" (")
    chosen = options.split(", ")
    return called == task.by_asin(line[0]).name and set(line[1].values()) <= set(chosen)


def _choose(line: WantedLine, observation: Observation) -> Iterator[Action]:
    for value in line[1].values():
        option = find(observation, value, roles=("radio",))
        if option is not None and "checked" not in option.states:
            yield Click(option.id)


@dataclass(frozen=True)
class CartWords:
    """Labels of the buttons and fields of a shop's cart; an item's name follows the first three."""

    pieces: str
    remove: str
    update: str
    go_on: str


STORE_WORDS = CartWords("Quantity of ", "Remove ", "Update ", "Check Out")


def change_cart(
    wanted: Order,
    observation: Observation,
    is_called: Callable[[WantedLine, str], bool],
    words: CartWords,
    needs: Needs,
) -> Advice | None:
    """Advise to remove unwanted lines, set the pieces of the others, and go to the checkout.

    Args:
        wanted: The order to place.
        observation: The page of the cart.
        is_called: Tells whether a wanted line has this name on the page.
        words: The labels of the shop's cart.
        needs: The words of the task that the order depends on, as in `Advice.needs`.

    Returns:
        None if a wanted line is missing from the cart.
    """
    left = list(wanted["lines"])
    for box in observation.elements:
        name = box.name.removeprefix(words.pieces)
        if name == box.name:
            continue
        line = next((each for each in left if is_called(each, name)), None)
        if line is None:
            out = click(observation, f"{words.remove}{name}")
            return Advice("change cart", out, needs=needs)
        left.remove(line)
        if box.value != str(line[2]):
            update = click(observation, f"{words.update}{name}")
            return Advice("change cart", (Type(box.id, str(line[2])), *update), needs=needs)
    if left:
        return None
    return Advice("change cart", click(observation, words.go_on), needs=needs)


def _at_address(wanted: Order, observation: Observation) -> tuple[str, tuple[Action, ...]]:
    radios = [each for each in observation.elements if each.role == "radio"]
    own = radios[wanted["ship_to"] - 1 : wanted["ship_to"]]
    return "choose address", (*_ticks(own), *click(observation, "Continue"))


def _at_delivery(wanted: Order, observation: Observation) -> tuple[str, tuple[Action, ...]]:
    radios = {each.name.partition(",")[0]: each for each in observation.elements
              if each.role == "radio"}  # fmt: skip
    able = [radios[name] for name in wanted["methods"] if name in radios]
    own = [] if any("checked" in each.states for each in able) else able[:1]
    return "choose delivery", (*_ticks(own), *click(observation, "Continue"))


def _at_extras(wanted: Order, observation: Observation) -> tuple[str, tuple[Action, ...]]:
    box, text = find(observation, _TEXT_FIELD), wanted["gift_text"]
    typed = [Type(box.id, text)] if box and text is not None and box.value != text else []
    names = _wanted_extras(wanted)
    boxes = (each for each in observation.elements if each.role in _BOXES)
    wrong = (
        each
        for each in boxes
        if ("checked" in each.states) != (each.name.partition(",")[0] in names)
    )
    clicks = [Click(each.id) for each in wrong]
    return "choose extras", (*typed, *clicks, *click(observation, "Continue"))


def _wanted_extras(wanted: Order) -> set[str]:
    """Return the names of the wanted extras, as pages show them."""
    every = [*wanted["extras"], *[checkout.SUBSCRIPTION] * wanted["subscribed"]]
    return {_NAMES.get(name, name.capitalize()) for name in every}


def _at_payment(wanted: Order, observation: Observation) -> tuple[str, tuple[Action, ...]]:
    used = _removable(observation)
    for name in used:
        if name not in wanted["codes"]:
            return "pay", click(observation, f"Remove {name}")
    box = find(observation, _CODE_FIELD, roles=("textbox",))
    for name in wanted["codes"]:
        if name not in used and box is not None:
            typed = [] if box.value == name else [Type(box.id, name)]
            return "pay", (*typed, *click(observation, "Apply Code"))
    cards = (each for each in observation.elements if each.role == "radio")
    own = [each for each in cards if wanted["card"] and each.name.endswith(wanted["card"])]
    return "pay", (*_ticks(own), *click(observation, "Continue"))


def _at_review(wanted: Order, observation: Observation) -> tuple[str, tuple[Action, ...]]:
    """Return the step and the actions on the review page: place the order, or correct a choice."""
    for name in _removable(observation):
        if name not in _wanted_extras(wanted):
            return "choose extras", click(observation, f"Remove {name}")
    step = next(_wrong_steps(wanted, observation), None)
    if step == "cart":
        return "change cart", to_cart(observation)
    if step is not None:
        return _BACK[step], click(observation, step.capitalize())
    return "place order", click(observation, "Place Order")


_BACK = {"delivery": "choose delivery", "extras": "choose extras", "payment": "pay"}


def _wrong_steps(wanted: Order, observation: Observation) -> Iterator[str]:
    """Yield the names of the checkout's steps whose choice differs from the wanted order."""
    shown, lines = observation.text.split("\n"), _in_cart(observation)
    right = [any(line[2] == n and _is_called(line, name) for n, name in lines)
             for line in wanted["lines"]]  # fmt: skip
    if not all(right) or len(lines) != len(right):
        yield "cart"
    if not any(text.startswith(f"{name}, arrives") for text in shown for name in wanted["methods"]):
        yield "delivery"
    text = wanted["gift_text"]
    if (text and f"“{text}”" not in shown) or _wanted_extras(wanted) - set(_removable(observation)):
        yield "extras"
    is_paid = not wanted["card"] or any(
        line.endswith(f" ending {wanted['card']}") for line in shown
    )
    if not is_paid or sorted(_codes(shown)) != wanted["codes"]:
        yield "payment"


def _codes(shown: Sequence[str]) -> list[str]:
    line = next((each for each in shown if each.startswith("Codes: ")), "")
    return [each for each in line.removeprefix("Codes: ").split(", ") if each]


def _removable(observation: Observation) -> list[str]:
    """Return the names of the extras that the page offers to remove by a button."""
    names = (each.name for each in observation.elements if each.role == "button")
    return [name.removeprefix("Remove ") for name in names if name.startswith("Remove ")]


def _ticks(own: Sequence[Element]) -> tuple[Action, ...]:
    return tuple(Click(each.id) for each in own if "checked" not in each.states)


_AT_STEP = {
    "address": _at_address,
    "delivery": _at_delivery,
    "extras": _at_extras,
    "payment": _at_payment,
    "review": _at_review,
}
