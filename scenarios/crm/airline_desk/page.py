"""A page of the airline desk, read from an observation: its screen, fields, buttons, offers and
texts.

Callers name elements by the airline's keys. The page finds an element by its HTML id if the page
has ids, or else by its label in the airline's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

from agent.interface import Action, Click, Element, Observation, Select, Text, Type
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.pages.countries import countries
from sites.crm.base import fields
from sites.crm.base.airports import Airport, Airports, load_airports
from sites.crm.base.clock import TODAY, WEEKDAYS
from sites.months import MONTHS

KINDS: Mapping[str, str] = {
    **dict.fromkeys(("from", "to", "route-from", "route-to"), "airport"),
    **dict.fromkeys(("departure", "return", "born", "flight-date"), "date"),
    **dict.fromkeys(("voucher-until", "reply-day"), "date"),
    **dict.fromkeys(("adults", "children", "infants", "bags-outward", "bags-return"), "count"),
    **dict.fromkeys(("trip-type", "title", "gender", "lap"), "choice"),
    **dict.fromkeys(("month", "note-code", "fee-kind", "passenger", "to-flight"), "choice"),
    **dict.fromkeys(("offer-what", "outcome"), "choice"),
    **dict.fromkeys(("card-amount", "voucher-amount", "fee-amount", "refund-amount"), "money"),
    **dict.fromkeys(("offer-amount", "close-amount", "voucher-worth"), "money"),
    **dict.fromkeys(("payout-late", "payout-meals", "payout-hotel", "payout-lost-bag"), "money"),
    **dict.fromkeys(("difference-amount", "flag-amount"), "money"),
    **dict.fromkeys(("agree", "checked-in", "escort"), "check"),
}
"""The kind of value (airport, date, ...) of each form field that is not plain text, by field
key.
"""
CALENDARS = ("search", "reroute")
"""The keys of screens on which some airlines let the agent pick travel days from a calendar."""
CODES = {"note-code": "note", "fee-kind": "fee", "offer-what": "what", "outcome": "outcome"}
"""For form fields that are lists of codes: the prefix of the keys of the airline's words for the
options.
"""
AIRPORTS: Airports = load_airports()


@dataclass(frozen=True)
class DeskPage:
    """A page of the desk, read from an observation.

    Attributes:
        labels: An addition to a field's label, such as a passenger's name, by field key.
        options: The text that the page shows for a value, by (field key, value).
    """

    observation: Observation
    airline: Airline
    labels: Mapping[str, str]
    options: Mapping[tuple[str, str], str] | None = None

    @property
    def screen(self) -> str:
        return self.place.screen

    @property
    def parts(self) -> tuple[str, ...]:
        return self.place.parts

    @cached_property
    def place(self) -> Place:
        """The screen and its parts; the screen is "" if the address belongs to none."""
        return Place(*(self.airline.read(urlsplit(self.observation.url).path) or ("",)))

    @cached_property
    def number(self) -> int:
        """The number of the list page that is shown, from 1."""
        asked = parse_qs(urlsplit(self.observation.url).query).get("page", ["1"])[0]
        return int(asked) if asked.isdecimal() else 1

    @cached_property
    def text(self) -> str:
        """The text of the page with single spaces."""
        return " ".join(self.observation.text.split())

    def shows(self, *texts: str) -> bool:
        """Return whether the page's text contains all of these texts."""
        return all(text in self.text for text in texts)

    # Elements

    def element(self, html_id: str, *names: str) -> Element | None:
        """Find an element by its HTML id, or by one of its names if the page has no ids.

        Returns:
            The first match, or None.
        """
        listed = self.observation.elements
        if any(each.html_id for each in listed):
            return next((each for each in listed if each.html_id == html_id), None)
        return next((each for each in listed if each.name in names), None)

    def press(self, key: str) -> tuple[Action, ...]:
        """Return a click on a button or link as a tuple, or () if it is missing.

        The button may have the label with which the airline asks to press it again.
        """
        label = self.airline.word(key)
        asked = self.airline.word("press-again", label=label)
        found = self.element(self.airline.id(key), label, asked)
        return (Click(found.id),) if found else ()

    def turn(self) -> tuple[Action, ...]:
        """Return a click on the link to the next page of the list as a tuple, or () if this is the
        last page.
        """
        number = self.number + 1
        found = self.element(
            self.airline.id("page", number), self.airline.word("page-of", page=number)
        )
        return (Click(found.id),) if found else ()

    # Fields

    def fill(self, values: Mapping[str, str]) -> tuple[Action, ...] | None:
        """Return the actions that give fields their wanted values, in the order of the page.

        An open calendar covers other fields; then the actions deal only with the calendar.

        Args:
            values: The wanted value of each field, in normal form.

        Returns:
            The actions (empty if all values are right), or None if a field is missing.
        """
        listed: list[Action] = []
        if self.has_open_calendar:  # which covers other fields
            return tuple(self._pick_days([values["departure"], values.get("return", "")]) or ())
        for enter in self._entries(values):
            actions = enter()
            if actions is None:
                return None
            listed += actions
        return tuple(sorted(listed, key=_place_of))

    def _entries(
        self, values: Mapping[str, str]
    ) -> Iterator[Callable[[], Sequence[Action] | None]]:
        """Yield, for each field, a function that returns the actions to fill it; two days that
        share a calendar share a function.
        """
        shared = self._widget("departure") == "date-calendar"
        for key, value in values.items():
            if shared and key in ("departure", "return"):
                if key == "departure":
                    yield partial(self._pick_days, [value, values.get("return", "")])
            else:
                yield partial(self._enter, key, value)

    def _enter(self, key: str, value: str) -> Sequence[Action] | None:
        widget = self._widget(key)
        if widget == "airport-picked":
            return self._pick_airport(key, AIRPORTS[value])
        if widget == "airport-lists":
            return self._choose(key, airport_choices(value))
        if widget == "date-lists":
            return self._choose(key, day_choices(value))
        if widget == "count-stepper":
            return self._step(key, int(value))
        found = self.field(key)
        if found is None:
            return None
        if self._reads(key, found) == value:
            return ()
        if value and (found.value or "").split(", ")[0] == self.written(key, value):
            return ()
        if widget == "check":
            return (Click(found.id),)
        text = self.written(key, value)
        if not found.options:
            return (Type(found.id, text),)
        offered = [each for each in found.options if each == text or each.startswith(f"{text}, ")]
        return (Select(found.id, offered[0]),) if offered else None

    def field(self, key: str, part: str = "", word: str = "") -> Element | None:
        """Return the form control of a field, or None if it is missing.

        Args:
            key: The field's key, with the passenger's number after a dot if it has a number.
            part: The suffix of the control's HTML id if the field has several controls.
            word: The key of the control's own word in its label.
        """
        name, *number = key.split(".")
        html_id = self.airline.id(name, *number)
        label = self.label(key)
        return self.element(
            f"{html_id}-{part}" if part else html_id,
            f"{label} {self.airline.word(word)}" if word else label,
        )

    def label(self, key: str) -> str:
        """Return the label of a field in the airline's words."""
        word = self.airline.word(key.partition(".")[0])
        return f"{word} ({self.labels[key]})" if self.labels.get(key) else word

    def _widget(self, key: str) -> str:
        name, *number = key.split(".")
        kind = KINDS.get(name, "text")
        return self.airline.widget(kind, self.airline.id(name, *number))

    def written(self, key: str, value: str) -> str:
        """Return the text that a value in normal form has on this airline's pages, to enter or
        select it.
        """
        name, formats = key.partition(".")[0], self.airline.formats
        kind = KINDS.get(name, "text")
        if kind == "airport":
            return AIRPORTS[value].name
        if kind == "date":
            return formats.day(value)
        if kind == "money":
            return formats.money(int(value))
        if self.options and (key, value) in self.options:
            return self.options[key, value]
        if name in CODES:
            return self.airline.word(f"{CODES[name]}-{value}")
        if name == "month":
            return f"{MONTHS[int(value[5:]) - 1]} {value[:4]}"
        if name == "trip-type":
            return self.airline.word(f"{value}-trip")
        return f"{self.airline.word('adult')} {value}" if name == "lap" else value

    def _reads(self, key: str, found: Element) -> str:
        """Return a field's value in normal form, or as it stands if it cannot be parsed."""
        held, formats = found.value or "", self.airline.formats
        name = key.partition(".")[0]
        kind = KINDS.get(name, "text")
        if kind == "check":
            return "yes" if "checked" in found.states else ""
        readers: Mapping[str, Callable[[str], str]] = {
            "airport": lambda text: fields.airport(AIRPORTS, text),
            "date": formats.read_day,
            "money": lambda text: str(formats.read_money(text)),
            "expiry": fields.expiry,
            "card-number": fields.card_number,
            "seat": lambda text: text.strip().upper(),
        }
        if name == "trip-type":
            return next((each for each in fields.TRIPS if self.written(key, each) == held), held)
        if name == "lap":
            return held.removeprefix(f"{self.airline.word('adult')} ")
        reader = readers.get(name, readers.get(kind, str.strip))
        try:
            return reader(held)
        except ValueError:
            return held

    # Widgets

    def _pick_airport(self, key: str, airport: Airport) -> Sequence[Action] | None:
        found = self.field(key)
        if found is None:
            return None
        offered = [each for each in self.observation.elements if each.role == "option"]
        right = next((each for each in offered if each.name == airport.label), None)
        open_ = "expanded" in found.states or not (found.value or "").startswith(airport.label)
        if right and open_:
            return (Click(right.id),)
        return () if found.value == airport.label else (Type(found.id, airport.name),)

    def _choose(self, key: str, choices: Sequence[tuple[str, str, str]]) -> Sequence[Action] | None:
        """Return the selections in lists that depend on each other, from the first wrong list on;
        None if a list is missing.
        """
        actions: list[Action] = []
        for part, word, option in choices:
            found = self.field(key, part, word)
            if found is None:
                return None
            if actions or (found.value or "") != option:
                actions.append(Select(found.id, option))
        return actions

    def _step(self, key: str, wanted: int) -> Sequence[Action] | None:
        """Return presses of a field's plus or minus button until its number is right; None if the
        field is missing.
        """
        label = self.label(key)
        shown = self._after(f"{label}: ")
        if shown is None:
            return None
        name = "more" if wanted > shown else "fewer"
        html_id = self.airline.id(*key.split("."))
        button = self.element(f"{html_id}-{name}", self.airline.word(name, label=label))
        if button is None:
            return None
        return [Click(button.id)] * abs(wanted - shown)

    def _after(self, start: str) -> int | None:
        """Return the number that follows `start` in a text of the page, or None."""
        for node in self.observation.content:
            if isinstance(node, Text) and node.text.startswith(start):
                rest = node.text.removeprefix(start).strip()
                return int(rest) if rest.isdecimal() else None
        return None

    @property
    def has_open_calendar(self) -> bool:
        """Whether the shared calendar of the travel days is open."""
        return self._month is not None

    @property
    def _month(self) -> Element | None:
        """The list of months in the open calendar of travel days, or None if no calendar is
        open.
        """
        if self._widget("departure") != "date-calendar" or self.screen not in CALENDARS:
            return None
        own = self.airline.id("departure")
        return self.element(f"{own}-month", self.airline.word("month-of"))

    def _pick_days(self, days: Sequence[str]) -> Sequence[Action] | None:
        """Return the actions that pick one or two days from the calendar that both date fields
        share.
        """
        formats = self.airline.formats
        inputs = [self.field(key) for key in ("departure", "return")]
        held = [each.value or "" if each else "" for each in inputs]
        wanted = [formats.day(day) if day else "" for day in days]
        if held[0] == wanted[0] and (not days[1] or held[1] == wanted[1]):
            return ()
        own = self.airline.id("departure")
        named = [each for each in ("departure", "return") if self.field(each)]
        labels = ", ".join(map(self.airline.word, named))
        month = self._month
        if month is None:
            name = self.airline.word("open-calendar", label=labels)
            opener = self.element(f"{own}-calendar", name)
            return (Click(opener.id),) if opener else None
        day = days[1] if self.shows(self.airline.word("pick-home")) and days[1] else days[0]
        return self._pick_day(own, day, month)

    def _pick_day(self, own: str, day: str, month: Element) -> Sequence[Action] | None:
        title = f"{MONTHS[int(day[5:7]) - 1]} {day[:4]}"
        if month.value != title:
            return (Select(month.id, title),)
        found = self.element(f"{own}-{day}", spoken(day))
        return (Click(found.id),) if found else None


