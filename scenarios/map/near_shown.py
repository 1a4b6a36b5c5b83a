"""Leave a search for places of a kind near a place open, which is told by its kind and street."""

from scenarios.kit import Draw, Family, Right
from scenarios.map._places import looked_up, nearest, of_street
from scenarios.places import NAMED, SOUGHT

WORDINGS = (
    "Show the search “{kinds} near …”, with the name of the {what} on {street} for the dots.",
    "Find out what the {what} on {street} is called, and search for “{kinds} near” and that name.",
    "I am at the {what} on {street}. Leave a search for “{kinds} near” and its name open.",
    "Show me {kinds} around the {what} on {street}: search for “{kinds} near” and its name.",
)


def draw(d: Draw) -> Right:
    """Draw a kind, and a place that is the only one of its own kind on its street."""
    kind, place = d.some([*SOUGHT]), d.pick(NAMED)
    d.need(place.kind != kind)
    d.need(len(of_street(d, place.kind, place.street)) == 1)
    nearest(d, kind, place, 1)
    note = f"{place.name}, {place.street}"
    return Right(
        {"kinds": SOUGHT[kind], "what": place.kind, "street": place.street},
        via=[looked_up(d, f"{place.kind} in {place.street}", note=note)],
        end=looked_up(d, f"{SOUGHT[kind]} near {place.label}"),
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:59",), size="medium", carries=True)
