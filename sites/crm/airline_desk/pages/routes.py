"""The addresses of the airline desk: its pages, and the requests that their buttons send."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, current_app, redirect, request
from flask.typing import ResponseReturnValue

from sites.crm.airline_desk.model import journal
from sites.crm.airline_desk.model.airline import Airline, airlines
from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.world import edition_of, has_tickets, is_airline_desk
from sites.crm.airline_desk.operations import late_mail
from sites.crm.airline_desk.pages.page import render
from sites.crm.airline_desk.pages.screen import Form, Link, Screen, Step
from sites.crm.airline_desk.screens import LONGER, SCREENS, Contents, View, filled, review
from sites.crm.base.forms import Invalid
from sites.crm.base.world import CrmData
from sites.dials import Dials
from sites.site_app import Refusal, check_csrf, csrf_token, enter
from sites.world import World

VISIT = 8
"""Number of lines that a page shows about the visit's actions."""
ALL_OF_A_VISIT = 40
"""Number of lines that a page shows about the visit's actions at a desk with tickets.

It is higher, because the lines show how much of the work remains.
"""
NO_SCREEN = "There is no such page. Search flights, or find a booking."


pages = Blueprint("airline", __name__)


@pages.route("/", methods=("GET", "POST"))
@pages.route("/<path:_rest>", methods=("GET", "POST"))
def page(_rest: str = "") -> ResponseReturnValue:
    """Show a screen, or run the operation of a button that was pressed on it."""
    world = enter(request.args.get("scenario"))
    if not is_airline_desk(world):
        raise Refusal(404, "This visit is not at an airline's desk. Open its own address.")
    airline = _airline(world)
    start = airline.address("search")
    if request.path == "/":
        first = airline.address("tickets") if has_tickets(world) else start
        return redirect(_with_session(first, _query(world)))
    found = airline.read(request.path)
    if found is None or found[0] not in SCREENS:
        raise Refusal(404, NO_SCREEN, start, airline.word("new-search"))
    arguments = {name: text for name, text in request.args.items() if name != "scenario"}
    data: CrmData = current_app.extensions["airline"]
    view = View(world, data, airline, Place(*found), _query(world), arguments, kinds=SCREENS)
    try:
        return _send(view) if request.method == "POST" else _page(view)
    except Refusal as problem:
        link, label = problem.link or start, problem.label or airline.word("new-search")
        raise Refusal(problem.status, problem.sentence, link, label) from None


def _airline(world: World) -> Airline:
    """Return the airline of a visit, with the formats of dates and money that its difficulty
    settings (dials) select.
    """
    dials = Dials.of(world)
    return airlines()[world.about["airline"]].in_formats(dials.formats if dials else 0)


def _query(world: World) -> str:
    """Return the query that all addresses on the page end with: the visit's session if the
    visitor's own address names it, else "".
    """
    return f"scenario={world.session}" if "scenario" in request.args else ""


def _with_session(address: str, query: str) -> str:
    """Return an address with a query, unless the query is ""."""
    return f"{address}?{query}" if query else address


# Pages -------------------------------------------------------------------------------------------


def _page(view: View, status: int = 200) -> ResponseReturnValue:
    """Return the page of a screen, and record in the journal that it was opened."""
    with view.world.lock:
        kind = SCREENS[view.place.screen]
        if view.airline.last_step == "again" and not view.pending:
            review.drop(view.world)  # ask again after any other request
        screen = _screen(view, kind.contents(view))
        opened = kind.opened(view) if kind.opened else view.place.subject
        place = Place(view.place.screen, (opened,) if opened else ())
        journal.open_page(view.world, place, request.full_path.rstrip("?"))
    return render(screen, view.airline, csrf_token()), status


def _screen(view: View, contents: Contents) -> Screen:
    """Return a screen made of its contents and of everything that all pages have in common."""
    return Screen(
        key=view.place.screen,
        title=view.word(contents.title, **contents.slots),
        address=view.address(view.place, **view.arguments),
        sections=contents.sections,
        buttons=contents.buttons,
        links=contents.links,
        back=contents.back,
        nav=tuple(_nav(view)),
        steps=_steps(view),
        problem=_problem(view),
        visit=tuple(_visit(view)),
        version=view.version(),
        asks=contents.asks,
        longer=_longer(view, contents),
        news=_news(view),
    )


def _news(view: View) -> Link | None:
    """Return a link to the ticket that has unread mail, or None."""
    ticket = late_mail.unread(view.world, view.place.screen, view.place.subject)
    if ticket is None:
        return None
    return view.link("new-mail", Place("ticket", (str(ticket),)), number=ticket)


def _longer(view: View, contents: Contents) -> Link | None:
    """Return a link to the same page with longer fields, if some fields limit the length of texts;
    else None.
    """
    forms = (each for each in contents.sections if isinstance(each, Form))
    if not any(field.most for form in forms for field in form.fields):
        return None
    address = view.address(view.place, **{**view.arguments, LONGER: "1"})
    return replace(view.link("longer-fields", view.place), address=address)


