"""Reply to the best rated post of a forum, and vote for it."""

from scenarios.kit import Draw, Family, Right
from sites.forum import operations
from sites.kit import Do
from sites.forum.generator import PLACES, THINGS

WORDINGS = (
    "Reply to the post with the highest score in {forum} with “{text}”, and upvote that post.",
    "Upvote the best rated submission of all time in {forum} and comment on it: “{text}”",
)


def draw(d: Draw) -> Right:
    forum = d.pick("SELECT forum AS name FROM submissions GROUP BY forum HAVING count(*) >= 4").name
    best, second, *_ = d.all("SELECT * FROM submissions WHERE forum = ? ORDER BY score DESC", forum)
    newest = d.pick("SELECT * FROM submissions WHERE forum = ? ORDER BY at DESC LIMIT 1", forum)
    d.need(best.score - second.score >= 2 and newest.id != best.id)
    text = f"Thank you, this helped with my {d.some(THINGS)} in the {d.some(PLACES)} {d.rng.randint(2, 99)} times."

    def both(post: int) -> list[Do]:
        return [operations.vote(post, 1), operations.reply(post, text)]

    return Right({"forum": forum, "text": text}, do=both(best.id), via=[d.page("forum", forum=forum, sort="top")],
                 instead={"to the second": both(second.id), "to the newest": both(newest.id)})


FAMILY = Family(__file__, draw, WORDINGS)
