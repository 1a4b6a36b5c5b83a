"""Which places of a kind can be reached on foot within some minutes?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import nearest, searched, way
from scenarios.places import NAMED, SOUGHT

WORDINGS = (
    (
        "Some of the four {kinds} that lie nearest to {place} in a straight line can be reached "
        "from there on foot within {n} minutes. On which streets are these?"
    ),
    (
        "Search for {kinds} near {place} and look at the first four. On which streets are those "
        "that are at most {n} minutes away on foot?"
    ),
    (
        "From {place}, take its four nearest {kinds}, as the crow flies. List the streets of "
        "those that are within {n} minutes on foot."
    ),
    (
        "The way on foot takes {n} minutes or less to some of the first four {kinds} near "
        "{place}. Name the streets on which these are."
    ),
)
MANY = 4


def draw(d: Draw) -> Right:
    """Draw a place, a kind and a number of minutes that some of the four nearest exceed."""
    kind, place = d.some([*SOUGHT]), d.pick(NAMED)
    d.need(place.kind != kind)
    found = nearest(d, kind, place, MANY)
    ways = [way(d, place, each, "foot") for each in found]
    n = d.some(sorted({each.time for each in ways})[:-1] or [0])
    inside = [each for each, one in zip(found, ways, strict=True) if one.time <= n]
    texts = [each.street for each in found]
    d.need(n > 2 and 0 < len(inside) < MANY and len({*texts}) == MANY)
    d.need(all(each.time not in (n + 1,) for each in ways))
    right = [text for text, one in zip(texts, ways, strict=True) if one.time <= n]
    return Right(
        {"kinds": SOUGHT[kind], "place": place.label, "n": n},
        read=[
            searched(d, kind, place, found, ", ".join(each.label for each in found)),
            *(each.page for each in ways),
        ],
        answer=", ".join(right),
        instead={"all four": ", ".join(texts), "the first alone": texts[0] + ", " + texts[-1]},
    )


LIST = AnswerSchema("list", "names of streets")
FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    LIST,
    templates=("webarena:39", "webarena:41", "webarena:782"),
    LEVEL=2,
    size="medium",
)
