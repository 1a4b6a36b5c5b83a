"""Leave the directions between two places open."""

from scenarios.kit import Draw, Family, Right
from scenarios.map._places import BRANCHES, MODES, way
from scenarios.places import NAMED

WORDINGS = (
    "Show the way {how} from {one} to {other}.",
    "Open the directions from {one} to {other}, {how}.",
    "I want to go {how} from {one} to {other}. Leave the directions open.",
    "Get me the directions {how} that start at {one} and end at {other}.",
)


def draw(d: Draw) -> Right:
    """Draw two places and a mode; in half of the attempts a place is a branch of a chain."""
    one, other = d.pick(NAMED), d.pick(d.some([NAMED, BRANCHES]))
    if d.rng.random() < 0.5:
        one, other = other, one
    mode = d.some([*MODES])
    d.need(one.id != other.id)
    end = way(d, one, other, mode).page
    return Right({"one": one.label, "other": other.label, "how": MODES[mode]}, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:54",), size="medium")
