"""The screen that finds bookings by facts about passengers, customers and flights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.operations import people
from sites.crm.airline_desk.operations.people import Found, Wanted
from sites.crm.airline_desk.pages.screen import Cell, Link, Section, Table, Text
from sites.crm.airline_desk.screens import _asked, _booked
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.base.clock import TODAY
from sites.crm.base.forms import Invalid
from sites.months import MONTHS


def _entries(view: View) -> tuple[Entry, ...]:
    made = {
        "name": Entry("name", hint=view.word("hint-name")),
        "route-from": Entry("route-from", "airport"),
        "route-to": Entry("route-to", "airport"),
        "month": Entry("month", "choice", options=_months(view)),
        "email": Entry("email"),
        "booking-reference": Entry("booking-reference"),
        "flight": Entry("flight"),
        "flight-date": Entry("flight-date", "date"),
    }
    return tuple(made[key] for key in view.airline.order["people"])


def _months(view: View) -> tuple[tuple[str, str], ...]:
    """Return the options of the field for a month: all months of this year, and all others with a
    flight of a booking.
    """
    rows = view.world.read("SELECT DISTINCT substr(date, 1, 7) AS month FROM segments")
    this_year = {f"{TODAY.year}-{month:02}" for month in range(1, 13)}
    months = sorted(this_year | {row["month"] for row in rows})
    return ("", view.word("any")), *((each, _month(each)) for each in months)


def _month(iso: str) -> str:
    year, month = iso.split("-")
    return f"{MONTHS[int(month) - 1]} {year}"


def _search(view: View) -> tuple[View, Wanted]:
    """Return the screen with its field values, and the conditions of the search for bookings.

    The conditions are empty if a field is wrong.
    """
    asked = _asked.fields(view, _entries(view))
    if asked.problems:
        return asked, Wanted()
    try:
        return asked, people.wanted(view.data, asked.values)
    except Invalid as problem:
        return replace(asked, problems=problem.errors), Wanted()


def _people(view: View) -> Contents:
    shown, asked = _search(view)
    form = shown.form(view.word("group-people"), _entries(view), view.word("lead-people"))
    sections: list[Section] = [form]
    if asked.anything:
        sections.append(_table(view, asked))
    elif view.arguments and not shown.problems:
        sections.append(Text((view.word("nothing-asked"),)))
    buttons = (view.button("search-people"),)
    return Contents("title-people", tuple(sections), buttons, _links(view, asked), asks=True)


def _links(view: View, asked: Wanted) -> tuple[Link, ...]:
    """Return a link to the passenger list of a flight, if the search names the flight and its date;
    else ().
    """
    flight = view.data.network.flight(asked.flight, asked.date) if asked.date else None
    if flight is None or not asked.flight:
        return ()
    return (view.link("open-flight", Place("flight", (flight.number, flight.date))),)


def _table(view: View, asked: Wanted) -> Table:
    found = people.search(view.world, view.data, asked)
    page, pages = _asked.page(view, people.pages(found))
    shown = found[(page - 1) * people.PAGE : page * people.PAGE]
    head = ("reference", "customer", "travellers", "route", "days", "status")
    return Table(
        view.word("found-page", found=len(found), page=page, pages=pages),
        tuple(map(view.word, head)),
        tuple(_row(view, each) for each in shown),
        view.word("nothing-found"),
        _asked.pages(view, pages),
    )


def _row(view: View, each: Found) -> tuple[Cell, ...]:
    reference = each.booking.reference
    ways = {segment.direction: [] for segment in each.booking.segments}  # type: ignore[var-annotated]
    for segment, flight in zip(each.booking.segments, each.flights, strict=True):
        ways[segment.direction].append(flight)
    days = [view.airline.formats.day(flights[0].date) for flights in ways.values()]
    row = each.customer
    customer = f"{row['title']} {row['first_name']} {row['last_name']}" if row else "–"
    first = next(iter(ways.values()))
    return (
        Cell(
            reference,
            view.address(Place("booking", (reference,))),
            view.airline.id("open-booking", reference),
        ),
        Cell(customer),
        Cell(_booked.kinds(view, each.booking.passengers)),
        Cell(_booked.way(view, first)),
        Cell(" / ".join(days)),
        Cell(view.word(each.booking.status)),
    )


def _opened(view: View) -> str:
    """Return the subject under which the journal records a search for bookings: its conditions, the
    page and the number of pages.
    """
    _, asked = _search(view)
    if not asked.anything:
        return ""
    pages = people.pages(people.search(view.world, view.data, asked))
    return people.subject(asked, _asked.page(view, pages)[0], pages)


PEOPLE: Mapping[str, ScreenKind] = {
    "people": ScreenKind(_people, _entries, opened=_opened),
}
