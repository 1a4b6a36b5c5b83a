from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm import new_world
from sites.crm.base.address import Place
from sites.crm.base.records import CANCELLED, CONFIRMED, Passenger
from sites.crm.published_desk import operations
from sites.crm.published_desk.operations import Invalid
from sites.site_app import Refusal
from sites.world import WorldClosed
from tests.measuring import DEEP

TRIP = {
    "from": "LHR",
    "to": "JFK",
    "trip-type": "return",
    "departure": "2026-03-04",
    "return": "2026-03-11",
}
ONE_WAY = {**TRIP, "trip-type": "one-way", "return": ""}
WHO = {"title": "Ms", "first-name": "Ann", "last-name": "Lee", "gender": "Female"} | {
    "dob": "3 May 1980"
}
CARD = {"card-number": "4111 1111 1111 1111", "expiry": "9/27", "cvc": "123"}
REFERENCE = {"confirm-reference": "k7q 2mb"}


def invalid(act, *values) -> dict[str, str]:
    with pytest.raises(Invalid) as caught:
        act(*values)
    assert all(sentence.endswith(".") for sentence in caught.value.errors.values())
    return caught.value.errors


def refused(status: int, act, *values) -> str:
    with pytest.raises(Refusal) as caught:
        act(*values)
    assert caught.value.status == status
    return caught.value.sentence


def commits(world) -> list[tuple[str, bool]]:
    return [
        (row["control"], row["recorded"] is not None) for row in world.snapshot()["log_commits"]
    ]


def free(world, data, origin, destination, date):
    return [flight for flight in operations.offers(world, data, origin, destination, date)
            if flight.seats]  # fmt: skip


def chosen(world, data, trip=TRIP) -> tuple[int, dict[str, str]]:
    """The number of a new journey, and flights with seats for it."""
    made = operations.search_flights(world, data, trip)
    values = {"outward": free(world, data, "LHR", "JFK", made.departure)[0].number}
    if made.returning:
        values["return"] = free(world, data, "JFK", "LHR", made.returning)[0].number
    return made.number, values


def ready_to_pay(world, data, trip=TRIP) -> int:
    number, values = chosen(world, data, trip)
    operations.confirm_flights(world, data, number, values)
    operations.save_passenger(world, data, number, WHO)
    return number


# Searching ---------------------------------------------------------------------------------------


def test_a_search_begins_a_journey_and_changes_nothing(data, world):
    before = world.digest()
    made = operations.search_flights(
        world, data, {**TRIP, "from": " london heathrow ", "departure": "Wed, 4 March 2026"}
    )
    assert (made.number, made.origin, made.departure) == (1, "LHR", "2026-03-04")
    assert operations.journey(world, 1) == made
    assert operations.search_flights(world, data, ONE_WAY).returning is None
    assert world.digest() == before
    [first, second] = world.snapshot()["log_commits"]
    assert json.loads(first["recorded"]) == {**TRIP, "journey": "1"}
    assert json.loads(first["submitted"])["from"] == " london heathrow "
    assert json.loads(second["recorded"])["return"] == ""


def test_a_one_way_search_does_not_read_the_return_date(data, world):
    made = operations.search_flights(world, data, {**ONE_WAY, "return": "nonsense"})
    assert made.returning is None


@pytest.mark.parametrize(
    ("wrong", "field", "says"),
    [
        ({"from": ""}, "from", "Give an airport"),
        ({"to": "London"}, "to", "more than one airport"),
        ({"to": "lhr"}, "to", "would end where it begins"),
        ({"departure": "2026-02-30"}, "departure", "There is no date"),
        ({"departure": "2025-03-04"}, "departure", "We sell flights from"),
        ({"return": "2026-03-03"}, "return", "before the departure"),
        ({"return": ""}, "return", "Give a date"),
        ({"trip-type": "round"}, "trip-type", "Choose return or one-way"),
    ],
)
def test_a_wrong_search_is_refused_at_its_field(data, world, wrong, field, says):
    errors = invalid(operations.search_flights, world, data, {**TRIP, **wrong})
    assert list(errors) == [field]
    assert says in errors[field]
    assert commits(world) == [("search-flights", False)]
    assert not world.snapshot()["log_journeys"]


def test_all_problems_are_told_at_once(data, world):
    assert list(invalid(operations.search_flights, world, data, {})) == list(TRIP)


# Booking -----------------------------------------------------------------------------------------


