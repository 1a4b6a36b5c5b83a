"""Subscribe to the forum of a described post."""

from scenarios.kit import Draw, Family, Right
from sites.forum import operations

WORDINGS = (
    "Subscribe to the forum in which “{title}” was posted.",
    "Find the post “{title}” and subscribe to its forum.",
)
FREE = """SELECT * FROM submissions WHERE score = (SELECT max(score) FROM submissions t
  WHERE t.forum = submissions.forum) AND forum NOT IN (SELECT forum FROM subscriptions WHERE user = ?)"""


def draw(d: Draw) -> Right:
    post = d.pick(FREE, d.me)
    d.need(len(d.all("SELECT 1 FROM submissions WHERE title = ?", post.title)) == 1)
    other = d.pick(FREE + " AND forum != ?", d.me, post.forum)
    return Right(
        {"title": post.title},
        do=[operations.subscribe(post.forum)],
        instead={"voted instead": [operations.vote(post.id, 1)],
                 "another forum": [operations.subscribe(other.forum)]},
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS)
