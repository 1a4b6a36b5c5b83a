"""A screen with every kind of section and field, and a site that shows it for each airline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from flask import Flask, request

from sites.crm import airline_desk, load_data
from sites.crm.airline_desk.model.airline import Airline, airlines
from sites.crm.airline_desk.pages import page, widgets
from sites.crm.airline_desk.pages.screen import (
    Button,
    Cell,
    Facts,
    Field,
    Form,
    Link,
    OfferRow,
    Offers,
    Option,
    Price,
    Screen,
    SeatCell,
    SeatMap,
    Step,
    Table,
    Text,
)
from sites.site_app import create_site
from sites.world import Worlds

DATA = load_data()
EVIL = '<img src=x onerror=alert(1)> "O\'Neil" & {{ 7 * 7 }}'
BRANDS = ("light", "classic", "flex", "business")
KINDS = {
    "from": "airport",
    "to": "airport",
    "trip-type": "choice",
    "departure": "date",
    "return": "date",
    "adults": "count",
    "infants": "count",
    "born": "date",
    "amount": "money",
    "name": "text",
    "agree": "check",
}
VALUES = {"trip-type": "return", "adults": "1", "infants": "0"}


def site() -> Flask:
    """`/<airline>` shows the screen; what is posted to it comes back read, or with problems."""
    app = create_site("crm", Path(airline_desk.__file__).parent, Worlds())

    @app.route("/<key>", methods=["GET", "POST"])
    def show(key: str) -> str:
        posted = request.form if request.method == "POST" else None
        return page.render(screen(airlines()[key], posted), airlines()[key], "the token")

    return app


def screen(airline: Airline, posted: Mapping[str, str] | None = None) -> Screen:
    fields = tuple(field(airline, key, posted) for key in KINDS)
    return Screen(
        key="search",
        title=airline.word("title-search"),
        address=f"/{airline.key}",
        sections=(
            Form(airline.word("group-route"), fields, lead="A lead."),
            *(offers(airline, name) for name in ("outward", "return")),
            seat_map(airline),
            Facts("Facts", ((EVIL, EVIL), ("Term", "Text")), "facts"),
            Table("Table", ("One", "Two"), ((Cell(EVIL), Cell("there", "/there", "hit")),)),
            Table("None", ("One",), (), "There is nothing."),
            Text(("A note.", EVIL)),
            Facts("read", tuple((each.id, each.value) for each in fields), "read"),
        ),
        buttons=(
            Button(airline.id("search-flights"), airline.word("search-flights"), primary=True),
            Button(airline.id("book"), airline.word("book"), commits=True),
        ),
        links=tuple(link(airline, key) for key in ("open-seats", "open-cancel")),
        back=link(airline, "back"),
        nav=(link(airline, "new-search", current=True), link(airline, "find-people")),
        steps=(Step("One", "past"), Step("Two", "current"), Step("Three", "next")),
        problem="Look again." if posted is not None else "",
        visit=(EVIL,),
        version=3,
    )


def link(airline: Airline, key: str, *, current: bool = False) -> Link:
    return Link(airline.id(key), airline.word(key), f"/{airline.key}", current)


def field(airline: Airline, key: str, posted: Mapping[str, str] | None) -> Field:
    name, kind, value, problem = airline.id(key), KINDS[key], VALUES.get(key, ""), ""
    if posted is not None:
        try:
            value = widgets.read(airline, kind, name, posted, DATA)
        except ValueError as refused:
            value, problem = widgets.draft(airline, kind, name, posted), str(refused)
    trips = tuple(Option(each, airline.word(word)) for each, word in TRIPS.items())
    return Field(name, airline.word(key), kind, value, trips * (kind == "choice"), "", problem)


TRIPS = {"return": "return-trip", "one-way": "one-way-trip"}


def offers(airline: Airline, name: str) -> Offers:
    numbers = ("LW2041", "KW1234 + LW2042")
    rows = tuple(offer(airline, f"{name}-{at}", number) for at, number in enumerate(numbers))
    brands = tuple(airline.word(f"brand-{brand}") for brand in BRANDS)
    return Offers(name, airline.word(name if name == "outward" else "inward"), "", brands, rows)


def offer(airline: Airline, id: str, flights: str) -> OfferRow:  # noqa: A002  as in HTML
    money = [airline.formats.money(100 + 50 * at) for at in range(len(BRANDS))]
    prices = tuple(
        Price(
            id=f"{id}-{brand}",
            value=f"{flights}/{brand}",
            text=text,
            label=f"{flights}, {airline.word(f'brand-{brand}')}, {text}",
            left=airline.word("seats-left", number=4),
            sold_out=brand == "flex",
        )
        for brand, text in zip(BRANDS, money, strict=True)
    )
    return OfferRow(id, flights, "07:10", "10:15", airline.word("direct"), "3 h", prices)


def seat_map(airline: Airline) -> SeatMap:
    texts = [airline.word("free"), airline.word("taken"), airline.word("free-for", price="$18")]
    rows = tuple(
        (
            airline.word("row", number=row),
            row == 10,
            tuple(SeatCell(f"{row}{letter}", texts[at % 3]) for at, letter in enumerate("ABCDEF")),
        )
        for row in range(1, 23)
    )
    return SeatMap("LW2041", "ABCDEF", rows)