def _nav(view: View) -> list[Link]:
    """Return the links of the navigation bar."""
    more = (HANDBOOK,) if edition_of(view.world) else ()
    bar = (*(TICKET_NAV if has_tickets(view.world) else ()), *NAV, *more)
    links = [view.link(key, Place(screen)) for key, screen in bar if screen in SCREENS]
    return [replace(link, current=_under(link.address, view.address(view.place))) for link in links]


NAV = (("new-search", "search"), ("find-people", "people"), ("see-board", "board"))
"""The links of every page's navigation bar: the key of the text, and the screen."""
TICKET_NAV = (("see-tickets", "tickets"),)
"""The links that come first in the navigation bar at a desk with tickets: the key of the text, and
the screen.
"""
HANDBOOK = ("see-handbook", "handbook")
"""The additional link of the navigation bar at level 3: the key of the text, and the screen."""


LOOKED_AT = (
    ("seen-bookings", "booking", "references"),
    ("seen-histories", "history", "references"),
    ("seen-tickets", "ticket", "numbers"),
    ("seen-articles", "article", "numbers"),
)
"""The lines of a visit that list opened pages: the key of their text, the screen and the slot."""


def _under(address: str, other: str) -> bool:
    """Return whether an address lies at or below another one."""
    root, path = address.partition("?")[0], other.partition("?")[0]
    return path == root or path.startswith(f"{root}/")


def _steps(view: View) -> tuple[Step, ...]:
    """Return the steps of a sale, each as past, current or next; () on other pages."""
    sale, now = view.airline.pages["sale"], view.place.screen
    if now not in sale:
        return ()
    at = sale.index(now)
    states = ["past" if n < at else "current" if n == at else "next" for n in range(len(sale))]
    return tuple(
        Step(view.word(f"step-{each}"), state) for each, state in zip(sale, states, strict=True)
    )


def _problem(view: View) -> str:
    """Return the error message above a form, "" if there is no error."""
    if view.pending:
        return view.word("press-again-to", label=view.word(view.pending))
    found = view.problems.get("", "")
    return found or (view.word("problems") if view.problems else "")


def _visit(view: View) -> list[str]:
    """Return the lines that a page shows about this visit: the latest actions, then the pages that
    were opened.
    """
    shown = ALL_OF_A_VISIT if has_tickets(view.world) else VISIT
    lines = view.done(journal.accepted(view.world))[-shown:]
    for key, screen, slot in LOOKED_AT:
        if screen == "history" and not has_tickets(view.world):
            continue
        seen = ", ".join(journal.subjects(view.world, screen))
        lines += [view.word(key, **{slot: seen})] if seen else []
    return lines


# Requests of buttons -----------------------------------------------------------------------------


def _send(view: View) -> ResponseReturnValue:
    """Run the operation of the pressed button and return a redirect to the next screen, or the page
    with error messages.
    """
    check_csrf()
    kind = SCREENS[view.place.screen]
    control = _control(view)
    if control not in kind.controls or kind.send is None:
        raise Refusal(400, "There is no such button here. Load the page again.")
    with view.world.lock:
        if request.form.get("version", "") not in {"", str(view.version())}:
            return _page(replace(view, problems={"": view.word("stale")}), 409)
        sent = filled(view, kind.entries(view), request.form)
        if sent.problems:
            return _page(sent, 400)
        try:
            following = _commit(view, control, sent.values)
        except Invalid as problem:
            return _page(replace(sent, problems=problem.errors), 400)
        if following is None:
            return _page(replace(sent, pending=control))
        return redirect(view.address(following), 303)


def _control(view: View) -> str:
    """Return the key of the pressed button, "" if it is unknown."""
    found = view.airline.key_of(request.form.get("press", ""))
    return found[0] if found else ""


def _commit(view: View, control: str, values: Values) -> Place | None:
    """Run the operation of the pressed button.

    An irreversible operation is first tried on a copy of the world. If it is valid, and the airline
    asks for confirmation, it waits for it.

    Returns:
        The next screen, or None if the airline asks for a second press first.
    """
    kind = SCREENS[view.place.screen]
    assert kind.send is not None
    asks = view.airline.last_step
    if control not in kind.commits or asks == "button":
        return kind.send(view, control, values)
    waits = review.waiting(view.world)
    if asks == "again" and waits == (view.place, control, dict(values)):
        review.drop(view.world)
        return kind.send(view, control, values)
    try:
        with view.world.fork() as copy:
            kind.send(view.on(copy), control, values)
    except (Invalid, Refusal):
        return kind.send(view, control, values)  # refused here, too, and recorded in the journal
    review.wait(view.world, view.place, control, values)
    return Place("review") if asks == "review" else None
