"""The screens of tickets: the queue, a ticket with its mail, and the forms about a ticket."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.ticket_tables import OUTCOMES
from sites.crm.airline_desk.model.world import has_tickets
from sites.crm.airline_desk.operations import tickets
from sites.crm.airline_desk.operations.late_mail import delivered
from sites.crm.airline_desk.operations.tickets import WHAT, Ticket
from sites.crm.airline_desk.pages.screen import Cell, Facts, Mail, Section, Table, Thread
from sites.crm.airline_desk.screens import _asked, _booked, _facts
from sites.crm.airline_desk.screens._replied import replied
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.site_app import Refusal
from sites.world import Row

PAGE = 20
"""Number of tickets on one page of the queue."""
HOURS_A_DAY = 24
OLD = 2
"""The number of days from which an age is given in days instead of hours."""


# The queue ---------------------------------------------------------------------------------------


def _queue(view: View) -> Contents:
    if not has_tickets(view.world):
        raise Refusal(404, "This desk works without tickets. Search flights, or find a booking.")
    listed = tickets.queue(view.world)
    page, pages = _asked.page(view, max(1, -(-len(listed) // PAGE)))
    head = ("ticket-number", "priority", "age", "ticket-subject", "customer", "status")
    table = Table(
        view.word("group-queue", open=sum(not each.closed for each in listed)),
        tuple(map(view.word, head)),
        tuple(_row(view, each) for each in listed[(page - 1) * PAGE : page * PAGE]),
        view.word("no-tickets"),
        _asked.pages(view, pages),
    )
    return Contents("title-tickets", (table,))


def _row(view: View, one: Ticket) -> tuple[Cell, ...]:
    number = str(one.number)
    address = view.address(Place("ticket", (number,)))
    customer = customer_of(view, one)
    return (
        Cell(number, address, view.airline.id("open-ticket", number)),
        *_facts.cells(
            view.word(f"priority-{one.priority}"),
            age(view, one),
            one.subject,
            f"{customer['first_name']} {customer['last_name']}" if customer else "–",
            view.word(f"ticket-{one.status}"),
        ),
    )


def age(view: View, one: Ticket) -> str:
    """Return the age of a ticket as text, in hours or days."""
    days = one.hours // HOURS_A_DAY
    if days >= OLD:
        return view.word("age-days", number=days)
    return view.word("age-hours", number=one.hours)


# A ticket ----------------------------------------------------------------------------------------


def ticket_of(view: View) -> Ticket:
    """Return the ticket that the screen is about."""
    return tickets.ticket(view.world, view.place.parts[0])


def _ticket(view: View) -> Contents:
    one = ticket_of(view)
    sections: tuple[Section, ...] = (
        *_summary(view),
        _thread(view, one),
        *_attachments(view, one),
        *_known(view, one),
        *_permissions(view, one),
        _bookings(view, one),
        _offers(view, one),
        *replied(view, one.number),
    )
    links = tuple(
        view.link(f"open-{screen}", view.place.at(screen))
        for screen in ("propose", "reply", "contact", "close", "link-tickets")
    )
    return Contents(
        "title-ticket",
        sections,
        links=links,
        back=view.link("back", Place("tickets")),
        slots={"number": one.number},
    )


def _summary(view: View) -> tuple[Section, ...]:
    """Return a section with the facts about a ticket and the way in which it was closed."""
    one = ticket_of(view)
    rows = [
        (view.word("ticket-number"), str(one.number)),
        (view.word("ticket-subject"), one.subject),
        (view.word("priority"), view.word(f"priority-{one.priority}")),
        (view.word("opened-on"), f"{_booked.time_of(view, one.opened)} ({age(view, one)})"),
        (view.word("status"), view.word(f"ticket-{one.status}")),
    ]
    if one.outcome:
        rows.append((view.word("outcome"), view.word(f"outcome-{one.outcome}")))
        rows.append((view.word("decides"), one.article))
        rows.append((view.word("close-amount"), view.money(one.amount or 0)))
    if one.same_as:
        rows.append((view.word("duplicate-of"), str(one.same_as)))
    return (Facts(view.word("group-ticket"), tuple(rows)),)


def _thread(view: View, one: Ticket) -> Thread:
    """Return a section with the mails of a ticket that have arrived."""
    mails = []
    for each in delivered(view.world, one.number, tickets.messages(view.world, one)):
        when = _booked.time_of(view, each.at) if each.at else view.word("in-this-visit")
        who = each.address if each.sender == tickets.CUSTOMER else view.word("us")
        mails.append(Mail(f"{who}, {when}", tuple(filter(None, each.body.split("\n")))))
    return Thread(view.word("group-mail"), tuple(mails))


def _attachments(view: View, one: Ticket) -> tuple[Section, ...]:
    """Return a section with the attachments of a ticket, or () if there are none."""
    mails = [
        Mail(f"{each.title}, {_booked.time_of(view, each.at)}", tuple(each.body.split("\n")))
        for each in tickets.attachments(view.world, one)
    ]
    return (Thread(view.word("group-attachments"), tuple(mails)),) if mails else ()


def _known(view: View, one: Ticket) -> tuple[Section, ...]:
    """Return a section with the desk's data about the customer, by which a ticket's sender can be
    identified.
    """
    row = customer_of(view, one)
    if row is None:
        return ()
    digits = view.world.read("SELECT digits FROM identities WHERE customer = ?", (row["number"],))
    tier = view.airline.words.get(f"tier-{row['tier'].lower()}", row["tier"])
    home = view.data.airports[row["home"]].city if row["home"] in view.data.airports else ""
    rows = {
        "customer": f"{row['title']} {row['first_name']} {row['last_name']}",
        "born": view.airline.formats.day(row["born"]),
        "email": row["email"],
        "digits": digits[0]["digits"] if digits else "",
        "tier": tier,
        "home": home or row["home"],
        "agency": row["agency"],
    }
    listed = tuple((view.word(key), text) for key, text in rows.items() if text)
    return (Facts(view.word("group-known"), listed),)


def customer_of(view: View, one: Ticket) -> Row | None:
    """Return the database row of a ticket's customer, or None."""
    rows = view.world.read("SELECT * FROM customers WHERE number = ?", (one.customer,))
    return rows[0] if rows else None


