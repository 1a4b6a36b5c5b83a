"""Answer a user's comment on a post."""

from scenarios.forum._posts import is_only
from scenarios.kit import Draw, Family, Right
from sites.forum.operations import reply, vote_comment
from sites.forum.texts import PLACES, THINGS

WORDINGS = (
    "Reply to the comment of {user} on the post “{title}” with “{text}”.",
    "{user} has commented on “{title}”. Answer that comment: “{text}”",
    "Below “{title}” stands a comment by {user}. Write “{text}” as a reply to it.",
    "Find the comment by {user} in the thread “{title}” and answer it with “{text}”.",
)
ONCE = """SELECT *, count(*) AS n FROM comments WHERE author != ?
  GROUP BY submission, author HAVING n = 1"""


def draw(d: Draw) -> Right:
    """Draw a comment whose author wrote no other one on its post."""
    comment = d.pick(ONCE, d.me)
    post = d.pick("SELECT * FROM submissions WHERE id = ?", comment.submission)
    near = "SELECT * FROM comments WHERE submission = ? AND id != ?"
    other = d.pick(near, post.id, comment.id)
    d.need(is_only(d, post.title) and post.author != comment.author)
    things, place = d.some(THINGS), d.some(PLACES)
    text = f"Thank you, that helped {d.rng.randint(2, 99)} times with my {things} in the {place}."
    return Right(
        {"user": comment.author, "title": post.title, "text": text},
        do=[reply(post.id, text, comment.id)],
        instead={
            "to the post": [reply(post.id, text)],
            "to another comment": [reply(post.id, text, other.id)],
            "voted for it": [vote_comment(comment.id, 1)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:23",))
