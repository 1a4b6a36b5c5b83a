"""Subscribe to the forum of a post."""

from scenarios.forum._posts import is_only
from scenarios.kit import Draw, Family, Right
from sites.forum.operations import subscribe, vote

WORDINGS = (
    "Subscribe to the forum in which “{title}” was posted.",
    "Find the post “{title}” and subscribe to its forum.",
    "I liked the post “{title}”. Subscribe me to the forum that it stands in.",
    "Open “{title}” and subscribe to the forum that it belongs to.",
)
FREE = """SELECT * FROM submissions
  WHERE forum NOT IN (SELECT forum FROM subscriptions WHERE user = ?)"""


def draw(d: Draw) -> Right:
    """Draw a post of a forum that the user is not subscribed to."""
    post = d.pick(FREE, d.me)
    d.need(is_only(d, post.title))
    other = d.pick(FREE + " AND forum != ?", d.me, post.forum)
    return Right(
        {"title": post.title},
        do=[subscribe(post.forum)],
        via=[d.page("thread", forum=post.forum, id=post.id, slug=post.slug)],
        instead={
            "voted for the post": [vote(post.id, 1)],
            "another forum": [subscribe(other.forum)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:4",))