def test_a_booking_keeps_what_was_chosen(data, world):
    number, values = chosen(world, data)
    operations.confirm_flights(world, data, number, values)
    operations.save_passenger(world, data, number, WHO)
    made = operations.book(world, data, number, CARD)
    assert operations.booking(world, made.reference) == made
    assert made.status == CONFIRMED
    assert made.passenger == Passenger("Ms", "Ann", "Lee", "Female", "1980-05-03")
    assert (made.outward.flight, made.outward.date) == (values["outward"], "2026-03-04")
    assert made.inbound is not None and made.inbound.flight == values["return"]
    legs = [data.flight(leg.flight, leg.date) for leg in made.legs]
    assert made.price == sum(flight.price for flight in legs)
    assert made.card == "1111"
    assert "4111111111111111" not in json.dumps(world.snapshot()["bookings"])
    paid = json.loads(world.snapshot()["log_commits"][-1]["recorded"])
    assert paid["card-number"] == "4111111111111111" and paid["reference"] == made.reference


def test_references_are_the_same_in_equal_worlds_and_never_given_twice(data, world):
    fork = world.fork()
    first = [operations.book(world, data, ready_to_pay(world, data), CARD).reference
             for _ in range(5)]  # fmt: skip
    references = [operations.book(fork, data, ready_to_pay(fork, data), CARD).reference
             for _ in range(5)]  # fmt: skip
    assert first == references
    assert len({*first, "K7Q2MB"}) == 6
    assert all(len(reference) == 6 for reference in first)
    other = new_world("s2")
    assert operations.new_reference(other) not in first


def test_the_steps_come_in_their_order(data, world):
    number, values = chosen(world, data)
    assert "Choose the flights" in refused(409, operations.save_passenger, world, data, number, WHO)
    assert "Choose the flights" in refused(409, operations.book, world, data, number, CARD)
    operations.confirm_flights(world, data, number, values)
    assert "Save the passenger" in refused(409, operations.book, world, data, number, CARD)
    assert len(operations.bookings(world)) == 1


def test_a_journey_is_booked_once(data, world):
    number = ready_to_pay(world, data)
    operations.book(world, data, number, CARD)
    for act, values in (
        (operations.book, CARD),
        (operations.save_passenger, WHO),
        (operations.confirm_flights, {}),
    ):
        assert "booked already" in refused(409, act, world, data, number, values)
    assert len(operations.bookings(world)) == 2


def test_a_page_that_is_out_of_date_does_nothing(data, world):
    number, values = chosen(world, data)
    operations.confirm_flights(world, data, number, values, 0)
    assert "changed since" in refused(
        409, operations.confirm_flights, world, data, number, values, 0
    )
    assert operations.version_of(world, Place("passenger", str(number))) == 1
    operations.save_passenger(world, data, number, WHO, 1)
    refused(409, operations.book, world, data, number, CARD, 1)
    operations.book(world, data, number, CARD, 2)


def test_a_sold_out_flight_is_shown_and_refused(data, world):
    codes = list(data.airports)
    found = next(
        flight
        for code in codes
        if code != "LHR"
        for flight in data.flights("LHR", code, "2026-03-04")
        if not flight.seats
    )
    trip = {**ONE_WAY, "to": found.destination}
    made = operations.search_flights(world, data, trip)
    on_offer = operations.offers(world, data, "LHR", found.destination, "2026-03-04")
    assert found.number in [flight.number for flight in on_offer]
    errors = invalid(
        operations.confirm_flights, world, data, made.number, {"outward": found.number}
    )
    assert errors == {"outward": f"Flight {found.number} is sold out. Choose another one."}


def test_flights_are_chosen_from_their_list(data, world):
    number, values = chosen(world, data)
    errors = invalid(operations.confirm_flights, world, data, number, {})
    assert errors == {"outward": "Choose an outward flight.", "return": "Choose a return flight."}
    swapped = {"outward": values["return"], "return": values["outward"]}
    errors = invalid(operations.confirm_flights, world, data, number, swapped)
    assert all("no flight" in sentence for sentence in errors.values())
    operations.confirm_flights(
        world, data, number, {group: f" {flight.lower()} " for group, flight in values.items()}
    )


