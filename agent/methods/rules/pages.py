"""Functions of the method Rules that read a shop's pages; they use the observation only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.interface import Element, Observation, Text

BACK, NEXT, BUY = "< prev", "next >", "buy now"
REVIEWS, NEXT_REVIEWS = "reviews", "next page"
_OTHER_WAYS = (BACK, NEXT, BUY, "back to search", "search", "choose", "add to wish list")
_PRICE = re.compile(r"(?:Price: )?\$(\d[\d,]*(?:\.\d+)?)(?: to \$(\d[\d,]*(?:\.\d+)?))?")
_INSTRUCTION = "Instruction:"


@dataclass(frozen=True)
class Card:
    """A product in a list of results: the name of its link, its title, and the lower of
    its prices.
    """

    link: str
    title: str
    price: float


def search_box(page: Observation) -> Element | None:
    """Return the page's search field, or None."""
    return next((each for each in page.elements if each.role == "searchbox"), None)


def named(page: Observation, name: str) -> Element | None:
    """Return the first element of this name, ignoring case, or None."""
    return next((each for each in page.elements if each.name.casefold() == name.casefold()), None)


def cards(page: Observation) -> list[Card]:
    """Return the products on a page of results in their order; the page shows each as a link, then
    a title and a price.
    """
    return list(_cards(page))


def _cards(page: Observation) -> Iterator[Card]:
    link, titles = "", list[str]()
    for node in page.content:
        if isinstance(node, Element):
            link, titles = (node.name if node.role == "link" else ""), []
        elif link and titles and (price := _PRICE.fullmatch(node.text)):
            yield Card(link, titles[0], amount(price[1]))
            link = ""
        else:
            titles.append(node.text)


def amount(text: str) -> float:
    """Return the number that a price's text stands for."""
    return float(text.replace(",", ""))


def highest_price(page: Observation) -> float:
    """Return the higher price on an item's page; 0 if the page shows no price."""
    prices = (_PRICE.fullmatch(text) for text in texts(page))
    return next((amount(price[2] or price[1]) for price in prices if price), 0.0)


def texts(page: Observation) -> list[str]:
    """Return the texts of a page as a list, without the task's instruction."""
    shown = (node.text for node in page.content if isinstance(node, Text))
    return [text for text in shown if not text.startswith(_INSTRUCTION)]


def tabs(page: Observation) -> list[str]:
    """Return the names of the buttons on an item's page that lead to more information about the
    item.
    """
    return [
        each.name
        for each in page.elements
        if each.role == "button" and not each.commits and each.name.casefold() not in _OTHER_WAYS
    ]


def choices(page: Observation) -> dict[str, list[Element]]:
    """Return the product options on a page: a dict from the text above each group to its radio
    buttons.
    """
    found: dict[str, list[Element]] = {}
    above = ""
    for node in page.content:
        if isinstance(node, Text):
            above = node.text
        elif node.role == "radio":
            found.setdefault(above, []).append(node)
    return found


def offers(groups: dict[str, list[Element]]) -> Sequence[str]:
    """Return a text such as "color red" for each value of each product option."""
    return [f"{kind} {value.name}" for kind, values in groups.items() for value in values]
