"""Write a post in a named forum."""

from scenarios.kit import Draw, Family, Right
from sites.forum.generator import PLACES, THINGS
from sites.forum.operations import submit

WORDINGS = (
    "Post in the forum {forum}, with the title “{title}” and the body “{body}”.",
    "Create a submission in {forum}: title “{title}”, body “{body}”.",
)


def draw(d: Draw) -> Right:
    forum, other = (each.name for each in d.rng.sample(d.all("SELECT name FROM forums"), 2))
    thing, where = d.some(THINGS), d.some(PLACES)
    title = f"Meet-up for {forum} {thing} on {d.rng.randint(2, 28)} February"
    body = f"We meet at the {where} at {d.rng.randint(1, 11)} pm. Bring {d.some(THINGS)}."
    return Right(
        {"forum": forum, "title": title, "body": body},
        do=[submit(forum, title, body)],
        instead={
            "in another forum": [submit(other, title, body)],
            "without the body": [submit(forum, title, "")],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS)
