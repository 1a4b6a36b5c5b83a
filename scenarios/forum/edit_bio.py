"""Change the user's own biography."""

from scenarios.kit import Draw, Family, Right
from sites.forum.operations import edit_bio
from sites.forum.texts import PLACES, THINGS

WORDINGS = (
    "Change my biography to “{text}”.",
    "Set the biography on my profile to “{text}”.",
    "My biography is out of date. Replace it with “{text}”.",
    "Let my biography read “{text}” and nothing else.",
)


def draw(d: Draw) -> Right:
    """Draw a new biography."""
    things, place = d.some(THINGS), d.some(PLACES)
    text = f"I keep {things} in the {place} and {d.rng.randint(2, 90)} {d.some(THINGS)}."
    old = d.pick("SELECT biography FROM users WHERE name = ?", d.me).biography
    return Right(
        {"text": text},
        do=[edit_bio(d.me, text)],
        instead={
            "added to the old one": [edit_bio(d.me, f"{old} {text}")],
            "in quotes": [edit_bio(d.me, f"“{text}”")],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:6",))
