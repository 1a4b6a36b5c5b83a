"""Vote for the newest post, link or picture of a forum."""

from scenarios.forum._posts import APART, KINDS, NEWEST, forum_and_kind, is_free, pages_with
from scenarios.kit import Draw, Family, Right
from sites.forum.operations import vote

WORDINGS = (
    "Upvote the newest {kind} in the forum {forum}.",
    "In the forum {forum}, give the most recent {kind} an upvote.",
    "Go to the forum {forum} and vote up its latest {kind}.",
    "The {kind} that was submitted last in {forum} deserves an upvote: give it one.",
)


def draw(d: Draw) -> Right:
    """Draw a forum whose newest post of the kind is neither the best nor voted on."""
    forum, kind = forum_and_kind(d)
    found = d.all(NEWEST, forum, KINDS[kind])
    d.need(len(found) > 1)
    newest, second = found[:2]
    best = max(found, key=lambda post: post.score)
    d.need(newest.at - second.at >= APART and best != newest and is_free(d, found))
    elsewhere = d.pick("SELECT * FROM submissions WHERE forum != ? ORDER BY at DESC LIMIT 1", forum)
    instead = {
        "the second newest": [vote(second.id, 1)],
        "the best rated": [vote(best.id, 1)],
        "the newest of another forum": [vote(elsewhere.id, 1)],
        "voted down": [vote(newest.id, -1)],
    }
    first = d.all(NEWEST, forum, "%")[0]
    if first != newest:
        instead["the newest of any kind"] = [vote(first.id, 1)]
    via = pages_with(d, "forum", [newest], forum=forum, sort="new")
    return Right({"forum": forum, "kind": kind}, do=[vote(newest.id, 1)], via=via, instead=instead)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:22",), size="medium")
