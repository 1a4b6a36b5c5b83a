"""Vote on the posts of a forum that have the highest scores."""

from scenarios.forum._posts import BEST, KINDS, NEWEST, forum_and_kind, is_deep, is_free
from scenarios.kit import Draw, Family, Right, stay
from sites.forum.operations import vote

VOTES = {"Downvote": -1, "Upvote": 1}
WORDINGS = (
    "{vote} the {n} {kinds} with the highest score of all time in the forum {forum}.",
    "{vote} the top {n} {kinds} of {forum}, by their score.",
    "In the forum {forum}, sort by score. {vote} the first {n} {kinds}, and no others.",
    "{vote} the {n} {kinds} that have the most points in {forum}.",
)


def draw(d: Draw) -> Right:
    """Draw a forum and a number of posts that lead the next one by two points."""
    forum, kind = forum_and_kind(d)
    found, n, word = d.all(BEST, forum, KINDS[kind]), d.rng.randint(2, 4), d.some([*VOTES])
    d.need(len(found) > n + 1 and found[n - 1].score - found[n].score >= 2 and is_free(d, found))
    ranked, newest = d.all(BEST, forum, "%"), d.all(NEWEST, forum, KINDS[kind])
    d.need(is_deep(d, ranked, found[:n], 15, 0.1) and stay(ranked, found[:n], VOTES[word]))
    d.need({post.id for post in newest[:n]} != {post.id for post in found[:n]})
    return Right(
        {"forum": forum, "kinds": f"{kind}s", "n": n, "vote": word},
        do=[vote(post.id, VOTES[word]) for post in found[:n]],
        via=[d.page("forum", forum=forum, sort="top")],
        instead={
            "one too many": [vote(post.id, VOTES[word]) for post in found[: n + 1]],
            "the newest": [vote(post.id, VOTES[word]) for post in newest[:n]],
            "the first alone": [vote(found[0].id, VOTES[word])],
            "the other way": [vote(post.id, -VOTES[word]) for post in found[:n]],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:24",), size="medium")
