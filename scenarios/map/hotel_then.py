"""Find the hotel near a place, and then the way from there to another place."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import MODES, nearest, searched, way
from scenarios.places import NAMED

WORDINGS = (
    (
        "I stay at the hotel that lies nearest to {place} in a straight line. How many minutes "
        "does it take from the hotel to {goal} {how}?"
    ),
    (
        "Take the hotel nearest to {place} as the crow flies. How long is the way {how} from it"
        " to {goal}, in minutes?"
    ),
    (
        "From the hotel with the least straight distance to {place}, how many minutes is it "
        "{how} to {goal}?"
    ),
    (
        "Find the nearest hotel to {place}, in a straight line, and tell me how many minutes "
        "one needs {how} from there to {goal}."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a place near which a hotel lies, another place, and a mode."""
    place, goal, mode = d.pick(NAMED), d.pick(NAMED), d.some([*MODES])
    d.need(place.id != goal.id and "hotel" not in (place.kind, goal.kind))
    first, second = nearest(d, "hotel", place, 2)
    right, wrong = way(d, first, goal, mode), way(d, second, goal, mode)
    direct = way(d, place, goal, mode)
    d.need(len({right.time, wrong.time, direct.time}) == 3)
    return Right(
        {"place": place.label, "goal": goal.label, "how": MODES[mode]},
        read=[searched(d, "hotel", place, [first], first.label), right.page],
        answer=str(right.time),
        instead={"from the next hotel": str(wrong.time), "from the place": str(direct.time)},
    )


NUMBER = AnswerSchema("number", "minutes")
FAMILY = Family(
    __file__, draw, WORDINGS, NUMBER, templates=("webarena:78", "webarena:781"), size="medium"
)