def test_the_return_flight_leaves_after_the_outward_flight_has_arrived(data, world):
    trip = {**TRIP, "from": "LHR", "to": "EDI", "return": "2026-03-04"}
    made = operations.search_flights(world, data, trip)
    last = free(world, data, "LHR", "EDI", "2026-03-04")[-1]
    first = free(world, data, "EDI", "LHR", "2026-03-04")[0]
    assert first.departs < last.arrives
    errors = invalid(
        operations.confirm_flights,
        world,
        data,
        made.number,
        {"outward": last.number, "return": first.number},
    )
    assert errors == {"return": "The return flight leaves before the outward flight arrives."}


def test_a_seat_is_taken_by_a_booking_and_given_back_by_cancelling(data, world):
    def seats() -> int:
        [flight] = [
            each
            for each in operations.offers(world, data, "LHR", "JFK", "2026-03-04")
            if each.number == made.outward.flight
        ]
        return flight.seats

    made = operations.book(world, data, ready_to_pay(world, data), CARD)
    left = data.flight(made.outward.flight, made.outward.date).seats
    assert seats() == left - 1
    operations.cancel_booking(world, made.reference, {"confirm-reference": made.reference})
    assert seats() == left


def test_the_last_seat_is_sold_once(data, world):
    """Two journeys chose the same last seat; the second one to pay is told."""
    numbers = [ready_to_pay(world, data, ONE_WAY) for _ in range(2)]
    flight = data.flight(operations.journey(world, numbers[0]).outward, "2026-03-04")
    made = operations.book(world, data, numbers[0], CARD)
    for place in range(flight.seats - 1):
        operations.add_booking(world, replace(made, reference=f"COPY{place:03}"))
    assert "is sold out now" in refused(409, operations.book, world, data, numbers[1], CARD)


@pytest.mark.parametrize(
    ("act", "values", "wrong", "field"),
    [
        ("save_passenger", WHO, {"title": "Sir"}, "title"),
        ("save_passenger", WHO, {"first-name": "  "}, "first-name"),
        ("save_passenger", WHO, {"last-name": "x" * 10_000}, "last-name"),
        ("save_passenger", WHO, {"gender": ""}, "gender"),
        ("save_passenger", WHO, {"dob": "2027-01-01"}, "dob"),
        ("book", CARD, {"card-number": "4111 1111 1111 1112"}, "card-number"),
        ("book", CARD, {"expiry": "12/25"}, "expiry"),
        ("book", CARD, {"cvc": "12"}, "cvc"),
    ],
)
def test_a_wrong_field_is_refused_and_nothing_changes(data, world, act, values, wrong, field):
    number = ready_to_pay(world, data)
    before = world.digest()
    errors = invalid(getattr(operations, act), world, data, number, {**values, **wrong})
    assert list(errors) == [field]
    assert world.digest() == before
    [*_, last] = world.snapshot()["log_commits"]
    assert json.loads(last["errors"]) == errors and last["recorded"] is None


# Bookings that there are -------------------------------------------------------------------------


def test_a_booking_is_found_by_its_reference(world):
    assert operations.find_booking(world, {"booking-reference": " k7q2mb"}).reference == "K7Q2MB"
    assert "no booking ZZZZZZ" in refused(
        404, operations.find_booking, world, {"booking-reference": "zzzzzz"}
    )
    assert invalid(operations.find_booking, world, {}) == {
        "booking-reference": "Give the booking reference."
    }
    assert [accepted for _, accepted in commits(world)] == [True, False, False]


def test_cancelling_needs_the_reference_and_happens_once(world):
    operations.start_cancel(world, "K7Q2MB")
    assert not operations.booking(world, "K7Q2MB").cancelled
    errors = invalid(operations.cancel_booking, world, "K7Q2MB", {"confirm-reference": "K7Q2MX"})
    assert "another reference" in errors["confirm-reference"]
    assert operations.cancel_booking(world, "K7Q2MB", REFERENCE).status == CANCELLED
    for act in (operations.start_cancel, operations.start_modify):
        assert "cancelled already" in refused(409, act, world, "K7Q2MB")
    refused(409, operations.cancel_booking, world, "K7Q2MB", REFERENCE)
    refused(409, operations.modify_passenger, world, "K7Q2MB", WHO)


def test_only_the_passenger_changes(world):
    before = operations.booking(world, "K7Q2MB")
    who = {**before.passenger.values(), "last-name": "Leigh"}
    after = operations.modify_passenger(world, "k7q2mb", who, 0)
    assert after.passenger.last_name == "Leigh"
    assert (after.outward, after.inbound, after.price) == (
        before.outward,
        before.inbound,
        before.price,
    )
    assert operations.booking(world, "K7Q2MB") == after
    refused(409, operations.modify_passenger, world, "K7Q2MB", who, 0)


