"""The screens of a sale after its search: flights, travellers, seats, bags, payment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

from sites import careless
from sites.crm.airline_desk.model import journal, outdated, prices
from sites.crm.airline_desk.model.cabin import Cabin
from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import DIRECTIONS, Trip
from sites.crm.airline_desk.operations import looking, selling
from sites.crm.airline_desk.pages.screen import (
    Facts,
    Link,
    OfferRow,
    Offers,
    Price,
    SeatCell,
    SeatMap,
    Section,
)
from sites.crm.airline_desk.screens import _facts
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View, same_options
from sites.crm.base import fields
from sites.crm.base.network import BRANDS, Fare, Offer
from sites.crm.base.timetable import Flight
from sites.site_app import Refusal

PAGE = 8
"""Number of flight offers on one page."""
SORTS: Mapping[str, Callable[[Offer], tuple[object, ...]]] = {
    "departure": lambda offer: (offer.departs, offer.id),
    "arrival": lambda offer: (offer.days, offer.arrives, offer.id),
    "price": lambda offer: (offer.fares[0].price, offer.id),
}


# Results -----------------------------------------------------------------------------------------


def _way(view: View) -> tuple[Trip, tuple[str, str, str]]:
    """Return the sale, and origin, destination and date of the direction that the screen is about.
    Raises `Refusal` (404).
    """
    trip, direction = view.trip(), view.place.parts[1]
    for name, *way in trip.search.ways():
        if name == direction:
            return trip, (way[0], way[1], way[2])
    raise Refusal(404, "This search has no such direction.")


def page_number(view: View, offers: int) -> tuple[int, int]:
    """Return the number of the page of offers that the address names, from 1, and the number of
    pages.
    """
    pages = max(1, -(-offers // PAGE))
    asked = view.arguments.get("page", "1")
    return (min(pages, max(1, int(asked))) if asked.isdecimal() and len(asked) < 4 else 1), pages


def sorted_by(view: View) -> str:
    """Return the key of the order in which offers are shown, such as "departure" or "price"."""
    asked = view.arguments.get("sort", "")
    usual = careless.default_sort(view.world, [*SORTS]) or "departure"
    return asked if asked in SORTS else usual


def offers_lead(view: View, day: str, offers: int, besides: int = 0) -> str:
    """Return the text above a list of offers: day, page, order, and what prices cover.

    Args:
        view: The screen.
        day: The ISO date of the flights.
        offers: The number of offers. It decides the number of pages.
        besides: The number of additional offers, which are only added to the total.
    """
    page, pages = page_number(view, offers)
    order, number = in_order(view, sorted_by(view)), offers + besides
    count = view.word("offers-page", page=page, pages=pages, offers=number, order=order)
    return f"{view.airline.formats.long_day(day)}. {count} {view.word('prices-are')}"


def in_order(view: View, sort: str) -> str:
    """Return the airline's name of an order of offers. For prices, it names the fare brand whose
    price decides.
    """
    return view.word(f"sort-{sort}", brand=_facts.brand(view, BRANDS[0]))


def _results(view: View) -> Contents:
    trip, way = _way(view)
    network = view.data.network
    found = sorted(looking.offers(view.world, view.data, *way), key=SORTS[sorted_by(view)])
    page, pages = page_number(view, len(found))
    on_page = found[(page - 1) * PAGE : page * PAGE]
    shown = outdated.listed(view.world, network, way, on_page)
    direction = view.place.parts[1]
    there, here, day = way
    listed = Offers(
        name=view.airline.id("offer"),
        title=f"{view.direction(direction)}: {view.airport(there)} – {view.airport(here)}",
        lead=offers_lead(view, day, len(found), outdated.besides(view.world, network, way)),
        brands=tuple(_facts.brand(view, name) for name in BRANDS),
        rows=tuple(offer_row(view, trip, each, at) for at, each in enumerate(shown, start=1)),
        problem=view.problems.get("offer", ""),
        pages=tuple(page_links(view, page, pages)),
    )
    sections: tuple[Section, ...] = (_party(view, trip), listed, _facts.brand_rules(view))
    back = Place("search") if direction == "outward" else view.place.at("results", "outward")
    return Contents(
        "title-results", sections, (view.button("confirm-flights"),), back=_back(view, back)
    )


def _party(view: View, trip: Trip) -> Facts:
    """Return a section with the number of travellers by kind."""
    search = trip.search
    counts = (search.adults, search.children, search.infants)
    words = zip(("adults", "children", "infants"), counts, strict=True)
    rows = tuple((view.word(word), str(count)) for word, count in words if count)
    return Facts(view.word("party"), rows)


def page_links(view: View, page: int, pages: int) -> list[Link]:
    """Return links to the other orders of the list of offers, and to its pages."""
    order = sorted_by(view)
    sorts = [
        Link(
            view.airline.id("sort", each),
            view.word("sort-by", order=in_order(view, each)),
            view.address(view.place, sort=each),
            current=each == order,
        )
        for each in SORTS
    ]
    numbers = [
        Link(
            view.airline.id("page", number),
            view.word("page-of", page=number),
            view.address(view.place, sort=order, page=number),
            current=number == page,
        )
        for number in range(1, pages + 1)
    ]
    return [*sorts, *(numbers if pages > 1 else [])]


def offer_row(view: View, trip: Trip, offer: Offer, at: int) -> OfferRow:
    """Return an offer as a row of the list, the one at position `at`, with the chosen
    fare marked.
    """
    clock = view.airline.formats.clock
    direct = view.word("direct")
    stop = " ".join(_stop(view, *pair) for pair in pairwise(offer.flights)) or direct
    chosen = trip.choices.get(view.place.parts[1])
    value = view.values.get("offer") or (chosen.value if chosen else "")
    return OfferRow(
        id=view.airline.id("flight", at),
        flights=_facts.offer_flights(offer),
        departs=clock(offer.departs),
        arrives=_facts.arrival(view, offer.arrives, offer.days),
        stop=stop,
        duration=_facts.duration(offer.minutes),
        prices=tuple(_price(view, trip, offer, fare, at, value) for fare in offer.fares),
    )


def _stop(view: View, before: Flight, after: Flight) -> str:
    waiting = _facts.duration(after.departs - before.arrives)
    return view.word("stop", airport=before.destination, waiting=waiting)


def _price(view: View, trip: Trip, offer: Offer, fare: Fare, at: int, chosen: str) -> Price:
    brand, value = _facts.brand(view, fare.brand), f"{offer.id}/{fare.brand}"
    sold_out = fare.seats < trip.search.seats
    left = _left(view, fare.seats)
    text = view.money(fare.price)
    return Price(
        id=view.airline.id("price", at, fare.brand[0]),
        value=value,
        text=text,
        label=f"{_facts.offer_flights(offer)}, {brand}, {text}",
        left=left,
        sold_out=sold_out,
        checked=value == chosen,
    )


def _left(view: View, seats: int) -> str:
    if not seats:
        return view.word("sold-out")
    return view.word("seat-left") if seats == 1 else view.word("seats-left", number=seats)


def _results_entries(_: View) -> tuple[Entry, ...]:
    return (Entry("offer", "radio"),)


def _results_send(view: View, _: str, values: Values) -> Place:
    number, direction = view.place.number, view.place.parts[1]
    trip = selling.choose(view.world, view.data, number, direction, values)
    if direction == "outward" and trip.search.returning:
        return view.place.at("results", "return")
    return _next(view, "results")


def _results_opened(view: View) -> str:
    """Return the subject under which the journal records a page of offers: route, date, page and
    number of pages.
    """
    _, way = _way(view)
    page, pages = page_number(view, len(looking.offers(view.world, view.data, *way)))
    return f"{way[0]}-{way[1]} {way[2]} {page}/{pages}"


# Travellers --------------------------------------------------------------------------------------


def _party_entries(view: View) -> tuple[Entry, ...]:
    """Return the fields of all travellers, and of bags if the airline has them on this page."""
    trip = selling.with_offers(view.trip())
    found = [entry for form in _party_forms(view, trip) for entry in form[1]]
    if "bags" in view.airline.pages["party-page"]:
        found += _bag_entries(view, trip)
    return tuple(found)


def _party_forms(view: View, trip: Trip) -> list[tuple[str, tuple[Entry, ...]]]:
    labels = _facts.places(view, trip.search.kinds)
    return [
        (label, tuple(_traveller(view, trip, number, label)))
        for number, label in enumerate(labels, start=1)
    ]


def _traveller(view: View, trip: Trip, number: int, label: str) -> list[Entry]:
    known = next((each for each in trip.party if each.number == number), None)
    values: dict[str, str] = {}
    if known:
        one = known.person
        values = {
            "title": one.title,
            "first-name": one.first_name,
            "last-name": one.last_name,
            "gender": one.gender,
            "born": one.born,
        }
    titles, genders = same_options(fields.TITLES), same_options(fields.GENDERS)
    made = {
        "title": Entry(f"title.{number}", "choice", options=titles, of=label, fresh=not known),
        "first-name": Entry(f"first-name.{number}", of=label),
        "last-name": Entry(f"last-name.{number}", of=label),
        "gender": Entry(f"gender.{number}", "choice", options=genders, of=label, fresh=not known),
        "born": Entry(f"born.{number}", "date", of=label),
    }
    listed = [
        replace(made[key], value=values.get(key, ""))
        for key in view.airline.order["passenger"]
        if key in made
    ]
    if trip.search.kinds[number - 1] == "infant":
        lap = str(known.adult) if known and known.adult else ""
        options = tuple(
            (str(each + 1), adult)
            for each, adult in enumerate(_facts.places(view, ("adult",) * trip.search.adults))
        )
        fresh = not lap
        listed.append(Entry(f"lap.{number}", "choice", lap, options, of=label, fresh=fresh))
    return listed


def _travellers(view: View) -> Contents:
    trip = selling.with_offers(view.trip())
    forms: list[Section] = [view.form(*each) for each in _party_forms(view, trip)]
    if "bags" in view.airline.pages["party-page"]:
        forms.append(_bags_form(view, trip))
    back = _back(view, view.place.at("results", "outward"))
    button = view.button("save-party")
    return Contents("title-party", (_chosen(view, trip), *forms), (button,), back=back)


def _travellers_send(view: View, _: str, values: Values) -> Place:
    trip = selling.save_party(view.world, view.place.number, values)
    if "bags" in view.airline.pages["party-page"]:
        selling.save_bags(view.world, trip.number, values)
    return _next(view, "party")


def _chosen(view: View, trip: Trip) -> Facts:
    """Return a section with the chosen flights of a sale, one row per direction."""
    rows = []
    for direction, (offer, fare) in looking.chosen(view.world, view.data, trip).items():
        day = view.airline.formats.long_day(offer.date)
        clock = view.airline.formats.clock
        arrives = _facts.arrival(view, offer.arrives, offer.days)
        route = f"{view.airport(offer.origin)} – {view.airport(offer.destination)}"
        flown = f"{day}, {clock(offer.departs)} – {arrives}"
        sold = f"{_facts.offer_flights(offer)}, {_facts.brand(view, fare.brand)}"
        rows.append((view.direction(direction), f"{route}; {flown}; {sold}"))
        if moved := outdated.raised(view.world, trip, direction):
            before, now = view.money(fare.price - moved), view.money(fare.price)
            rows.append((view.word("price"), view.word("price-moved", before=before, now=now)))
    return Facts(view.word("journey"), tuple(rows))


# Seats -------------------------------------------------------------------------------------------


def _seating_flight(view: View) -> tuple[Trip, Flight]:
    trip = selling.with_party(view.trip())
    flights = selling.flights(view.world, view.data, trip)
    asked = view.place.parts[1]
    if not (asked.isascii() and asked.isdecimal()) or not 1 <= int(asked) <= len(flights):
        raise Refusal(404, "This journey has no such flight.")
    return trip, flights[int(asked) - 1]


def _seating_entries(view: View) -> tuple[Entry, ...]:
    trip, flight = _seating_flight(view)
    key = flight.number, flight.date
    return tuple(
        Entry(
            f"seat.{each.number}",
            value=trip.seats.get((each.number, *key), ""),
            of=each.person.name,
        )
        for each in trip.party
        if each.seated
    )


def _seating(view: View) -> Contents:
    _, flight = _seating_flight(view)
    cabin = looking.seat_map(view.world, flight)
    form = view.form(view.word("group-seats"), _seating_entries(view), view.word("lead-seats"))
    sections = (_facts.flight_facts(view, flight), seat_map(view, cabin), form)
    before = int(view.place.parts[1]) - 1
    back = view.place.at("seating", before) if before else view.place.at("party")
    return Contents(
        "title-seating",
        sections,
        (view.button("save-seats"),),
        back=_back(view, back),
        slots={"flight": flight.number},
    )


def seat_map(view: View, cabin: Cabin) -> SeatMap:
    """Return a seat map for a page, with the state or price of each seat as text."""
    rows = []
    for number in cabin.rows:
        places = cabin.row(number)
        seats = tuple(
            SeatCell(each.code, _seat_text(view, price=each.price, free=each.free))
            for each in places
        )
        rows.append((str(number), places[0].exit, seats))
    return SeatMap(view.word("seat-map"), cabin.letters, tuple(rows))


def _seat_text(view: View, *, price: int, free: bool) -> str:
    if not free:
        return view.word("taken")
    return f"{view.word('free')}, {view.money(price)}" if price else view.word("free")


def _seating_send(view: View, _: str, values: Values) -> Place:
    flight = int(view.place.parts[1])
    trip = selling.save_seats(view.world, view.data, view.place.number, flight, values)
    if flight < len(selling.flights(view.world, view.data, trip)):
        return view.place.at("seating", flight + 1)
    return _next(view, "seating")


# Bags --------------------------------------------------------------------------------------------


def _bag_entries(view: View, trip: Trip) -> list[Entry]:
    numbers = tuple((str(each), str(each)) for each in range(prices.MOST_BAGS + 1))
    labels = _facts.places(view, trip.search.kinds)
    names = {each.number: each.person.name for each in trip.party}
    fresh = not journal.has_sent(view.world, "save-bags", str(trip.number))
    return [
        Entry(
            f"bags-{direction}.{number}",
            "count",
            str(trip.bags.get((number, direction), 0)),
            numbers,
            of=names.get(number, label),
            fresh=fresh,
        )
        for direction in DIRECTIONS
        if direction in trip.choices
        for number, (label, kind) in enumerate(zip(labels, trip.search.kinds, strict=True), start=1)
        if kind != "infant"
    ]


def _bags_form(view: View, trip: Trip) -> Section:
    brands = {direction: choice.brand for direction, choice in trip.choices.items()}
    entries = tuple(_bag_entries(view, trip))
    return view.form(view.word("group-bags"), entries, _facts.bag_prices(view, brands))


def _bags_entries(view: View) -> tuple[Entry, ...]:
    return tuple(_bag_entries(view, selling.with_party(view.trip())))


def _bags(view: View) -> Contents:
    trip = selling.with_party(view.trip())
    back = _back(view, view.place.at("seating", 1))
    return Contents(
        "title-baggage", (_bags_form(view, trip),), (view.button("save-bags"),), back=back
    )


def _bags_send(view: View, _: str, values: Values) -> Place:
    selling.save_bags(view.world, view.place.number, values)
    return _next(view, "baggage")


# Payment -----------------------------------------------------------------------------------------


def payment_entries(view: View) -> tuple[Entry, ...]:
    """Return the form fields for a payment by voucher and card."""
    return (
        Entry("voucher"),
        Entry("voucher-amount", "money"),
        Entry("card-amount", "money"),
        *(Entry(key, hint=view.word(f"hint-{key}")) for key in ("card-number", "expiry", "cvc")),
    )


def summary(view: View) -> tuple[Section, ...]:
    """Return sections that list everything that the sale will book."""
    trip = selling.with_party(view.trip())
    lines = []
    flights = selling.flights(view.world, view.data, trip)
    for each in trip.party:
        born = view.airline.formats.day(each.person.born)
        name = f"{each.person.title} {each.person.name}"
        texts = [view.word(each.kind), view.word("born-on", day=born)]
        if each.adult:
            lap = next(one for one in trip.party if one.number == each.adult)
            texts.append(view.word("on-lap", name=lap.person.name))
        for flight in flights:
            seat = trip.seats.get((each.number, flight.number, flight.date))
            if seat:
                texts.append(view.word("seat-on", seat=seat, flight=flight.number))
        for direction in trip.choices:
            pieces = trip.bags.get((each.number, direction))
            if pieces:
                texts.append(
                    view.word("bags-on", pieces=pieces, direction=view.direction(direction))
                )
        lines.append((name, "; ".join(texts)))
    return (
        _chosen(view, trip),
        Facts(view.word("travellers"), tuple(lines)),
        _facts.costs(view, selling.costs(view.world, view.data, trip)),
    )


def _payment(view: View) -> Contents:
    form = view.form(view.word("group-card"), payment_entries(view), view.word("lead-payment"))
    sections = (*summary(view), form)
    back = view.place.at(*_before(view, "payment"))
    return Contents(
        "title-payment", sections, (view.button("book", commits=True),), back=_back(view, back)
    )


def _payment_send(view: View, _: str, values: Values) -> Place:
    reference = selling.book(view.world, view.data, view.place.number, values)
    return Place("booking", (reference,))


# The order of a sale -----------------------------------------------------------------------------


def _next(view: View, screen: str) -> Place:
    """Return the place of the screen that follows `screen` in the airline's order of a sale."""
    sale = view.airline.pages["sale"]
    following = sale[sale.index(screen) + 1]
    return view.place.at(following, 1) if following == "seating" else view.place.at(following)


def _before(view: View, screen: str) -> tuple[str, ...]:
    """Return the name and parts of the screen that precedes `screen` in the airline's order of a
    sale.
    """
    sale = view.airline.pages["sale"]
    before = sale[sale.index(screen) - 1]
    return (before, "1") if before == "seating" else (before,)


def _back(view: View, place: Place) -> Link:
    return view.link("back", place)


SALE: Mapping[str, ScreenKind] = {
    "results": ScreenKind(
        _results, _results_entries, _results_send, ("confirm-flights",), opened=_results_opened
    ),
    "party": ScreenKind(_travellers, _party_entries, _travellers_send, ("save-party",)),
    "seating": ScreenKind(_seating, _seating_entries, _seating_send, ("save-seats",)),
    "baggage": ScreenKind(_bags, _bags_entries, _bags_send, ("save-bags",)),
    "payment": ScreenKind(
        _payment, payment_entries, _payment_send, ("book",), commits=("book",), summary=summary
    ),
}
