"""Write a post in a named forum."""

from scenarios.kit import Draw, Family, Right
from sites.forum.operations import submit
from sites.forum.texts import MONTHS, PLACES, THINGS

WORDINGS = (
    "Post in the forum {forum}, with the title “{title}” and the body “{body}”.",
    "Create a post in {forum}: title “{title}”, body “{body}”.",
    "Announce “{title}” in the forum {forum}. Write “{body}” as the body.",
    "Submit a text to {forum}. Its title is “{title}” and its body is “{body}”.",
)
TITLES = (
    "Meet-up for {thing} on {n} {month}",
    "Advice on {thing} for under {n} crowns?",
    "Review: {n} {thing}, read twice",
    "Can a plan help with {thing} in {month}?",
)
BODIES = ("We meet at the {place} at {n}.", "My {place} has room for {n}.", "Bring {n} {thing}.")


def draw(d: Draw) -> Right:
    """Draw a forum and the texts of a post."""
    forum, other = (row.name for row in d.rng.sample(d.all("SELECT name FROM forums"), 2))
    words = {"thing": d.some(THINGS), "month": d.some(MONTHS), "place": d.some(PLACES)}
    title = d.some(TITLES).format(n=d.rng.randint(2, 28), **words)
    body = " ".join(
        each.format(n=d.rng.randint(2, 11), **words) for each in d.rng.sample(BODIES, 2)
    )
    return Right(
        {"forum": forum, "title": title, "body": body},
        do=[submit(forum, title, body)],
        instead={
            "in another forum": [submit(other, title, body)],
            "without the body": [submit(forum, title, "")],
            "the body in the title": [submit(forum, f"{title} {body}", "")],
        },
    )


TEMPLATES = tuple(f"webarena:{each}" for each in (9, 15, 16, 19))
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES)
