"""Which airports of a type lie within a number of kilometres by road?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import OUTSIDE, looked_up, way

WORDINGS = (
    "Which {types} are at most {n} kilometres from {city} by car?",
    "List all {types} to which the way by car from {city} measures at most {n} kilometres.",
    "From {city}, which {types} are no more than {n} kilometres away by car?",
    "Name the {types} that can be reached by car from {city} within {n} kilometres.",
)
TYPE = "SELECT value FROM facts WHERE place = ? AND fact = 'Type'"
GAP = 6
"""The least difference of two ways, in kilometres, between which the limit is drawn."""


def draw(d: Draw) -> Right:
    """Draw a city, a type and a number of kilometres that some airports of the type exceed."""
    city = d.pick(OUTSIDE, "city")
    airports = d.all(OUTSIDE, "airport")
    types = {each.id: d.pick(TYPE, each.id).value for each in airports}
    wanted = d.some(sorted({*types.values()}))
    ways = {each.id: way(d, city, each, "car") for each in airports}
    own = [each for each in airports if types[each.id] == wanted]
    far = sorted(float(ways[each.id].length) for each in own)
    d.need(len(far) > 1)
    at = d.rng.randrange(len(far) - 1)
    d.need(far[at + 1] - far[at] > GAP)
    n = d.rng.randint(int(far[at]) + 2, int(far[at + 1]) - 1)
    inside = [each for each in own if float(ways[each.id].length) <= n]
    d.need(0 < len(inside) < len(own))
    d.need(all(abs(float(ways[each.id].length) - n) > 1 for each in own))
    near = [each for each in airports if float(ways[each.id].length) <= n]
    d.need(len(near) > len(inside))
    return Right(
        {"types": f"{wanted}s", "city": city.label, "n": n},
        read=[
            looked_up(d, "airports", note=", ".join(each.label for each in own)),
            *(ways[each.id].page for each in own),
        ],
        answer=", ".join(each.label for each in inside),
        instead={
            "however far": ", ".join(each.label for each in own),
            "of any type": ", ".join(each.label for each in near),
        },
    )


LIST = AnswerSchema("list", "names of airports")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:79",), LEVEL=2, size="medium")
