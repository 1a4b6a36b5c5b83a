"""The screen on which an airline asks for confirmation of an irreversible action.

The entered values wait among the journal's drafts (unsaved texts). Nothing is changed before they
are confirmed here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from sites.crm.airline_desk.model import journal
from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.pages.screen import Facts, Section
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.base.forms import Invalid
from sites.site_app import Refusal
from sites.world import World

REVIEWED = Place("review")
LAST_DIGITS = 4
"""Number of a card number's last digits that are shown."""
CHANGED = "This was changed since you entered it, so nothing was done. Enter it again."


def wait(world: World, place: Place, control: str, values: Values) -> None:
    """Store the values that were entered on a screen until they are confirmed."""
    kept = {
        "version": _version(world, place),
        "screen": place.screen,
        "subject": place.subject,
        "control": control,
        "values": json.dumps(dict(values), ensure_ascii=False),
    }
    journal.keep(world, REVIEWED, kept)


def waiting(world: World) -> tuple[Place, str, Values] | None:
    """Return the screen, the button and the values that wait for confirmation, or None."""
    kept = journal.kept(world, REVIEWED)
    if not kept:
        return None
    parts = tuple(kept["subject"].split("/")) if kept["subject"] else ()
    return Place(kept["screen"], parts), kept["control"], json.loads(kept["values"])


def _is_stale(world: World, place: Place) -> bool:
    """Return whether the sale or booking was changed after the values that wait were entered."""
    return journal.kept(world, REVIEWED)["version"] != _version(world, place)


def _version(world: World, place: Place) -> str:
    """Return the version of the booking or sale that a screen is about, as text; "" if it is about
    neither.
    """
    return str(journal.version(world, place.parts[0])) if place.parts else ""


def drop(world: World) -> None:
    """Delete the values that wait for confirmation. After the end of the visit they stay."""
    if waiting(world) and not world.closed:
        journal.forget(world, REVIEWED)


def _entries(_: View) -> tuple[Entry, ...]:
    return (Entry("agree", "check"),)


def _review(view: View) -> Contents:
    found = waiting(view.world)
    if found is None:
        raise Refusal(404, "There is nothing to check. Go back and enter it again.")
    place, _, values = found
    at = replace(view, place=place, values=values, problems={})
    kind = view.kinds[place.screen]
    shown = kind.summary(at) if kind.summary else ()
    sections: tuple[Section, ...] = (*shown, _entered(at), view.form("", _entries(view)))
    button = view.button("confirm", commits=True)
    back = view.link("back", place)
    return Contents("title-review", sections, (button,), back=back)


def _entered(view: View) -> Facts:
    """Return a section with every filled field and its value as understood, except the card's
    security code.
    """
    rows = [
        (view.field(entry).label, _written(view, entry, view.values[entry.key]))
        for entry in view.kinds[view.place.screen].entries(view)
        if view.values.get(entry.key) and entry.key != "cvc"
    ]
    return Facts(view.word("entered"), tuple(rows))


def _written(view: View, entry: Entry, value: str) -> str:
    """Return a value as the airline writes it: an option by its label, a card number by its last
    digits.
    """
    if entry.key == "card-number":
        return view.word("card-ends", digits=value[-LAST_DIGITS:])
    formats: Mapping[str, Callable[[str], str]] = {
        "airport": view.airport,
        "date": view.airline.formats.day,
        "money": lambda amount: view.money(int(amount)),
    }
    if entry.kind in formats:
        return formats[entry.kind](value)
    return dict(entry.options).get(value, value)


def _send(view: View, _: str, values: Values) -> Place:
    found = waiting(view.world)
    if found is None:
        raise Refusal(409, "There is nothing to check. Go back and enter it again.")
    if not values.get("agree"):
        raise Invalid({"agree": "Tick the box when everything is right."})
    place, control, entered = found
    at = replace(view, place=place, values={}, problems={})
    if _is_stale(view.world, place):
        drop(view.world)
        raise Refusal(409, CHANGED, view.address(place), view.word("back"))
    send = view.kinds[place.screen].send
    assert send is not None, f"{place.screen} has a button"
    try:
        following = send(at, control, entered)
    except Invalid as problem:
        sentence = " ".join(problem.errors.values())
        raise Refusal(409, sentence, view.address(place), view.word("back")) from None
    finally:
        drop(view.world)
    return following


REVIEW: Mapping[str, ScreenKind] = {
    "review": ScreenKind(_review, _entries, _send, ("confirm",)),
}
