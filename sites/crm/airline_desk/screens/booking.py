"""The screen of a booking, and the screen of its history."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.model import journal
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking, Segment
from sites.crm.airline_desk.operations import booked, day, flags, money
from sites.crm.airline_desk.pages.screen import Cell, Facts, Link, Section, Table
from sites.crm.airline_desk.screens import _asked, _booked, _facts, _ticketed
from sites.crm.airline_desk.screens._view import Contents, ScreenKind, View
from sites.crm.base.clock import TODAY

PAGE = 25
"""Number of lines of a booking's history on one page."""


def _booking(view: View) -> Contents:
    found = view.booking()
    sections: tuple[Section, ...] = (
        _head(view, found),
        _flights(view, found),
        _passengers(view, found),
        *_ticketed.fares_paid(view, found),
        _booked.price(view, found),
        _payments(view, found),
        *_fees(view, found),
        *_ticketed.paid_out(view, found),
        *_vouchers(view, found),
        *_notes(view, found),
    )
    return Contents(
        "title-booking",
        sections,
        links=_links(view, found),
        back=view.link("back", Place("people")),
        slots={"reference": found.reference},
    )


def _links(view: View, found: Booking) -> tuple[Link, ...]:
    """Return links to the forms that change the booking; a cancelled one can only be viewed."""
    history = view.link("open-history", view.place.at("history"))
    tickets = _ticketed.links(view, found)
    if found.cancelled:
        return (history, *tickets)
    directions = dict.fromkeys(each.direction for each in found.segments)
    reroutes = [
        view.link("open-reroute", view.place.at("reroute", each), each, way=view.direction(each))
        for each in directions
    ]
    others = [
        view.link(f"open-{screen}", view.place.at(screen))
        for screen in ("bags", "charge", "refund", "note", "cancel")
    ]
    return (*reroutes, *others, *_ticketed.money_links(view), history, *tickets)


def _head(view: View, found: Booking) -> Facts:
    """Return a section with reference, status, customer and further facts about the whole
    booking.
    """
    rows = [
        (view.word("reference"), found.reference),
        (view.word("status"), view.word(found.status)),
        (view.word("bought"), _booked.time_of(view, found.bought)),
    ]
    customers = view.world.read("SELECT * FROM customers WHERE number = ?", (found.customer,))
    for row in customers:
        customer = f"{row['title']} {row['first_name']} {row['last_name']}"
        rows.append((view.word("customer"), customer))
        tier = _named(view, "tier", row["tier"].lower()) if row["tier"] else ""
        more = {"email": row["email"], "tier": tier, "agency": row["agency"]}
        rows += [(view.word(key), text) for key, text in more.items() if text]
    rows += _ticketed.sold_with(view, found)
    waits = sorted(day.waits_for(view.world, found))
    if waits:
        texts = [f"{number}, {view.airline.formats.day(date)}" for number, date in waits]
        rows.append((view.word("waits-for"), "; ".join(texts)))
    return Facts(view.word("booking"), tuple(rows))


def _flights(view: View, found: Booking) -> Table:
    """Return a table of the booking's flights, with links to the forms that change them."""
    table = _facts.itinerary(view, found.segments)
    rows = []
    for place, (segment, cells) in enumerate(zip(found.segments, table.rows, strict=True), 1):
        head, number, _, *others = cells
        route = Cell(_booked.way(view, [booked.flight(view.data, segment)]))
        listed = Place("flight", (segment.flight, segment.date))
        named = view.airline.id("open-flight", segment.flight)
        times = Cell(others[1].text + _late(view, segment))
        rows.append(
            (
                head,
                Cell(number.text, view.address(listed), named),
                *(route, others[0], times, *others[2:]),
                *_flight_links(view, found, place),
            )
        )
    heads = ("seats", "open-checkin", "to-flight", *_ticketed.flight_heads(view))
    more = () if found.cancelled else heads
    return Table(table.title, (*table.head, *map(view.word, more)), tuple(rows))


def _flight_links(view: View, found: Booking, place: int) -> tuple[Cell, ...]:
    if found.cancelled:
        return ()
    links = [
        view.link(f"open-{screen}", view.place.at(screen, place), place)
        for screen in ("seats", "checkin", "rebook")
    ]
    links += _ticketed.flight_links(view, place)
    return tuple(Cell(each.label, each.address, each.id) for each in links)


def _late(view: View, segment: Segment) -> str:
    """Return remarks about a flight (such as delays) as text, to be put after its times."""
    text = _booked.happened(view, booked.flight(view.data, segment))
    texts = (text, *_ticketed.coupon(view, segment))
    return "".join(f"; {each}" for each in texts if each)


def _passengers(view: View, found: Booking) -> Table:
    """Return a table of the passengers with seats and bags, and links to the forms that change
    them.
    """
    head = ("passenger", "kind", "born", "seats", "bags")
    rows = []
    for each in found.passengers:
        kind = view.word(each.kind)
        adult = found.passenger(each.adult) if each.adult else None
        if adult:
            kind += f", {view.word('on-lap', name=adult.person.name)}"
        cells = _facts.cells(
            f"{each.person.title} {each.person.name}",
            kind,
            view.airline.formats.day(each.person.born),
            _seats(view, found, each.number) or "–",
            _bags(view, found, each.number) or "–",
        )
        rows.append((*cells, *_passenger_links(view, found, each.number)))
    more = () if found.cancelled else ("change", "take-out")
    return Table(view.word("travellers"), tuple(map(view.word, (*head, *more))), tuple(rows))


