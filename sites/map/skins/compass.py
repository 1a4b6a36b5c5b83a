"""Compass: a surveyor's map with tables and a menu."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "directions": "Journey", "search": "Gazetteer", "district": "Wards",
    "province": "province", "location": "Position", "note": "Field notes",
}  # fmt: skip
SKIN = Skin(
    "compass",
    words={
        "site": "Compass Survey", "signed_in": "Reader {me}", "sorting": "Order",
        "footer": "Compass Survey. All distances in kilometres, all times as hours:minutes.",
        "found": "on record", "pages": "Leaves", "apply": "Consult", "menu": "Index",
        "next": "Next leaf", "previous": "Previous leaf", "number": "Leaf {n}",
        "first": "First leaf", "last": "Last leaf",
        # links
        "home": "Wards", "search": "Gazetteer", "directions": "Journey",
        "country": "The country at large", "notes": "Field notes", "district": "{district}",
        "place": "{title}", "reverse": "Return journey", "nearer": "Larger scale",
        "farther": "Smaller scale", "north": "Plate to the north", "south": "Plate to the south",
        "east": "Plate to the east", "west": "Plate to the west",
        "search_view": "Consult this plate", "back_to_view": "Reopen the plate",
        "on_map": "Locate on a plate", "from_here": "Journey from here",
        "to_here": "Journey to here", "note": "Field note {note}", "of_place": "{of_place}",
        # buttons
        "add_note": "File field note",
        # fields
        "query": "Entry", "from": "Origin", "to": "Destination", "engine": "Means",
        "text": "Field note", "kind_label": "Class",
        # columns
        "col_title": "Entry", "col_postcode_of": "Post", "col_inside_of": "Entries",
        "col_about": "Class and address", "col_street": "Leg", "col_length": "Length",
        "col_fact": "Detail", "col_value": "Recorded", "col_name": "Entry", "col_text": "Text",
        "col_buttons": "Actions",
        # parts of rows and records
        "postcode_of": "{postcode}", "inside_of": "{inside}",
        "kind_at": "{kind}, {address}", "fact_of": "{fact}",
        "kind_of": "Class: {kind}", "address_of": "Address: {address}",
        "location_of": "Position: {location}",
        "way": "Journey of {length}, {time} hours",
        "same_place": "Origin and destination coincide: {length}, {time} hours",
        "no_way": "No journey by {engine} joins these entries.",
        "ends_from": "Origin: {from_address}", "ends_to": "Destination: {to_address}",
        "turn_start": "Depart by {street}", "turn_straight": "Ahead by {street}",
        "turn_left": "Left by {street}", "turn_right": "Right by {street}",
        "picture_of": "Plate of {title}", "picture": "Plate", "way_picture": "Plate of the journey",
        "about_search": "Entries are found by name, address or position, and by class near an"
        " entry, for example: pharmacies near Old Town Library; these by straight distance.",
        # headings
        "title_home": "Wards", "title_search": "Gazetteer", "title_district": "{district}",
        "title_country": "The country at large", "title_directions": "Journey",
        "title_view": "Plate at {lat}, {lon}", "title_search_view": "Consult this plate",
        "title_notes": "Field notes", "title_note": "Field note on {name}",
        "title_place": "{name}",
    },
    nav=tuple(map(Link, ("country", "home", "search", "directions", "notes"))),
    look="masthead",
    sheet="/static/map.css",
    theme="slate",
    rows="table",
    menus=("nav",),
    size=12,
    addresses={
        "search": "/gazetteer", "district": "/ward/<district>", "country": "/beyond",
        "directions": "/journey", "view": "/plate/<zoom>/<lat>/<lon>",
        "search_view": "/plate/<zoom>/<lat>/<lon>/consult", "notes": "/field-notes",
        "note": "/field-notes/<note>", "place": "/entry/<type>/<id>",
    },
)  # fmt: skip
