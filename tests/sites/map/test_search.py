"""The search: its order, places near and in other places, and queries that find nothing."""

from __future__ import annotations

import pytest

from sites._land.land import degrees, land
from sites._land.streets import apart
from sites.map import search
from tests.each import for_each

MADE = land("medium", 5)
CITY = MADE.places[0]


def names(query: str) -> list[str]:
    return [MADE.labels[each.id] for each in search.find(MADE, query)]


def of(kind: str) -> list:
    return [each for each in MADE.places if each.kind == kind]


def test_the_order_of_a_search_is_fixed():
    """A change of these lists changes what agents see: say it in CHANGELOG."""
    [library, *_] = of("library")
    found = names(f"pharmacies near {library.name}")
    assert found == names(f"Pharmacy  NEAR {library.name.lower()}") and len(found) > 5
    chain = next(each.chain for each in of("bank") if each.chain)
    middle = [apart(each.at, CITY.at) for each in search.find(MADE, chain)]
    assert len(middle) >= 4 and middle == sorted(middle)


@for_each("kind", ["pharmacy", "cafe", "hotel", "park", "airport"])
def test_places_near_a_place_come_in_the_order_of_their_distance(kind):
    place = of("museum")[0]
    found = search.find(MADE, f"{kind} near {place.name}")
    assert {each.kind for each in found} == {kind} and len(found) == len(of(kind))
    far = [apart(each.at, place.at) for each in found]
    assert far == sorted(far)
    assert search.find(MADE, f"{kind} close to {place.name}") == found


def test_places_of_a_kind_in_a_district_are_those_of_the_district():
    place = of("cafe")[0]
    found = search.find(MADE, f"cafes in {place.district.upper()}")
    inside = {each.id for each in of("cafe") if each.district == place.district}
    assert {each.id for each in found} == inside


def test_the_city_itself_is_among_the_cities_of_its_province():
    assert search.find(MADE, f"cities in {CITY.province}")[0] is CITY


def test_a_kind_alone_is_looked_for_around_the_open_view():
    corner = MADE.streets.junctions[1]
    found = search.find(MADE, "cafes", corner)
    assert found == sorted(of("cafe"), key=lambda each: (apart(each.at, corner), each.id))
    assert found != search.find(MADE, "cafes")


def test_a_whole_name_comes_before_names_that_hold_its_words():
    place = of("concert hall")[0]
    assert search.find(MADE, place.name.upper()) == [place]
    words = search.find(MADE, place.name.split()[0])
    assert place in words and len(words) >= 1


def test_words_of_name_and_address_find_one_branch():
    for branch in (each for each in MADE.places if each.chain):
        assert search.find(MADE, f"{branch.name} {branch.number} {branch.street}")[0] is branch


def test_closed_places_come_last():
    for closed in (each for each in MADE.places if each.kind.startswith("closed ")):
        word = closed.name.split()[-1]
        named = [each for each in search.find(MADE, f"{word}.") if word in each.name.split()]
        is_closed = [each.kind.startswith("closed ") for each in named]
        assert closed in named and is_closed == sorted(is_closed)
        assert closed not in search.find(MADE, closed.kind.removeprefix("closed "))


def test_a_number_and_coordinates_find_places():
    place = of("zoo")[0]
    assert search.find(MADE, str(place.id)) == [place]
    lat, lon = degrees(place.at)
    found = search.find(MADE, f"{lat}, {lon}")
    assert found[0] is place and len(found) == search.AROUND


@for_each(
    "query",
    ["", " ", "xyzzy", "12345", "80, 120", "-90 -180", "cafes in Nowhere", "?!", "near", "in"],
)
def test_a_query_for_nothing_finds_nothing(query):
    assert search.find(MADE, query) == []


def test_a_kind_near_nothing_is_read_as_words():
    assert search.find(MADE, "cafes near nothing at all") == []


def test_every_label_finds_its_place():
    for place in MADE.places:
        assert search.resolve(MADE, f" {MADE.labels[place.id].lower()} ") is place
    assert search.resolve(MADE, "xyzzy") is None


def test_a_position_is_where_its_degrees_are():
    for place in MADE.places[::9]:
        assert apart(search.position(*degrees(place.at)), place.at) <= 12


@pytest.mark.parametrize("word", ["Airport Hotel"])
def test_a_hotel_may_be_called_airport_and_stand_in_the_city(word):
    [hotel] = search.find(MADE, word)
    airport = search.find(MADE, f"airports near {hotel.name}")[0]
    assert apart(hotel.at, airport.at) > 20_000
