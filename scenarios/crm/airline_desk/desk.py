"""Shared code of the airline desk's task families: scenarios, orders and sales.

An order says what the agent has to sell, as values of the desk's forms. The gold stores it as JSON,
and `changes` turns it into the database rows that a scorer compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from scenarios.scenario import Level, Scenario, name, public_id
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model import journal, prices
from sites.crm.airline_desk.model.airline import KEYS, Airline, airlines
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Choice, Search, Trip
from sites.crm.airline_desk.model.world import new_world
from sites.crm.airline_desk.operations import looking, selling
from sites.crm.airline_desk.screens.sale import PAGE, SORTS
from sites.crm.base.network import Network, Offer
from sites.crm.base.timetable import Flight
from sites.world import World

SITE = "crm"
HOSTS = ("airline",)
SCORING = "row_overlap"
LEVEL: Level = 2
OUTWARD, RETURN = "outward", "return"
Changes = list[list[Any]]


@dataclass(frozen=True)
class Order:
    """What an agent must sell: the values of each form, in the order of the screens.

    Attributes:
        seats: Seat codes by the flight's position in the trip (from "1"), then by form field.
        total: The price in dollars.
    """

    search: Mapping[str, str]
    offers: Mapping[str, str]
    party: Mapping[str, str]
    seats: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bags: Mapping[str, str] = field(default_factory=dict)
    card: Mapping[str, str] = field(default_factory=dict)
    total: int = 0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def order_of(scenario: Scenario) -> Order:
    """Return the order (the sale to make) that the scenario's gold holds."""
    return Order(**scenario.gold["order"])


# Scenarios ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """The task that a family draws from a seed: its instruction and gold; `details` record how it
    was drawn.
    """

    instruction: str
    gold: Mapping[str, Any]
    details: Mapping[str, Any] = field(default_factory=dict)


def rng(family: str, seed: int) -> Random:
    """Return the random generator of a seed; all variants of a family get the same random
    numbers.
    """
    return Random(f"{SITE}/{family.partition('.')[0]}/{seed}")


def rare(family: str, seed: int, of: int, kinds: Sequence[str]) -> str:
    """Return the rare kind of a seed, or "".

    Each of these kinds has one seed in every round of `of` seeds.
    """
    places = Random(f"{SITE}/{family}/deck/{seed // of}").sample(range(of), len(kinds))
    return dict(zip(places, kinds, strict=True)).get(seed % of, "")


def airline_of(family: str, seed: int) -> Airline:
    """Return the airline of the variant's name, or else the airline that the seed selects."""
    _, _, chosen = family.partition(".")
    return airlines()[chosen or KEYS[seed % len(KEYS)]]


def airline(scenario: Scenario) -> Airline:
    """Return the airline as the scenario's pages show it.

    A dial (a setting that makes the pages harder) can give it the date and money formats of another
    airline.
    """
    own = airlines()[scenario.details["airline"]]
    return own.in_formats(scenario.details.get("dials", {}).get("formats", 0))


def scenario(family: str, seed: int, drawn: Drawn, airline: Airline, data: CrmData) -> Scenario:
    """Return the scenario made from a drawn task, with the start address and the public details."""
    return Scenario(
        site=SITE,
        family=family,
        seed=seed,
        instruction=drawn.instruction,
        start=f"/?scenario={public_id(name(SITE, family, seed))}",
        details={"airline": airline.key, **drawn.details, "data": data.digest},
        gold=drawn.gold,
    )


def world(scenario: Scenario) -> World:
    """Return the database of a visit's start (its world): an untouched desk with the gold's
    bookings.

    At level 3 it also has the version of the handbook that the gold names.
    """
    gold = scenario.gold
    edition = Edition.from_json(gold["edition"]) if "edition" in gold else None
    return new_world(scenario.id, scenario.details["airline"], gold.get("rows", {}), edition)


def published(scenario: Scenario) -> dict[str, Any]:
    """Return the details of a scenario that an agent may know: the key of its airline."""
    return {"airline": scenario.details["airline"]}


# The rows and the price of an order ---------------------------------------------------------------


