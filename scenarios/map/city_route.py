"""Tell how far apart two cities are by road, or whether the drive takes at most some hours."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import OUTSIDE, way

WORDINGS = (
    "Can one drive from {one} to {other} in at most {n} hours?",
    "Is {other} within {n} hours by car of {one}?",
    "I have {n} hours to go from {one} to {other} by car. Is that enough?",
    "Does the way by car from {one} to {other} take {n} hours or less?",
)
HOUR = 60


def draw(d: Draw) -> Right:
    """Draw two cities, and a number of hours on either side of the time between them."""
    one, other = d.rng.sample(d.all(OUTSIDE, "city"), 2)
    found = way(d, one, other, "car")
    hours = found.time / HOUR
    n = max(1, int(hours) + d.rng.randrange(2))
    d.need(abs(hours - n) > 0.05)
    right = "yes" if hours <= n else "no"
    return Right(
        {"one": one.label, "other": other.label, "n": n},
        read=[found.page],
        answer=right,
        instead={"the other way": "no" if right == "yes" else "yes"},
    )


YES_NO = AnswerSchema("yes_no")
FAMILY = Family(
    __file__, draw, WORDINGS, YES_NO, templates=("webarena:47", "webarena:77"), size="medium"
)
