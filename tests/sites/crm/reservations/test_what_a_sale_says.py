"""What the pages of a sale say of their own fields, prices and lists, on all three airlines."""

from __future__ import annotations

import re

import pytest

from sites.crm.reservations import prices
from sites.crm.reservations.airline import KEYS
from tests.sites.crm.reservations.sale import Sale, Traveller, Wanted

OUT, HOME = "2026-03-13", "2026-03-22"
PARTY = (
    Traveller("adult", "Ms", "Ann", "Lind", "Female", "1980-01-02"),
    Traveller("child", "Ms", "Nora", "Lind", "Female", "2017-01-02"),
)
NAMES = [each.name for each in PARTY]
EACH = pytest.mark.parametrize("airline", KEYS)


@pytest.fixture
def wanted(data) -> Wanted:
    """Oslo to Gatwick and back for an adult and a child."""
    oslo, gatwick = (data.airports[code].label for code in ("OSL", "LGW"))
    return Wanted(oslo, gatwick, OUT, HOME, adults=1, children=1)


@pytest.fixture
def sale(visitor, airline) -> Sale:
    return Sale(visitor(airline))


def to_payment(sale: Sale, wanted: Wanted, bags: dict[tuple[int, str], int]) -> list[str]:
    """Flex out and Classic home; the paragraphs of all pages on the way."""
    sale.search(wanted)
    sale.choose_brand("flex")
    sale.choose_brand("classic")
    sale.party(PARTY, bags)
    while sale.on_seats:
        sale.seats({})
    sale.bags(NAMES, bags)
    return [text for page in sale.visitor.pages for text in page.paragraphs]


@EACH
def test_what_a_fare_includes_counts_in_the_number_of_bags(sale, wanted):
    """The page says so, and prices are reckoned so: of two bags in Flex one is included."""
    bags = {(1, "outward"): 2, (2, "outward"): 1, (1, "return"): 1}
    paragraphs = to_payment(sale, wanted, bags)
    [lead] = {each for each in paragraphs if each.startswith(sale.word("lead-bags"))}
    for name, way in (("flex", "outward"), ("classic", "inward")):
        assert f"{sale.word(way)}, {sale.word(f'brand-{name}')}: " in lead
    costs = sale.page.facts(sale.word("price"))
    further = prices.BRAND_RULES["flex"].bag + prices.BRAND_RULES["classic"].bag
    assert costs[sale.word("cost-bags")] == sale.airline.formats.money(further)


@EACH
def test_how_a_childs_fare_is_rounded_stands_below_the_offers(sale, wanted):
    """Who follows it reckons what the payment asks for."""
    sale.search(wanted)
    amounts = sale.airline.formats.money
    rule = sale.word("rule-children", percent=75, infant=amounts(prices.INFANT))
    assert rule in sale.page.paragraphs
    due = 0
    for _ in ("outward", "return"):
        fare = next(each for each in sale.fares() if price_of(sale, each.label) % 4)
        adult = price_of(sale, fare.label)
        due += adult + -(-adult * 75 // 100)
        sale.choose(fare)
    sale.party(PARTY)
    while sale.on_seats:
        sale.seats({})
    sale.bags(NAMES, {})
    assert sale.due == amounts(due)


def price_of(sale: Sale, label: str) -> int:
    """The amount in a fare's label."""
    found = re.search(r"\$[\d,.]*\d|[\d.]+,\d\d \$", label)
    assert found, label
    return sale.airline.formats.read_money(found[0])
