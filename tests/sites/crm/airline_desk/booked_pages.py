"""The pages of a desk with bookings, for a client without scripts that knows our field keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from werkzeug.test import TestResponse

from sites.crm import CrmData
from sites.crm.airline_desk.app import create_airline_desk
from sites.crm.airline_desk.model.airline import Airline, airlines
from sites.world import World, Worlds
from tests.sites.crm.airline_desk.booked_rows import desk

HOST = "http://airline.localhost"
CSRF = re.compile(r'name="csrf" value="([^"]*)"')
VERSION = re.compile(r'name="version" value="([^"]*)"')
CODES = ("route-from", "route-to")
DAYS = ("departure", "flight-date")


class DeskPages:
    """A visitor who has only the session in the address."""

    def __init__(self, data: CrmData, airline: str) -> None:
        self.data, self.worlds = data, Worlds()
        self.world: World = desk(data, airline, session=f"s-{airline}")
        self.airline: Airline = airlines()[airline]
        self.start = self.world.fork()
        self.worlds.publish(self.world)
        self.client = create_airline_desk(data, self.worlds).test_client()

    def address(self, screen: str, *parts: object, **arguments: str) -> str:
        query = {"scenario": self.world.session, **arguments}
        return f"{self.airline.address(screen, *parts)}?{urlencode(query)}"

    def open(self, screen: str, *parts: object, **fields: str) -> TestResponse:
        """A page, with these fields in its address."""
        given = {key.replace("_", "-"): text for key, text in fields.items()}
        return self.get(self.address(screen, *parts, **self.sent(given)))

    def get(self, address: str) -> TestResponse:
        return self.client.get(address, base_url=HOST)

    def press(
        self, control: str, screen: str, *parts: object, values: Mapping[str, str] | None = None
    ) -> TestResponse:
        """Send the form of a page that is opened first; the answer before any redirect."""
        return self._send(self.open(screen, *parts), control, screen, *parts, values=values)

    def do(
        self, control: str, screen: str, *parts: object, values: Mapping[str, str] | None = None
    ) -> TestResponse:
        """Press a button that cannot be taken back, and do what this airline asks for besides."""
        answer = self.press(control, screen, *parts, values=values)
        if self.airline.last_step == "review":
            assert answer.status_code == 303, answer.text
            return self.press("confirm", "review", values={"agree": "yes"})
        if self.airline.last_step == "again":
            assert answer.status_code == 200, answer.text
            return self._send(answer, control, screen, *parts, values=values)
        return answer

    def _send(
        self,
        shown: TestResponse,
        control: str,
        screen: str,
        *parts: object,
        values: Mapping[str, str] | None,
    ) -> TestResponse:
        """Press a button of the page that is shown."""
        csrf, version = CSRF.search(shown.text), VERSION.search(shown.text)
        form = {
            "csrf": csrf[1] if csrf else "",
            "version": version[1] if version else "",
            "press": self.airline.id(control),
            **self.sent(values or {}),
        }
        return self.client.post(self.address(screen, *parts), data=form, base_url=HOST)

    def sent(self, values: Mapping[str, str]) -> dict[str, str]:
        """The posted names and texts of fields by their keys."""
        found: dict[str, str] = {}
        for key, text in values.items():
            found |= self._sent(key, text)
        return found

    def _sent(self, key: str, text: str) -> dict[str, str]:
        name = self.airline.id(*key.split("."))
        if key in CODES and self.airline.widget("airport", name) == "airport-picked":
            return {name: text, f"{name}-code": text}
        if key.partition(".")[0] in DAYS and re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            year, month, day = text.split("-")
            if self.airline.widget("date", name) == "date-lists":
                return {f"{name}-year": year, f"{name}-month": month, f"{name}-day": day}
            return {name: self.airline.formats.written(int(year), int(month), int(day))}
        if key == "born" and re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return {name: self.airline.formats.written(*map(int, text.split("-")))}
        if key.partition(".")[0].endswith("amount") and text.isdecimal() and len(text) < 7:
            return {name: self.airline.formats.money(int(text))}
        return {name: text}

    def rows(self, table: str) -> list[dict[str, object]]:
        return self.world.read(f"SELECT * FROM {table}")
