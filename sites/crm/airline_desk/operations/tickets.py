"""Tickets: the queue, a ticket with its mail, and the actions on a ticket.

`values` are the normal texts of a form by the fields' keys. A wrong value raises `Invalid`, and an
unknown ticket raises `Refusal`; then nothing is changed. The operations do not check whether an
offer or the way a ticket is closed is right.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sites.crm.airline_desk.model.journal import JournalEntry, Values, commit, refuse_stale
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.ticket_tables import CLOSED, OUTCOMES, PRIORITIES
from sites.crm.airline_desk.model.world import has_tickets
from sites.crm.airline_desk.operations import checks, correspondent
from sites.crm.airline_desk.operations.correspondent import Script, SentOffer
from sites.crm.airline_desk.operations.selling import BOUGHT
from sites.crm.base import fields, forms
from sites.crm.base.forms import Invalid
from sites.site_app import Refusal
from sites.world import Row, World

WHAT = ("refund", "voucher", "flights", "fee", "name", "care", "compensation", "other")
"""The kinds of offers that can be sent to a customer."""
LONGEST_FLIGHTS = 80
MOST_DIGITS = 9
CUSTOMER, DESK = "customer", "desk"
"""The senders of messages."""
_ARTICLE = re.compile(r"[A-Z]{0,2}-?[0-9]{1,3}(?:\.[0-9]{1,2})?")


@dataclass(frozen=True)
class Ticket:
    """A ticket, that is, a customer's request at the desk.

    Attributes:
        number: The number.
        customer: The number of the customer, None if unknown.
        subject: The subject.
        priority: The priority.
        opened: The time of opening.
        status: Open or closed.
        outcome: The outcome of a closed ticket, else "".
        article: The article of the handbook cited when it was closed, else "".
        amount: The amount in dollars with which it was closed, else None.
        same_as: The ticket that it duplicates, or None.
        arrives: The number of tickets that must be closed in the visit before it appears.
    """

    number: int
    customer: int | None
    subject: str
    priority: str
    opened: str
    status: str
    outcome: str
    article: str
    amount: int | None
    same_as: int | None
    arrives: int = 0

    @property
    def closed(self) -> bool:
        """Whether the ticket is closed."""
        return self.status == CLOSED

    @property
    def hours(self) -> int:
        """The ticket's age in hours on the desk's clock."""
        then, now = map(datetime.datetime.fromisoformat, (self.opened, BOUGHT))
        return max(0, int((now - then).total_seconds()) // 3600)


@dataclass(frozen=True)
class Message:
    """A mail of a ticket; `address` is the sender's, and `at` (the time) is "" for mail of this
    visit.
    """

    at: str
    sender: str
    address: str
    body: str


@dataclass(frozen=True)
class Attachment:
    """An attachment of a ticket's mail, sent at the time `at`."""

    at: str
    title: str
    body: str


# Queries -----------------------------------------------------------------------------------------


def queue(world: World) -> tuple[Ticket, ...]:
    """Return the tickets that have arrived, in the order in which the desk lists them.

    Open tickets come before closed ones, then by priority, the oldest first.
    """
    rows = world.read("SELECT * FROM tickets") if has_tickets(world) else []
    done = closings(world) if rows else 0
    found = [Ticket(**row) for row in rows if row["arrives"] <= done]
    return tuple(sorted(found, key=_rank))


def closings(world: World) -> int:
    """Return the number of tickets that were closed in this visit."""
    [row] = world.read(
        "SELECT count(DISTINCT subject) AS number FROM log_commits"
        " WHERE control = 'close-ticket' AND recorded IS NOT NULL"
    )
    return int(row["number"])


def _rank(one: Ticket) -> tuple[bool, int, str, int]:
    """Return the sort key of a ticket in the queue: open before closed, then priority, time and
    number.
    """
    return one.closed, PRIORITIES.index(one.priority), one.opened, one.number


def ticket(world: World, number: str) -> Ticket:
    """Return the ticket with a number, if it has arrived. Raises `Refusal` (404) otherwise."""
    typed = number.strip()
    is_number = typed.isascii() and typed.isdecimal() and len(typed) <= MOST_DIGITS
    rows = (
        world.read("SELECT * FROM tickets WHERE number = ?", (int(typed),))
        if is_number and has_tickets(world)
        else []
    )
    if not rows or rows[0]["arrives"] > closings(world):
        raise Refusal(404, f"There is no ticket {fields.short(typed)}. Look it up in the queue.")
    return Ticket(**rows[0])


