"""What is changed in a booking: seats, bags, passengers, flights, all of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.journal import version
from sites.crm.airline_desk.model.records import Choice
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import booked, changing, looking, seating
from sites.crm.base.forms import Invalid
from sites.crm.base.network import BRANDS
from sites.site_app import Refusal
from sites.world import World
from tests.each import for_each
from tests.sites.crm.airline_desk import ticket_rows
from tests.sites.crm.airline_desk.booked_rows import CARD, COUPLE, FAMILY, GONE, LONE, desk, free
from tests.sites.crm.airline_desk.refused import refused

ANN = {
    "title": "Ms",
    "first-name": "Ann",
    "last-name": "Okafor",
    "gender": "Female",
    "born": "1984-02-11",
}
THERE = "2026-03-24"
NAMES = ("Ann", "Ann", "Zoë", "Robert'); DROP TABLE seats;--", '"><b>x</b>', "O’Neill")


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def rows(world: World, table: str, reference: str = FAMILY):
    return world.read(f"SELECT * FROM {table} WHERE reference = ?", (reference,))


def places(data: CrmData, world: World, reference: str = FAMILY) -> list[str]:
    """The seats that are free on the first flight of a booking."""
    found = looking.booking(world, reference)
    taken = {row["seat"] for row in world.read("SELECT seat FROM seats")}
    return [seat for seat in free(booked.flight(data, found.segments[0])) if seat not in taken]


# Seats -------------------------------------------------------------------------------------------


def test_seats_are_given_exchanged_and_released_in_one_save(data, world):
    before = seating.seats(world, looking.booking(world, FAMILY), 1)
    other = places(data, world)[0]
    typed = {"seat.1": before[2].lower(), "seat.2": before[1], "seat.3": other}
    seating.save_seats(world, data, FAMILY, 1, typed)
    after = seating.seats(world, looking.booking(world, FAMILY), 1)
    assert after == {1: before[2], 2: before[1], 3: other}
    seating.save_seats(world, data, FAMILY, 1, {"seat.2": ""})
    assert seating.seats(world, looking.booking(world, FAMILY), 1) == {1: before[2], 3: other}


def test_seats_on_another_flight_stay(data, world):
    before = seating.seats(world, looking.booking(world, FAMILY), 2)
    seating.save_seats(world, data, FAMILY, 1, {"seat.1": "", "seat.2": "", "seat.3": ""})
    assert seating.seats(world, looking.booking(world, FAMILY), 2) == before


def test_a_seat_of_another_booking_is_taken(data, world):
    theirs = seating.seats(world, looking.booking(world, FAMILY), 1)[1]
    problem = refused(world, lambda: seating.save_seats(world, data, COUPLE, 1, {"seat.1": theirs}))
    assert problem.errors == {"seat.1": f"Seat {theirs} is taken. Choose a free one."}


def test_a_seat_twice_and_a_seat_that_is_none_are_refused(data, world):
    one = places(data, world)[0]
    twice = {"seat.1": one, "seat.2": one}
    problem = refused(world, lambda: seating.save_seats(world, data, FAMILY, 1, twice))
    assert "given to two travellers" in problem.errors["seat.2"]
    problem = refused(world, lambda: seating.save_seats(world, data, FAMILY, 1, {"seat.1": "99Z"}))
    assert problem.errors == {"seat.1": "There is no seat 99Z on this flight."}


SEATS = st.sampled_from(["", "1A", "1B", "7C", "9D", "12E", "14F", "99Z", "x"])


@settings(max_examples=40, deadline=None)
@given(
    saves=st.lists(
        st.tuples(
            st.sampled_from([FAMILY, COUPLE]),
            st.dictionaries(st.sampled_from(["seat.1", "seat.2", "seat.3"]), SEATS),
        ),
        max_size=6,
    )
)
def test_no_seat_is_ever_given_twice(data, saves):
    world = desk(data)
    for reference, typed in saves:
        before = world.digest()
        try:
            seating.save_seats(world, data, reference, 1, typed)
        except Invalid:
            assert world.digest() == before
    held = [(row["flight"], row["date"], row["seat"]) for row in world.read("SELECT * FROM seats")]
    assert len(held) == len(set(held))
    for flight, date, seat in held:
        assert cabin(data.network.flight(flight, date)).places[seat].free


# Bags --------------------------------------------------------------------------------------------


def test_bags_by_person_and_direction(world):
    seating.save_bags(world, FAMILY, {"bags-outward.1": "0", "bags-return.3": "2"})
    assert [(row["passenger"], row["direction"], row["pieces"]) for row in rows(world, "bags")] == [
        (3, "return", 2)
    ]
    assert rows(world, "fees") == []


@for_each("typed", ["5", "-1", "a", "1.5", "٣ bags", "9" * 200])
def test_a_number_of_bags_that_is_none_is_refused(data, typed):
    world = desk(data)
    values = {"bags-outward.1": "2", "bags-return.2": typed}
    problem = refused(world, lambda: seating.save_bags(world, FAMILY, values))
    assert problem.errors == {"bags-return.2": "Give a number from 0 to 4."}


# A passenger -------------------------------------------------------------------------------------


@for_each("name", NAMES)
def test_a_name_is_corrected_as_it_is_typed(data, name):
    world = desk(data)
    changing.save_person(world, data, FAMILY, 1, {**ANN, "first-name": name})
    assert rows(world, "passengers")[0]["first_name"] == name


@for_each(
    ("values", "field", "words"),
    [
        ({"first-name": "x" * 300}, "first-name", "longer than 60"),
        ({"last-name": "  "}, "last-name", "Give the last name"),
        ({"born": "2026-02-30"}, "born", "There is no date"),
        ({"born": "2027-01-01"}, "born", "in the future"),
        ({"born": "2020-01-01"}, "born", "no adult"),
        ({"title": "Lord"}, "title", "Choose Mr"),
        ({"first-name": "BEN", "born": "1982-07-30"}, "first-name", "in the booking already"),
    ],
)
def test_wrong_data_of_a_passenger_is_refused(data, values, field, words):
    world = desk(data)
    problem = refused(
        world, lambda: changing.save_person(world, data, FAMILY, 1, {**ANN, **values})
    )
    assert list(problem.errors) == [field] and words in problem.errors[field]


def test_an_infant_of_four_is_refused(data, world):
    values = {**ANN, "first-name": "Tim", "born": "2022-01-01"}
    problem = refused(world, lambda: changing.save_person(world, data, FAMILY, 4, values))
    assert "An infant is under 2" in problem.errors["born"]


def test_a_name_cannot_be_changed_while_checked_in(data, world):
    first = looking.booking(world, FAMILY).segments[0]
    world.write("INSERT INTO checkins VALUES (?, ?, ?, ?)", (FAMILY, 1, first.flight, first.date))
    values = {**ANN, "last-name": "Lind"}
    problem = refused(world, lambda: changing.save_person(world, data, FAMILY, 1, values))
    assert "Undo the check-in" in problem.errors["last-name"]
    changing.save_person(world, data, FAMILY, 1, {**ANN, "title": "Dr"})
    assert rows(world, "passengers")[0]["title"] == "Dr"


def test_a_passenger_who_is_none_is_refused(data, world):
    problem = refused(world, lambda: changing.save_person(world, data, FAMILY, 9, ANN))
    assert problem.status == 404


# Take a passenger out ----------------------------------------------------------------------------


def test_who_leaves_takes_seats_and_bags_along(world):
    changing.remove_passenger(world, FAMILY, 3, {"refund-amount.1": "120"})
    assert [row["number"] for row in rows(world, "passengers")] == [1, 2, 4]
    assert {row["passenger"] for row in rows(world, "seats")} == {1, 2}
    assert [(row["payment"], row["amount"]) for row in rows(world, "refunds")] == [(1, 120)]


def test_an_infant_goes_to_another_lap(world):
    changing.remove_passenger(world, FAMILY, 1, {"lap.4": "2"})
    assert [(row["number"], row["adult"]) for row in rows(world, "passengers")] == [
        (2, None),
        (3, None),
        (4, 2),
    ]
    assert rows(world, "bags") == []


def test_or_the_infant_leaves_too(world):
    changing.remove_passenger(world, FAMILY, 1, {"lap.4": changing.LEAVES})
    assert [row["number"] for row in rows(world, "passengers")] == [2, 3]


@for_each("lap", ["", "1", "3", "9", "x"])
def test_an_infant_needs_the_lap_of_another_adult(data, lap):
    world = desk(data)
    values = {"lap.4": lap, "refund-amount.1": "901"}
    problem = refused(world, lambda: changing.remove_passenger(world, FAMILY, 1, values))
    assert set(problem.errors) == {"lap.4", "refund-amount.1"}
    assert "Choose another adult" in problem.errors["lap.4"]


def test_children_do_not_stay_alone(world):
    changing.remove_passenger(world, FAMILY, 1, {"lap.4": "2"})
    problem = refused(world, lambda: changing.remove_passenger(world, FAMILY, 2, {"lap.4": "3"}))
    assert problem.status == 409 and "Children cannot travel" in problem.sentence
    changing.remove_passenger(world, FAMILY, 3, {})
    problem = refused(world, lambda: changing.remove_passenger(world, FAMILY, 2, {}))
    assert "Cancel the booking" in problem.sentence


# Other flights for a direction -------------------------------------------------------------------


def other_offer(data: CrmData, world: World, brand: str = "flex"):
    """An offer of another day for the way back, and what it costs more."""
    found = looking.booking(world, FAMILY)
    for offer in changing.reroute_offers(world, data, found, "return", THERE):
        if offer.fare(brand).seats >= 3:
            choice = Choice(offer.id, brand)
            return choice, changing.new_flights(world, data, found, "return", THERE, choice)
    raise AssertionError("no such offer")


def test_one_direction_is_changed_and_paid_from_two_sources(data, world):
    choice, made = other_offer(data, world, "business")
    assert made.difference > 100
    due = made.difference + 160
    pay = {"voucher": "v100", "voucher-amount": "100", "card-amount": str(due - 100), **CARD}
    outward = looking.booking(world, FAMILY).direction("outward")
    changing.reroute(world, data, FAMILY, "return", THERE, choice, {"fee-amount": "160", **pay})
    after = looking.booking(world, FAMILY)
    assert after.direction("outward") == outward
    assert [each.flight for each in after.direction("return")] == choice.offer.split(".")
    assert {each.brand for each in after.direction("return")} == {"business"}
    assert [(row["kind"], row["amount"]) for row in rows(world, "fees")] == [("change", 160)]
    assert [row["amount"] for row in rows(world, "payments")[2:]] == [100, due - 100]
    assert world.read("SELECT balance FROM vouchers WHERE code = 'V100'") == [{"balance": 0}]


@for_each("charged", [0, 12])
def test_a_desk_with_tickets_says_how_much_of_the_difference_is_charged(data, charged):
    world = ticket_rows.desk(data)
    choice, made = other_offer(data, world, "business")
    assert made.difference > charged
    pay = {"card-amount": str(40 + charged), **CARD}
    typed = {"fee-amount": "40", "difference-amount": str(charged)}

    def reroute(values):
        changing.reroute(world, data, FAMILY, "return", THERE, choice, values)

    problem = refused(world, lambda: reroute({**typed, **pay, "difference-amount": "13"}))
    assert "53 dollars are due" in problem.errors["card-amount"]
    before = len(rows(world, "payments"))
    reroute({**typed, **pay})
    assert [row["amount"] for row in rows(world, "payments")[before:]] == [40 + charged]


def test_the_difference_counts_everybody(data, world):
    _, made = other_offer(data, world)
    found = looking.booking(world, FAMILY)
    old = changing.fare_paid(data, found.direction("return"))
    kinds = ("adult", "adult", "child", "infant")
    assert made.difference == prices.fares(made.fare.price, kinds) - prices.fares(old, kinds)


def test_the_seats_of_the_flights_that_are_left_go(data, world):
    found = looking.booking(world, FAMILY)
    last = found.direction("return")[0]
    seat = free(booked.flight(data, last))[0]
    seating.save_seats(world, data, FAMILY, 3, {"seat.1": seat})
    choice, made = other_offer(data, world)
    pay = {"card-amount": str(max(0, made.difference)), **(CARD if made.difference > 0 else {})}
    changing.reroute(world, data, FAMILY, "return", THERE, choice, pay)
    assert {row["date"] for row in rows(world, "seats")} == {"2026-03-13"}


@for_each(
    ("values", "field", "words"),
    [
        ({"card-amount": "10"}, "card-amount", "are due"),
        ({"fee-amount": "-5"}, "fee-amount", "whole dollars"),
        ({"fee-amount": "1" * 30}, "fee-amount", "whole dollars"),
        ({"voucher": "VOLD", "voucher-amount": "10"}, "voucher", "ran out"),
        ({"voucher": "NONE"}, "voucher", "There is no voucher NONE"),
        ({"voucher": "V100", "voucher-amount": "101"}, "voucher-amount", "has 100 dollars"),
    ],
)
def test_a_change_that_is_not_paid_is_refused(data, values, field, words):
    world = desk(data)
    choice, _ = other_offer(data, world, "business")
    problem = refused(
        world,
        lambda: changing.reroute(
            world, data, FAMILY, "return", THERE, choice, {"fee-amount": "40", **CARD, **values}
        ),
    )
    assert words in problem.errors[field]


def test_the_way_back_does_not_begin_before_the_way_out_ends(data, world):
    found = looking.booking(world, FAMILY)
    early = changing.reroute_offers(world, data, found, "return", "2026-03-12")
    offer = next(each for each in early if each.fare("classic").seats >= 3)
    values = {"offer": f"{offer.id}/classic"}
    problem = refused(
        world,
        lambda: changing.choose_reroute(world, data, FAMILY, "return", "2026-03-12", values),
    )
    assert "before the way out ends" in problem.errors["offer"]


@for_each("value", ["", "x", "LW2041/classic", "/", "LW2041.KW1234/first", "a/b/c"])
def test_an_offer_that_is_none_is_refused(data, value):
    world = desk(data)
    problem = refused(
        world,
        lambda: changing.choose_reroute(world, data, FAMILY, "return", THERE, {"offer": value}),
    )
    assert problem.errors == {"offer": "Choose a flight and its fare."}


def test_a_cancelled_flight_is_no_choice(data, world):
    choice, _ = other_offer(data, world)
    row = {"flight": choice.offer.split(".")[-1], "date": THERE, "kind": "cancelled"}
    add(world, "flight_events", {**row, "cause": "strike", "minutes": 0})
    problem = refused(
        world,
        lambda: changing.choose_reroute(
            world, data, FAMILY, "return", THERE, {"offer": choice.value}
        ),
    )
    assert "is cancelled on this day" in problem.errors["offer"]


def test_a_fare_without_seats_for_all_is_refused(data, world):
    found = looking.booking(world, FAMILY)
    offers = changing.reroute_offers(world, data, found, "return", THERE)
    values = next(
        {"offer": f"{offer.id}/{brand}"}
        for offer in offers
        for brand in BRANDS
        if offer.fare(brand).seats < 3
    )
    problem = refused(
        world,
        lambda: changing.choose_reroute(world, data, FAMILY, "return", THERE, values),
    )
    assert "not enough seats" in problem.errors["offer"]


def test_the_same_flights_are_no_change_but_another_fare_of_them_is(data, world):
    found = looking.booking(world, FAMILY)
    own = found.direction("outward")
    offer = ".".join(each.flight for each in own)
    same = Choice(offer, "classic")
    with pytest.raises(Refusal, match="these flights already"):
        changing.new_flights(world, data, found, "outward", own[0].date, same)
    dearer = data.network.offer("OSL", "LIS", own[0].date, offer)
    assert dearer is not None
    seats = seating.seats(world, found, 1)
    brand = next(each.brand for each in dearer.fares if each.seats >= 3 and each.brand != "classic")
    made = changing.new_flights(world, data, found, "outward", own[0].date, Choice(offer, brand))
    pay = {"card-amount": str(made.difference), **CARD} if made.difference > 0 else {}
    changing.reroute(world, data, FAMILY, "outward", own[0].date, Choice(offer, brand), pay)
    assert seating.seats(world, looking.booking(world, FAMILY), 1) == seats


@for_each("day", ["2026-02-30", "", "2025-12-31", "2027-01-01", "tomorrow"])
def test_a_day_without_flights_is_refused(data, day):
    world = desk(data)
    problem = refused(
        world,
        lambda: changing.search_reroute(world, FAMILY, "return", {"departure": day}),
    )
    assert list(problem.errors) == ["departure"]


def test_a_direction_that_is_none_is_refused(data, world):
    day = {"departure": THERE}
    problem = refused(world, lambda: changing.search_reroute(world, COUPLE, "return", day))
    assert problem.status == 404


# All of it ---------------------------------------------------------------------------------------


def test_a_booking_is_cancelled_and_money_goes_back_as_it_is_typed(data, world):
    changing.cancel(world, FAMILY, {"refund-amount.2": "60"})
    assert looking.booking(world, FAMILY).cancelled
    assert world.read("SELECT balance FROM vouchers WHERE code = 'V100'") == [{"balance": 160}]
    seat = seating.seats(world, looking.booking(world, FAMILY), 1)[1]
    seating.save_seats(world, data, COUPLE, 1, {"seat.1": seat})


CHANGES = {
    "seats": lambda world, data: seating.save_seats(world, data, GONE, 1, {}),
    "bags": lambda world, data: seating.save_bags(world, GONE, {"bags-outward.1": "1"}),
    "person": lambda world, data: changing.save_person(world, data, GONE, 1, ANN),
    "remove": lambda world, data: changing.remove_passenger(world, GONE, 1, {}),
    "cancel": lambda world, data: changing.cancel(world, GONE, {}),
    "note": lambda world, data: changing.add_note(world, GONE, {"note-code": "called"}),
    "reroute": lambda world, data: changing.search_reroute(
        world, GONE, "outward", {"departure": THERE}
    ),
}


@for_each("name", sorted(CHANGES))
def test_a_cancelled_booking_is_not_changed(data, name):
    world = desk(data)
    problem = refused(world, lambda: CHANGES[name](world, data))
    assert problem.status == 409 and "is cancelled" in problem.sentence


def test_a_note_has_a_code_the_day_and_who_wrote_it(world):
    changing.add_note(world, LONE, {"note-code": "wheelchair"})
    [row] = rows(world, "notes", LONE)
    assert (row["code"], row["day"], row["colleague"]) == ("wheelchair", "2026-01-15", "Desk 4")
    refused(world, lambda: changing.add_note(world, LONE, {"note-code": "nothing"}))


def test_a_page_that_is_out_of_date_changes_nothing(world):
    changing.add_note(world, FAMILY, {"note-code": "called"}, version(world, FAMILY))
    problem = refused(world, lambda: changing.add_note(world, FAMILY, {"note-code": "called"}, 0))
    assert problem.status == 409
    assert version(world, FAMILY) == 1


def test_an_unknown_booking_is_refused_and_a_reference_may_be_typed_small(world):
    problem = refused(world, lambda: changing.cancel(world, "NOBODY", {}))
    assert problem.status == 404
    changing.add_note(world, f" {FAMILY.lower()} ", {"note-code": "called"})
    [line] = world.read("SELECT * FROM log_commits WHERE recorded IS NOT NULL")
    assert line["subject"] == FAMILY
    assert json.loads(line["recorded"])["changes"]
