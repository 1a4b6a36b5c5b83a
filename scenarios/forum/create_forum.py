"""Create a forum with its texts."""

from scenarios.kit import Draw, Family, Right
from sites.forum.operations import create_forum
from sites.forum.texts import PLACES, THINGS, TOPICS

WORDINGS = (
    (
        "Create a forum with the name {name}, the title “{heading}”, the description"
        " “{description}” and the sidebar text “{sidebar}”."
    ),
    "Open the forum {name}: title “{heading}”, description “{description}”, sidebar “{sidebar}”.",
    "Make a forum {name} (title “{heading}”), described as “{description}”. Sidebar: “{sidebar}”",
    "I want the forum {name}: title “{heading}”, description “{description}”, sidebar “{sidebar}”.",
)


def draw(d: Draw) -> Right:
    """Draw the texts of a forum that does not exist."""
    topic, place = d.some([*TOPICS]), d.some(PLACES)
    name = f"{topic[:12]}-{place}"
    heading = f"{topic.replace('-', ' ').capitalize()} at the {place}"
    about = f"For all who care about {d.some(THINGS)} at the {place}."
    rules = f"New members show their {d.some(THINGS)}, then their {d.some(THINGS)}."
    return Right(
        {"name": name, "heading": heading, "description": about, "sidebar": rules},
        do=[create_forum(name, about, heading, rules)],
        instead={
            "without the sidebar": [create_forum(name, about, heading)],
            "texts exchanged": [create_forum(name, rules, heading, about)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:7",))
