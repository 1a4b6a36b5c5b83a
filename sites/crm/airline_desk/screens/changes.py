"""The screens that change a booking: passengers, flights, notes and the cancellation."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking, Choice, Search, Segment, Trip
from sites.crm.airline_desk.operations import booked, changing, checks
from sites.crm.airline_desk.pages.screen import Facts, Offers, Section, Text
from sites.crm.airline_desk.screens import _booked, _facts
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View, same_options
from sites.crm.airline_desk.screens.sale import (
    PAGE,
    SORTS,
    offer_row,
    offers_lead,
    page_links,
    page_number,
    payment_entries,
    sorted_by,
)
from sites.crm.base import fields
from sites.crm.base.network import BRANDS
from sites.site_app import Refusal

# A passenger -------------------------------------------------------------------------------------


def _person_entries(view: View) -> tuple[Entry, ...]:
    one = booked.passenger(_booked.changeable(view), _booked.number(view)).person
    made = {
        "title": Entry("title", "choice", one.title, same_options(fields.TITLES)),
        "first-name": Entry("first-name", value=one.first_name),
        "last-name": Entry("last-name", value=one.last_name),
        "gender": Entry("gender", "choice", one.gender, same_options(fields.GENDERS)),
        "born": Entry("born", "date", one.born),
    }
    return tuple(made[key] for key in view.airline.order["passenger"] if key in made)


def _person(view: View) -> Contents:
    found = _booked.changeable(view)
    one = booked.passenger(found, _booked.number(view))
    form = view.form(one.person.name, _person_entries(view))
    sections: list[Section] = [form]
    if changing.is_checked_in(view.world, found, one.number):
        sections.insert(0, Text((view.word("is-checked-in", name=one.person.name),)))
    return _booked.contents(view, "title-person", tuple(sections), "save-person")


# Remove a passenger ------------------------------------------------------------------------------


def _remove_entries(view: View) -> tuple[Entry, ...]:
    found, number = _booked.changeable(view), _booked.number(view)
    free = [(str(each.number), each.person.name) for each in changing.free_laps(found, number)]
    options = (*free, (changing.LEAVES, view.word("leaves-too")))
    laps = [
        Entry(f"lap.{each.number}", "choice", options=options, of=each.person.name, fresh=True)
        for each in changing.infants_of(found, number)
    ]
    return (*laps, *_booked.refund_entries(view))


def _remove(view: View) -> Contents:
    found, number = _booked.changeable(view), _booked.number(view)
    one = booked.passenger(found, number)
    problem = changing.cannot_leave(found, number)
    if problem:
        sections: tuple[Section, ...] = (_booked.ticket(view, found, one), Text((problem,)))
        return Contents("title-remove", sections, back=_booked.back(view))
    entries = _remove_entries(view)
    form = view.form(view.word("group-remove"), entries, view.word("lead-remove"))
    shown = (_booked.ticket(view, found, one), _facts.brand_rules(view))
    sections = (*shown, form) if entries else shown
    return _booked.contents(view, "title-remove", sections, "confirm-remove", commits=True)


def _remove_summary(view: View) -> tuple[Section, ...]:
    found = view.booking()
    one = booked.passenger(found, _booked.number(view))
    return (*_booked.summary(view), _booked.ticket(view, found, one))


def _remove_send(view: View, _: str, values: Values) -> Place:
    number = _booked.number(view)
    changing.remove_passenger(view.world, view.place.reference, number, values)
    return _booked.to_booking(view)


# Other flights for a direction -------------------------------------------------------------------


def _reroute_entries(_: View) -> tuple[Entry, ...]:
    return (Entry("departure", "date"),)


def _reroute(view: View) -> Contents:
    found, direction = _booked.changeable(view), _booked.direction(view)
    form = view.form(view.word("group-reroute"), _reroute_entries(view))
    own = _facts.itinerary(view, found.direction(direction))
    sections = (own, _facts.brand_rules(view), form)
    return _booked.contents(view, "title-reroute", sections, "search-flights")


def _reroute_send(view: View, _: str, values: Values) -> Place:
    reference, direction = view.place.reference, view.place.parts[1]
    day = changing.search_reroute(view.world, reference, direction, values)
    return view.place.at("reroute-results", direction, day)


def _day(view: View) -> str:
    """Return the day in the address. Raises `Refusal` (404) if no flights are sold on it."""
    try:
        return checks.day_of_travel(checks.iso_day(view.place.parts[2]))
    except ValueError:
        raise Refusal(404, "We sell no flights on this day. Search another day.") from None


def _way(view: View) -> Trip:
    """Return a search, in the form of a sale, for new flights of the booking's party in the
    screen's direction.
    """
    found = _booked.changeable(view)
    ends = changing.ends(view.data, found, _booked.direction(view))
    counts = [
        sum(each.kind == kind for each in found.passengers) for kind in ("adult", "child", "infant")
    ]
    return Trip(0, Search(*ends, _day(view), "", *counts))


def _results(view: View) -> Contents:
    found, trip = _booked.changeable(view), _way(view)
    search = trip.search
    listed = changing.reroute_offers(
        view.world, view.data, found, view.place.parts[1], search.departure
    )
    page, pages = page_number(view, len(listed))
    in_order = sorted(listed, key=SORTS[sorted_by(view)])
    shown = in_order[(page - 1) * PAGE : page * PAGE]
    offers = Offers(
        name=view.airline.id("offer"),
        title=f"{view.airport(search.origin)} – {view.airport(search.destination)}",
        lead=offers_lead(view, search.departure, len(listed)),
        brands=tuple(_facts.brand(view, name) for name in BRANDS),
        rows=tuple(offer_row(view, trip, each, at) for at, each in enumerate(shown, start=1)),
        problem=view.problems.get("offer", ""),
        pages=tuple(page_links(view, page, pages)),
    )
    own = _own(view, found, found.direction(view.place.parts[1]))
    back = view.link("back", view.place.at("reroute", view.place.parts[1]))
    sections = (own, offers, _facts.brand_rules(view))
    return _booked.contents(view, "title-reroute-results", sections, "confirm-flights", way=back)


def _own(view: View, found: Booking, segments: tuple[Segment, ...]) -> Facts:
    """Return a section with the present flights of a direction and the travellers."""
    formats = view.airline.formats
    rows = []
    for each in segments:
        flight = booked.flight(view.data, each)
        text = f"{formats.long_day(each.date)}, {_facts.when(view, flight)}"
        rows.append((each.flight, f"{text}; {_facts.brand(view, each.brand)}"))
    rows.append((view.word("party"), _booked.kinds(view, found.passengers)))
    return Facts(view.word("flights-now"), tuple(rows))


def _results_entries(_: View) -> tuple[Entry, ...]:
    return (Entry("offer", "radio"),)


def _results_send(view: View, _: str, values: Values) -> Place:
    reference, direction, day = view.place.reference, view.place.parts[1], _day(view)
    choice = changing.choose_reroute(view.world, view.data, reference, direction, day, values)
    return view.place.at("settle", direction, day, choice.offer, choice.brand)


def _results_opened(view: View) -> str:
    """Return the subject under which the journal records a page of offers: booking, direction, day,
    page and number of pages.
    """
    direction, day = view.place.parts[1], _day(view)
    found = view.booking()
    offers = changing.reroute_offers(view.world, view.data, found, direction, day)
    page, pages = page_number(view, len(offers))
    return f"{found.reference}/{direction}/{day} {page}/{pages}"


# Pay the difference ------------------------------------------------------------------------------


def _made(view: View) -> changing.Reroute:
    """Return the new flights for the booking that the screen's address names."""
    _, direction, _, offer, brand = view.place.parts
    found = _booked.changeable(view)
    _booked.direction(view)
    choice = Choice(offer, brand)
    return changing.new_flights(view.world, view.data, found, direction, _day(view), choice)


