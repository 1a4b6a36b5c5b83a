"""How long does the way between two places take, or how much longer by one mode than by another?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import MODES, way
from scenarios.places import NAMED

WORDINGS = (
    "How many minutes longer does the way from {one} to {other} take {slow} than {quick}?",
    "Compare the way from {one} to {other} {quick} and {slow}: by how many minutes do they differ?",
    "I go from {one} to {other}. How many minutes do I save if I travel {quick} and not {slow}?",
    (
        "What is the difference, in minutes, between going {slow} and going {quick} from {one} "
        "to {other}?"
    ),
)


def draw(d: Draw) -> Right:
    """Draw two places and two modes."""
    one, other = d.pick(NAMED), d.pick(NAMED)
    d.need(one.id != other.id)
    quick, slow = d.some([("car", "foot"), ("bicycle", "foot"), ("car", "bicycle")])
    fast, lazy = way(d, one, other, quick), way(d, one, other, slow)
    d.need(lazy.time - fast.time >= 4)
    return Right(
        {"one": one.label, "other": other.label, "quick": MODES[quick], "slow": MODES[slow]},
        read=[
            fast.page,
            lazy.page,
        ],
        answer=str(lazy.time - fast.time),
        instead={"of the slow one": str(lazy.time), "of the quick one": str(fast.time)},
    )


NUMBER = AnswerSchema("number", "minutes")
FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    NUMBER,
    templates=("webarena:36", "webarena:64", "webarena:73"),
    size="medium",
)
