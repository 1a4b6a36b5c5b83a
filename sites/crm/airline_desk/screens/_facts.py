"""Texts and tables with facts about offers, bookings and passengers, in an airline's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.records import Passenger, Segment
from sites.crm.airline_desk.model.world import edition_of
from sites.crm.airline_desk.operations import booked
from sites.crm.airline_desk.pages.screen import Cell, Facts, Table, Text
from sites.crm.airline_desk.screens._view import View
from sites.crm.base.network import BRANDS, Offer
from sites.crm.base.timetable import Flight


def brand(view: View, name: str) -> str:
    """Return the airline's name of a fare brand."""
    return view.word(f"brand-{name}")


def brand_rules(view: View) -> Text:
    """Return a sentence for each fare brand that says what it includes.

    At a desk with a handbook, only the fares of children are described; the rest stands in the
    handbook.
    """
    if edition_of(view.world):
        sentences = [view.word("rule-in-handbook")]
    else:
        sentences = [
            f"{brand(view, name)}: {bag_rule(view, name)} {_change_and_refund(view, name)}"
            for name in BRANDS
        ]
    child = view.word(
        "rule-children", percent=prices.CHILD_PERCENT, infant=view.money(prices.INFANT)
    )
    return Text((*sentences, child))


def _change_and_refund(view: View, name: str) -> str:
    rules = prices.BRAND_RULES[name]
    change = change_rule(view, rules.change_fee)
    return f"{change} {view.word('rule-refund' if rules.refund else 'rule-no-refund')}"


def bag_prices(view: View, brands: Mapping[str, str]) -> str:
    """Return the explanation above the fields for bags, with the prices of bags in each direction.

    At a desk with a handbook, the prices stand in the handbook.
    """
    if edition_of(view.world):
        return f"{view.word('lead-bags-alone')} {view.word('rule-in-handbook')}"
    sentences = [view.word("lead-bags")]
    for direction, name in brands.items():
        fare = f"{view.direction(direction)}, {brand(view, name)}"
        sentences.append(f"{fare}: {bag_rule(view, name)}")
    return " ".join(sentences)


def change_rule(view: View, fee: int | None) -> str:
    """Return the sentence about changes for a change fee; None means that changes are forbidden."""
    if fee is None:
        return view.word("rule-no-change")
    return view.word("rule-change", fee=view.money(fee)) if fee else view.word("rule-change-free")


def bag_rule(view: View, name: str) -> str:
    """Return a sentence that says how many bags a fare brand includes and how much a further bag
    costs.
    """
    rules = prices.BRAND_RULES[name]
    return view.word("rule-bags", included=rules.bags, price=view.money(rules.bag))


def when(view: View, flight: Flight) -> str:
    """Return the times of a flight as text, such as 10:05 – 12:30, with a remark if it arrives on
    another day.
    """
    formats = view.airline.formats
    return f"{formats.clock(flight.departs)} – {arrival(view, flight.arrives, flight.days)}"


def arrival(view: View, minutes: int, days: int) -> str:
    """Return a time of arrival, with a remark if it is on another day."""
    text = view.airline.formats.clock(minutes)
    if not days:
        return text
    key = "day-before" if days < 0 else "day-later" if days == 1 else "days-later"
    return f"{text} ({view.word(key, days=days)})"


def offer_flights(offer: Offer) -> str:
    """Return the flight numbers of an offer, joined by " + "."""
    return " + ".join(flight.number for flight in offer.flights)


def duration(minutes: int) -> str:
    """Return a duration as text, such as "2 h 05 min"."""
    return f"{minutes // 60} h {minutes % 60:02} min"


def flight_facts(view: View, flight: Flight) -> Facts:
    """Return a section with route, day and times of a flight."""
    route = f"{view.airport(flight.origin)} – {view.airport(flight.destination)}"
    day = view.airline.formats.long_day(flight.date)
    rows = ((flight.number, f"{route}; {day}, {when(view, flight)}"),)
    return Facts(view.word("flight"), rows)


def itinerary(view: View, segments: Iterable[Segment]) -> Table:
    """Return a table of a booking's flights, one per row."""
    head = ("direction", "flight", "route", "date", "times", "fare")
    rows = []
    for each in segments:
        flight = booked.flight(view.data, each)
        route = f"{view.airport(flight.origin)} – {view.airport(flight.destination)}"
        rows.append(
            cells(
                view.direction(each.direction),
                each.flight,
                route,
                view.airline.formats.long_day(each.date),
                when(view, flight),
                brand(view, each.brand),
            )
        )
    return Table(view.word("itinerary"), tuple(map(view.word, head)), tuple(rows))


def cells(*texts: str) -> tuple[Cell, ...]:
    """Return table cells with these texts."""
    return tuple(map(Cell, texts))


def costs(view: View, parts: Iterable[tuple[str, int]]) -> Facts:
    """Return a section that lists amounts with their labels, and the total."""
    listed = list(parts)
    rows = [(view.word(f"cost-{name}"), view.money(amount)) for name, amount in listed]
    total = (view.word("total"), view.money(sum(amount for _, amount in listed)))
    return Facts(view.word("price"), (*rows, total))


def who(view: View, passengers: Iterable[Passenger]) -> dict[int, str]:
    """Return the name of each passenger, by the passenger's number."""
    return {each.number: each.person.name for each in passengers}


def places(view: View, kinds: Iterable[str]) -> list[str]:
    """Return labels for travellers who have no names yet: adult 1, adult 2, child 1."""
    counts: dict[str, int] = {}
    labels = []
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
        labels.append(f"{view.word(kind)} {counts[kind]}")
    return labels
