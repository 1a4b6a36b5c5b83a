"""Change one's own biography."""

from scenarios.kit import Draw, Family, Right
from sites.forum import operations
from sites.forum.generator import PLACES, THINGS

WORDINGS = (
    "Change my biography to “{text}”.",
    "Set the biography on my profile to “{text}”.",
)


def draw(d: Draw) -> Right:
    text = f"I keep {d.some(THINGS)} in the {d.some(PLACES)} and {d.rng.randint(2, 90)} {d.some(THINGS)}."
    old = d.pick("SELECT biography FROM users WHERE name = ?", d.me).biography
    return Right(
        {"text": text},
        do=[operations.edit_bio(d.me, text)],
        instead={"added to the old one": [operations.edit_bio(d.me, f"{old} {text}")]},
    )


FAMILY = Family(__file__, draw, WORDINGS)