def search_of(order: Order) -> Search:
    """Return the order's search as the site reads it from the form."""
    values = order.search
    back = values["return"] if values["trip-type"] == "return" else ""
    return Search(
        values["from"],
        values["to"],
        values["departure"],
        back,
        adults=int(values.get("adults") or 0),
        children=int(values.get("children") or 0),
        infants=int(values.get("infants") or 0),
    )


def chosen(order: Order, network: Network) -> dict[str, tuple[Offer, str]]:
    """Return the chosen offer and brand of each direction."""
    found = {}
    for direction, *way in search_of(order).ways():
        choice = Choice.of(order.offers[direction])
        offer = network.offer(way[0], way[1], way[2], choice.offer)
        assert offer is not None, f"{choice.offer} is not on offer"
        found[direction] = offer, choice.brand
    return found


def flights(order: Order, network: Network) -> list[Flight]:
    """Return the flights of an order in the order in which the passengers fly them."""
    return [flight for offer, _ in chosen(order, network).values() for flight in offer.flights]


def total(order: Order, network: Network) -> int:
    """Return the price of an order in dollars: the fares of all travellers, seats and bags."""
    kinds, offers = search_of(order).kinds, chosen(order, network)
    fares = sum(prices.fares(offer.fare(brand).price, kinds) for offer, brand in offers.values())
    flown = flights(order, network)
    seats = sum(
        cabin(flown[int(at) - 1]).places[code].price
        for at, codes in order.seats.items()
        for code in codes.values()
    )
    bags = sum(
        prices.bags(offers[_direction(key)][1], int(count)) for key, count in order.bags.items()
    )
    return fares + seats + bags


def changes(order: Order, network: Network) -> Changes:
    """Return the database changes that the booking makes, as the scorer names them.

    Returns:
        A list of [table, row key, column, value].
    """
    listed: Changes = [["bookings", "new", "status", "confirmed"]]
    for direction, (offer, brand) in chosen(order, network).items():
        for place, flight in enumerate(offer.flights, start=1):
            key = f"new/{direction}/{place}"
            values = {"flight": flight.number, "date": flight.date, "brand": brand}
            listed += [["segments", key, column, value] for column, value in values.items()]
    people = dict(_people(order))
    for number, values in people.items():
        listed += list(_passenger(number, values, people))
    flown = flights(order, network)
    for at, codes in order.seats.items():
        flight = flown[int(at) - 1]
        for each, code in codes.items():
            owner = people[_number(each)]
            key = f"new/{_name(owner)}/{flight.number}/{flight.date}"
            listed.append(["seats", key, "seat", code])
    for each, pieces in order.bags.items():
        key = f"new/{_name(people[_number(each)])}/{_direction(each)}"
        listed.append(["bags", key, "pieces", int(pieces)])
    listed.append(["payments", f"new/card/{order.card['card-number'][-4:]}", "amount", order.total])
    return listed


STEP_OF = {
    "bookings": "settle money",
    "segments": "choose offer",
    "passengers": "fill party",
    "seats": "choose seats",
    "bags": "choose bags",
    "payments": "settle money",
}


def steps(listed: Changes) -> dict[str, list[int]]:
    """Group database changes by the step of the task that makes them.

    Returns:
        For each step, the indexes of its changes in the list.
    """
    found: dict[str, list[int]] = {}
    for at, (table, *_) in enumerate(listed):
        found.setdefault(STEP_OF[table], []).append(at)
    return found