def references(world: World, one: Ticket) -> tuple[str, ...]:
    """Return the references of the bookings that a ticket is about."""
    rows = world.read(
        "SELECT reference FROM ticket_bookings WHERE ticket = ? ORDER BY rowid", (one.number,)
    )
    return tuple(row["reference"] for row in rows)


def messages(world: World, one: Ticket) -> tuple[Message, ...]:
    """Return all mail of a ticket in order; mail of this visit comes last."""
    before = world.read(
        "SELECT at, sender, address, body FROM messages WHERE ticket = ? ORDER BY at, number",
        (one.number,),
    )
    since = world.read(
        "SELECT '' AS at, sender, address, body FROM log_messages WHERE ticket = ? ORDER BY id",
        (one.number,),
    )
    return tuple(Message(**row) for row in (*before, *since))


def attachments(world: World, one: Ticket) -> tuple[Attachment, ...]:
    """Return the attachments of a ticket in order."""
    rows = world.read(
        "SELECT at, title, body FROM attachments WHERE ticket = ? ORDER BY at, number",
        (one.number,),
    )
    return tuple(Attachment(**row) for row in rows)


def offers(world: World, one: Ticket) -> list[Row]:
    """Return the offers that this visit sent for a ticket, as rows with `what` (kind), `amount`,
    `flights` and `answer`.
    """
    return world.read(
        "SELECT what, amount, flights, answer FROM log_offers WHERE ticket = ? ORDER BY id",
        (one.number,),
    )


def sent(rows: list[Row]) -> tuple[SentOffer, ...]:
    """Return the rows of `offers` as `SentOffer` objects."""
    return tuple(SentOffer(row["what"], row["amount"], row["flights"]) for row in rows)


# Operations --------------------------------------------------------------------------------------


def send_offer(
    world: World, number: str, values: Values, version: int | None = None
) -> correspondent.Reply | None:
    """Send an offer to the ticket's customer, and return the simulated answer, or None if there is
    none.

    The ticket shows the answer when it is opened next.

    Args:
        world: The visit's database (its world).
        number: The number of the ticket.
        values: `offer-what`, `offer-amount` and `offer-flights`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The ticket is unknown (404) or newer than the page (409). Nothing was changed.
    """
    with change(world, "send-offer", Place("propose", (number,)), values, version) as (one, entry):
        read = forms.read(
            values,
            {
                "offer-what": lambda text: fields.choice(text, WHAT),
                "offer-amount": lambda text: str(checks.amount(text)),
                "offer-flights": _flights,
            },
        )
        offer = SentOffer(read["offer-what"], int(read["offer-amount"]), read["offer-flights"])
        history = (*sent(offers(world, one)), offer)
        answer = correspondent.reply(_script(world, one), history)
        _write_offer(world, one, offer, answer)
        answered = {"answer": answer.answer if answer else ""}
        entry.recorded = {"offer": vars(offer).copy(), **answered}
        entry.slots = {**entry.slots, "what": offer.what, "amount": str(offer.amount), **answered}
    return answer


def close_ticket(world: World, number: str, values: Values, version: int | None = None) -> None:
    """Close a ticket with an outcome, or change the outcome of a closed one.

    Args:
        world: The visit's database (its world).
        number: The number of the ticket.
        values: `outcome`, `decides` (the article) and `close-amount` (the dollars that the customer
            gets or pays).
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The ticket is unknown (404) or newer than the page (409). Nothing was changed.
    """
    with change(world, "close-ticket", Place("close", (number,)), values, version) as (one, entry):
        read = forms.read(
            values,
            {
                "outcome": lambda text: fields.choice(text, OUTCOMES),
                "decides": article,
                "close-amount": lambda text: str(checks.amount(text)),
            },
        )
        world.write(
            "UPDATE tickets SET status = ?, outcome = ?, article = ?, amount = ? WHERE number = ?",
            (
                *(CLOSED, read["outcome"], read["decides"], int(read["close-amount"])),
                one.number,
            ),
        )
        entry.recorded = dict(read)
        entry.slots = {**entry.slots, "outcome": read["outcome"], "article": read["decides"]}
        entry.slots["amount"] = read["close-amount"]


