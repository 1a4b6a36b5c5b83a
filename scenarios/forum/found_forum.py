"""Create a forum and write its first post."""

from scenarios.kit import Draw, Family, Right
from sites.forum.generator import PLACES, THINGS, TOPICS
from sites.forum.operations import create_forum, submit

WORDINGS = (
    "Create a forum named {name} with the description “{description}”, and post “{title}” in it"
    " with the body “{body}”.",
)


def draw(d: Draw) -> Right:
    name = f"{d.some(TOPICS)}_{d.some(PLACES)}"
    d.need(not d.all("SELECT 1 FROM forums WHERE name = ?", name))
    about = f"For all who care about {d.some(THINGS)} in the {d.some(PLACES)}."
    title, body = f"Welcome to {name}", f"Tell us about your {d.some(THINGS)}, and since when."
    topic = d.pick("SELECT name FROM forums").name
    first = create_forum(name, about)
    return Right(
        {"name": name, "description": about, "title": title, "body": body},
        do=[first, submit(name, title, body)],
        instead={"posted elsewhere": [first, submit(topic, title, body)]},
    )


FAMILY = Family(__file__, draw, WORDINGS)
