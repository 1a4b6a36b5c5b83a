"""Vote on all posts of a user in a forum."""

from scenarios.forum._posts import is_deep, is_free
from scenarios.kit import Draw, Family, Right
from sites.forum.operations import vote

VOTES = {"Upvote": 1, "Downvote": -1}
WORDINGS = (
    "{vote} all posts of {user} in the forum {forum}.",
    "{vote} every post that {user} submitted to {forum}, and vote on nothing else.",
    "In the forum {forum}: {vote} each post by {user}.",
    "Find what {user} has posted in {forum}. {vote} all of it.",
)
SEVERAL = """SELECT author AS name, forum FROM submissions WHERE author != ?
  GROUP BY author, forum HAVING count(*) BETWEEN 2 AND 6"""
POSTS = "SELECT * FROM submissions WHERE author = ? ORDER BY at DESC, id"


def draw(d: Draw) -> Right:
    """Draw a user with several posts in a forum, most often on more than one page."""
    user, word = d.pick(SEVERAL, d.me), d.some([*VOTES])
    posts, choice = d.all(POSTS, user.name), VOTES[word]
    here = [post for post in posts if post.forum == user.forum]
    d.need(len(here) < len(posts) and is_free(d, posts))
    d.need(is_deep(d, posts, here, 10, 0.3))
    return Right(
        {"user": user.name, "forum": user.forum, "vote": word},
        do=[vote(post.id, choice) for post in here],
        via=[d.page("user_posts", user=user.name, sort="new")],
        instead={
            "those of all forums": [vote(post.id, choice) for post in posts],
            "all but the oldest": [vote(post.id, choice) for post in here[:-1]],
            "the other way": [vote(post.id, -choice) for post in here],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:25", "webarena:1510"), size="medium")
