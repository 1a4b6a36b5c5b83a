"""How far is it to the nearest place of a kind, by a mode?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import MODES, nearest, searched, way
from scenarios.places import NAMED, SOUGHT

WORDINGS = (
    (
        "Find the {kind} that lies nearest to {place} in a straight line. How many minutes does"
        " it take to get there from {place} {how}?"
    ),
    (
        "How many minutes is it {how} from {place} to the {kind} that is nearest to it as the "
        "crow flies?"
    ),
    (
        "Search for {kinds} near {place}. How many minutes does the way to the first of them "
        "take {how}?"
    ),
    (
        "From {place}, how long is the way {how} to the {kind} with the least straight "
        "distance, in minutes?"
    ),
)


def draw(d: Draw) -> Right:
    """Draw a place, a kind and a mode."""
    kind, place, mode = d.some([*SOUGHT]), d.pick(NAMED), d.some([*MODES])
    d.need(place.kind != kind)
    first, second = nearest(d, kind, place, 2)
    right, wrong = way(d, place, first, mode), way(d, place, second, mode)
    other = way(d, place, first, d.some([each for each in MODES if each != mode]))
    d.need(len({right.time, wrong.time, other.time}) == 3)
    return Right(
        {"kind": kind, "kinds": SOUGHT[kind], "place": place.label, "how": MODES[mode]},
        read=[searched(d, kind, place, [first], first.label), right.page],
        answer=str(right.time),
        instead={"to the next": str(wrong.time), "by another mode": str(other.time)},
    )


NUMBER = AnswerSchema("number", "minutes")
FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    NUMBER,
    templates=("webarena:35", "webarena:66", "webarena:75"),
    size="medium",
)