def _permissions(view: View, one: Ticket) -> tuple[Section, ...]:
    """Return a table of the people who may ask on the customer's behalf, or () if there
    are none.
    """
    rows = view.world.read(
        "SELECT person, address, matter, since, until FROM permissions WHERE customer = ?"
        " ORDER BY since, number",
        (one.customer,),
    )
    day = view.airline.formats.day
    lines = tuple(
        _facts.cells(
            row["person"],
            row["address"],
            view.word(f"matter-{row['matter']}"),
            day(row["since"]),
            day(row["until"]),
        )
        for row in rows
    )
    head = tuple(map(view.word, ("permitted", "email", "matter", "since", "until")))
    return (Table(view.word("group-permissions"), head, lines),) if lines else ()


def _bookings(view: View, one: Ticket) -> Table:
    """Return a table with links to the bookings that the ticket is about."""
    rows = []
    for reference in tickets.references(view.world, one):
        where = Place("booking", (reference,))
        named = view.airline.id("open-booking", reference)
        rows.append((Cell(reference, view.address(where), named),))
    return Table(
        view.word("ticket-about"),
        (view.word("reference"),),
        tuple(rows),
        view.word("nothing-found"),
    )


def _offers(view: View, one: Ticket) -> Table:
    """Return a table of the offers that were sent to the customer in this visit."""
    lines = tuple(
        _facts.cells(
            view.word(f"what-{row['what']}"),
            view.money(row["amount"]),
            row["flights"] or "–",
            view.word(f"answer-{row['answer'] or 'none'}"),
        )
        for row in tickets.offers(view.world, one)
    )
    head = ("offer-what", "offer-amount", "offer-flights", "answered")
    return Table(
        view.word("group-offers"), tuple(map(view.word, head)), lines, view.word("no-offers-sent")
    )


# Forms -------------------------------------------------------------------------------------------


def _offer_entries(view: View) -> tuple[Entry, ...]:
    kinds = tuple((each, view.word(f"what-{each}")) for each in WHAT)
    return (
        Entry("offer-what", "choice", options=kinds, fresh=True),
        Entry("offer-amount", "money"),
        Entry("offer-flights", hint=view.word("hint-optional")),
    )


def _close_entries(view: View) -> tuple[Entry, ...]:
    kinds = tuple((each, view.word(f"outcome-{each}")) for each in OUTCOMES)
    return (
        Entry("outcome", "choice", options=kinds, fresh=True),
        Entry("decides", hint=view.word("hint-article")),
        Entry("close-amount", "money"),
    )


def _link_entries(view: View) -> tuple[Entry, ...]:
    return (Entry("same-as", hint=view.word("hint-optional")),)


def _offer(view: View) -> Contents:
    one = ticket_of(view)
    form = view.form(view.word("group-offer"), _offer_entries(view), view.word("lead-offer"))
    return form_of(view, "title-offer", (_thread(view, one), form), "send-offer")


def _close(view: View) -> Contents:
    one = ticket_of(view)
    form = view.form(view.word("group-close"), _close_entries(view), view.word("lead-close"))
    return form_of(view, "title-close", (_offers(view, one), form), "close-ticket")


def _link(view: View) -> Contents:
    lead = view.word("lead-same-as")
    form = view.form(view.word("duplicate-of"), _link_entries(view), lead)
    return form_of(view, "title-link-tickets", (form,), "link-tickets")


def form_of(view: View, title: str, sections: tuple[Section, ...], control: str) -> Contents:
    """Return a screen with a form about a ticket and the link back to the ticket."""
    shown = (*_summary(view), *sections)
    back = view.link("back", to_ticket(view))
    return Contents(title, shown, (view.button(control),), back=back)


def to_ticket(view: View) -> Place:
    """Return the place of the ticket's page."""
    return Place("ticket", (str(ticket_of(view).number),))


def _offer_send(view: View, _: str, values: Values) -> Place:
    tickets.send_offer(view.world, view.place.parts[0], values)
    return to_ticket(view)


def _close_send(view: View, _: str, values: Values) -> Place:
    tickets.close_ticket(view.world, view.place.parts[0], values)
    return to_ticket(view)


def _link_send(view: View, _: str, values: Values) -> Place:
    tickets.link_tickets(view.world, view.place.parts[0], values)
    return to_ticket(view)


def _opened_queue(view: View) -> str:
    """Return the subject under which the journal records the queue of tickets: the page and the
    number of pages.
    """
    count = max(1, -(-len(tickets.queue(view.world)) // PAGE))
    return f"{_asked.page(view, count)[0]}/{count}"


def _opened(view: View) -> str:
    return str(ticket_of(view).number)


TICKETS: Mapping[str, ScreenKind] = {
    "tickets": ScreenKind(_queue, opened=_opened_queue),
    "ticket": ScreenKind(_ticket, opened=_opened),
    "propose": ScreenKind(_offer, _offer_entries, _offer_send, ("send-offer",), opened=_opened),
    "close": ScreenKind(_close, _close_entries, _close_send, ("close-ticket",), opened=_opened),
    "link-tickets": ScreenKind(_link, _link_entries, _link_send, ("link-tickets",), opened=_opened),
}