def test_a_booking_is_moved_to_other_flights(data, world):
    before = operations.booking(world, "K7Q2MB")
    trip = {**ONE_WAY, "from": "BER", "to": "MAD"}
    made = operations.search_flights(world, data, trip, "k7q2mb")
    assert made.booking == "K7Q2MB"
    flight = free(world, data, "BER", "MAD", "2026-03-04")[0]
    after = operations.modify_flights(
        world, data, "K7Q2MB", made.number, {"outward": flight.number}
    )
    assert (after.outward.flight, after.inbound, after.price) == (flight.number, None, flight.price)
    assert after.passenger == before.passenger
    assert operations.bookings(world) == (after,)


def test_journeys_of_bookings_and_of_sales_are_not_mixed_up(data, world, make_booking):
    operations.add_booking(world, make_booking("AAAAAA"))
    changing = operations.search_flights(world, data, TRIP, "K7Q2MB").number
    selling = operations.search_flights(world, data, TRIP).number
    for act in (operations.confirm_flights, operations.save_passenger, operations.book):
        refused(404, act, world, data, changing, {})
    for reference, number in (("K7Q2MB", selling), ("AAAAAA", changing), ("K7Q2MB", 99)):
        refused(404, operations.modify_flights, world, data, reference, number, {})
    refused(404, operations.search_flights, world, data, TRIP, "ZZZZZZ")


def test_two_passengers_of_the_same_name_are_told_apart(world, make_booking):
    twin = Passenger("Mrs", "ANN", "Lee", "Female", "1955-01-01")
    operations.add_booking(world, make_booking("AAAAAA", twin, 1))
    operations.add_booking(world, make_booking("BBBBBB"))
    found = operations.namesakes(world, operations.booking(world, "K7Q2MB"))
    assert [each.reference for each in found] == ["AAAAAA"]


def test_a_closed_world_takes_nothing(data, world):
    number = ready_to_pay(world, data)
    before = world.snapshot()
    world.close()
    for act, values in (
        (operations.search_flights, (data, TRIP)),
        (operations.confirm_flights, (data, number, {})),
        (operations.save_passenger, (data, number, WHO)),
        (operations.book, (data, number, CARD)),
        (operations.find_booking, ({"booking-reference": "K7Q2MB"},)),
        (operations.start_cancel, ("K7Q2MB",)),
        (operations.cancel_booking, ("K7Q2MB", REFERENCE)),
        (operations.modify_passenger, ("K7Q2MB", WHO)),
    ):
        with pytest.raises(WorldClosed):
            act(world, *values)
    assert world.snapshot() == before


# The journal -------------------------------------------------------------------------------------


def test_the_journal_is_one_record_in_order(data, world):
    operations.book(world, data, ready_to_pay(world, data), CARD)
    ids = sorted(
        row["id"]
        for table, rows in world.snapshot().items()
        if table.startswith("log_")
        for row in rows
    )
    assert ids == list(range(1, len(ids) + 1))
    assert [control for control, _ in commits(world)] == [
        "search-flights",
        "confirm-flights",
        "save-passenger",
        "book-flight",
    ]


WRONG = st.text(max_size=20) | st.sampled_from(["LHR", "Paris", "2026-03-04", "return", "Ms", "12"])


@given(st.dictionaries(st.sampled_from([*TRIP, *WHO, *CARD]), WRONG))
@settings(derandomize=True, max_examples=150 if DEEP else 50, deadline=None)
def test_forms_that_lack_something_name_it_and_change_nothing(data, values):
    world = new_world("s1")
    number = ready_to_pay(world, data)
    before = world.digest(), len(commits(world))
    trip = invalid(operations.search_flights, world, data, {**values, "from": "nowhere"})
    who = invalid(operations.save_passenger, world, data, number, {**values, "dob": ""})
    card = invalid(operations.book, world, data, number, {**values, "cvc": "x"})
    assert {"from"} <= trip.keys() <= TRIP.keys()
    assert {"dob"} <= who.keys() <= WHO.keys()
    assert {"cvc"} <= card.keys() <= CARD.keys()
    assert (world.digest(), len(commits(world)) - 3) == before
