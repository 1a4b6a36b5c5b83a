"""In which order are three places visited on foot in the least time?"""

from itertools import pairwise, permutations

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import way
from scenarios.places import NAMED

WORDINGS = (
    (
        "I start at {start} and want to visit A: {a}, B: {b}, and C: {c}, on foot. Which order "
        "takes the least time? Answer with the three letters, such as {such}."
    ),
    (
        "On foot from {start} to A ({a}), B ({b}) and C ({c}): in which order is the whole way "
        "the quickest? Give the letters in that order, such as {such}."
    ),
    (
        "Find the quickest walk that begins at {start} and passes A, {a}; B, {b}; and C, {c}. "
        "What is the order of the letters, such as {such}?"
    ),
    (
        "A is {a}, B is {b}, C is {c}. I walk from {start} to all three and end at the last "
        "one. Which order is the quickest? Answer like {such}."
    ),
)
LETTERS = "ABC"
LEAD = 1.05
"""The share by which the next best order must take longer."""


def draw(d: Draw) -> Right:
    """Draw four places; the best order leads the next one by 5 %."""
    start, *stops = d.rng.sample(d.all(NAMED), 4)
    first = {at: way(d, start, stop, "foot") for at, stop in zip(LETTERS, stops, strict=True)}
    named = dict(zip(LETTERS, stops, strict=True))
    between = {
        (one, other): way(d, named[one], named[other], "foot")
        for one in LETTERS
        for other in LETTERS
        if one < other
    }  # fmt: skip

    def time(order: str) -> int:
        legs = pairwise(order)
        return first[order[0]].time + sum(between[min(leg), max(leg)].time for leg in legs)

    orders = sorted(("".join(each) for each in permutations(LETTERS)), key=time)
    d.need(time(orders[0]) * LEAD <= time(orders[1]))
    greedy = min(LETTERS, key=lambda each: first[each].time)
    d.need(greedy != orders[0][0] or d.rng.random() < 0.5)
    ways = [*first.values(), *between.values()]
    d.need(all(each.time for each in ways))
    such = d.some(orders[2:])
    return Right(
        {
            "start": start.label,
            "such": such,
            **{key.lower(): place.label for key, place in named.items()},
        },
        read=[each.page for each in ways],
        answer=orders[0],
        instead={"the next best": orders[1], "backwards": orders[0][::-1]},
    )


TEXT = AnswerSchema("text", "three letters")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, templates=("webarena:65",), LEVEL=2, size="medium")
