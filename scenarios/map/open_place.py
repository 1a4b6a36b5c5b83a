"""Open the page of a place that is described by its kind and its street."""

from scenarios.kit import Draw, Family, Right
from scenarios.map._places import looked_up, of_street, opened
from scenarios.places import NAMED

WORDINGS = (
    "I want to see the page of the {kind} on {street}.",
    "{street} has one {kind}. Show me its page on the map.",
    "Find the {kind} that stands on {street} and leave its page open.",
    "Bring up the map's page about the {kind} on {street}.",
)
ALIKE = "SELECT id FROM places WHERE kind = ? AND street != ?"


def draw(d: Draw) -> Right:
    """Draw a place that is the only one of its kind on its street."""
    place = d.pick(NAMED)
    d.need(len(of_street(d, place.kind, place.street)) == 1)
    d.need(d.all(ALIKE, place.kind, place.street))
    return Right(
        {"kind": place.kind, "street": place.street},
        via=[looked_up(d, f"{place.kind} in {place.street}")],
        end=opened(d, place),
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:52",), size="medium")
