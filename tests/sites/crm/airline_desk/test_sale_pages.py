"""A whole sale on the pages of all three airlines: what they accept, refuse, show and note."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import cycle
from typing import TypeVar

import pytest

from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.model.world import TABLES
from sites.crm.airline_desk.screens.sale import PAGE
from sites.world import Snapshot, World
from tests.each import for_each
from tests.measuring import DEEP
from tests.sites.crm.airline_desk.sale import CARD, Sale, Traveller, Wanted
from tests.sites.crm.airline_desk.served import BASE, Page, Visitor

OUT, HOME = "2026-03-13", "2026-03-22"
ANN = Traveller("adult", "Ms", "Ann", "Lind", "Female", "1980-01-02")
BOB = Traveller("adult", "Mr", "Bob", "Lind", "Male", "1979-04-05")
NORA = Traveller("child", "Ms", "Nora", "Lind", "Female", "2017-01-02")
TIM = Traveller("infant", "Mr", "Tim", "Lind", "Male", "2025-06-01", lap=2)
FAMILY = (ANN, BOB, NORA, TIM)
NAMES = [each.name for each in FAMILY]
BAGS = {(1, "outward"): 2, (3, "return"): 1}
VOUCHER = {"code": "AB12CD34", "customer": 1, "balance": 300, "expires": "2026-12-31"}
OLD_VOUCHER = {"code": "OLD11111", "customer": 1, "balance": 300, "expires": "2026-01-14"}
SEARCHES = ("from", "to", "trip-type", "departure", "return", "adults", "children", "infants")
EACH = pytest.mark.parametrize("airline", KEYS)
_in_turn = cycle(KEYS)
QUOTES = 'Ann "Kit" O\'Neil <b>'


def one(test: Callable[..., None]) -> Callable[..., None]:
    """The test at one airline, the next one at another; in the deep run at each."""
    airline = next(_in_turn)
    turned: Callable[..., None] = pytest.mark.parametrize("airline", KEYS if DEEP else [airline])(
        test
    )
    return turned


@pytest.fixture
def sale(visitor):
    """`sale(airline)`: nothing is entered yet; there is a voucher, and one that ran out."""
    return lambda airline: Sale(visitor(airline, {"vouchers": [VOUCHER, OLD_VOUCHER]}))


@pytest.fixture
def at_party(sale, wanted, airline) -> Sale:
    """Where the travellers are entered."""
    ours = sale(airline)
    to_party(ours, wanted)
    return ours


@pytest.fixture
def at_payment(sale, wanted, airline) -> Sale:
    """Where it is paid."""
    ours = sale(airline)
    to_payment(ours, wanted)
    return ours


@pytest.fixture
def wanted(data) -> Wanted:
    """Oslo to Gatwick and back for four."""
    oslo, gatwick = (data.airports[code].label for code in ("OSL", "LGW"))
    return Wanted(oslo, gatwick, OUT, HOME, adults=2, children=1, infants=1)


Way = Callable[[Sale, Wanted], Page]
T = TypeVar("T")


def walked_once(way: Way) -> Way:
    """A way that is walked once for each airline: who has seen no page yet goes on from its end,
    as the visitor who walked it, whose forms are good in that world only."""
    kept: dict[tuple[str, Wanted], tuple[Visitor, World, list[Page]]] = {}

    @wraps(way)
    def walk(sale: Sale, wanted: Wanted) -> Page:
        visitor, key = sale.visitor, (sale.airline.key, wanted)
        if visitor.pages:
            return way(sale, wanted)
        if key not in kept:
            way(sale, wanted)
            kept[key] = visitor, visitor.world.fork(), [*visitor.pages]
        first, end, pages = kept[key]
        visitor.world, visitor.client, visitor.pages = first.world, first.client, [*pages]
        visitor.world.restore(end)
        visitor.world.closed = False
        return visitor.page

    return walk


def share(cases: Sequence[T], airline: str) -> Sequence[T]:
    """The cases of an airline: every third one, others for each; all in the deep run."""
    return cases if DEEP else cases[KEYS.index(airline) :: len(KEYS)]


@walked_once
def to_party(sale: Sale, wanted: Wanted) -> Page:
    sale.search(wanted)
    sale.choose_brand("classic")
    return sale.choose_brand("flex")


def free_seats(sale: Sale) -> list[str]:
    """The codes of the seats that the map says are free of charge."""
    return [code for code, each in sale.cabin().items() if each.free and not each.price]


@walked_once
def to_seats(sale: Sale, wanted: Wanted) -> Page:
    to_party(sale, wanted)
    return sale.party(FAMILY, BAGS)


@walked_once
def to_payment(sale: Sale, wanted: Wanted) -> Page:
    to_seats(sale, wanted)
    while sale.on_seats:
        sale.seats(dict(zip(NAMES[:3], free_seats(sale), strict=False)))
    return sale.bags(NAMES, BAGS)


@walked_once
def booked(sale: Sale, wanted: Wanted) -> Page:
    to_payment(sale, wanted)
    sale.pay_by_card()
    return sale.confirm()


def rows(world: World, *others: str) -> Snapshot:
    """What is saved: all but the journal, and the tables of these names."""
    snapshot = world.snapshot()
    return {table: snapshot[table] for table in (*TABLES, *others)}


# A whole sale ------------------------------------------------------------------------------------


@EACH
def test_a_sale_writes_what_was_entered(sale, wanted, airline):
    ours = sale(airline)
    page = booked(ours, wanted)
    saved = rows(ours.visitor.world)
    [booking] = saved["bookings"]
    assert page.status == 200
    assert page.heading == ours.word("title-booking", reference=booking["reference"])
    assert {(each["direction"], each["date"], each["brand"]) for each in saved["segments"]} == {
        ("outward", OUT, "classic"),
        ("return", HOME, "flex"),
    }
    assert [
        tuple(each[name] for name in ("kind", "title", "first_name", "last_name", "born", "adult"))
        for each in saved["passengers"]
    ] == [
        (each.kind, each.title, each.first_name, each.last_name, each.born, each.lap or None)
        for each in FAMILY
    ]
    assert {
        (each["passenger"], each["direction"]): each["pieces"] for each in saved["bags"]
    } == BAGS
    assert len(saved["seats"]) == 3 * len(saved["segments"])
    [paid] = saved["payments"]
    assert (paid["method"], paid["source"]) == ("card", "1111")


@pytest.mark.parametrize("airline", KEYS[1:])
def test_the_three_airlines_sell_the_same(sale, wanted, airline):
    ours, first = sale(airline), sale(KEYS[0])
    for each in (ours, first):
        booked(each, wanted)
    different = ("reference", "number")
    tables = [
        {
            table: [
                {key: value for key, value in row.items() if key not in different} for row in found
            ]
            for table, found in rows(each.visitor.world).items()
        }
        for each in (ours, first)
    ]
    assert tables[0] == tables[1]


@one
def test_a_voucher_and_a_card_pay_together(sale, wanted, airline):
    ours = sale(airline)
    formats = ours.airline.formats
    to_payment(ours, wanted)
    due = formats.read_money(ours.due)
    amounts = {"voucher-amount": formats.money(100), "card-amount": formats.money(due - 100)}
    ours.pay({**CARD, "voucher": "ab12 cd34", **amounts})
    ours.confirm()
    saved = rows(ours.visitor.world)
    assert [(each["source"], each["amount"]) for each in saved["payments"]] == [
        ("AB12CD34", 100),
        ("1111", due - 100),
    ]
    assert saved["vouchers"][0]["balance"] == 200


@one
def test_a_name_is_shown_as_it_was_entered(sale, wanted, airline):
    ours = sale(airline)
    to_party(ours, wanted)
    first = Traveller("adult", "Ms", QUOTES, "Lind", "Female", "1980-01-02")
    page = ours.party((first, *FAMILY[1:]))
    assert ours.on_seats
    assert f"{ours.word('seat')} ({QUOTES} Lind)" in [each.label for each in page.controls]
    assert QUOTES not in page.text


# Every page --------------------------------------------------------------------------------------


def faults(page: Page) -> Iterator[str]:
    """What is wrong with the markup of a page."""
    ids = page.tree.xpath("//@id")
    yield from (f"id {each} twice" for each in {each for each in ids if ids.count(each) > 1})
    if len(page.tree.xpath("//h1")) != 1:
        yield "not one h1"
    yield from (f"no label: {each.name}" for each in page.controls if not each.label)
    for each in page.tree.xpath("//a | //button | //summary"):
        if not " ".join(each.itertext()).strip():
            yield f"no text: {each.get('id')}"
    for name in ("for", "aria-labelledby", "aria-describedby"):
        for text in page.tree.xpath(f"//@{name}"):
            yield from (f"{name}: no {each}" for each in text.split() if each not in ids)
    yield from ("an empty legend" for _ in page.tree.xpath("//legend[not(normalize-space())]"))
    yield from ("a style of its own" for _ in page.tree.xpath("//*[@style] | //style"))


@EACH
def test_every_page_of_a_sale_is_valid(sale, wanted, airline):
    ours = sale(airline)
    ours.visitor.open("/")
    ours.press("search-flights")
    to_party(ours, wanted)
    ours.press("save-party")
    booked(ours, wanted)
    pages = ours.visitor.pages
    assert {each.status for each in pages} == {200, 400}
    assert {(each.address, *faults(each)) for each in pages if [*faults(each)]} == set()


@EACH
def test_every_page_of_a_sale_is_in_the_words_of_the_airline(sale, wanted, airline):
    ours = sale(airline)
    booked(ours, wanted)
    own = {*ours.airline.words.values()}
    others = {
        text
        for key, each in airlines().items()
        for text in each.words.values()
        if key != airline and text not in own
    }
    shown = {
        text.partition(" (")[0]
        for page in ours.visitor.pages
        for text in (page.heading, *page.buttons, *page.links, *page.problems)
    }
    labels = {
        each.label.partition(" (")[0] for page in ours.visitor.pages for each in page.controls
    }
    assert {ours.word("save-party"), ours.word("first-name")} <= shown | labels
    assert (shown | labels) & others == set()


@EACH
def test_the_review_and_the_payment_show_all_that_is_booked(sale, wanted, airline):
    ours = sale(airline)
    to_payment(ours, wanted)
    ours.pay_by_card()
    before = ours.page if ours.airline.last_step == "review" else ours.visitor.pages[-2]
    word, formats = ours.word, ours.airline.formats
    journey = before.facts(word("journey"))
    assert list(journey) == [word("outward"), word("inward")]
    assert formats.long_day(OUT) in journey[word("outward")]
    travellers = before.facts(word("travellers"))
    assert list(travellers) == [f"{each.title} {each.name}" for each in FAMILY]
    for each in FAMILY:
        assert (
            word("born-on", day=formats.day(each.born)) in travellers[f"{each.title} {each.name}"]
        )
    assert word("on-lap", name=BOB.name) in travellers["Mr Tim Lind"]
    assert word("bags-on", pieces=1, direction=word("inward")) in travellers["Ms Nora Lind"]
    if ours.airline.last_step == "review":
        entered = before.facts(word("entered"))
        assert entered[word("card-amount")] == before.facts(word("price"))[word("total")]


# Bad input ---------------------------------------------------------------------------------------


def refused(sale: Sale, page: Page, label: str) -> str:
    """The sentence beside the field; nothing but it is wrong."""
    assert page.status == 400
    assert page.alert
    assert list(page.problems) == [label]
    assert not [*faults(page)]
    return page.problems[label]


@one
@for_each(
    ("changed", "field", "sentence"),
    [
        ({"adults": 0}, "adults", "One adult at least must travel."),
        ({"adults": 1, "infants": 2}, "infants", "an adult of its own"),
        (
            {"adults": 4, "children": 3, "infants": 0},
            "children",
            "At most 6 travellers with a seat",
        ),
        ({"adults": 4, "children": 2, "infants": 2}, "infants", "At most 7 travellers"),
        ({"home": "2026-03-12"}, "return", "before the way out"),
        ({"out": "2026-01-14"}, "departure", "We sell flights from 15 January 2026"),
    ],
)
def test_a_search_that_cannot_be(sale, wanted, airline, changed, field, sentence):
    ours = sale(airline)
    page = ours.search(Wanted(**{**vars(wanted), **changed}))
    assert sentence in refused(ours, page, ours.word(field))
    assert ours.visitor.world.snapshot()["log_trips"] == []


@one
def test_a_flight_goes_somewhere_else(sale, wanted, airline):
    ours = sale(airline)
    page = ours.search(Wanted(**{**vars(wanted), "destination": wanted.origin}))
    assert "where it begins" in refused(ours, page, ours.word("to"))


@for_each(
    ("airline", "day"),
    [
        ("contrail", {"departure": "30 Feb 2026"}),
        ("contrail", {"departure": "2026-02-30"}),
        ("halcyra", {"day-out": "02/30/2026"}),
        ("halcyra", {"day-out": "30/02/2026"}),
        ("ostrel", {"first-date-day": "30", "first-date-month": "02", "first-date-year": "2026"}),
    ],
)
def test_the_30th_of_february_is_no_day(sale, wanted, airline, day):
    ours = sale(airline)
    ours.visitor.open("/")
    page = ours.press("search-flights", {**ours.searched(wanted), **day})
    assert "There is no" in refused(ours, page, ours.word("departure"))
    assert ours.visitor.world.snapshot()["log_trips"] == []


@one
@for_each(
    ("place", "changed", "field", "sentence"),
    [
        (4, {"born": "2021-06-01"}, "born", "An infant is under 2 on every day of travel."),
        (4, {"born": "2024-03-20"}, "born", "An infant is under 2 on every day of travel."),
        (3, {"born": "2013-03-13"}, "born", "A child is 2 to 11 on the day of departure."),
        (2, {"born": "2014-03-14"}, "born", "is no adult"),
        (2, {"born": "2026-01-16"}, "born", "in the future"),
        (1, {"first_name": "A" * 300}, "first-name", "longer than 60 characters"),
        (1, {"last_name": "   "}, "last-name", "Give the last name."),
        (1, {"last_name": "Li\u200bnd"}, "last-name", "cannot be printed"),
        (2, {"first_name": "ANN", "born": "1980-01-02"}, "first-name", "in the party already"),
    ],
)
def test_a_traveller_who_cannot_be(at_party, place, changed, field, sentence):
    ours = at_party
    before = rows(ours.visitor.world, "log_trips")
    party = list(FAMILY)
    party[place - 1] = Traveller(**{**vars(party[place - 1]), **changed})
    page = ours.party(party)
    label = f"{ours.word(field)} ({ours.places(FAMILY)[place - 1]})"
    assert sentence in refused(ours, page, label)
    assert rows(ours.visitor.world, "log_trips") == before
    assert page.control(label).value or "Give" in sentence, "what was entered is gone"


@one
def test_what_was_entered_stays_beside_what_is_wrong(sale, wanted, airline):
    ours = sale(airline)
    to_party(ours, wanted)
    entered = ours.people((ANN, BOB, NORA, Traveller(**{**vars(TIM), "born": "2021-06-01"})))
    page = ours.press("save-party", entered)
    assert {name: page.sent()[name] for name in entered} == entered


@one
def test_an_infant_needs_a_lap_of_its_own(sale, wanted, airline):
    ours = sale(airline)
    ours.search(Wanted(**{**vars(wanted), "children": 0, "infants": 2}))
    for _ in range(2):
        ours.choose_brand("classic")
    kit = Traveller("infant", "Ms", "Kit", "Lind", "Female", "2025-07-01", lap=2)
    page = ours.party((ANN, BOB, TIM, kit))
    label = f"{ours.word('lap')} ({ours.word('infant')} 2)"
    assert "has an infant already" in refused(ours, page, label)


@one
def test_seats_that_cannot_be_had(sale, wanted, airline):
    ours = sale(airline)
    to_seats(ours, wanted)
    before = rows(ours.visitor.world, "log_trips")
    free = free_seats(ours)
    taken = next(code for code, each in ours.cabin().items() if not each.free)
    for seats, sentence in (
        ({"Ann Lind": free[0], "Nora Lind": free[0].lower()}, "given to two travellers"),
        ({"Nora Lind": taken}, f"Seat {taken} is taken."),
        ({"Nora Lind": "99Z"}, "There is no seat 99Z"),
        ({"Nora Lind": "x" * 300}, "There is no seat"),
    ):
        page = ours.seats(seats)
        assert sentence in refused(ours, page, f"{ours.word('seat')} (Nora Lind)")
        assert rows(ours.visitor.world, "log_trips") == before


PAYMENTS = [
    ({"voucher": "OLD11111", "voucher-amount": 10}, -10, "voucher", "ran out"),
    ({"voucher": "NOSUCH", "voucher-amount": 10}, -10, "voucher", "There is no voucher NOSUCH."),
    ({"voucher": "AB12CD34", "voucher-amount": 301}, -301, "voucher-amount", "has 300 dollars"),
    ({"voucher-amount": 10}, -10, "voucher", "There is no voucher"),
    ({}, 1, "card-amount", "dollars are due."),
    ({}, -1, "card-amount", "dollars are due."),
    ({"card-number": "4111"}, 0, "card-number", "card number"),
    ({"expiry": "12/25"}, 0, "expiry", ""),
    ({"cvc": "12"}, 0, "cvc", ""),
]


@one
@for_each(("changed", "more", "field", "sentence"), PAYMENTS)
def test_money_that_does_not_add_up(at_payment, changed, more, field, sentence):
    ours, formats = at_payment, at_payment.airline.formats
    ours.visitor.open(ours.airline.address("payment", 1))
    before = rows(ours.visitor.world, "log_trips", "log_drafts")
    texts = {
        key: formats.money(each) if isinstance(each, int) else each for key, each in changed.items()
    }
    due = formats.read_money(ours.due)
    page = ours.pay({**CARD, "card-amount": formats.money(due + more), **texts})
    assert sentence in refused(ours, page, ours.word(field))
    assert rows(ours.visitor.world, "log_trips", "log_drafts") == before


@one
@for_each("text", ["12.5", "1,5", "-3", "abc", "9" * 30, "$", "１２"])
def test_an_amount_is_whole_dollars(at_payment, text):
    ours = at_payment
    before = rows(ours.visitor.world, "log_trips")
    page = ours.pay({**CARD, "card-amount": text})
    assert refused(ours, page, ours.word("card-amount"))
    assert rows(ours.visitor.world, "log_trips") == before


@one
def test_the_way_back_begins_after_the_way_out(sale, wanted, airline, data):
    ours = sale(airline)
    ours.search(Wanted(**{**vars(wanted), "home": OUT}))
    ours.choose(ours.fares()[-1])  # the last one out of the page
    page = ours.choose(ours.fares()[0])
    assert page.status == 400
    assert "The way back begins before the way out ends." in page.text
    [trip] = ours.visitor.world.snapshot()["log_trips"]
    assert "return" not in trip["offers"]


@one
def test_a_fare_without_enough_seats_is_refused(sale, wanted, airline):
    ours = sale(airline)
    page = ours.search(wanted)
    full = next(each for each in page.controls if each.kind == "radio" and not each.enabled)
    assert ours.choose(full).status == 400
    assert "This fare has not enough seats for the party." in ours.page.text
    assert ours.visitor.world.snapshot()["log_trips"][0]["offers"] == "{}"


# What asks once more -----------------------------------------------------------------------------


def bookings(sale: Sale) -> int:
    return len(sale.visitor.world.snapshot()["bookings"])


@pytest.mark.parametrize("airline", ["halcyra", "ostrel"])
def test_nothing_is_saved_before_it_is_confirmed(sale, wanted, airline):
    ours = sale(airline)
    to_payment(ours, wanted)
    before = rows(ours.visitor.world, "log_trips")
    page = ours.pay_by_card()
    assert page.status == 200
    assert rows(ours.visitor.world, "log_trips") == before
    ours.confirm()
    assert bookings(ours) == 1


def test_the_review_wants_its_box_ticked(sale, wanted):
    ours = sale("halcyra")
    to_payment(ours, wanted)
    ours.pay_by_card()
    page = ours.press("confirm")
    assert refused(ours, page, ours.word("agree"))
    assert bookings(ours) == 0
    ours.confirm()
    assert bookings(ours) == 1


def test_the_review_of_what_was_changed_since_books_nothing(sale, wanted):
    ours = sale("halcyra")
    to_payment(ours, wanted)
    ours.pay_by_card()
    form = {**ours.page.sent(), "press": ours.airline.id("confirm"), "read-over": "yes"}
    box = ours.page.control(ours.word("agree")).name
    ours.visitor.open(ours.airline.address("baggage", 1))
    ours.bags(NAMES, {(1, "outward"): 3})
    page = ours.visitor.post(ours.airline.address("review"), {**form, box: "yes"})
    assert page.status == 409
    assert "Enter it again" in page.alert
    assert bookings(ours) == 0


def test_the_second_press_must_follow_the_first(sale, wanted):
    """Who leaves the page, changes something or comes again is asked anew."""
    ours = sale("ostrel")
    to_payment(ours, wanted)
    payment = ours.page.address
    ours.pay_by_card()
    ours.visitor.open(payment)
    ours.pay_by_card()
    assert bookings(ours) == 0
    ours.confirm()
    assert bookings(ours) == 1


def test_the_second_press_with_other_values_is_a_first_one(sale, wanted):
    ours = sale("ostrel")
    to_payment(ours, wanted)
    ours.pay_by_card()
    repeat = ours.word("press-again", label=ours.word("book"))
    page = ours.visitor.press(repeat, ours.visitor.text(ours.word("cvc"), "124"))
    assert page.status == 200
    assert bookings(ours) == 0
    ours.confirm()
    assert bookings(ours) == 1


@EACH
def test_a_sale_is_booked_once(sale, wanted, airline):
    ours = sale(airline)
    to_payment(ours, wanted)
    ours.pay_by_card()
    ours.confirm()
    used = next(each for each in reversed(ours.visitor.pages) if each.sent().get("csrf"))
    form = {**used.sent(), "press": next(iter(used.buttons.values()))}
    for address in (ours.airline.address("payment", 1), ours.airline.address("party", 1)):
        ours.visitor.post(address, form)
        assert bookings(ours) == 1
    ours.visitor.open(ours.airline.address("payment", 1))
    assert ours.pay_by_card().status == 409
    assert bookings(ours) == 1


# What the journal has ----------------------------------------------------------------------------


@EACH
def test_the_journal_names_every_page_that_was_opened(sale, wanted, airline, data):
    ours = sale(airline)
    booked(ours, wanted)
    snapshot = ours.visitor.world.snapshot()
    opened = [(each["screen"], each["subject"]) for each in snapshot["log_pages"]]
    [reference] = [each["reference"] for each in snapshot["bookings"]]
    offers = {
        way: -(-len(data.network.offers(*way)) // PAGE)
        for way in (("OSL", "LGW", OUT), ("LGW", "OSL", HOME))
    }
    flights = len(snapshot["segments"])
    assert opened[0] == ("search", "")
    assert opened[1:3] == [
        ("results", f"{there}-{here} {day} 1/{pages}")
        for (there, here, day), pages in offers.items()
    ]
    assert opened[3:4] == [("party", "1")]
    assert opened[4 : 4 + flights] == [("seating", f"1/{at + 1}") for at in range(flights)]
    assert opened[-1] == ("booking", reference)
    assert all(BASE not in each["address"] for each in snapshot["log_pages"])


@one
def test_every_page_of_the_results_is_noted_by_its_number(sale, wanted, airline, data):
    ours = sale(airline)
    first = ours.search(wanted)
    pages = -(-len(data.network.offers("OSL", "LGW", OUT)) // PAGE)
    seen = {each.value for each in ours.fares()}
    ours.visitor.follow(ours.word("page-of", page=2))
    assert not seen & {each.value for each in ours.fares()}
    ours.visitor.open(f"{first.address}?sort=price")
    lines = ours.visitor.world.snapshot()["log_pages"][1:]
    assert [each["subject"][-3:] for each in lines[:2]] == [f"1/{pages}", f"2/{pages}"]
    assert all(each["subject"].startswith(f"OSL-LGW {OUT} ") for each in lines)


# Hostile input -----------------------------------------------------------------------------------


@one
def test_only_the_pages_own_form_changes_something(sale, wanted, airline):
    ours = sale(airline)
    to_party(ours, wanted)
    before = rows(ours.visitor.world, "log_trips")
    form = {**ours.page.sent(), **ours.people(FAMILY), "press": ours.airline.id("save-party")}
    address = ours.page.address
    for wrong in ({"csrf": ""}, {"csrf": "x" * 64}, {"press": ""}, {"press": "nonsense"}):
        assert ours.visitor.post(address, {**form, **wrong}).status == 400
    without = {name: text for name, text in form.items() if name not in {"csrf", "press"}}
    assert ours.visitor.post(address, without).status == 400
    other = ours.airline.id("book")
    assert ours.visitor.post(address, {**form, "press": other}).status == 400
    assert rows(ours.visitor.world, "log_trips") == before


@one
def test_a_page_that_is_out_of_date_saves_nothing(sale, wanted, airline):
    ours = sale(airline)
    to_party(ours, wanted)
    form = {**ours.page.sent(), **ours.people(FAMILY), "press": ours.airline.id("save-party")}
    address = ours.page.address
    ours.party(FAMILY)
    before = rows(ours.visitor.world, "log_trips")
    for version in (form["version"], "999", "-1", "x"):
        page = ours.visitor.post(address, {**form, "version": version})
        assert page.status == 409
        assert [*faults(page)] == []
    assert rows(ours.visitor.world, "log_trips") == before


@one
def test_nobody_gets_into_the_sale_of_another_visitor(sale, visitor, wanted, airline):
    ours = sale(airline)
    to_seats(ours, wanted)
    stranger = visitor(airline)
    for screen, *more in (("results", "outward"), ("party",), ("seating", 1), ("payment",)):
        assert stranger.open(ours.airline.address(screen, 1, *more)).status == 404
    form = {**ours.page.sent(), "press": ours.airline.id("save-seats")}
    assert stranger.post(ours.page.address, form).status == 400
    assert stranger.open(f"/?scenario={ours.visitor.world.session}x").status == 404


ODD = [
    "0",
    "-1",
    "2",
    "999999",
    "9" * 25,
    "٣",
    "x",
    "1x",
    "a" * 60,
    "%00",
    "😀",
    "' OR 1=1 --",
    ".",
]


@EACH
def test_addresses_that_lead_nowhere(sale, wanted, airline):
    ours = sale(airline)
    to_seats(ours, wanted)
    address = ours.airline.address
    tried = [
        *(address("results", each, "outward") for each in ODD),
        *(address("results", "1", each) for each in ODD),
        *(address("party", each) for each in ODD),
        *(address("seating", "1", each) for each in ODD if each != "2"),
        *(address("seating", each, "1") for each in ODD),
        *(address("payment", each) for each in ODD),
        *(address("booking", each) for each in ODD),
        *(f"/{each}" for each in ODD),
    ]
    for each in share(tried, airline):
        page = ours.visitor.open(each)
        assert page.status in {404, 409}, each
        assert page.alert


QUERIES = [
    *("page=999999", "page=0", "page=-1", "page=x", "page=", "page=٣", "page=" + "9" * 400),
    *("sort=x", "sort=price&page=2", "sort[]=price", "place=x", "self=x", "view=1", "a=b&a=c"),
    *("page=%00", "sort=%ff%fe", "x=<script>", "page=1&page=2"),
]


@EACH
def test_a_list_takes_any_query(sale, wanted, airline):
    ours = sale(airline)
    address = ours.search(wanted).address
    for query in share(QUERIES, airline):
        page = ours.visitor.open(f"{address}?{query}")
        assert page.status == 200, query
        assert len(ours.fares()) > 0, query
        assert "<script>" not in page.text
        assert ours.choose_brand("classic").status == 200, query


@one
def test_an_offer_that_is_none_is_not_chosen(sale, wanted, airline):
    ours = sale(airline)
    ours.search(wanted)
    good = next(each for each in ours.fares())
    offer = good.value.partition("/")[0]
    for value in (
        "",
        "x",
        f"{offer}/gold",
        f"{offer}/",
        "/light",
        f"{offer}/light/light",
        "/" * 99,
    ):
        page = ours.press("confirm-flights", {good.name: value})
        assert page.status == 400, value
        assert "Choose a flight and its fare." in page.text
    assert ours.press("confirm-flights").status == 400
    assert ours.visitor.world.snapshot()["log_trips"][0]["offers"] == "{}"


ANY = ["", "0" * 99, "9" * 99, "-1", "a-b", "1-2-3", "/", "//", "*", "\0", "😀", "x" * 900]


@pytest.mark.wide
@EACH
def test_every_field_takes_any_text(sale, wanted, airline):
    """Each field alone has one of the texts, then all of them have the same one."""
    ours = sale(airline)
    texts = cycle(ANY)
    for button, ready in SCREENS.items():
        ready(ours, wanted)
        form, address = {**ours.page.sent(), "press": ours.airline.id(button)}, ours.page.address
        names = [name for name in form if name not in {"csrf", "version", "press"}]
        for changed in [
            *({name: next(texts)} for name in names),
            *(dict.fromkeys(names, text) for text in share(ANY, airline)),
        ]:
            page = ours.visitor.post(address, {**form, **changed})
            assert page.status in {200, 400, 409}, (address, changed)
            assert "unpack" not in page.text, (address, changed)
    assert bookings(ours) == 0


SCREENS = {
    "search-flights": lambda sale, _: sale.visitor.open("/"),
    "save-party": to_party,
    "save-seats": to_seats,
    "book": to_payment,
}
"""How each form of a sale is reached, by its button."""


@one
def test_a_form_of_a_hundred_fields(sale, wanted, airline):
    ours = sale(airline)
    to_party(ours, wanted)
    more = {f"field-{at}": "x" for at in range(100)}
    page = ours.press("save-party", {**ours.people(FAMILY), **more})
    assert page.status == 200
    assert ours.on_seats
    huge = {**ours.page.sent(), "press": ours.airline.id("save-seats"), "x": "x" * 70_000}
    assert ours.visitor.post(ours.page.address, huge).status == 413


@one
def test_other_methods_change_nothing(sale, wanted, airline):
    ours = sale(airline)
    to_seats(ours, wanted)
    client, address = ours.visitor.client, ours.page.address
    before = ours.visitor.world.snapshot()
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        assert client.open(address, method=method, base_url=BASE).status_code == 405
    assert client.head(address, base_url=BASE).status_code == 200
    assert client.options(address, base_url=BASE).status_code == 200
    ahead = client.get(address, base_url=BASE, headers={"Sec-Purpose": "prefetch"})
    assert ahead.status_code == 403
    assert ours.visitor.world.snapshot() == before


@one
def test_steps_are_not_skipped(sale, wanted, airline):
    ours = sale(airline)
    ours.search(wanted)
    address = ours.airline.address
    sentences = {}
    for screen, *more in (("party",), ("seating", 1), ("baggage",), ("payment",)):
        page = ours.visitor.open(address(screen, 1, *more))
        sentences[screen] = page.status, page.alert
    assert set(sentences.values()) == {(409, "Choose the flights first.")}
    for _ in range(2):
        ours.visitor.open(address("results", 1, "return" if _ else "outward"))
        ours.choose_brand("classic")
    assert ours.visitor.open(address("payment", 1)).alert == "Enter the travellers first."
    assert ours.visitor.open(address("review")).status == 404


@one
def test_a_closed_visit_can_be_looked_at(sale, wanted, airline):
    ours = sale(airline)
    to_payment(ours, wanted)
    ours.pay_by_card()
    asks, address = bookings(ours) == 0, ours.airline.address
    ours.visitor.world.close()
    before = ours.visitor.world.snapshot()
    assert ours.visitor.open(address("party", 1)).status == 200
    assert ours.press("save-party", ours.people(FAMILY)).status == 409
    assert ours.visitor.open(address("payment", 1)).status == 200
    assert ours.pay_by_card().status == 409
    if asks and ours.airline.last_step == "review":
        assert ours.visitor.open(address("review")).status == 200
        assert ours.confirm().status == 409
    assert ours.visitor.world.snapshot() == before
