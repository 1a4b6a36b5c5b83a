"""The screens that send a reply about a flight to the sender of a ticket, and that change the
customer's e-mail address.
"""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.operations import replies
from sites.crm.airline_desk.screens._replied import replied
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.airline_desk.screens.tickets import customer_of, form_of, ticket_of, to_ticket
from sites.site_app import Refusal


def _reply_entries(view: View) -> tuple[Entry, ...]:
    return (
        Entry("reply-to"),
        Entry("reply-flight"),
        Entry("reply-day", "date"),
        Entry("reply-time", hint=view.word("hint-time")),
    )


def _reply(view: View) -> Contents:
    form = view.form(view.word("group-reply"), _reply_entries(view), view.word("lead-reply"))
    return form_of(
        view, "title-reply", (*replied(view, ticket_of(view).number), form), "send-reply"
    )


def _reply_send(view: View, _: str, values: Values) -> Place:
    replies.send_reply(view.world, view.place.parts[0], values)
    return to_ticket(view)


def _contact_entries(view: View) -> tuple[Entry, ...]:
    row = customer_of(view, ticket_of(view))
    if row is None:
        raise Refusal(404, "This ticket is of nobody whom the desk knows. Look at the ticket.")
    return (Entry("new-email", value=row["email"]),)


def _contact(view: View) -> Contents:
    row = customer_of(view, ticket_of(view))
    name = f"{row['first_name']} {row['last_name']}" if row else ""
    form = view.form(name, _contact_entries(view))
    return form_of(view, "title-contact", (form,), "save-contact")


def _contact_send(view: View, _: str, values: Values) -> Place:
    replies.save_contact(view.world, view.place.parts[0], values)
    return to_ticket(view)


def _opened(view: View) -> str:
    return str(ticket_of(view).number)


REPLIES: Mapping[str, ScreenKind] = {
    "reply": ScreenKind(_reply, _reply_entries, _reply_send, ("send-reply",), opened=_opened),
    "contact": ScreenKind(
        _contact, _contact_entries, _contact_send, ("save-contact",), opened=_opened
    ),
}
