"""Ask a question in the forum whose description names the subject."""

from scenarios.forum._posts import is_deep, pages_with
from scenarios.kit import Draw, Family, Right
from sites.forum.operations import submit
from sites.forum.texts import PLACES, TOPICS

WORDINGS = (
    "Post “{title}” in the forum whose description mentions “{thing}”, with the body “{body}”.",
    "Ask “{title}” in the forum that is described as being about “{thing}”. The body is “{body}”.",
    "One forum's description names “{thing}”. Submit a post to it: title “{title}”, body “{body}”.",
    "Submit “{title}” (body: “{body}”) to the forum that lists “{thing}” in its description.",
)
BY_MEMBERS = """SELECT * FROM forums ORDER BY
  (SELECT count(*) FROM subscriptions s WHERE s.forum = forums.name) DESC, name"""
NAMED = "SELECT name FROM forums WHERE instr(description, ?)"


def draw(d: Draw) -> Right:
    """Draw a subject that one description names, often on the second page of forums."""
    forums = d.all(BY_MEMBERS)
    forum = d.rng.choice(forums)
    topic = TOPICS[forum.name]
    thing = d.some(topic.things)
    d.need(len(d.all(NAMED, thing)) == 1 and is_deep(d, forums, [forum], 10, 0.6))
    title = f"Which {thing} would you take to the {d.some(PLACES)}?"
    body = f"I have {d.rng.randint(2, 90)} crowns and no {thing} yet."
    others = (each.name for each in forums if each != forum)
    near = max(others, key=lambda name: (name[:4] == topic.name[:4], name))
    return Right(
        {"thing": thing, "title": title, "body": body},
        do=[submit(topic.name, title, body)],
        via=pages_with(d, "forums", [forum]),
        instead={
            "in a forum with a similar name": [submit(near, title, body)],
            "without the body": [submit(topic.name, title, "")],
        },
    )


TEMPLATES = tuple(f"webarena:{each}" for each in (5, 12, 13, 3765, 6100))
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES, size="medium")
