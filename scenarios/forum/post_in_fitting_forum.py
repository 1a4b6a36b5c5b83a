"""Ask a question in the forum whose description names the subject."""

from scenarios.kit import Draw, Family, Right
from sites.forum.operations import submit
from sites.forum.texts import PLACES, TOPICS

WORDINGS = (
    (
        "Find the forum whose description mentions “{thing}”, and post “{title}” there with the"
        " body “{body}”."
    ),
    "Ask “{title}” in the forum that is described as being about “{thing}”. The body is “{body}”.",
    "One forum's description names “{thing}”. Submit a post to it: title “{title}”, body “{body}”.",
    (
        "Post the question “{title}” (body: “{body}”) in the forum that lists “{thing}” in its"
        " description."
    ),
)
NAMED = "SELECT name FROM forums WHERE instr(description, ?)"


def draw(d: Draw) -> Right:
    """Draw a subject that one description names, often on the second page of forums."""
    topic = TOPICS[d.pick("SELECT name FROM forums").name]
    thing = d.some(topic.things)
    d.need(len(d.all(NAMED, thing)) == 1)
    pages = d.list("forums", upto=page_of(d, topic.name))
    d.need(len(pages) > 1 or d.rng.random() < 0.6)
    title = f"Which {thing} would you take to the {d.some(PLACES)}?"
    body = f"I have {d.rng.randint(2, 90)} crowns and {d.some(topic.trouble.split())} of my own."
    others = [row.name for row in d.all("SELECT name FROM forums") if row.name != topic.name]
    near = max(others, key=lambda name: (name[:4] == topic.name[:4], name))
    return Right(
        {"thing": thing, "title": title, "body": body},
        do=[submit(topic.name, title, body)],
        via=pages,
        instead={
            "in a forum with a similar name": [submit(near, title, body)],
            "without the body": [submit(topic.name, title, "")],
        },
    )


def page_of(d: Draw, forum: str) -> int:
    """Return the number of the page of the list of forums that shows the forum."""
    for number, see in enumerate(d.list("forums"), 1):
        if any(row["name"] == forum for row in d.map.shown(see.place, {"me": d.me}).rows):
            return number
    raise LookupError(forum)


TEMPLATES = tuple(f"webarena:{each}" for each in (5, 12, 13, 3765, 6100))
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES)
