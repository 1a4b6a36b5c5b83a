"""Wander: a walker's map with the navigation at the side, cards and page numbers."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "directions": "Find a way", "search": "Look up", "district": "Quarters",
    "province": "province", "location": "Coordinates", "note": "Remarks",
}  # fmt: skip
SKIN = Skin(
    "wander",
    words={
        "site": "Wander", "signed_in": "Guest {me}", "sorting": "Arrange",
        "footer": "Wander. Lengths in kilometres, durations in hours and minutes.",
        "found": "altogether", "pages": "Sheets", "apply": "Show", "menu": "Contents",
        "next": "Onward", "previous": "Back", "number": "{n}",
        # links
        "home": "Quarters", "search": "Look up", "directions": "Find a way",
        "country": "The whole country", "notes": "Remarks", "district": "{district}",
        "place": "{title}",
        "reverse": "The way back", "nearer": "Closer", "farther": "Wider",
        "north": "Up", "south": "Down", "east": "Right", "west": "Left",
        "search_view": "Look around here", "back_to_view": "Return to the sheet",
        "on_map": "See its surroundings", "from_here": "Start here",
        "to_here": "Go here", "note": "Remark {note}", "of_place": "{of_place}",
        # buttons
        "add_note": "Leave a remark",
        # fields
        "query": "What to look up", "from": "Start", "to": "Goal", "engine": "Mode",
        "text": "Remark for the map makers", "kind_label": "Sort of place",
        # parts of rows and records
        "postcode_of": "Postal code {postcode},", "inside_of": "{inside} spots",
        "kind_at": "{kind}, {address}", "fact_of": "{fact}:",
        "kind_of": "Sort: {kind}", "address_of": "Where: {address}",
        "location_of": "Coordinates: {location}",
        "way": "Length {length}, duration {time}",
        "same_place": "Start and goal are one. Length {length}, duration {time}",
        "no_way": "Nobody gets there by {engine}.",
        "ends_from": "From {from_address}", "ends_to": "To {to_address}",
        "turn_start": "Set off on {street}", "turn_straight": "Keep on along {street}",
        "turn_left": "Go left into {street}", "turn_right": "Go right into {street}",
        "picture_of": "Sheet with {title}", "picture": "Sheet", "way_picture": "Sheet of the way",
        "about_search": "A name, an address, coordinates, or a sort of place near something:"
        " pharmacies near Old Town Library. Those at the least straight distance come first.",
        # headings
        "title_home": "Quarters of the city", "title_search": "Look up",
        "title_district": "{district}", "title_country": "The whole country",
        "title_directions": "Find a way", "title_view": "Sheet around {lat}, {lon}",
        "title_search_view": "Look around here", "title_notes": "Remarks",
        "title_note": "Remark on {name}", "title_place": "{name}",
    },
    nav=tuple(map(Link, ("search", "directions", "home", "country", "notes"))),
    look="side",
    sheet="/static/map.css",
    theme="ember",
    rows="cards",
    pager="numbers",
    size=8,
    addresses={
        "search": "/lookup", "district": "/quarter/<district>", "country": "/around",
        "directions": "/way", "view": "/sheet/<zoom>/<lat>/<lon>",
        "search_view": "/sheet/<zoom>/<lat>/<lon>/lookup", "notes": "/remarks",
        "note": "/remarks/<note>", "place": "/spot/<type>/<id>",
    },
)  # fmt: skip
