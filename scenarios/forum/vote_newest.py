"""Vote for the newest post, link or picture of a forum."""

from scenarios.forum._posts import NEWEST, forum_and_kind, is_free, newest_first, pages_with
from scenarios.kit import Draw, Family, Right
from sites.forum.operations import vote

WORDINGS = (
    "Upvote the newest {kind} in the forum {forum}.",
    "In the forum {forum}, give the most recent {kind} an upvote.",
    "Go to the forum {forum} and vote up its latest {kind}.",
    "The {kind} that was submitted last in {forum} deserves an upvote: give it one.",
)
LATE = """SELECT forum, kind FROM submissions s WHERE kind != 'text' GROUP BY forum, kind HAVING
  (SELECT count(*) FROM submissions o WHERE o.forum = s.forum AND o.at > max(s.at)) >= 15"""
"""The forums and kinds whose newest post stands on a later page."""


def draw(d: Draw) -> Right:
    """Draw a forum whose newest post of the kind is neither the best nor voted on."""
    late = d.pick(LATE)
    forum, kind = d.some([(late.forum, f"{late.kind} post"), forum_and_kind(d)])
    newest, second, *_ = found = newest_first(d, forum, kind)
    best, first = max(found, key=lambda post: post.score), d.all(NEWEST, forum, "%")[0]
    d.need(best != newest and is_free(d, found))
    elsewhere = d.pick(
        "SELECT * FROM submissions WHERE forum != ? ORDER BY at DESC, id LIMIT 1", forum
    )
    instead = {
        "the second newest": [vote(second.id, 1)],
        "the best rated": [vote(best.id, 1)],
        "the newest of another forum": [vote(elsewhere.id, 1)],
        "voted down": [vote(newest.id, -1)],
    }
    if first != newest:
        instead["the newest of any kind"] = [vote(first.id, 1)]
    via = pages_with(d, "forum", [newest], forum=forum, sort="new")
    return Right({"forum": forum, "kind": kind}, do=[vote(newest.id, 1)], via=via, instead=instead)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:22",), size="medium")
