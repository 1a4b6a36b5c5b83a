"""Atlas: a plain map with a bar at the top and lists of places."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "directions": "Directions", "search": "Search", "district": "Districts",
    "province": "province", "location": "Location", "note": "Notes",
}  # fmt: skip
SKIN = Skin(
    "atlas",
    words={
        "site": "Open Atlas", "signed_in": "Visiting as {me}", "sorting": "Sort by",
        "footer": "Open Atlas. Distances in kilometres, times in hours and minutes.",
        "found": "in all", "pages": "Pages", "apply": "Go", "menu": "Menu",
        "next": "More results", "previous": "Earlier results", "number": "Page {n}",
        # links
        "home": "Districts", "search": "Search", "directions": "Directions",
        "country": "The country", "notes": "Notes", "district": "{district}", "place": "{title}",
        "reverse": "Reverse directions", "nearer": "Zoom in", "farther": "Zoom out",
        "north": "Move north", "south": "Move south", "east": "Move east", "west": "Move west",
        "search_view": "Search this view", "back_to_view": "Back to the view",
        "on_map": "Show on the map", "from_here": "Directions from here",
        "to_here": "Directions to here", "note": "Note {note}", "of_place": "{of_place}",
        # buttons
        "add_note": "Add note",
        # fields
        "query": "Search", "from": "From", "to": "To", "engine": "Travel by",
        "text": "Note to the map makers", "kind_label": "Kind",
        # parts of rows and records
        "postcode_of": "Postcode {postcode},", "inside_of": "{inside} places",
        "kind_at": "{kind}, {address}", "fact_of": "{fact}:",
        "kind_of": "Kind: {kind}", "address_of": "Address: {address}",
        "location_of": "Location: {location}",
        "way": "Distance: {length}. Time: {time}.",
        "same_place": "Both ends are the same place. Distance: {length}. Time: {time}.",
        "no_way": "There is no way between these places by {engine}.",
        "ends_from": "From: {from_address}", "ends_to": "To: {to_address}",
        "turn_start": "Start on {street}", "turn_straight": "Continue on {street}",
        "turn_left": "Turn left onto {street}", "turn_right": "Turn right onto {street}",
        "picture_of": "Map of {title}", "picture": "Map", "way_picture": "Map of the way",
        "about_search": "Search by name, address or coordinates, or for a kind of place near a"
        " place, such as: pharmacies near Old Town Library. The nearest in a straight line comes"
        " first.",
        # headings
        "title_home": "The city", "title_search": "Search", "title_district": "{district}",
        "title_country": "The country", "title_directions": "Directions",
        "title_view": "Map at {lat}, {lon}", "title_search_view": "Search this view",
        "title_notes": "Notes", "title_note": "Note on {name}", "title_place": "{name}",
    },
    nav=tuple(map(Link, ("home", "search", "directions", "country", "notes"))),
    look="top",
    sheet="/static/map.css",
    theme="meadow",
)  # fmt: skip
