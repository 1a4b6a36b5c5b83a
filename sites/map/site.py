"""The declaration of the map: its pages, with the links, lists and forms that stand on them."""

from __future__ import annotations

from typing import Any

from sites._kit.declare import Column, Computed, Do, Field, Form, Link, Listing, Page, Show, Site
from sites._land.streets import MODES
from sites.map import directions, views
from sites.map import operations as do
from sites.map import tables as of
from sites.map.skins import SKINS
from sites.world import World


def _words(*names: str) -> Column:
    """Return a column with these words of the skin."""
    return Column(names[0], tuple(Show("word", each) for each in names))


def _link(name: str, label: str) -> Column:
    return Column(name, (Show("link", label),))


PLACE = _link("title", "place"), Column("about", (Show("word", "kind_at"),))
QUERY = Field("query", most=300)
RESULTS = Listing(
    Computed(views.results, views.ROW), {"best": "rank"}, (Link("place"),), size=10, columns=PLACE
)
IN_VIEW = Listing(
    Computed(views.places, views.ROW), {"known": "rank"}, (Link("place"),), size=20, columns=PLACE
)
TURNS = Listing(
    Computed(directions.turns, directions.TURN),
    {"turn": "turn"},
    size=60,
    key=("way", "turn"),
    columns=("street", "length"),
)
FACTS = Listing(
    "SELECT place, fact, value FROM facts WHERE place = :id",
    {"fact": "fact"},
    size=20,
    key=("place", "fact"),
    columns=(Column("fact", (Show("word", "fact_of"),)), "value"),
)


def _places(rows: str, **more: Any) -> Listing:
    """Return a list of places by name."""
    return Listing(rows, {"name": "name, id"}, (Link("place"),), columns=PLACE, **more)


def _moved(way: str) -> Link:
    """Return the link to the view beside a view."""
    return Link("view", way, using={"lat": f"{way}_lat", "lon": f"{way}_lon"})


ADD_NOTE = Form(
    "add_note", do.add_note, (Field("text", "text", most=500),), given={"place": "id"},
    follows="note",
)  # fmt: skip
VIEW = Computed(views.record, views.COLUMNS)
PAGES = (
    Page(
        "home",
        "/",
        listing=Listing(
            of.DISTRICTS,
            {"name": "district"},
            (Link("district"),),
            columns=(_link("title", "district"), _words("postcode_of"), _words("inside_of")),
        ),
    ),
    Page("search", "/search", listing=RESULTS, asks=(QUERY,)),
    Page(
        "district",
        "/district/<district>",
        of.DISTRICTS,
        ("district",),
        listing=_places(of.PLACES + " WHERE p.district = :district", filters={"kind": of.KINDS}),
    ),
    Page(
        "country", "/country", listing=_places(of.COUNTRY, filters={"kind": of.COUNTRY_KINDS})
    ),
    Page(
        "directions",
        "/directions",
        Computed(directions.record, directions.RECORD),
        links=(
            Link(
                "directions",
                "reverse",
                using={"from": "to", "to": "from", "engine": "engine"},
                shown=lambda row: bool(row["outcome"]),
            ),
        ),
        listing=TURNS,
        asks=(
            Field("from", most=300),
            Field("to", most=300),
            Field("engine", "choice", required=False, options=MODES),
        ),
    ),
    Page(
        "view",
        "/map/<zoom>/<lat>/<lon>",
        VIEW,
        links=(
            Link("view", "nearer", using={"zoom": "nearer"}),
            Link("view", "farther", using={"zoom": "farther"}),
            *(_moved(way) for way in ("north", "south", "east", "west")),
            Link("search_view"),
        ),
        listing=IN_VIEW,
    ),
    Page(
        "search_view",
        "/map/<zoom>/<lat>/<lon>/search",
        VIEW,
        links=(Link("view", "back_to_view"),),
        listing=RESULTS,
        asks=(QUERY,),
    ),
    Page("notes", "/notes", listing=Listing(
        of.NOTES,
        {"new": "at DESC, note DESC"},
        (Link("note"), Link("place", "of_place")),
        columns=(_link("title", "note"), _link("name", "of_place"), "text"),
    )),
    Page(
        "note",
        "/notes/<note>",
        of.NOTES,
        ("note",),
        (Link("notes"), Link("place", "of_place")),
        shows=(Column("text", (Show("lines", "text"),)),),
    ),
    Page(
        "place",
        "/<type>/<id>",
        of.PLACES,
        ("type", "id"),
        (
            Link("view", "on_map", using={"lat": "latitude", "lon": "longitude"}),
            Link("directions", "from_here", using={"from": "label"}),
            Link("directions", "to_here", using={"to": "label"}),
        ),
        (ADD_NOTE,),
        FACTS,
        shows=(_words("kind_of"), _words("address_of"), _words("location_of")),
    ),
)  # fmt: skip


def stray(world: World) -> Do:
    """Return an operation that nobody asked for: leave a note at the first place."""
    [row] = world.read("SELECT id FROM places ORDER BY id LIMIT 1")
    return do.add_note(row["id"], "The name on the sign is another one.")


SITE = Site("map", of.TABLES, (do.add_note,), PAGES, SKINS, "home", of.PERSONAS, stray)
