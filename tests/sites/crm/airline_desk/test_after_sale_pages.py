"""The pages on which bookings are found and changed, at each airline."""

from __future__ import annotations

import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.airline import KEYS
from sites.crm.airline_desk.model.records import Choice
from sites.crm.airline_desk.operations import booked, changing, day, looking
from sites.crm.airline_desk.screens import SCREENS
from sites.crm.airline_desk.screens.sale import PAGE
from tests import measuring
from tests.sites.crm.airline_desk.booked_pages import HOST, DeskPages
from tests.sites.crm.airline_desk.booked_rows import CARD, COUPLE, FAMILY, GONE, LONE, free

THERE = "2026-03-24"
DEEP = 20 if measuring.DEEP else 1
AFTER_SALE = (
    *("people", "booking", "history", "seats", "bags", "checkin", "person", "remove", "reroute"),
    *("reroute-results", "settle", "cancel", "note", "refund", "charge", "board", "flight"),
    "rebook",
)
PERSON = {
    "title": "Ms",
    "first-name": "Ann",
    "last-name": "Okafor",
    "gender": "Female",
    "born": "1984-02-11",
}


@pytest.fixture(params=KEYS)
def pages(request, data) -> DeskPages:
    return DeskPages(data, request.param)


def choice(pages: DeskPages, brand: str = "business") -> Choice:
    """An offer for the family's way back on another day."""
    found = looking.booking(pages.world, FAMILY)
    offers = changing.reroute_offers(pages.world, pages.data, found, "return", THERE)
    return Choice(next(each.id for each in offers if each.fare(brand).seats >= 3), brand)