def _passenger_links(view: View, found: Booking, number: int) -> tuple[Cell, ...]:
    if found.cancelled:
        return ()
    links = [
        view.link(f"open-{screen}", view.place.at(screen, number), number)
        for screen in ("person", "remove")
    ]
    return tuple(Cell(each.label, each.address, each.id) for each in links)


def _seats(view: View, found: Booking, passenger: int) -> str:
    """Return a text with a passenger's seats, and with the flights on which the passenger is
    checked in.
    """
    rows = view.world.read(
        "SELECT flight, seat FROM seats WHERE reference = ? AND passenger = ?"
        " ORDER BY date, flight",
        (found.reference, passenger),
    )
    texts = [view.word("seat-on", **row) for row in rows]
    checkins = view.world.read(
        "SELECT flight FROM checkins WHERE reference = ? AND passenger = ? ORDER BY date, flight",
        (found.reference, passenger),
    )
    texts += [view.word("checked-in-on", **row) for row in checkins]
    return "; ".join([*texts, *_ticketed.escorts_of(view, found, passenger)])


def _bags(view: View, found: Booking, passenger: int) -> str:
    rows = view.world.read(
        "SELECT direction, pieces FROM bags WHERE reference = ? AND passenger = ? AND pieces > 0"
        " ORDER BY direction",
        (found.reference, passenger),
    )
    return "; ".join(
        view.word("bags-on", pieces=row["pieces"], direction=view.direction(row["direction"]))
        for row in rows
    )


def _payments(view: View, found: Booking) -> Table:
    rows = [
        _facts.cells(
            _booked.time_of(view, each.at),
            _booked.by(view, each),
            view.money(each.amount),
            view.money(each.refunded) if each.refunded else "–",
        )
        for each in money.paid(view.world, found.reference)
    ]
    head = tuple(map(view.word, ("day-of-payment", "source", "amount", "group-refunds")))
    return Table(view.word("group-payments"), head, tuple(rows), view.word("no-payments"))


def _fees(view: View, found: Booking) -> tuple[Table, ...]:
    """Return a table of the booking's fees, or () if there are none."""
    names = _facts.who(view, found.passengers)
    rows = view.world.read(
        "SELECT kind, passenger, amount FROM fees WHERE reference = ? ORDER BY number",
        (found.reference,),
    )
    lines = tuple(
        _facts.cells(
            _named(view, "fee", row["kind"]),
            names.get(row["passenger"], "–") if row["passenger"] else view.word("everybody"),
            view.money(row["amount"]),
        )
        for row in rows
    )
    head = tuple(map(view.word, ("fee-kind", "passenger", "amount")))
    return (Table(view.word("group-fees"), head, lines),) if lines else ()


def _vouchers(view: View, found: Booking) -> tuple[Table, ...]:
    """Return a table of the customer's vouchers, or () if there are none."""
    rows = view.world.read(
        "SELECT code, balance, expires FROM vouchers WHERE customer = ? ORDER BY expires, code",
        (found.customer,),
    )
    lines = tuple(
        _facts.cells(row["code"], view.money(row["balance"]), _expires(view, row["expires"]))
        for row in rows
    )
    head = tuple(map(view.word, ("voucher", "balance", "good-until")))
    return (Table(view.word("group-voucher"), head, lines),) if lines else ()


def _expires(view: View, day_iso: str) -> str:
    text = view.airline.formats.day(day_iso)
    return f"{text} ({view.word('ran-out')})" if day_iso < TODAY.isoformat() else text


def _notes(view: View, found: Booking) -> tuple[Table, ...]:
    rows = view.world.read(
        "SELECT code, day, colleague FROM notes WHERE reference = ? ORDER BY day, number",
        (found.reference,),
    )
    lines = tuple(
        _facts.cells(
            view.airline.formats.day(row["day"]),
            _named(view, "note", row["code"]),
            row["colleague"],
        )
        for row in rows
    )
    head = tuple(map(view.word, ("written-on", "note-code", "colleague")))
    return (Table(view.word("group-notes"), head, lines),) if lines else ()


def _named(view: View, group: str, code: str) -> str:
    """Return the airline's word for a code of a group (such as fees), or the code itself."""
    return view.airline.words.get(f"{group}-{code}", code)


# History -----------------------------------------------------------------------------------------


def _history(view: View) -> Contents:
    found = view.booking()
    lines = [
        (
            *_facts.cells(_booked.time_of(view, row["at"]), row["colleague"], row["entry"]),
            *_ticketed.flag(view, found, number),
        )
        for number, row in enumerate(flags.lines(view.world, found.reference), start=1)
    ]
    today, more = view.airline.formats.day(TODAY.isoformat()), _ticketed.flag_head(view)
    lines += [
        _facts.cells(today, view.word("you"), text, *("–" for _ in more))
        for text in _done(view, found)
    ]
    page, pages = _asked.page(view, max(1, -(-len(lines) // PAGE)))
    table = Table(
        view.word("title-history"),
        tuple(map(view.word, ("written-on", "colleague", "entry", *more))),
        tuple(lines[(page - 1) * PAGE : page * PAGE]),
        view.word("no-history"),
        _asked.pages(view, pages),
    )
    return Contents("title-history", (*_booked.summary(view), table), back=_booked.back(view))


def _done(view: View, found: Booking) -> list[str]:
    """Return sentences about the changes of the booking in this visit."""
    return view.done(journal.accepted(view.world, found.reference))


BOOKING: Mapping[str, ScreenKind] = {
    "booking": ScreenKind(_booking, opened=_booked.opened),
    "history": ScreenKind(_history, opened=_booked.opened),
}