def _settle_entries(view: View) -> tuple[Entry, ...]:
    fee = Entry("fee-amount", "money", hint=view.word("hint-fee"))
    if not changing.types_difference(view.world):
        return (fee, *payment_entries(view))
    difference = Entry("difference-amount", "money", hint=view.word("hint-difference"))
    return (fee, difference, *payment_entries(view))


def _settle_summary(view: View) -> tuple[Section, ...]:
    """Return sections with the old and the new flights and their prices for all passengers."""
    found, made = _booked.changeable(view), _made(view)
    clock, formats = view.airline.formats.clock, view.airline.formats
    kinds = [each.kind for each in found.passengers]
    new = prices.fares(made.fare.price, kinds)
    arrives = _facts.arrival(view, made.offer.arrives, made.offer.days)
    times = f"{formats.long_day(made.offer.date)}, {clock(made.offer.departs)} – {arrives}"
    flights = f"{_facts.offer_flights(made.offer)}, {_facts.brand(view, made.fare.brand)}"
    rows = (
        (view.word("flights-new"), f"{flights}; {times}"),
        (view.word("fares-now"), view.money(new - made.difference)),
        (view.word("fares-new"), view.money(new)),
        (view.word("difference"), view.money(made.difference)),
    )
    own = _own(view, found, found.direction(made.direction))
    return (own, Facts(view.word("price"), rows))


