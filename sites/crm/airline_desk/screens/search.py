"""The screen on which a sale begins: the search for flights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Search
from sites.crm.airline_desk.operations import checks, looking, selling
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.base import fields


def _entries(view: View) -> tuple[Entry, ...]:
    """Return the fields of the search form. Until the sale is booked, they hold the values of the
    last search.
    """
    trip = looking.open_trip(view.world)
    entries = _new_entries(view)
    if trip is None:
        return entries
    last = _searched(trip.search)
    return tuple(replace(each, value=last[each.key], fresh=False) for each in entries)


def _searched(search: Search) -> dict[str, str]:
    """Return the values of a search by the keys of the form's fields."""
    return {
        "from": search.origin,
        "to": search.destination,
        "trip-type": "return" if search.returning else "one-way",
        "departure": search.departure,
        "return": search.returning,
        "adults": str(search.adults),
        "children": str(search.children),
        "infants": str(search.infants),
    }


def _new_entries(view: View) -> tuple[Entry, ...]:
    trips = tuple((each, view.word(f"{each}-trip")) for each in fields.TRIPS)
    found = {
        "from": Entry("from", "airport"),
        "to": Entry("to", "airport"),
        "trip-type": Entry("trip-type", "choice", fields.TRIPS[0], trips, fresh=True),
        "departure": Entry("departure", "date"),
        "return": Entry("return", "date"),
        "adults": _count("adults", "1", view.word("hint-adults", age=checks.CHILD_YEARS)),
        "children": _count("children", "0", view.word("hint-children")),
        "infants": _count("infants", "0", view.word("hint-infants")),
    }
    return tuple(found[key] for key in view.airline.order["search"])


def _count(key: str, value: str, hint: str) -> Entry:
    numbers = tuple((str(each), str(each)) for each in range(checks.MOST_TRAVELLERS + 1))
    return Entry(key, "count", value, numbers, hint, fresh=True)


def _search(view: View) -> Contents:
    lead = view.word("lead-search") if looking.open_trip(view.world) else ""
    form = view.form(view.word("group-route"), _entries(view), lead)
    return Contents("title-search", (form,), (view.button("search-flights"),))


def _send(view: View, _: str, values: Values) -> Place:
    made = selling.search(view.world, view.data, values)
    return Place("results", (str(made.number), "outward"))


SEARCH: Mapping[str, ScreenKind] = {
    "search": ScreenKind(_search, _entries, _send, ("search-flights",)),
}
