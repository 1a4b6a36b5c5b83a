"""What the pages of a sale say of their own fields, prices and lists, on all three airlines."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.airline import KEYS
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.screens import _facts
from sites.crm.airline_desk.screens._view import View
from tests.sites.crm.airline_desk.sale import CARD, Sale, Traveller, Wanted

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


@pytest.mark.wide
@EACH
def test_the_search_form_holds_the_last_search_until_it_is_booked(sale, wanted):
    """Also on the way back from the list of offers; what is changed of it is searched anew."""
    sale.visitor.open("/")
    empty = sale.page.sent()
    assert sale.word("lead-search") not in sale.page.paragraphs
    sale.search(wanted)
    sale.visitor.follow(sale.word("back"))
    assert sale.word("lead-search") in sale.page.paragraphs
    held = sale.page.sent()
    assert {name: held[name] for name in sale.searched(wanted)} == sale.searched(wanted)
    adults = sale.visitor.text(sale.word("adults"), "2")
    sale.press("search-flights", adults)
    assert sale.page.facts(sale.word("party")) == {
        sale.word("adults"): "2",
        sale.word("children"): "1",
    }
    filled = sale.visitor.open("/").sent()
    assert {**filled, **adults} == filled
    sale.search(wanted)
    sale.choose_brand("flex")
    sale.choose_brand("classic")
    sale.party(PARTY)
    while sale.on_seats:
        sale.seats({})
    sale.bags(NAMES, {})
    sale.pay_by_card()
    sale.confirm()
    assert {**sale.visitor.open("/").sent(), "version": ""} == {**empty, "version": ""}


@EACH
def test_a_list_says_by_what_it_is_sorted(sale, wanted):
    """By price is by that of the first fare, which is named."""
    sale.search(wanted)
    formats, brand = sale.airline.formats, sale.word("brand-light")
    first = sale.page.address
    for sort in ("departure", "arrival", "price"):
        order = sale.word(f"sort-{sort}", brand=brand)
        shown = sale.visitor.open(f"{first}?sort={sort}")
        [lead] = [text for text in shown.paragraphs if sale.word("prices-are") in text]
        assert lead.startswith(f"{formats.long_day(OUT)}. ")
        assert f" {order}. " in lead
        assert sale.word("sort-by", order=order) in shown.links
    light = [price_of(sale, each.label) for each in sale.fares() if brand in each.label]
    assert len(light) > 1
    assert light == sorted(light)


@EACH
def test_a_fare_that_cannot_be_chosen_says_how_many_seats_are_left(sale, wanted):
    """In the name of its button."""
    sale.search(replace(wanted, adults=5))
    closed = [each for each in sale.page.controls if each.kind == "radio" and not each.enabled]
    assert closed
    reasons = [sale.word("sold-out"), sale.word("seat-left")]
    reasons += [sale.word("seats-left", number=number) for number in range(2, 6)]
    assert all(each.label.endswith(tuple(reasons)) for each in closed)


@EACH
def test_money_and_card_have_their_form_beside_them(sale, wanted):
    to_payment(sale, wanted, {})
    amount = sale.word("hint-money", amount=sale.airline.formats.money(1250))
    for key in ("card-amount", "voucher-amount"):
        assert sale.page.control(sale.word(key)).hint == amount
    for key in ("card-number", "expiry", "cvc"):
        assert sale.page.control(sale.word(key)).hint == sale.word(f"hint-{key}")


@EACH
def test_small_numbers_are_in_the_singular(sale, data):
    view = View(sale.visitor.world, data, sale.airline, Place("search"))
    later = [_facts.arrival(view, 0, days) for days in (1, 2)]
    assert later[0].endswith(f" ({sale.word('day-later', days=1)})")
    assert later[1].endswith(f" ({sale.word('days-later', days=2)})")
    assert not re.search(r"\b1 \w*s\b|\b[2-9] day\b", " ".join(later))
    rules = " ".join(_facts.brand_rules(view).paragraphs)
    assert sale.word("rule-change", fee=sale.airline.formats.money(0)) not in rules
    assert rules.count(sale.word("rule-change-free")) == 2


@EACH
def test_a_seat_map_explains_its_letters(sale, wanted):
    paragraphs = to_payment(sale, wanted, {})
    assert sale.word("cabin-plan") in paragraphs
    assert {*"ABCDEF"} <= {*re.findall(r"\b[A-F]\b", sale.word("cabin-plan"))}


@pytest.mark.parametrize("airline", ["halcyra"])
def test_the_page_to_check_shows_no_whole_card(sale, wanted):
    to_payment(sale, wanted, {})
    sale.pay_by_card()
    entered = sale.page.facts(sale.word("entered"))
    assert sale.word("cvc") not in entered
    digits = CARD["card-number"][-4:]
    assert entered[sale.word("card-number")] == sale.word("card-ends", digits=digits)
    assert CARD["card-number"].replace(" ", "") not in sale.page.text
    sale.confirm()
    assert len(sale.visitor.world.snapshot()["bookings"]) == 1
