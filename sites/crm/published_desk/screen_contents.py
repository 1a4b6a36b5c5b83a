"""The contents of the published desk's screens apart from forms and buttons, a function each in
`CONTENTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from random import Random

from sites.crm.base.address import Place
from sites.crm.base.records import Booking, Journey
from sites.crm.base.world import CrmData, knobs
from sites.crm.published_desk import journal, operations
from sites.crm.published_desk.form_fields import BUTTONS, FORMS, Button
from sites.crm.published_desk.serializers import (
    Json,
    booking_json,
    day_text,
    journey_json,
    offer_json,
    route_json,
)
from sites.site_app import Refusal
from sites.world import World


@dataclass(frozen=True)
class CrmView:
    """The view of a screen: a place (screen and subject) in a visit's database, with the site's
    data.
    """

    world: World
    data: CrmData
    place: Place

    def at(self, screen: str) -> str:
        """Return the address of another screen with the same subject."""
        return Place(screen, self.place.reference).address

    def booking(self) -> Booking:
        """Return the booking that the screen is about."""
        return operations.booking(self.world, self.place.reference)

    def changeable(self) -> Booking:
        """Return the booking that the screen is about. Raises `Refusal` if it was cancelled."""
        return operations.changeable(self.world, self.place.reference)

    def journey(self) -> Journey:
        """Return the journey (a search with its choices) that the screen is about. Raises `Refusal`
        if it is to change a booking.
        """
        return operations.own_journey(self.world, self.place.number)

    def offers(self, journey: Journey) -> Json:
        """Return the lists of flights to choose from as JSON; `return` is None for a
        one-way trip.
        """
        there, here, back = journey.origin, journey.destination, journey.returning
        return {
            "outward": self._offers("outward", there, here, journey.departure),
            "return": self._offers("return", here, there, back) if back else None,
        }

    def _offers(self, group: str, origin: str, destination: str, day: str) -> Json:
        """Return the list of flights of one direction as JSON."""
        drafts = journal.drafts(self.world, self.place)
        found = operations.offers(self.world, self.data, origin, destination, day)
        route = route_json(self.data.airports, origin, destination)
        return {
            "title": f"{group.capitalize()}: {route['from_text']} to {route['to_text']}",
            "date": day,
            "day": day_text(day),
            "rows": [offer_json(each, group, 1 + k, drafts) for k, each in enumerate(found)],
        }

    def fields(self, start: Mapping[str, str] | None = None) -> list[Json]:
        """Return the form's fields as JSON with their present values, in this visit's order of
        fields.
        """
        values = {**(start or {}), **journal.drafts(self.world, self.place)}
        form = FORMS.get(self.place.screen, ())
        shown = [asdict(replace(each, value=values.get(each.id, each.value))) for each in form]
        seed = knobs(self.world).shuffle
        if seed is not None:
            Random(f"crm/fields/{seed}/{self.place.screen}").shuffle(shown)
        return shown

    def buttons(self, *opening: Button) -> list[Json]:
        """Return the screen's buttons as JSON: those that submit the form, and further ones that
        open a screen.
        """
        return [asdict(each) for each in (*BUTTONS[self.place.screen], *opening)]


def _results(view: CrmView) -> Json:
    journey = view.journey()
    return {
        "back": "/flights",
        "flights": view.offers(journey),
        "journey": journey_json(view.data, journey),
    }


def _passenger(view: CrmView) -> Json:
    journey = view.journey()
    operations.with_flights(journey)
    return {"back": view.at("results"), "journey": journey_json(view.data, journey)}


def _payment(view: CrmView) -> Json:
    journey = view.journey()
    operations.with_passenger(journey)
    return {"back": view.at("passenger"), "journey": journey_json(view.data, journey)}


def _receipt(view: CrmView) -> Json:
    journey = view.journey()
    if journey.reference is None:
        raise Refusal(404, "This was not booked yet.", view.at("payment"), "Payment")
    made = operations.booking(view.world, journey.reference)
    address = Place("booking", made.reference).address
    return {
        "booking": booking_json(view.data, made),
        "buttons": view.buttons(Button("open-booking", "Open the booking", "open", address)),
    }


def _booking(view: CrmView) -> Json:
    found = view.booking()
    return {
        "back": "/bookings",
        "booking": booking_json(view.data, found),
        "namesakes": [
            {
                "reference": each.reference,
                "born": each.passenger.born,
                "address": Place("booking", each.reference).address,
            }
            for each in operations.namesakes(view.world, found)
        ],
        "buttons": [] if found.cancelled else view.buttons(),
    }


def _cancel(view: CrmView) -> Json:
    found = view.changeable()
    back = view.at("booking")
    return {
        "back": back,
        "booking": booking_json(view.data, found),
        "buttons": view.buttons(Button("keep-booking", "Keep the booking", "open", back)),
    }


def _modify(view: CrmView) -> Json:
    found = view.changeable()
    return {**_changing(view, found), "fields": view.fields(found.passenger.values())}


def _modify_search(view: CrmView) -> Json:
    found = view.changeable()
    return {**_changing(view, found), "fields": view.fields(_searched(view.data, found))}


def _modify_results(view: CrmView) -> Json:
    found = view.changeable()
    journey = operations.journey_for(view.world, found, view.place.number)
    return {
        **_changing(view, found),
        "back": view.at("modify-search"),
        "flights": view.offers(journey),
        "journey": journey_json(view.data, journey),
    }


def _changing(view: CrmView, found: Booking) -> Json:
    """Return the JSON contents that the screens for modifying a booking share."""
    passenger, flights = view.at("modify"), view.at("modify-search")
    current = view.place.screen == "modify"
    tabs = (("tab-passenger", "Passenger", passenger), ("tab-flights", "Flights", flights))
    return {
        "back": view.at("booking"),
        "booking": booking_json(view.data, found),
        "tabs": [
            {"id": name, "label": label, "address": to, "current": current == (to == passenger)}
            for name, label, to in tabs
        ],
    }


def _searched(data: CrmData, found: Booking) -> dict[str, str]:
    """Return the values of the search form that find a booking's present flights, by field."""
    outward = data.flight(found.outward.flight, found.outward.date)
    assert outward is not None, "a booking holds flights of the timetable"
    back = found.inbound
    return {
        "from": data.airports[outward.origin].label,
        "to": data.airports[outward.destination].label,
        "trip-type": "return" if back else "one-way",
        "departure": found.outward.date,
        "return": back.date if back else "",
    }


CONTENTS: Mapping[str, Callable[[CrmView], Json]] = {
    "results": _results,
    "passenger": _passenger,
    "payment": _payment,
    "receipt": _receipt,
    "booking": _booking,
    "cancel": _cancel,
    "modify": _modify,
    "modify-search": _modify_search,
    "modify-results": _modify_results,
}
