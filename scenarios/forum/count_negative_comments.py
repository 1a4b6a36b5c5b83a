"""How many comments of the author of a forum's newest post have a negative score?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "Of the author of the {which} post in {forum}: how many of all their comments have a score"
    " below zero?",
    "Count the comments with a negative score by the author of the {which} post in {forum}.",
)
NEWEST = "SELECT * FROM submissions WHERE forum = ? ORDER BY at DESC LIMIT 5"
WHICH = ("newest", "second newest", "third newest", "fourth newest")
COMMENTS = "SELECT * FROM comments WHERE author = ? ORDER BY at DESC"


def draw(d: Draw) -> Right:
    forum = d.pick("SELECT forum AS name FROM submissions GROUP BY forum HAVING count(*) >= 5").name
    posts, place = d.all(NEWEST, forum), d.rng.randrange(len(WHICH))
    newest, second = posts[place : place + 2]
    comments = d.all(COMMENTS, newest.author)
    below = [each for each in comments if each.score < 0]
    d.need(newest.at - second.at >= 600 and below and 5 <= len(comments) <= 60)
    others = [each for each in d.all(COMMENTS, second.author) if each.score < 0]
    zero = sum(each.score <= 1 for each in comments)
    return Right(
        {"forum": forum, "which": WHICH[place]},
        read=[
            d.page("forum", forum=forum, sort="new", note=newest.author),
            *d.list("user_comments", user=newest.author, note=lambda rows: (
                f"{sum(each.score < 0 for each in rows)} of these {len(rows)} are negative")),
        ],
        answer=str(len(below)),
        instead={"of the next one's author": str(len(others)), "weak ones too": str(zero),
                 "all comments": str(len(comments))},
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, AnswerSchema("number"))
