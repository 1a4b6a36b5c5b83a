"""How long do a walk and a drive after it take together?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import MODES, way
from scenarios.places import NAMED

WORDINGS = (
    (
        "I go {first} from {a} to {b}, and then {second} from there to {c}. How many minutes do"
        " both ways take together?"
    ),
    "How many minutes is it from {a} to {b} {first} and on to {c} {second}, in all?",
    "First {first} from {a} to {b}, then {second} to {c}: what is the whole time, in minutes?",
    "Add the time {first} from {a} to {b} and the time {second} from {b} to {c}. How many minutes?",
)


def draw(d: Draw) -> Right:
    """Draw three places and two modes."""
    a, b, c = d.pick(NAMED), d.pick(NAMED), d.pick(NAMED)
    d.need(len({a.id, b.id, c.id}) == 3)
    first, second = d.rng.sample([*MODES], 2)
    one, other = way(d, a, b, first), way(d, b, c, second)
    swapped = way(d, a, b, second).time + way(d, b, c, first).time
    right = one.time + other.time
    d.need(right != swapped and one.time and other.time)
    return Right(
        {"a": a.label, "b": b.label, "c": c.label, "first": MODES[first], "second": MODES[second]},
        read=[one.page, other.page],
        answer=str(right),
        instead={"the modes swapped": str(swapped), "the first way alone": str(one.time)},
    )


NUMBER = AnswerSchema("number", "minutes")
FAMILY = Family(
    __file__, draw, WORDINGS, NUMBER, templates=("webarena:72",), LEVEL=2, size="medium"
)
