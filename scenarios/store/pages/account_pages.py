"""Advice on the pages of a signed-in customer.

It recognises the open page and follows a path: the list of pages to open that is made by
`scenarios.store.pages.visits`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from urllib.parse import parse_qs, unquote, urlsplit

from agent.interface import Action, Advice, Click, Element, Note, Observation, Text, Type
from scenarios.scenario import Scenario
from scenarios.store.pages.screen import cards, click, find, unopened
from scenarios.store.pages.visits import Gold, PathStep
from sites.store.shop.address import read_keywords

_DAY = re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}")
Needs = tuple[tuple[str, ...], ...]
SORT_LINKS = {("price", "asc"): "Price: low to high", ("price", "desc"): "Price: high to low"}


# The current page --------------------------------------------------------------------------------


def here(observation: Observation) -> PathStep:
    """Return the open page with the keys that a path uses; the page is "" if it is unknown."""
    split = urlsplit(observation.url)
    parts = [unquote(part) for part in split.path.split("/")[1:]]
    query = {key: values[0] for key, values in parse_qs(split.query).items()}
    reader = _READERS.get(parts[0])
    try:
        return reader(parts, query) if reader else {"page": ""}
    except (ValueError, IndexError):
        return {"page": ""}


def _account(parts: list[str], query: Mapping[str, str]) -> PathStep:
    if len(parts) == 2:
        return {"page": "account"}
    if parts[2] == "orders" and len(parts) == 3:
        return {"page": "orders", "number": _number(query)}
    if parts[2] == "orders":
        return {"page": "order", "number": int(parts[3])}
    return {"page": parts[2]}


def _category(parts: list[str], query: Mapping[str, str]) -> PathStep:
    return {
        "page": "category",
        "name": parts[2],
        "sort": query.get("sort", "position"),
        "direction": query.get("direction", "asc"),
        "number": _number(query),
    }


def _results(parts: list[str], query: Mapping[str, str]) -> PathStep:
    words = " ".join(read_keywords(parts[2]))
    return {"page": "results", "query": words, "number": int(parts[3])}


def _number(query: Mapping[str, str]) -> int:
    return int(query.get("page", "1"))


_READERS: Mapping[str, Callable[[list[str], Mapping[str, str]], PathStep]] = {
    "account": _account,
    "contact": lambda parts, query: {"page": "contact"},
    "category": _category,
    "search_results": _results,
    "item_page": lambda parts, query: {"page": "item", "asin": parts[2]},
    "item_sub_page": lambda parts, query: {
        "page": parts[5],
        "asin": parts[2],
        "number": _number(query),
    },
}


def is_at(step: PathStep, place: PathStep) -> bool:
    """Return whether the page `place` is the page that a step of a path opens."""
    return all(step.get(key) == value for key, value in place.items())


# Along a path ------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to follow the path and take its notes, then to answer at its end."""
    gold, place = scenario.gold, here(observation)
    path = gold["path"]
    at = [number for number, each in enumerate(path) if is_at(each, place)]
    if at and at[-1] == len(path) - 1:
        return finish(gold, observation)
    return go(gold, observation, at[-1] if at else -1)


def go(gold: Gold, observation: Observation, at: int) -> Advice:
    """Advise to take this page's note and to go to the next step of the path.

    Args:
        at: The index of the current step; -1 if the open page is not on the path.
    """
    path = gold["path"]
    note, ahead = path[at].get("note", "") if at >= 0 else "", path[at + 1]
    moves = move(gold, here(observation), ahead, observation)
    searched = {"results": "query", "item": "name"}.get(ahead["page"])
    if searched:
        return Advice(ahead["step"], moves, needs=((ahead[searched],),))
    notes = (Note(note),) if note and moves else ()
    unseen = _unseen(note.split(", ") if note else (), observation)
    return Advice(ahead["step"], (*notes, *moves), needs=(*needs(gold), *unseen))