def _people(order: Order) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and the form values of each passenger."""
    for number, kind in enumerate(search_of(order).kinds, start=1):
        columns = ("title", "first-name", "last-name", "gender", "born", "lap")
        values = {each: order.party.get(f"{each}.{number}", "") for each in columns}
        yield number, {"kind": kind, **values}


def _passenger(
    number: int, values: Mapping[str, str], people: Mapping[int, Mapping[str, str]]
) -> Iterator[list[Any]]:
    key = f"new/{_name(values)}"
    for column in ("kind", "title", "gender", "born"):
        yield ["passengers", key, column, values[column]]
    if values["lap"]:
        yield ["passengers", key, "adult", _name(people[int(values["lap"])])]


def _name(values: Mapping[str, str]) -> str:
    return f"{values['first-name']}/{values['last-name']}".casefold()


def _number(key: str) -> int:
    return int(key.partition(".")[2])


def _direction(key: str) -> str:
    return key.partition(".")[0].removeprefix("bags-")


# Sales by the site's operations -------------------------------------------------------------------


def buy(world: World, data: CrmData, order: Order) -> str:
    """Sell the order through all screens, without a browser, and return the reference of the
    booking.
    """
    prepare(world, data, order)
    number = _newest(world)
    reference = selling.book(world, data, number, payment(order))
    see(world, Place("booking", (reference,)))
    return reference


def prepare(world: World, data: CrmData, order: Order) -> None:
    """Go through the screens of a sale up to the payment, without pressing the last button."""
    trip = search(world, data, order.search)
    at = Place("results", (str(trip.number),))
    for direction, *way in trip.search.ways():
        pages = page_of(data, (way[0], way[1], way[2]), order.offers[direction])
        see_results(world, data, trip, direction, pages)
        trip = selling.choose(
            world, data, trip.number, direction, {"offer": order.offers[direction]}
        )
    see(world, at.at("party"))
    trip = selling.save_party(world, trip.number, order.party)
    for place, _ in enumerate(selling.flights(world, data, trip), start=1):
        see(world, at.at("seating", place))
        selling.save_seats(world, data, trip.number, place, order.seats.get(str(place), {}))
    see(world, at.at("baggage"))
    selling.save_bags(world, trip.number, order.bags)
    see(world, at.at("payment"))


def search(world: World, data: CrmData, values: Mapping[str, str]) -> Trip:
    """Open the search form and submit it, without a browser; return the trip that the site
    creates.
    """
    see(world, Place("search"))
    return selling.search(world, data, values)


def see_results(
    world: World, data: CrmData, trip: Trip, direction: str, pages: int | None = None
) -> None:
    """Open the first pages of a direction's list of offers.

    Args:
        direction: "outward" or "return".
        pages: The number of pages to open; None means all pages.
    """
    _, origin, destination, day = next(each for each in trip.search.ways() if each[0] == direction)
    count = page_count(data, origin, destination, day)
    for page in range(1, (pages or count) + 1):
        see(world, Place("results", (results_page(origin, destination, day, page, count),)))


def walk(path: Iterable[Mapping[str, str]], world: World, data: CrmData) -> None:
    """Run each search and open every page of its outward offers."""
    for values in path:
        see_results(world, data, search(world, data, values), OUTWARD)


def results_page(origin: str, destination: str, day: str, page: int, count: int) -> str:
    """Return the journal's description of one page of offers: route, day, page number and page
    count.
    """
    return f"{origin}-{destination} {day} {page}/{count}"


def page_count(data: CrmData, origin: str, destination: str, day: str) -> int:
    """Return the number of result pages for a day's offers, at least 1."""
    return max(1, -(-len(data.network.offers(origin, destination, day)) // PAGE))


def payment(order: Order) -> dict[str, str]:
    """Return the values of the payment form for an order, by field."""
    return {"card-amount": str(order.total), **order.card}


LISTS = ("results", "reroute-results")
"""Screens with lists, which the journal of a visit records by the list page shown, not by their
address.
"""


def see(world: World, place: Place) -> None:
    """Open a screen without a browser, and record it in the visit's journal as if an agent had
    opened it.
    """
    airline = airlines()[world.about["airline"]]
    known = place.screen in airline.addresses and place.screen not in LISTS
    address = airline.address(place.screen, *place.parts) if known else f"/{place.screen}"
    journal.open_page(world, place, address)


def is_sold(world: World) -> bool:
    """Return whether the visit has made a sale; after a sale the task is over."""
    return bool(looking.references(world))


def _newest(world: World) -> int:
    [row] = world.read("SELECT max(number) AS number FROM log_trips")
    return int(row["number"])


def page_of(data: CrmData, way: tuple[str, str, str], choice: str) -> int:
    """Return the number of the list page, from 1, that shows an offer when sorted by departure.

    Args:
        way: Origin, destination and ISO date.
        choice: The chosen offer and brand, as the form's value.
    """
    ids = [offer.id for offer in sorted(data.network.offers(*way), key=SORTS["departure"])]
    return ids.index(Choice.of(choice).offer) // PAGE + 1
