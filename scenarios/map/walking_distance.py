"""How long is the way on foot between two places?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import way
from scenarios.places import NAMED

WORDINGS = (
    "How many kilometres is it on foot from {one} to {other}?",
    "What is the walking distance between {one} and {other}, in kilometres?",
    "I walk from {one} to {other}. How long is the way, in kilometres?",
    "Tell me the length of the way on foot from {one} to {other}, in kilometres.",
)


def draw(d: Draw) -> Right:
    """Draw two places whose way by car has another length."""
    one, other = d.pick(NAMED), d.pick(NAMED)
    d.need(one.id != other.id)
    walked, driven = way(d, one, other, "foot"), way(d, one, other, "car")
    d.need(walked.length != driven.length and walked.time != float(walked.length))
    return Right(
        {"one": one.label, "other": other.label},
        read=[walked.page],
        answer=walked.length,
        instead={"by car": driven.length, "the minutes": str(walked.time)},
    )


NUMBER = AnswerSchema("number", "kilometres")
FAMILY = Family(
    __file__, draw, WORDINGS, NUMBER, templates=("webarena:58", "webarena:68"), size="medium"
)
