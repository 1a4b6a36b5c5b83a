"""Which place of a kind lies nearest to a place in a straight line?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import nearest, searched, way
from scenarios.places import NAMED, SOUGHT

WORDINGS = (
    "Which {kind} is nearest to {place} in a straight line? Answer with its street.",
    "Of all {kinds}, one lies closest to {place} as the crow flies. On which street is it?",
    "Find the {kind} with the least straight distance to {place}. What is the name of its street?",
    "As the crow flies, on which street is the nearest {kind} to {place}?",
)
FAR = 4
"""The number of places near by among which another one may be the quickest to walk to."""


def draw(d: Draw) -> Right:
    """Draw a place and a kind; mostly, another one is the quickest to walk to."""
    kind, place = d.some([*SOUGHT]), d.pick(NAMED)
    d.need(place.kind != kind)
    found = nearest(d, kind, place, FAR)
    times = [way(d, place, each, "foot").time for each in found]
    walked = found[times.index(min(times))]
    d.need(walked is not found[0] or d.rng.random() < 0.3)
    d.need(len({each.street for each in found}) == FAR)
    others = {"the next": found[1], "the quickest to walk to": walked}
    return Right(
        {"kind": kind, "kinds": SOUGHT[kind], "place": place.label},
        read=[searched(d, kind, place, found[:1], found[0].street)],
        answer=found[0].street,
        instead={mistake: each.street for mistake, each in others.items() if each is not found[0]},
    )


TEXT = AnswerSchema("text", "name of the street")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, templates=("webarena:69",), size="medium")