def link_tickets(world: World, number: str, values: Values, version: int | None = None) -> None:
    """Mark a ticket as a duplicate of another one.

    Args:
        world: The visit's database (its world).
        number: The number of the ticket.
        values: `same-as`, the number of the other ticket, or empty to remove the mark.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The ticket is unknown (404) or newer than the page (409). Nothing was changed.
    """
    place = Place("link-tickets", (number,))
    with change(world, "link-tickets", place, values, version) as (one, entry):
        other = _other(world, one, values.get("same-as", "").strip())
        world.write("UPDATE tickets SET same_as = ? WHERE number = ?", (other, one.number))
        entry.recorded = {"same_as": other}
        if other is None:
            entry.done = "done-unlink-tickets"
        else:
            entry.slots = {**entry.slots, "other": str(other)}


def _other(world: World, one: Ticket, typed: str) -> int | None:
    """Return the number of the typed ticket, None for an empty text. Raises `Invalid` if it is
    unknown or the ticket itself.
    """
    if not typed:
        return None
    try:
        other = ticket(world, typed)
    except Refusal as problem:
        raise Invalid({"same-as": problem.sentence}) from None
    if other.number == one.number:
        raise Invalid({"same-as": "This is the ticket itself. Choose another one."})
    return other.number


@contextmanager
def change(
    world: World, control: str, place: Place, values: Values, version: int | None
) -> Iterator[tuple[Ticket, JournalEntry]]:
    """Yield the ticket that a change is about, and the change's entry in the journal; the change is
    made inside this context manager.

    Raises:
        Refusal: The ticket is unknown (404), or newer than the page (409).
    """
    with commit(world, control, place, values) as entry:
        one = ticket(world, place.parts[0])
        refuse_stale(world, str(one.number), version)
        entry.done, entry.slots = f"done-{control}", {"ticket": str(one.number)}
        yield one, entry


def article(text: str) -> str:
    """Return the number of a handbook's article in normal form: `Article 5`, `art. 5` and `5` all
    give 5.

    Raises:
        ValueError: The text is no number of an article.
    """
    typed = re.sub(r"^(?:ARTICLE|ART\.?|NO\.?|RULE)\s*", "", " ".join(text.split()).upper())
    if not _ARTICLE.fullmatch(typed):
        raise ValueError("Give the number of the article, as the handbook writes it.")
    return typed


def _flights(text: str) -> str:
    """Return flight numbers in a uniform spelling. Raises `ValueError`."""
    typed = correspondent.plain(text)
    if len(typed) > LONGEST_FLIGHTS:
        raise ValueError("Give the numbers of the flights, like LW2041, KW1234.")
    return typed


def _script(world: World, one: Ticket) -> Script:
    """Return the script by which a ticket's simulated customer answers. A customer without a script
    accepts nothing.
    """
    rows = world.read("SELECT script FROM scripts WHERE ticket = ?", (one.number,))
    return Script.of(rows[0]["script"]) if rows else Script()


def _write_offer(
    world: World, one: Ticket, offer: SentOffer, answer: correspondent.Reply | None
) -> None:
    """Write an offer and the customer's answer to the database."""
    answered = answer.answer if answer else ""
    world.write(
        "INSERT INTO log_offers (ticket, what, amount, flights, answer) VALUES (?, ?, ?, ?, ?)",
        (one.number, offer.what, offer.amount, offer.flights, answered),
    )
    if answer:
        world.write(
            "INSERT INTO log_messages (ticket, sender, address, body) VALUES (?, ?, ?, ?)",
            (one.number, CUSTOMER, _address(world, one), answer.body),
        )


def _address(world: World, one: Ticket) -> str:
    """Return the e-mail address from which the ticket's customer last wrote before this visit; ""
    if none.
    """
    rows = world.read(
        "SELECT address FROM messages WHERE ticket = ? AND sender = 'customer'"
        " ORDER BY at DESC, number DESC LIMIT 1",
        (one.number,),
    )
    return str(rows[0]["address"]) if rows else ""