def _settle(view: View) -> Contents:
    lead = "lead-settle-typed" if changing.types_difference(view.world) else "lead-settle"
    form = view.form(view.word("group-settle"), _settle_entries(view), view.word(lead))
    sections = (*_settle_summary(view), form)
    _, direction, day, *_ = view.place.parts
    back = view.link("back", view.place.at("reroute-results", direction, day))
    return _booked.contents(view, "title-settle", sections, "save-flights", commits=True, way=back)


def _settle_send(view: View, _: str, values: Values) -> Place:
    reference, direction, _, offer, brand = view.place.parts
    choice = Choice(offer, brand)
    changing.reroute(view.world, view.data, reference, direction, _day(view), choice, values)
    return _booked.to_booking(view)


# The whole booking, and notes --------------------------------------------------------------------


def _cancel_entries(view: View) -> tuple[Entry, ...]:
    _booked.changeable(view)
    return _booked.refund_entries(view)


def _cancel(view: View) -> Contents:
    found = _booked.changeable(view)
    shown = (*_booked.summary(view), _facts.itinerary(view, found.segments))
    sections = (*shown, _facts.brand_rules(view), *_booked.refund_form(view))
    return _booked.contents(view, "title-cancel", sections, "confirm-cancel", commits=True)


def _note_entries(view: View) -> tuple[Entry, ...]:
    _booked.changeable(view)
    options = tuple((each, view.word(f"note-{each}")) for each in changing.NOTES)
    return (Entry("note-code", "choice", options=options, fresh=True),)


def _note(view: View) -> Contents:
    form = view.form(view.word("group-notes"), _note_entries(view))
    return _booked.contents(view, "title-note", (*_booked.summary(view), form), "add-note")


CHANGES: Mapping[str, ScreenKind] = {
    "person": ScreenKind(
        _person,
        _person_entries,
        _booked.sends_part(changing.save_person),
        ("save-person",),
        opened=_booked.opened,
    ),
    "remove": _booked.committing(
        _remove, _remove_entries, _remove_send, "confirm-remove", _remove_summary
    ),
    "reroute": ScreenKind(
        _reroute, _reroute_entries, _reroute_send, ("search-flights",), opened=_booked.opened
    ),
    "reroute-results": ScreenKind(
        _results, _results_entries, _results_send, ("confirm-flights",), opened=_results_opened
    ),
    "settle": _booked.committing(
        _settle, _settle_entries, _settle_send, "save-flights", _settle_summary
    ),
    "cancel": _booked.committing(
        _cancel, _cancel_entries, _booked.sends(changing.cancel), "confirm-cancel"
    ),
    "note": ScreenKind(
        _note,
        _note_entries,
        _booked.sends(changing.add_note),
        ("add-note",),
        opened=_booked.opened,
    ),
}
