"""Contents of a booking's page that only a desk with tickets (level 3) shows."""

from __future__ import annotations

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking, Segment
from sites.crm.airline_desk.model.world import has_tickets
from sites.crm.airline_desk.operations import escorts, flags, payouts, tickets
from sites.crm.airline_desk.operations.changing import fare_paid
from sites.crm.airline_desk.pages.screen import Cell, Link, Table
from sites.crm.airline_desk.screens import _facts
from sites.crm.airline_desk.screens._view import View
from sites.crm.base.timetable import Flight


def links(view: View, found: Booking) -> tuple[Link, ...]:
    """Return links to the tickets that are about the booking."""
    if not has_tickets(view.world):
        return ()
    rows = view.world.read(
        "SELECT ticket FROM ticket_bookings JOIN tickets ON tickets.number = ticket"
        " WHERE reference = ? AND arrives <= ? ORDER BY ticket",
        (found.reference, tickets.closings(view.world)),
    )
    return tuple(
        Link(
            view.airline.id("open-ticket", row["ticket"]),
            view.word("title-ticket", number=row["ticket"]),
            view.address(Place("ticket", (str(row["ticket"]),))),
        )
        for row in rows
    )


def money_links(view: View) -> tuple[Link, ...]:
    """Return links to the forms for vouchers and for compensation after late flights and lost bags;
    () at a desk without tickets.
    """
    if not has_tickets(view.world):
        return ()
    return tuple(
        view.link(f"open-{screen}", view.place.at(screen))
        for screen in ("issue-voucher", "extend-voucher", "payout")
    )


def flight_heads(view: View) -> tuple[str, ...]:
    """Return the keys of the column headings for the links that `flight_links` returns."""
    return ("open-escort",) if has_tickets(view.world) else ()


def flight_links(view: View, place: int) -> list[Link]:
    """Return the link to the form for escorts on the n-th flight of a booking; [] at a desk without
    tickets.
    """
    if not has_tickets(view.world):
        return []
    return [view.link("open-escort", view.place.at("escort", place), place)]


def escorts_of(view: View, found: Booking, passenger: int) -> list[str]:
    """Return texts that name the flights on which a passenger has an escort."""
    if not has_tickets(view.world):
        return []
    rows = view.world.read(
        "SELECT flight FROM escorts WHERE reference = ? AND passenger = ? ORDER BY date, flight",
        (found.reference, passenger),
    )
    return [view.word("escort-on", **row) for row in rows]


def escorts_on(view: View, flight: Flight) -> tuple[tuple[str, str], ...]:
    """Return a label and the number of escorts booked on a flight, as a list of at most one row."""
    if not has_tickets(view.world):
        return ()
    return ((view.word("escorts-booked"), str(escorts.booked_on(view.world, flight))),)


def sold_with(view: View, found: Booking) -> list[tuple[str, str]]:
    """Return the terms of a booking's sale, as (label, text): insurance, agency, and the amount
    that is still unpaid.
    """
    if not has_tickets(view.world):
        return []
    rows = view.world.read("SELECT * FROM terms WHERE reference = ?", (found.reference,))
    covered = any(row["cover"] for row in rows)
    listed = [(view.word("cover"), view.word("cover-yes" if covered else "cover-no"))]
    for row in rows:
        if row["agency"]:
            listed.append((view.word("agency"), row["agency"]))
        if row["balance"]:
            listed.append((view.word("unpaid"), view.money(row["balance"])))
    return listed


def coupon(view: View, segment: Segment) -> tuple[str, ...]:
    """Return texts that say whether a flight was flown and whether its new time was accepted."""
    if not has_tickets(view.world):
        return ()
    rows = view.world.read(
        "SELECT state, accepted FROM coupons WHERE reference = ? AND flight = ? AND date = ?",
        (view.booking().reference, segment.flight, segment.date),
    )
    state = rows[0]["state"] if rows else "open"
    accepted = view.word("time-accepted") if rows and rows[0]["accepted"] else ""
    return view.word(f"coupon-{state}"), accepted


def fares_paid(view: View, found: Booking) -> tuple[Table, ...]:
    """Return a table of each passenger's fare for each direction, without seats and bags; () at a
    desk without tickets.
    """
    if not has_tickets(view.world):
        return ()
    directions = [*dict.fromkeys(each.direction for each in found.segments)]
    adult = {each: fare_paid(view.data, found.direction(each)) for each in directions}
    rows = tuple(
        _facts.cells(
            each.person.name,
            *(view.money(prices.fare(adult[name], each.kind)) for name in directions),
        )
        for each in found.passengers
    )
    head = (view.word("passenger"), *map(view.direction, directions))
    return (Table(view.word("group-fares-paid"), head, rows),)


def paid_out(view: View, found: Booking) -> tuple[Table, ...]:
    """Return a table of the payments for late flights and lost bags, or () if none were made."""
    if not has_tickets(view.world):
        return ()
    rows = tuple(
        _facts.cells(view.word(f"payout-{row['kind']}"), view.money(row["amount"]))
        for row in payouts.given(view.world, found.reference)
    )
    head = (view.word("payout-kind"), view.word("amount"))
    return (Table(view.word("group-payouts"), head, rows),) if rows else ()


def flag_head(view: View) -> tuple[str, ...]:
    """Return the key of the column heading for flags in a booking's history; () at a desk without
    tickets.
    """
    return ("flag",) if has_tickets(view.world) else ()


def flag(view: View, found: Booking, line: int) -> tuple[Cell, ...]:
    """Return a table cell with the link to the flag on a line of a booking's history, whose text
    states the flag's contents.
    """
    if not has_tickets(view.world):
        return ()
    own = flags.flags(view.world, found.reference).get(line)
    label = view.word("open-flag", line=line)
    if own:
        amount = view.money(own["amount"])
        label = view.word("flagged", line=line, article=own["article"], amount=amount)
    place = Place("flag", (found.reference, str(line)))
    return (Cell(label, view.address(place), view.airline.id("open-flag", line)),)
