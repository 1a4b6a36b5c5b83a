"""Advice in the outlet (a second shop with other pages): from an item to *Place your order*."""

from __future__ import annotations

from urllib.parse import urlsplit

from agent.interface import Action, Advice, Click, Element, Observation, Type
from scenarios.store.market.ordering import (
    CartWords,
    Order,
    WantedLine,
    change_cart,
    typed_quantity,
)
from scenarios.store.pages.screen import Needs, click, find
from sites.store.market.account.account import OUTLET
from sites.store.outlet import goods

WORDS = CartWords("Pieces of ", "Take out ", "Update ", "Go to the checkout")


def is_here(observation: Observation) -> bool:
    """Return whether the page belongs to the outlet."""
    return (urlsplit(observation.url).hostname or "").startswith(OUTLET)


def page_of(observation: Observation) -> str:
    """Return the name of the outlet's page: home, search, goods, help, basket, checkout or
    receipts.
    """
    parts = urlsplit(observation.url).path.strip("/").split("/")
    return parts[1] if len(parts) > 1 else "home"


def advise(wanted: Order, observation: Observation, needs: Needs = ()) -> Advice | None:
    """Advise on the way through the outlet's basket and checkout to the placed order.

    Returns:
        None on other pages, and in the basket if it lacks a wanted line.
    """
    if page_of(observation) == "basket" or find(observation, "Go to the checkout"):
        return change_cart(wanted, observation, _is_called, WORDS, needs)
    if page_of(observation) == "checkout":
        step, actions = _at_checkout(wanted, observation)
        return Advice(step, actions, needs=needs)
    return None


def add(line: WantedLine, observation: Observation, needs: Needs = ()) -> Advice:
    """Advise to put the item of the open page into the outlet's basket."""
    into = (*typed_quantity(line[2], observation), *click(observation, "Add to basket"))
    return Advice("put into cart", into, needs=needs)


def called(line: WantedLine) -> str:
    """Return the title under which the outlet sells the item of an order line."""
    return goods.title(goods.sold()[line[0]])


def _is_called(line: WantedLine, name: str) -> bool:
    return name.startswith(called(line))


def _at_checkout(wanted: Order, observation: Observation) -> tuple[str, tuple[Action, ...]]:
    """Return the step and the actions for the checkout's first choice that is not made yet.

    The page keeps each choice at once.
    """
    radios = [each for each in observation.elements if each.role == "radio"]
    address = radios[wanted["ship_to"] - 1]
    if _is_open(address):
        return "choose address", (Click(address.id),)
    ways = [each for each in radios if each.name.partition(",")[0] in wanted["methods"]]
    if ways and all(_is_open(each) for each in ways):
        return "choose delivery", (Click(ways[0].id),)
    for box in (each for each in observation.elements if each.role == "checkbox"):
        if ("checked" in box.states) != (box.name.partition(",")[0].lower() in wanted["extras"]):
            return "choose extras", (Click(box.id),)
    return _pay(wanted, observation, radios)


def _pay(
    wanted: Order, observation: Observation, radios: list[Element]
) -> tuple[str, tuple[Action, ...]]:
    used = [each.name.removeprefix("Leave out ") for each in observation.elements
            if each.name.startswith("Leave out ")]  # fmt: skip
    for name in used:
        if name not in wanted["codes"]:
            return "pay", click(observation, f"Leave out {name}")
    box = find(observation, "Code", roles=("textbox",))
    for name in wanted["codes"]:
        if name not in used and box is not None:
            typed = [] if box.value == name else [Type(box.id, name)]
            return "pay", (*typed, *click(observation, "Use code"))
    for each in radios:
        if wanted["card"] and each.name.endswith(wanted["card"]) and _is_open(each):
            return "pay", (Click(each.id),)
    return "place order", click(observation, "Place your order")


def _is_open(radio: Element) -> bool:
    return "checked" not in radio.states
