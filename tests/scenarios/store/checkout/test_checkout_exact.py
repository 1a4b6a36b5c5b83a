"""An order that is said in every part: found from the pages and the words alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import unescape

import pytest
from flask.testing import FlaskClient

from agent.interface import Click
from agent.renderings import buttons
from scenarios.phrasings import phrasings
from scenarios.scenario import Scenario
from scenarios.store.checkout import checkout_exact
from scenarios.store.pages import visits
from tests.drawing import drawn
from tests.measuring import DEEP
from tests.scenarios.store.checkout import gifts_reader
from tests.scenarios.store.checkout.gifts_reader import HOME
from tests.scenarios.store.market.market_reader import get
from tests.scenarios.store.pages.visiting import visit
from tests.scenarios.store.two_shops.shops_reader import read

SEEDS = (*range(200 if DEEP else 6), 500, 1500)
NUMBERS = {"one": 1, "two": 2, "three": 3}
PATTERNS = {
    "items": ".+",
    "who": r"my [\w ]+?",
    "who_first": r"My [\w ]+?",
    "day": r"\w+ \d+",
    "text": "[^”]+",
    "code": r"\w+",
    "card": r"\d{4}",
}
_ITEM = re.compile(
    r"(?P<n>\w+) of the (?P<name>.+ [A-Z]{2}-\d{4})"
    r"(?: in (?P<color>[a-z ]+))?(?:, size (?P<size>.+))?"
)
_CARD = re.compile(r'product-link[^>]*>(\w{10})<.*?product-title">([^<]+)<', re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """What the customer says, part by part; a line is a name, its options and how many."""

    lines: tuple[tuple[str, Mapping[str, str], int], ...]
    who: str
    day: str
    text: str
    code: str
    card: str
    is_wrapped: bool


def asked(instruction: str, split: str) -> Asked:
    frames = phrasings("checkout_exact", split)
    stated = {
        name: value
        for part in ("what", "when", "text", "code", "card")
        for name, value in read(frames[part], instruction, PATTERNS).items()
    }
    who = stated.get("who") or stated["who_first"]
    is_wrapped = any(each in instruction for each in frames["wrap"])
    lines = tuple(_lines(stated["items"]))
    return Asked(
        lines, who, stated["day"], stated["text"], stated["code"], stated["card"], is_wrapped
    )


def _lines(items: str) -> Iterator[tuple[str, Mapping[str, str], int]]:
    for item in re.split("; (?:and )?", items):
        found = _ITEM.fullmatch(item)
        assert found is not None, item
        options = {name: found[name] for name in ("color", "size") if found[name]}
        yield found["name"], options, NUMBERS[found["n"]]


def reader(scenario: Scenario) -> FlaskClient:
    world = checkout_exact.world(scenario)
    world.session = "reader"
    return visit(world)


def listed(client: FlaskClient, name: str) -> str:
    """The asin of what a search for its name lists under that name."""
    keywords = "%22%2C%22".join(name.replace("&", "%26").split())
    html = get(client, f"/search_results/reader/%5B%22{keywords}%22%5D/1")
    [asin] = [asin for asin, title in _CARD.findall(html) if unescape(title) == name]
    return asin


def is_short(html: str, pieces: int) -> bool:
    stock = re.search(r"(\d+) in stock", html)
    is_gone = "Sold out" in html or "Add to Cart" not in html
    return is_gone or (stock is not None and int(stock[1]) < pieces)


def way(client: FlaskClient, country: str, day: str) -> str:
    """The cheapest way that is there by that day; "" where none is."""
    postage = gifts_reader.postage(client)
    last = datetime.strptime(f"{day}, 2026", "%B %d, %Y").date()  # noqa: DTZ007 (a day)
    in_time = [
        (cost, name)
        for name, cost in postage.costs.items()
        if postage.arrives(postage.days[name]) <= last and postage.goes(name, country)
    ]
    return min(in_time)[1] if in_time else ""


def address(client: FlaskClient, who: str) -> tuple[int, str]:
    """The number and the country of the address whose note begins so."""
    [found] = [
        (number, country)
        for number, country, note in gifts_reader.notes(client).values()
        if re.match(rf"Note: (my )?{who.removeprefix('my ')}\.", note, re.IGNORECASE)
    ]
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_pages_suffice_to_place_the_order(seed: int) -> None:
    scenario = drawn("checkout_exact", seed)
    client, gold = reader(scenario), scenario.gold
    wish = asked(scenario.instruction, visits.split_of(seed))
    number, country = address(client, wish.who[:1].lower() + wish.who[1:])
    asins = [listed(client, name) for name, _, _ in wish.lines]
    pages = [unescape(get(client, HOME.item(asin, {}))) for asin in asins]
    for (_, options, _), html in zip(wish.lines, pages, strict=True):
        assert set(re.findall(r'type="radio" [^>]*name="(\w+)"', html)) == options.keys()
        assert all(f'name="{name}" value="{value}"' in html for name, value in options.items())
    method = way(client, country, wish.day)
    short = any(is_short(html, n) for html, (_, _, n) in zip(pages, wish.lines, strict=True))
    assert gold["possible"] == bool(method and not short)
    wallet = get(client, HOME.wallet)
    assert f"<strong>{wish.code}</strong>" in wallet
    assert len(re.findall(rf"<li>\w+(?: \w+)? ending {wish.card}\b", wallet)) == 1
    lines = [[asin, dict(options), n]
             for asin, (_, options, n) in zip(asins, wish.lines, strict=True)]  # fmt: skip
    found = {
        "lines": lines,
        "ship_to": number,
        "methods": [method],
        "gift_text": wish.text,
        "codes": [wish.code],
        "card": wish.card,
        "extras": ["wrap"] * wish.is_wrapped,
        "subscribed": False,
        "shop": "store",
    }
    assert gold["orders"] == ([found] if gold["possible"] else [])


EXTRAS = """\
url: http://store.localhost/checkout/visit/extras
title: 'Checkout: Extras · WebShop'

[field ''] Text on the gift card (free) [field_]
  [clicked button] Protection plan, $8.99 [clicked button_]
  [button] Gift wrap, $4.50 [button_]
  [button] Round up, $0.26 [button_]
[button] Continue [button_]"""


def test_extras_are_chosen_where_a_page_shows_boxes_as_options():
    scenario, page = drawn("checkout_exact", 4), buttons.parse(EXTRAS)
    names = {each.id: each.name for each in page.elements}
    _, *clicks = checkout_exact.advise(scenario, page).actions
    assert scenario.gold["wanted"]["extras"] == ["wrap"]
    pressed = [names[each.target] for each in clicks if isinstance(each, Click)]
    assert pressed == ["Protection plan, $8.99", "Gift wrap, $4.50", "Continue"]
