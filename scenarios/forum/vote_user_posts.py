"""Vote on all posts of a user in a forum."""

from scenarios.kit import Draw, Family, Right
from sites.forum.operations import vote

WORDINGS = (
    "Upvote all posts of {user} in the forum {forum}.",
    "In {forum}, give every submission by {user} an upvote, and vote on nothing else.",
)
SEVERAL = """SELECT author AS name, forum FROM submissions WHERE author != ?
  GROUP BY author, forum HAVING count(*) BETWEEN 2 AND 6"""
POSTS = "SELECT * FROM submissions WHERE author = ? ORDER BY at DESC"


def draw(d: Draw) -> Right:
    user = d.pick(SEVERAL, d.me)
    posts = d.all(POSTS, user.name)
    here = [each for each in posts if each.forum == user.forum]
    d.need(len(here) < len(posts))
    down = [vote(each.id, -1) for each in here]
    return Right(
        {"user": user.name, "forum": user.forum},
        via=d.list("user_posts", user=user.name, upto=1),
        do=[vote(each.id, 1) for each in here],
        instead={
            "those of all forums": [vote(each.id, 1) for each in posts],
            "the newest alone": [vote(here[0].id, 1)],
            "voted down": down,
        },
    )


FAMILY = Family(__file__, draw, WORDINGS)
