"""Append a line to a post of the user's own."""

from scenarios.forum._posts import is_only
from scenarios.kit import Draw, Family, Right
from sites.forum.operations import edit_post, reply
from sites.forum.texts import PLACES, THINGS

WORDINGS = (
    "Add the line “{line}” at the end of my post “{title}”.",
    "Edit my post “{title}”: put the line “{line}” below its text.",
    "Below the text of my post “{title}”, write “{line}” as a new last line.",
    "My post “{title}” needs an update. Keep its text and add a last line: “{line}”",
)


def draw(d: Draw) -> Right:
    """Draw a post of the user that has a text."""
    post = d.pick("SELECT * FROM submissions WHERE author = ? AND body != ''", d.me)
    d.need(is_only(d, post.title))
    things, place = d.some(THINGS), d.some(PLACES)
    line = f"EDIT: solved with {things} from the {place}, no. {d.rng.randint(2, 99)}."
    return Right(
        {"title": post.title, "line": line},
        do=[edit_post(post.id, f"{post.body}\n{line}")],
        instead={
            "the text replaced": [edit_post(post.id, line)],
            "at the top": [edit_post(post.id, f"{line}\n{post.body}")],
            "on the same line": [edit_post(post.id, f"{post.body} {line}")],
            "as a comment": [reply(post.id, line)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:27",))