def finish(gold: Gold, observation: Observation) -> Advice:
    """Advise to answer; this requires values that the page shows or that were noted before."""
    unseen = _unseen(gold.get("values", ()), observation)
    text = gold.get("answer", {}).get("text", "")
    return Advice(gold["path"][-1]["step"], answer=text, needs=(*needs(gold), *unseen))


def _unseen(values: Iterable[str], observation: Observation) -> Needs:
    """Return the values that the page does not show: the agent must have them from elsewhere."""
    shown = observation.text.casefold()
    return tuple((value,) for value in values if value.casefold() not in shown)


def needs(gold: Gold) -> Needs:
    """Return the values that the instruction gives, each with its spellings."""
    return tuple(tuple(spellings) for spellings in gold["told"])


def move(
    gold: Gold, place: PathStep, ahead: PathStep, observation: Observation
) -> tuple[Action, ...]:
    """Return the actions that lead from the open page to another page."""
    page = ahead["page"]
    if page in ("orders", "Reviews", "category") and _is_turned(place, ahead):
        turn = "Next page" if ahead["number"] > place["number"] else "Previous page"
        return click(observation, turn)
    if page == "results":
        return _search(ahead, observation)
    if page == "order":
        return _view_order(gold, ahead["number"], observation)
    if page == "item":
        return _open_named(ahead["name"], observation)
    if page == "category":
        return _sort(place, ahead, observation)
    labels = {
        "orders": "My Orders",
        "Reviews": "Reviews",
        "contact": "Contact Us",
        "wishlist": "My Wish List",
    }
    return click(observation, labels[page])


def _is_turned(place: PathStep, ahead: PathStep) -> bool:
    """Return whether two places are pages with different numbers of the same list."""
    same = all(ahead.get(key) == place[key] for key in place if key != "number")
    return same and ahead["number"] != place["number"]


def _search(ahead: PathStep, observation: Observation) -> tuple[Action, ...]:
    box = find(observation, "Search products") or find(observation, roles=("searchbox",))
    if box is None:
        return click(observation, "Back to Search")
    return (Type(box.id, ahead["query"], enter=True),)


def _view_order(gold: Gold, number: int, observation: Observation) -> tuple[Action, ...]:
    """Return the click on the order that the instruction names by its number, its day or its
    month.
    """
    given = {each for spellings in gold["told"] for each in spellings}
    if str(number) in given:
        return click(observation, f"View Order {number}")
    links = (link for link, day in _listed_orders(observation) if given & {day, _month(day)})
    return tuple(Click(link.id) for link in islice(links, 1))


def _listed_orders(observation: Observation) -> Iterator[tuple[Element, str]]:
    """Yield the links of a list of orders, each with the day that its row shows."""
    day = ""
    for node in observation.content:
        if isinstance(node, Text):
            day = node.text if _DAY.fullmatch(node.text) else day
        elif node.name.startswith("View Order "):
            yield node, day


def _month(day: str) -> str:
    """Return the month of a day: "March 2024" for "March 14, 2024"."""
    return re.sub(r" \d+,", "", day)


def _open_named(title: str, observation: Observation) -> tuple[Action, ...]:
    """Return the click on the first unopened product with this title; () if there is none."""
    named = [card for card in cards(observation) if card.title == title]
    card = unopened(named) or next(iter(named), None)
    return (Click(card.link.id),) if card else ()


def _sort(place: PathStep, ahead: PathStep, observation: Observation) -> tuple[Action, ...]:
    if place.get("name") == ahead["name"] and ahead["sort"] != "position":
        return click(observation, SORT_LINKS[ahead["sort"], ahead["direction"]])
    return click(observation, ahead["name"])


# Fields ------------------------------------------------------------------------------------------


def fill(observation: Observation, values: Mapping[str, str]) -> tuple[Type, ...]:
    """Type the given text into each field, by name, that does not contain it yet."""
    fields = ((find(observation, name), text) for name, text in values.items())
    return tuple(
        Type(field.id, text)
        for field, text in fields
        if field is not None and " ".join((field.value or "").split()) != text
    )