def leaves(pages: DeskPages) -> int:
    """How many pages the offers for the family's way back have."""
    found = looking.booking(pages.world, FAMILY)
    offers = changing.reroute_offers(pages.world, pages.data, found, "return", THERE)
    return -(-len(offers) // PAGE)


def first(pages: DeskPages) -> tuple[str, str]:
    """The first flight of the family."""
    segment = looking.booking(pages.world, FAMILY).segments[0]
    return segment.flight, segment.date


def all_pages(pages: DeskPages) -> list[tuple[str, tuple[str, ...], str]]:
    """Each screen with what it is about, and what the journal notes."""
    made = choice(pages)
    listed = {
        "people": ((), ""),
        "booking": ((FAMILY,), FAMILY),
        "history": ((FAMILY,), FAMILY),
        "seats": ((FAMILY, "1"), f"{FAMILY}/1"),
        "bags": ((FAMILY,), FAMILY),
        "checkin": ((FAMILY, "2"), f"{FAMILY}/2"),
        "person": ((FAMILY, "1"), f"{FAMILY}/1"),
        "remove": ((FAMILY, "3"), f"{FAMILY}/3"),
        "reroute": ((FAMILY, "return"), f"{FAMILY}/return"),
        "reroute-results": (
            (FAMILY, "return", THERE),
            f"{FAMILY}/return/{THERE} 1/{leaves(pages)}",
        ),
        "settle": (
            (FAMILY, "return", THERE, made.offer, made.brand),
            f"{FAMILY}/return/{THERE}/{made.offer}/{made.brand}",
        ),
        "cancel": ((FAMILY,), FAMILY),
        "note": ((FAMILY,), FAMILY),
        "refund": ((FAMILY,), FAMILY),
        "charge": ((FAMILY,), FAMILY),
        "board": ((), ""),
        "flight": (first(pages), f"{' '.join(first(pages))} 1/1"),
        "rebook": ((FAMILY, "1"), f"{FAMILY}/1"),
    }
    assert set(listed) == set(AFTER_SALE)
    return [(screen, parts, subject) for screen, (parts, subject) in listed.items()]


def text_of(answer) -> str:
    return html.unescape(answer.text)


# All of them -------------------------------------------------------------------------------------


def test_every_screen_is_shown_and_noted(pages):
    before = pages.world.digest()
    for screen, parts, subject in all_pages(pages):
        answer = pages.open(screen, *parts)
        assert answer.status_code == 200, (screen, answer.text)
        line = pages.world.read("SELECT * FROM log_pages ORDER BY id DESC LIMIT 1")[0]
        assert (line["screen"], line["subject"]) == (screen, subject)
    assert pages.world.digest() == before


def test_a_cancelled_booking_is_shown_and_nothing_of_it_is_offered(pages):
    shown = pages.open("booking", GONE).text
    assert pages.airline.word("cancelled") in shown
    for screen, parts, _ in all_pages(pages):
        if parts[:1] == (FAMILY,) and screen not in {"booking", "history"}:
            address = pages.airline.address(screen, GONE, *parts[1:])
            assert f'href="{address}' not in shown
            answer = pages.open(screen, GONE, *parts[1:])
            assert answer.status_code in {404, 409}, screen


def test_the_links_of_a_booking_lead_to_pages(pages):
    shown = pages.open("booking", FAMILY).text
    links = {html.unescape(each) for each in shown.split('href="')[1:]}
    own = [each.partition('"')[0] for each in links if FAMILY in each.partition('"')[0]]
    assert len(own) > 20
    for address in own:
        assert pages.get(address).status_code == 200, address


def test_a_booking_says_what_it_costs_and_each_ticket_its_part(pages):
    """Seats and bags at their prices, a child at three quarters, an infant at the fixed amount."""
    found = looking.booking(pages.world, FAMILY)
    out, home = (
        changing.fare_paid(pages.data, found.direction(each)) for each in ("outward", "return")
    )
    money = pages.airline.formats.money
    shown = text_of(pages.open("booking", FAMILY))
    for adult in (out, home):
        assert money(2 * adult + prices.fare(adult, "child") + prices.INFANT) in shown
    assert money(prices.bags("classic", 1)) in shown
    classic = pages.airline.word("brand-classic")
    shown = text_of(pages.open("remove", FAMILY, 3))
    assert f"{pages.airline.word('cost-outward')}, {classic}" in shown
    assert money(prices.fare(out, "child")) in shown


def test_what_was_done_stands_on_every_page(pages):
    pages.press("save-person", "person", FAMILY, 2, values={**PERSON, "first-name": "Bernd"})
    line = pages.airline.word("done-save-person", reference=FAMILY, name="Bernd Okafor")
    assert line in text_of(pages.open("people"))


def test_the_page_to_check_shows_what_was_meant(pages):
    if pages.airline.last_step != "review":
        return
    values = {"lap.4": changing.LEAVES, "refund-amount.1": "240"}
    pages.press("confirm-remove", "remove", FAMILY, 1, values=values)
    shown = text_of(pages.open("review"))
    assert pages.airline.word("leaves-too") in shown
    assert pages.airline.formats.money(240) in shown


def test_what_each_fare_allows_stands_where_new_flights_are_searched(pages):
    rules = pages.airline.word("rule-no-change")
    assert rules in text_of(pages.open("reroute", FAMILY, "return"))


# Find --------------------------------------------------------------------------------------------


def test_bookings_are_found_and_lead_to_their_pages(pages):
    shown = pages.open("people", name="OKAF", route_from="OSL", month="2026-03")
    assert pages.airline.address("booking", FAMILY) in shown.text
    assert pages.airline.address("booking", COUPLE) in shown.text
    assert pages.airline.address("booking", GONE) not in shown.text
    line = pages.world.read("SELECT * FROM log_pages ORDER BY id DESC LIMIT 1")[0]
    assert line["subject"] == "name=okaf, origin=OSL, month=2026-03 1/1"


def test_a_long_list_has_pages_of_ten(pages, data):
    for number in range(23):
        row = {"status": "confirmed", "customer": 1, "bought": "2026-01-02 10:00"}
        reference = f"L{number:05}"
        pages.world.write("INSERT INTO bookings VALUES (?, ?, ?, ?)", (reference, *row.values()))
        pages.world.write(
            "INSERT INTO segments SELECT ?, direction, place, flight, date, brand FROM segments"
            " WHERE reference = ?",
            (reference, COUPLE),
        )
    seen: list[str] = []
    for page in ("1", "2", "3"):
        shown = pages.get(pages.address("people", **pages.sent({"name": "okafor"}), page=page))
        found = [each for each in (f"L{n:05}" for n in range(23)) if f"{each}?" in shown.text]
        line = pages.world.read("SELECT * FROM log_pages ORDER BY id DESC LIMIT 1")[0]
        assert line["subject"] == f"name=okafor {page}/3"
        seen += found
    assert len(seen) == len(set(seen)) == 23


def test_a_wrong_field_of_a_search_has_its_message(pages):
    shown = text_of(pages.open("people", name="x" * 61, flight="2041", email="nobody"))
    for words in ("longer than 60", "like LW2041", "like ann@example.com"):
        assert words in shown
    assert pages.airline.word("nothing-asked") in text_of(pages.open("people", name=""))
    shown = text_of(pages.open("people", name="nobody"))
    assert pages.airline.word("nothing-found") in shown


# Changes -----------------------------------------------------------------------------------------


def test_seats_bags_notes_and_check_in(pages):
    seat = next(
        each
        for each in free(
            booked.flight(pages.data, looking.booking(pages.world, COUPLE).segments[0])
        )
        if each not in {row["seat"] for row in pages.rows("seats")}
    )
    assert pages.press("save-seats", "seats", COUPLE, 1, values={"seat.2": seat}).status_code == 303
    values = {"bags-outward.1": "2"}
    assert pages.press("save-bags", "bags", COUPLE, values=values).status_code == 303
    note = {"note-code": "illness"}
    assert pages.press("add-note", "note", COUPLE, values=note).status_code == 303
    ticks = {"checked-in.1": "yes"}
    assert pages.press("save-checkin", "checkin", COUPLE, 1, values=ticks).status_code == 303
    shown = text_of(pages.open("booking", COUPLE))
    for words in (seat, pages.airline.word("note-illness"), pages.airline.words["done-add-note"]):
        assert words.format(reference=COUPLE) in shown
    assert pages.airline.word("done-add-note", reference=COUPLE) in text_of(
        pages.open("history", COUPLE)
    )


def test_a_name_is_corrected_and_not_while_checked_in(pages):
    values = {**PERSON, "last-name": "Lind"}
    pages.press("save-checkin", "checkin", FAMILY, 1, values={"checked-in.1": "yes"})
    answer = pages.press("save-person", "person", FAMILY, 1, values=values)
    assert answer.status_code == 400 and "Undo the check-in" in text_of(answer)
    pages.press("save-checkin", "checkin", FAMILY, 1)
    assert pages.press("save-person", "person", FAMILY, 1, values=values).status_code == 303
    assert looking.booking(pages.world, FAMILY).passengers[0].person.last_name == "Lind"


def test_one_direction_is_moved_and_paid(pages):
    answer = pages.press("search-flights", "reroute", FAMILY, "return", values={"departure": THERE})
    assert answer.location.startswith(
        pages.airline.address("reroute-results", FAMILY, "return", THERE)
    )
    made = choice(pages)
    values = {"offer": made.value}
    answer = pages.press(
        "confirm-flights", "reroute-results", FAMILY, "return", THERE, values=values
    )
    at = (FAMILY, "return", THERE, made.offer, made.brand)
    assert answer.location.startswith(pages.airline.address("settle", *at))
    found = looking.booking(pages.world, FAMILY)
    due = (
        80 + changing.new_flights(pages.world, pages.data, found, "return", THERE, made).difference
    )
    pay = {"fee-amount": "80", "voucher": "V100", "voucher-amount": "100", **CARD}
    wrong = {**pay, "card-amount": str(due - 101)}
    answer = pages.press("save-flights", "settle", *at, values=wrong)
    assert answer.status_code == 400 and f"{due} dollars are due" in text_of(answer)
    answer = pages.do("save-flights", "settle", *at, values={**pay, "card-amount": str(due - 100)})
    assert answer.status_code == 303
    after = looking.booking(pages.world, FAMILY)
    assert [each.flight for each in after.direction("return")] == made.offer.split(".")
    assert [row["amount"] for row in pages.rows("payments")][3:] == [100, due - 100]


def test_a_passenger_is_taken_out_and_money_goes_back(pages):
    values = {"lap.4": "2", "refund-amount.1": "240"}
    assert pages.do("confirm-remove", "remove", FAMILY, 1, values=values).status_code == 303
    assert [each.number for each in looking.booking(pages.world, FAMILY).passengers] == [2, 3, 4]
    assert [(row["payment"], row["amount"]) for row in pages.rows("refunds")] == [(1, 240)]
    shown = pages.open("remove", FAMILY, 2)
    assert "Children cannot travel" in text_of(shown) and "<form" not in shown.text


def test_a_refund_a_fee_and_a_cancellation(pages):
    refund = {"refund-amount.1": "100"}
    assert pages.do("give-refund", "refund", FAMILY, values=refund).status_code == 303
    fee = {"fee-kind": "name", "passenger": "1", "fee-amount": "30", "card-amount": "30", **CARD}
    assert pages.do("charge", "charge", FAMILY, values=fee).status_code == 303
    assert pages.do("confirm-cancel", "cancel", FAMILY, values=refund).status_code == 303
    assert looking.booking(pages.world, FAMILY).cancelled
    assert [row["amount"] for row in pages.rows("refunds")] == [100, 100]
    assert [row["amount"] for row in pages.rows("fees")] == [30]


def test_nothing_is_done_before_it_is_confirmed(pages):
    if pages.airline.last_step == "button":
        return
    before = pages.world.digest()
    pages.press("confirm-cancel", "cancel", FAMILY)
    pages.press("give-refund", "refund", FAMILY, values={"refund-amount.1": "5"})
    assert pages.world.digest() == before


# The day of travel -------------------------------------------------------------------------------


def test_a_board_has_departures_of_a_day_over_pages(pages):
    flight, date = first(pages)
    pages.world.write(
        "INSERT INTO flight_events VALUES (?, ?, 'cancelled', 'fog', 0)", (flight, date)
    )
    shown = text_of(pages.open("board", route_from="OSL", route_to="VIE", flight_date=date))
    assert pages.airline.address("flight", flight, date) in shown
    assert pages.airline.word("flight-cancelled") in shown and "fog" in shown
    line = pages.world.read("SELECT * FROM log_pages ORDER BY id DESC LIMIT 1")[0]
    assert line["subject"].startswith(f"OSL-VIE {date} 1/")
    only = {"route_from": "OSL", "flight_date": date, "status": "changed"}
    shown = pages.open("board", **only)
    assert shown.text.count(f'href="{pages.airline.address("flight", flight, date)}') == 1
    line = pages.world.read("SELECT * FROM log_pages ORDER BY id DESC LIMIT 1")[0]
    assert line["subject"] == f"OSL {date} changed 1/1"


def test_a_board_asks_for_airport_and_date(pages):
    shown = text_of(pages.open("board", route_to="VIE", flight_date=""))
    assert "Give an airport." in shown and "Give a date." in shown


def test_a_booking_goes_to_another_flight_or_waits_for_it(pages):
    segment = looking.booking(pages.world, LONE).segments[0]
    here = booked.flight(pages.data, segment)
    onward = booked.flight(pages.data, looking.booking(pages.world, LONE).segments[1])
    others = day.others(pages.data, here)
    fits = [
        each.number
        for each in others
        if each.arrives < onward.departs
        and each.days == 0
        and day.seats_left(pages.world, pages.data, each)[1].seats
    ]
    waits = {"to-flight": others[-1].number}
    assert pages.press("add-waiting", "rebook", LONE, 1, values=waits).status_code == 303
    shown = text_of(pages.open("flight", others[-1].number, here.date))
    assert LONE in shown
    if fits:
        answer = pages.press("rebook", "rebook", LONE, 1, values={"to-flight": fits[0]})
        assert answer.status_code == 303
        assert looking.booking(pages.world, LONE).segments[0].flight == fits[0]
    assert pages.press("end-waiting", "rebook", LONE, 1, values=waits).status_code in {303, 400}


# Bad input ---------------------------------------------------------------------------------------

BAD = [
    ("save-seats", "seats", (FAMILY, 1), {"seat.1": "99Z"}, "There is no seat 99Z"),
    ("save-seats", "seats", (FAMILY, 1), {"seat.1": "x" * 300}, "There is no seat"),
    ("save-person", "person", (FAMILY, 1), {**PERSON, "first-name": "x" * 300}, "longer than 60"),
    (
        "save-person",
        "person",
        (FAMILY, 4),
        {**PERSON, "born": "2022-01-01"},
        "An infant is under 2",
    ),
    ("save-person", "person", (FAMILY, 1), {**PERSON, "born": "2026-02-30"}, "There is no"),
    ("search-flights", "reroute", (FAMILY, "return"), {"departure": "2026-02-30"}, "There is no"),
    ("search-flights", "reroute", (FAMILY, "return"), {}, "Give a date"),
    ("give-refund", "refund", (FAMILY,), {"refund-amount.1": "901"}, "At most 900 dollars"),
    ("give-refund", "refund", (FAMILY,), {}, "Give the amount that is paid back"),
    ("confirm-cancel", "cancel", (FAMILY,), {"refund-amount.2": "61"}, "At most 60 dollars"),
    ("confirm-remove", "remove", (FAMILY, 1), {}, "Choose another adult"),
    ("charge", "charge", (FAMILY,), {"fee-kind": "name"}, "Give the amount of the fee"),
    (
        "charge",
        "charge",
        (FAMILY,),
        {"fee-kind": "name", "fee-amount": "9", "voucher": "VOLD", "voucher-amount": "9"},
        "This voucher ran out",
    ),
    (
        "charge",
        "charge",
        (FAMILY,),
        {"fee-kind": "name", "fee-amount": "9", "card-amount": "8", **CARD},
        "add up to 8; 9 dollars are due",
    ),
    ("add-note", "note", (FAMILY,), {}, "Choose called"),
    ("rebook", "rebook", (FAMILY, 1), {}, "Choose another flight of the same route"),
    ("confirm-flights", "reroute-results", (FAMILY, "return", THERE), {}, "Choose a flight"),
]


@pytest.mark.wide
def test_bad_input_has_its_message_and_nothing_is_saved(pages):
    before = pages.world.digest()
    for control, screen, parts, values, words in BAD:
        answer = pages.press(control, screen, *parts, values=values)
        assert answer.status_code == 400, (control, values, answer.text)
        assert words in text_of(answer), (control, values)
    twice = {"seat.1": "1A", "seat.2": "1A", "seat.3": "1A"}
    assert pages.press("save-seats", "seats", FAMILY, 1, values=twice).status_code == 400
    assert pages.world.digest() == before


def test_what_was_typed_stands_there_again(pages):
    name = """O'Neill "the <b>bold</b>" & sons"""
    values = {**PERSON, "last-name": name, "born": "2027-01-01"}
    answer = pages.press("save-person", "person", FAMILY, 1, values=values)
    assert answer.status_code == 400 and "<b>bold" not in answer.text
    assert name in text_of(answer)
    values["born"] = PERSON["born"]
    assert pages.press("save-person", "person", FAMILY, 1, values=values).status_code == 303
    for shown in (pages.open("booking", FAMILY), pages.open("people", name="oneill")):
        assert name in text_of(shown) and "<b>bold" not in shown.text


# Hostile -----------------------------------------------------------------------------------------

ODD = [
    "'",
    "..",
    "%00",
    "%ff%fe",
    "<script>",
    "' OR 1=1 --",
    "-1",
    "0",
    "999",
    "9" * 40,
    "١",
    "return",
    "K7Q2MB",
    FAMILY,
    FAMILY.lower(),
    GONE,
    "a" * 80,
    "2026-02-30",
    "😀",
]
PART = st.sampled_from(ODD) | st.text(max_size=12)


@pytest.fixture(scope="module")
def three(data) -> list[DeskPages]:
    return [DeskPages(data, key) for key in KEYS]


@pytest.mark.wide
@settings(max_examples=30 * DEEP, deadline=None)
@given(
    at=st.integers(0, 2),
    screen=st.sampled_from(AFTER_SALE),
    parts=st.lists(PART, min_size=5, max_size=5),
    known=st.booleans(),
    query=st.dictionaries(
        st.sampled_from(
            ["page", "sort", "place", "self", "press", "name", "route-from", "flight-date", "month"]
        )
        | st.text(max_size=8),
        PART,
        max_size=3,
    ),
)
def test_no_address_is_a_fault_of_ours(three, at, screen, parts, known, query):
    pages = three[at]
    template = pages.airline.addresses[screen]
    own = [FAMILY, *parts[1:]] if known else parts
    quoted = [quote(each, safe="", errors="replace") for each in own]
    path = template.format(*quoted[: template.count("{}")])
    names = {pages.airline.ids.get(name, name): text for name, text in query.items()}
    before = pages.world.digest()
    arguments = "&".join(
        f"{quote(name, errors='replace')}={quote(text, errors='replace')}"
        for name, text in names.items()
        if name != "scenario"
    )
    answer = pages.get(f"{path}?scenario={pages.world.session}&{arguments}")
    assert answer.status_code in {200, 303, 308, 400, 404, 409}, (path, answer.status_code)
    assert pages.world.digest() == before


TEXT = st.sampled_from([*ODD, "1", "yes", "10", "$5", "leaves", "LW2041/classic", "x" * 10_000])


@settings(max_examples=30 * DEEP, deadline=None)
@given(
    at=st.integers(0, 2),
    screen=st.sampled_from([each for each in AFTER_SALE if SCREENS[each].controls]),
    data_of=st.data(),
)
def test_no_form_is_a_fault_of_ours(three, at, screen, data_of):
    pages = three[at]
    pages.world.restore(pages.start)
    parts = {name: parts for name, parts, _ in all_pages(pages)}[screen]
    keys = st.sampled_from(sorted(pages.airline.ids))
    number = st.sampled_from(["", ".1", ".2", ".4", ".99"])
    values = data_of.draw(st.dictionaries(st.tuples(keys, number).map("".join), TEXT, max_size=6))
    control = data_of.draw(st.sampled_from(SCREENS[screen].controls))
    answer = pages.press(control, screen, *parts, values=values)
    assert answer.status_code in {200, 303, 400, 409, 413}, answer.text
    for line in pages.rows("log_commits"):
        assert line["recorded"] is None or json.loads(line["recorded"])


def test_a_form_that_is_not_from_our_page_is_refused(pages):
    before = pages.world.digest()
    for screen, parts, _ in all_pages(pages):
        for control in SCREENS[screen].controls:
            form = {"press": pages.airline.id(control), "csrf": "x"}
            answer = pages.client.post(pages.address(screen, *parts), data=form, base_url=HOST)
            assert answer.status_code == 400
    assert pages.world.digest() == before


def test_other_methods_and_other_buttons_are_refused(pages):
    for screen, parts, _ in all_pages(pages):
        address = pages.address(screen, *parts)
        for method in ("PUT", "DELETE", "PATCH"):
            answer = pages.client.open(address, method=method, base_url=HOST)
            assert answer.status_code == 405
    assert pages.press("book", "cancel", FAMILY).status_code == 400
    assert pages.press("search-people", "people").status_code == 400


def test_another_visitors_booking_is_not_found(pages, data):
    other = DeskPages(data, pages.airline.key).world
    other.session = "other"
    other.write("UPDATE bookings SET reference = 'THEIRS' WHERE reference = ?", (LONE,))
    pages.worlds.publish(other)
    assert pages.open("booking", "THEIRS").status_code == 404
    form = {"press": pages.airline.id("confirm-cancel"), "csrf": "x"}
    address = f"{pages.airline.address('cancel', 'THEIRS')}?scenario=other"
    assert pages.client.post(address, data=form, base_url=HOST).status_code == 400
    assert not looking.booking(other, "THEIRS").cancelled


def test_a_page_that_is_out_of_date_changes_nothing(pages):
    shown = pages.open("note", FAMILY).text
    csrf = shown.split('name="csrf" value="')[1].partition('"')[0]
    pages.press("add-note", "note", FAMILY, values={"note-code": "called"})
    before = pages.world.digest()
    form = {"csrf": csrf, "version": "0", "press": pages.airline.id("add-note")}
    form |= pages.sent({"note-code": "illness"})
    answer = pages.client.post(pages.address("note", FAMILY), data=form, base_url=HOST)
    assert answer.status_code == 409 and pages.world.digest() == before


def test_a_closed_visit_is_shown_and_not_changed(pages):
    pages.world.close()
    assert pages.open("booking", FAMILY).status_code == 200
    answer = pages.press("add-note", "note", FAMILY, values={"note-code": "called"})
    assert answer.status_code == 409
