"""Create a forum and write its first post."""

from scenarios.kit import Draw, Family, Right
from sites.forum.operations import create_forum, submit
from sites.forum.texts import PLACES, THINGS, TOPICS

FOUNDED = (
    "Create the forum {name} with the title “{heading}”, the description “{about}” and no sidebar.",
    "Open the forum {name} (title “{heading}”, description “{about}”, empty sidebar).",
    "We need a forum {name}, titled “{heading}” and described as “{about}”, without a sidebar.",
    "Make the forum {name}: title “{heading}”, description “{about}”, nothing in the sidebar.",
)
STARTED = (
    "Then post “{title}” in it, with the body “{body}”.",
    "Write its first post: title “{title}”, body “{body}”.",
    "Start it with the post “{title}”, whose body is “{body}”.",
    "Then submit “{title}” to it; the body is “{body}”.",
)
WORDINGS = tuple(f"{one} {other}" for other in STARTED for one in FOUNDED)


def draw(d: Draw) -> Right:
    """Draw the texts of a forum that does not exist, and of its first post."""
    topic, place = d.some([*TOPICS]), d.some(PLACES)
    name, heading = f"{topic[:12]}-{place}", f"{topic.capitalize()}, {place} branch"
    about = f"For all who care about {d.some(THINGS)} at the {place}."
    title, body = f"Welcome to {heading}", f"Tell us about your {d.some(THINGS)}, and since when."
    other = d.pick("SELECT name FROM forums").name
    first = create_forum(name, about, heading)
    return Right(
        {"name": name, "heading": heading, "about": about, "title": title, "body": body},
        do=[first, submit(name, title, body)],
        instead={"posted elsewhere": [first, submit(other, title, body)]},
    )


FAMILY = Family(__file__, draw, WORDINGS)
