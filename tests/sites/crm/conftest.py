"""A desk with one open world, for the tests of the CRM."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from werkzeug.test import TestResponse

from sites.crm import CrmData, Knobs, create_app, load_data, new_world
from sites.crm.base.records import CONFIRMED, Booking, Leg, Passenger
from sites.crm.published_desk import operations
from sites.world import World, Worlds

SESSION = "s1"
ANN = Passenger("Ms", "Ann", "Lee", "Female", "1980-05-03")
CARD = {"card-number": "4111 1111 1111 1111", "expiry": "09/27", "cvc": "123"}
TRIP = {
    "from": "LHR",
    "to": "JFK",
    "trip-type": "return",
    "departure": "2026-03-04",
    "return": "2026-03-11",
}
BOOT = re.compile(r'<script[^>]*id="boot"[^>]*>(.*?)</script>', re.DOTALL)


def booked(data: CrmData, reference: str, passenger: Passenger = ANN, place: int = 0) -> Booking:
    """A booking of the `place`-th flight of 20 and 27 May between Berlin and Madrid."""
    outward = data.flights("BER", "MAD", "2026-05-20")[place]
    back = data.flights("MAD", "BER", "2026-05-27")[place]
    return Booking(
        reference=reference,
        status=CONFIRMED,
        passenger=passenger,
        outward=Leg(outward.number, outward.date),
        inbound=Leg(back.number, back.date),
        price=operations.total(outward, back),
        card="1111",
    )


class CrmClient:
    """The site with one open world, seen by a client without a cookie."""

    def __init__(self, data: CrmData, knobs: Knobs | None = None) -> None:
        self.data, self.worlds = data, Worlds()
        self.world: World = new_world(SESSION, [booked(data, "K7Q2MB")], knobs)
        self.worlds.publish(self.world)
        self.app = create_app(data, self.worlds)
        self.client = self.app.test_client()
        self._csrf = ""

    @property
    def csrf(self) -> str:
        self._csrf = self._csrf or self.boot("/flights")["csrf"]
        return self._csrf

    def page(self, address: str) -> TestResponse:
        return self.client.get(f"{address}?scenario={SESSION}")

    def boot(self, address: str) -> dict[str, Any]:
        """What the page at an address begins with."""
        found = BOOT.search(self.page(address).text)
        assert found is not None
        boot: dict[str, Any] = json.loads(found[1])
        return boot

    def get(self, address: str) -> TestResponse:
        """A screen as JSON."""
        return self.page(f"/api{address}")

    def post(self, address: str, body: Any, csrf: str | None = None) -> TestResponse:
        header = {"X-CSRF-Token": self.csrf if csrf is None else csrf}
        return self.client.post(f"/api{address}?scenario={SESSION}", json=body, headers=header)

    def commit(self, address: str, control: str, values: dict[str, str]) -> TestResponse:
        """Press a button of a screen as it is now."""
        version = (self.get(address).json or {}).get("version", 0)
        return self.post(address, {"control": control, "version": version, "values": values})

    def log(self, *events: dict[str, str]) -> TestResponse:
        return self.post("/events", {"events": list(events)})

    def free(self, screen: dict[str, Any], group: str = "outward") -> str:
        """A flight of a results screen that has seats."""
        rows = screen["flights"][group]["rows"]
        return next(str(row["number"]) for row in rows if not row["sold_out"])

    def to_payment(self) -> str:
        """Search, choose and save the passenger; the address of the payment screen."""
        results = self.commit("/flights", "search-flights", TRIP).json["screen"]
        chosen = {group: self.free(results, group) for group in ("outward", "return")}
        done = self.commit(results["address"], "confirm-flights", chosen).json
        return str(self.commit(done["address"], "save-passenger", ANN.values()).json["address"])


@pytest.fixture(scope="session")
def data() -> CrmData:
    return load_data()


@pytest.fixture
def desk(data: CrmData) -> CrmClient:
    return CrmClient(data)


@pytest.fixture
def desk_with(data):
    """`desk_with(knobs)`: a desk that is harder to use."""
    return lambda knobs: CrmClient(data, knobs)


@pytest.fixture
def world(data: CrmData) -> World:
    return new_world(SESSION, [booked(data, "K7Q2MB")])


@pytest.fixture(scope="session")
def make_booking(data):
    """`make_booking(reference, passenger, place)`"""
    return lambda *values: booked(data, *values)
