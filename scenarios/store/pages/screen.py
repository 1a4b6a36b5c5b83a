"""Functions that read the store's pages to give advice: find elements, cards and page types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any
from urllib.parse import urlsplit

from agent.interface import Action, Advice, Click, Element, Observation, Text, Type

_PAGES = {"done": "done", "search_results": "results", "item_page": "item", "item_sub_page": "sub"}
_CODE = re.compile(r"[A-Z0-9]{10}")
_AMOUNT = re.compile(r"\$(\d+\.\d\d)(?: to \$\d+\.\d\d)?")
Gold = Mapping[str, Any]
Needs = tuple[tuple[str, ...], ...]
Way = Callable[[Gold, Observation], Advice]


def advise_shopping(
    gold: Mapping[str, Any],
    observation: Observation,
    query: str,
    leave: str,
    ways: Mapping[str, Way],
) -> Advice:
    """Advise by the type of the open page: search, unless `ways` has a function for the page.

    Args:
        leave: The step's name for leaving a sub page about an item.
        ways: Functions that give advice on a kind of page.
    """
    page = page_of(observation)
    if page == "done":
        return Advice("buy", answer="")
    if page == "sub":
        return Advice(leave, click(observation, "< Prev"))
    return ways[page](gold, observation) if page in ways else search_for(observation, query)


def page_of(observation: Observation) -> str:
    """Return the type of the open page: done, item, search, results, or sub (a page about an item).

    The address decides; if it does not show the type, the content of the page does.
    """
    named = _PAGES.get(urlsplit(observation.url).path.strip("/").partition("/")[0])
    if named:
        return named
    names = {element.name for element in observation.elements}
    if "Buy Now" in names:
        return "item"
    if "Back to Search" not in names:
        return "search"
    return "results" if re.search(r"Page \d+ \(Total results", observation.text) else "sub"


def search_for(observation: Observation, query: str) -> Advice:
    """Advise to search for these words, which the agent must know.

    The advice has no actions if the page has no search bar.
    """
    box = find(observation, roles=("searchbox", "textbox", "combobox"))
    if box is None:
        return Advice("search", (), answer="")
    words = tuple((word,) for word in query.split())
    return Advice("search", (Type(box.id, query, enter=True),), needs=words)


def click(observation: Observation, label: str) -> tuple[Action, ...]:
    """Return a click on the element with this label; no action if there is none."""
    element = find(observation, label)
    return (Click(element.id),) if element else ()


def find(
    observation: Observation, label: str | None = None, roles: Sequence[str] = ()
) -> Element | None:
    """Return the first element with this label (in any letter case) and a role of these, or None.

    Args:
        label: The name; None for any.
        roles: The possible roles; () for any.
    """
    for element in observation.elements:
        named = label is None or element.name.casefold() == label.casefold()
        if named and (not roles or element.role in roles):
            return element
    return None


def unvisited(
    observation: Observation, label: str, roles: Sequence[str] = ()
) -> Element | None:  # fmt: skip
    """Return the element with this label, or None if there is none or it was followed already."""
    found = find(observation, label, roles)
    return found if found is not None and "visited" not in found.states else None


def click_starting(observation: Observation, words: str) -> tuple[Action, ...]:
    """Return the click on the first element whose name starts with these words; () if there is
    none.
    """
    named = (each for each in observation.elements if each.name.startswith(words))
    return tuple(Click(each.id) for each in islice(named, 1))


# Orders in a list --------------------------------------------------------------------------------

_ORDER = re.compile(r"(View Order )?\d{9}")
_DAY = re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}")


@dataclass(frozen=True)
class OrderRow:
    """An order as a list of orders shows it: the link to it, and the texts of its row.

    The texts nearest to the link come first.
    """

    link: Element
    texts: tuple[str, ...]

    @property
    def day(self) -> str:
        """The day on which the order was placed, such as "March 14, 2025"."""
        return next(filter(_DAY.fullmatch, self.texts), "")


def order_rows(observation: Observation) -> Iterator[OrderRow]:
    """Yield the orders of a list, in the list's order.

    A row of the account's list ends with the link, and a row of the market's list begins with it.
    """
    content = observation.content
    for place, node in enumerate(content):
        link = _ORDER.fullmatch(node.name) if isinstance(node, Element) else None
        if isinstance(node, Element) and link:
            row = reversed(content[:place]) if link[1] else content[place + 1 :]
            texts = takewhile(lambda each: isinstance(each, Text), row)
            found = OrderRow(node, tuple(each.text for each in texts if isinstance(each, Text)))
            if found.day:
                yield found


# Products in a list ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Card:
    """A product as a list of products shows it; `price` is the lower end of a price range."""

    link: Element
    title: str
    price: float

    @property
    def is_opened(self) -> bool:
        return "visited" in self.link.states


def cards(observation: Observation) -> list[Card]:
    """Return the products of a list in the list's order."""
    return list(_cards(observation))


def _cards(observation: Observation) -> Iterator[Card]:
    link, texts = None, list[str]()
    for node in observation.content:
        if isinstance(node, Element):
            link, texts = (node if _CODE.fullmatch(node.name) else None), []
        elif link is not None and texts and (price := _AMOUNT.fullmatch(node.text)):
            yield Card(link, texts[0], float(price[1]))
            link = None
        else:
            texts.append(node.text)


def unopened(alike: Sequence[Card]) -> Card | None:
    """Return the first of some products with the same title that was not opened yet, or None.

    Their asins mean nothing to a reader, so their order on the page decides.
    """
    return next((card for card in alike if not card.is_opened), None)


def next_card(names: Sequence[str], observation: Observation) -> Card | None:
    """Return the product of a list to open next: the first unopened one, else the last.

    Args:
        names: The titles of the products to open, in order.
        observation: The current page.

    Returns:
        None if the list lacks the last product.
    """
    listed = {card.title: card for card in reversed(cards(observation))}
    if names[-1] not in listed:
        return None
    every = [listed[name] for name in names if name in listed]
    return unopened(every) or every[-1]


def unchosen(choices: Iterable[tuple[str, str]], observation: Observation) -> Element | None:
    """Return the link to the first value of a facet that is not chosen yet; None if all are.

    Args:
        choices: For each value, the label of the link that undoes its choice, and its own label.
        observation: The page of results.
    """
    links = (find(observation, text) for undo, text in choices if not find(observation, undo))
    return next((link for link in links if link is not None), None)
