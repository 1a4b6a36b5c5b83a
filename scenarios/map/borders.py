"""Which provinces border both of two provinces?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import OUTSIDE, opened

WORDINGS = (
    "Which provinces share a border with {one} and also with {other}?",
    "Name the provinces that border both {one} and {other}.",
    "List all provinces that are neighbours of {one} and of {other}.",
    "With which provinces do both {one} and {other} have a common border?",
    "{one} and {other} have neighbours in common. Which provinces are these?",
    "Give me every province that touches {one} as well as {other}.",
    "Which provinces can you enter directly both from {one} and from {other}?",
    "Which provinces lie next to {one} and next to {other} too?",
)
BORDERS = "SELECT value FROM facts WHERE place = ? AND fact = 'Borders'"


def draw(d: Draw) -> Right:
    """Draw two provinces that have a neighbour in common, and neighbours that they do not share."""
    one, other = d.rng.sample(d.all(OUTSIDE, "province"), 2)
    texts = [d.pick(BORDERS, each.id).value for each in (one, other)]
    near, far = ({*text.split(", ")} for text in texts)
    both = sorted(near & far)
    left = sorted((near ^ far) - {one.name, other.name})
    d.need(both and left)
    return Right(
        {"one": one.label, "other": other.label},
        read=[opened(d, one, texts[0]), opened(d, other, texts[1])],
        answer=", ".join(both),
        instead={
            "of one of them": ", ".join([*both, left[0]]),
            "one left out": ", ".join(both[:-1]) or left[-1],
        },
    )


LIST = AnswerSchema("list", "names of provinces")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:67",), size="medium")
