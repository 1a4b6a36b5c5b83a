"""Which national park of a size has the shortest way by car from a city?"""

from itertools import pairwise

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map import _wiki
from scenarios.map._places import OUTSIDE, way

WORDINGS = (
    (
        "Of the national parks that cover more than {n} square kilometres, which one has the "
        "shortest way by car from {city}? The wiki tells their areas."
    ),
    (
        "Several national parks have more than {n} square kilometres; see the wiki. Name the one "
        "to which the way by car from {city} has the fewest kilometres."
    ),
    (
        "Which national park has the shortest way by car from {city}, among those larger than "
        "{n} square kilometres? Their sizes are in the wiki."
    ),
    (
        "From {city} I want to drive to a national park of more than {n} square kilometres. To "
        "which of them is the way the shortest? The wiki has the areas."
    ),
    (
        "Leave out the national parks of {n} square kilometres or less (see the wiki). Which of "
        "the others is reached from {city} by the shortest way by car?"
    ),
    (
        "The wiki lists the national parks with their areas. Only those above {n} square "
        "kilometres count: which one is the fewest kilometres by car from {city}?"
    ),
)


def draw(d: Draw) -> Right:
    """Draw a city and an area that some parks exceed, among them not the nearest of all."""
    known = _wiki.facts(d)
    city = d.pick(OUTSIDE, "city")
    areas = {each.place: each.area for each in known.parks}
    sizes = sorted(areas.values())
    low, high = d.some([*pairwise(sizes[1:-1])])
    n = 10 * d.rng.randint(low // 10, max(low, high - 1) // 10)
    parks = d.all(OUTSIDE, "national park")
    ways = {each.id: way(d, city, each, "car") for each in parks}
    inside = [each for each in parks if areas[each.id] > n]
    far = {each.id: float(ways[each.id].length) for each in parks}
    inside.sort(key=lambda each: far[each.id])
    nearest = min(parks, key=lambda each: far[each.id])
    d.need(len(inside) > 1 and far[inside[0].id] * 1.05 < far[inside[1].id])
    d.need(nearest.id != inside[0].id or d.rng.random() < 0.4)
    wrong = {"the next": inside[1].name, "however small": nearest.name}
    return Right(
        {"n": n, "city": city.label},
        beside=[
            _wiki.leads(_wiki.PARKS, [each.name for each in parks], [each.name for each in inside])
        ],
        read=[ways[each.id].page for each in inside],
        answer=inside[0].name,
        instead={name: text for name, text in wrong.items() if text != inside[0].name},
    )


TEXT = AnswerSchema("text", "name of the park")
FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    TEXT,
    sites=_wiki.SITES,
    templates=("webarena:85",),
    LEVEL=2,
    size="medium",
)
