"""Append a line to a post of one's own."""

from scenarios.kit import Draw, Family, Right
from sites.forum import operations
from sites.forum.generator import PLACES, THINGS

WORDINGS = (
    "Add the line “{line}” at the end of my post “{title}”.",
    "Edit my submission “{title}”: append “{line}” on a line of its own.",
)


def draw(d: Draw) -> Right:
    post = d.pick("SELECT * FROM submissions WHERE author = ?", d.me)
    d.need(len(d.all("SELECT 1 FROM submissions WHERE title = ?", post.title)) == 1)
    line = f"EDIT: solved with {d.some(THINGS)} from the {d.some(PLACES)} no. {d.rng.randint(2, 99)}."
    edit = operations.edit_post
    return Right({"title": post.title, "line": line}, do=[edit(post.id, f"{post.body}\n{line}")], instead={
        "replaced": [edit(post.id, line)],
        "at the top": [edit(post.id, f"{line}\n{post.body}")],
        "as a reply": [operations.reply(post.id, line)],
    })  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS)