def _place_of(action: Action) -> int:
    target = getattr(action, "target", 0)
    return target if isinstance(target, int) else 0


def spoken(day: str) -> str:
    """Return the date as the calendar announces it: "Friday, March 13, 2026"."""
    found = date.fromisoformat(day)
    return f"{WEEKDAYS[found.weekday()]}, {MONTHS[found.month - 1]} {found.day}, {found.year}"


def airport_choices(code: str) -> list[tuple[str, str, str]]:
    """Return the selection lists to set for an airport, each as (suffix of its HTML id, key of its
    label, option).

    Lists with a single option fill themselves and are left out.
    """
    country, airport = countries()[code], AIRPORTS[code]
    cities = {each.city for each in AIRPORTS.values() if countries()[each.code] == country}
    ports = [each for each in AIRPORTS.values() if each.city == airport.city]
    listed = [("country", "country", country)]
    listed += [("city", "city", airport.city)] * (len(cities) > 1)
    return listed + [("", "place", airport.label)] * (len(ports) > 1)


def day_choices(day: str) -> list[tuple[str, str, str]]:
    """Return the selection lists to set for a date, each as (suffix of its HTML id, key of its
    label, option).
    """
    return [
        ("day", "day", day[8:]),
        ("month", "month-of", MONTHS[int(day[5:7]) - 1]),
        ("year", "year", day[:4]),
    ]


# Number of actions --------------------------------------------------------------------------------


def clicks(airline: Airline, key: str, value: str, before: str = "") -> int:
    """Count the actions that change a form field from one value to another on an airline's pages.

    Args:
        before: The current value in normal form; "" for an empty field.
    """
    name, *number = key.split(".")
    widget = airline.widget(KINDS.get(name, "text"), airline.id(name, *number))
    if widget == "count-stepper":
        return abs(int(value) - int(before or "0"))
    if value == before:
        return 0
    if widget == "airport-picked":
        return 2
    if widget == "airport-lists":
        return len(airport_choices(value))
    if widget == "date-calendar":
        return calendar_clicks([value], before)
    return len(day_choices(value)) if widget == "date-lists" else 1


def calendar_clicks(days: Sequence[str], held: str = "") -> int:
    """Count the actions to open the calendar and pick travel days.

    The calendar opens at the month of the current value; another month costs one more action.

    Args:
        days: The ISO dates to pick.
        held: The ISO date in the field, or "" if the field is empty.
    """
    months = [day[:7] for day in (held or TODAY.isoformat(), *days)]
    return 1 + sum(1 + (now != then) for then, now in pairwise(months))
