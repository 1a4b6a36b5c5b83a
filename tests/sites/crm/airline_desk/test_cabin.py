from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm.airline_desk.model.cabin import FRONT, KINDS, LETTERS, Cabin, Place, cabin
from sites.crm.base.airports import load_airports
from sites.crm.base.network import Network, later
from tests.measuring import DEEP, unmeasured
from tests.sites.other_processes import printed_elsewhere

NETWORK = Network(load_airports())
ROUTES = (("OSL", "AMS"), ("LGW", "VIE"), ("ORD", "JFK"), ("SYD", "SIN"))
FLIGHTS = tuple(
    flight
    for route in ROUTES
    for week in range(20)
    for flight in NETWORK.on(*route, later("2026-02-01", 7 * week))
)
cabins = st.sampled_from(FLIGHTS).map(cabin)


@pytest.fixture(scope="module")
def every() -> list[Cabin]:
    """The cabins of all flights."""
    with unmeasured():
        return [cabin(flight) for flight in FLIGHTS]


quick = settings(derandomize=True, deadline=None, max_examples=60 if DEEP else 25)


def together(found: Cabin, how_many: int) -> list[tuple[Place, ...]]:
    """Every choice of so many free seats of one row, no exit row, by brute force."""
    free = [[place for place in found.row(row) if place.free] for row in found.rows]
    groups = (group for places in free for group in combinations(places, how_many))
    return [group for group in groups if not group[0].exit]


def rows_for(found: Cabin, how_many: int) -> int:
    return len({group[0].row for group in together(found, how_many)})


def rows_across(found: Cabin) -> int:
    """Rows whose two aisle seats are free, no exit row."""
    return sum(all(place.kind == "aisle" for place in pair) for pair in together(found, 2))


def windows_with_company(found: Cabin) -> int:
    """Free windows with a free middle seat beside them, free of charge."""
    pairs = ({place.letter for place in pair} for pair in together(found, 2) if not pair[0].price)
    return sum(letters in ({"A", "B"}, {"E", "F"}) for letters in pairs)


def share(counts: Counter[int], *numbers: int) -> float:
    return sum(counts[number] for number in numbers) / counts.total()


@quick
@given(cabins)
def test_a_cabin_has_rows_of_six(found):
    assert 18 <= len(found.rows) <= 24
    assert found.letters == LETTERS == "ABCDEF"
    assert list(found.places) == [f"{row}{letter}" for row in found.rows for letter in LETTERS]
    for code, place in found.places.items():
        assert (place.code, f"{place.row}{place.letter}") == (code, code)
        assert place.kind == KINDS[place.letter]
    assert found.row(99) == ()


@quick
@given(cabins)
def test_the_front_and_the_two_exit_rows_cost_something(found):
    exits = {place.row for place in found.places.values() if place.exit}
    assert len(exits) == 2 and max(exits) - min(exits) == 1 and min(exits) > FRONT
    for row in found.rows:
        prices = {place.price for place in found.row(row)}
        assert len(prices) == 1
        assert (prices != {0}) == (row <= FRONT or row in exits)


@quick
@given(cabins)
def test_some_but_not_most_seats_are_free(found):
    free = sum(place.free for place in found.places.values())
    assert free >= 12
    assert 0.1 < free / len(found.places) < 0.5


@quick
@given(cabins)
def test_neighbours_are_on_one_side_and_know_each_other(found):
    for code, place in found.places.items():
        beside = found.beside(code)
        assert len(beside) == (2 if place.kind == "middle" else 1)
        assert all(place in found.beside(other.code) for other in beside)
        assert all(abs(ord(other.letter) - ord(place.letter)) == 1 for other in beside)


@quick
@given(cabins)
def test_across_the_aisle_is_the_other_aisle_seat_of_the_row(found):
    for code, place in found.places.items():
        other = found.across(code)
        assert (other is None) == (place.kind != "aisle")
        if other:
            assert other.row == place.row
            assert {other.letter, place.letter} == {"C", "D"}
            assert found.across(other.code) == place


def test_four_fit_into_one_row_of_most_flights_and_into_one_only_of_many(every):
    rows = Counter(rows_for(each, 4) for each in every)
    assert max(rows) <= 3
    assert share(rows, 0) < 0.1
    assert 0.35 < share(rows, 1) < 0.55


@pytest.mark.parametrize(
    ("count", "most"),
    [(lambda found: rows_for(found, 3), 10), (rows_across, 9), (windows_with_company, 9)],
)
def test_there_are_some_but_few_choices_for_others(every, count, most):
    choices = Counter(map(count, every))
    assert share(choices, 0) < 0.03
    assert max(choices) <= most


def test_exit_rows_tempt_parties_of_four_on_some_flights(every):
    tempting = sum(
        any(sum(place.free for place in found.row(row)) >= 4 for row in _exits(found))
        for found in every
    )
    assert 0.4 < tempting / len(FLIGHTS) < 0.9


def test_seats_differ_from_day_to_day():
    [flight, *_] = FLIGHTS
    days = [later(flight.date, day) for day in range(60)]
    maps = {
        tuple(place.code for place in cabin(each).places.values() if place.free)
        for each in (NETWORK.flight(flight.number, day) for day in days)
        if each
    }
    assert len(maps) > 20


@pytest.mark.wide
def test_the_seats_do_not_depend_on_the_process():
    here = str(cabin(NETWORK.on("OSL", "AMS", "2026-02-01")[0]).places)
    assert printed_elsewhere("seats") == {here}


def _exits(found: Cabin) -> set[int]:
    return {place.row for place in found.places.values() if place.exit}
