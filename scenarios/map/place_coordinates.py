"""Tell the latitude or the longitude of a place."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import BRANCHES, looked_up, opened
from scenarios.places import NAMED

WORDINGS = (
    "What is the {part} of {place}? Give all decimals that the map shows.",
    "Tell me the {part} of {place}, with all decimals of the map.",
    "On which {part} does {place} lie, to the last decimal that the map shows?",
    "I need the {part} of {place} exactly as the map has it.",
)
PARTS = {"latitude": "lat", "longitude": "lon"}


def draw(d: Draw) -> Right:
    """Draw a place and a coordinate; in half of the attempts a branch of a chain."""
    part, place = d.some([*PARTS]), d.pick(d.some([NAMED, BRANCHES]))
    other = d.pick("SELECT * FROM places WHERE kind = ? AND id != ?", place.kind, place.id)
    right, wrong = place[PARTS[part]], other[PARTS[part]]
    d.need(right != wrong)
    swapped = place["lon" if part == "latitude" else "lat"]
    return Right(
        {"part": part, "place": place.label},
        via=[looked_up(d, place.label)],
        read=[opened(d, place, str(right))],
        answer=str(right),
        instead={"of another place": str(wrong), "the other coordinate": str(swapped)},
    )


NUMBER = AnswerSchema("number", "in degrees")
FAMILY = Family(__file__, draw, WORDINGS, NUMBER, templates=("webarena:46",), size="medium")
