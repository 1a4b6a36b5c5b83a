"""Vote for the newest post of a forum."""

from scenarios.kit import Draw, Family, Right
from sites.forum.operations import vote

WORDINGS = (
    "Upvote the newest post in the forum {forum}.",
    "In {forum}, give the most recent submission an upvote.",
    "Go to the forum {forum} and vote up its latest post.",
)
NEWEST = "SELECT * FROM submissions WHERE forum = ? ORDER BY at DESC"


def draw(d: Draw) -> Right:
    forum = d.pick("SELECT forum AS name FROM submissions GROUP BY forum HAVING count(*) >= 5").name
    newest, second, *_ = d.all(NEWEST, forum)
    best = max(d.all(NEWEST, forum), key=lambda each: each.score)
    d.need(newest.at - second.at >= 600 and best.id != newest.id and newest.author != d.me)
    elsewhere = d.pick("SELECT * FROM submissions WHERE forum != ? ORDER BY at DESC LIMIT 1", forum)
    return Right(
        {"forum": forum},
        via=[d.page("forum", forum=forum, sort="new")],
        do=[vote(newest.id, 1)],
        instead={
            "the second newest": [vote(second.id, 1)],
            "the best rated": [vote(best.id, 1)],
            "the newest of all forums": [vote(elsewhere.id, 1)],
            "voted down": [vote(newest.id, -1)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS)
