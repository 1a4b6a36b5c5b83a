"""How many comments of the author of a forum's newest post have a low score?"""

from scenarios.forum._posts import forum_and_kind, newest_first, pages_with
from scenarios.kit import AnswerSchema, Draw, Family, Right, See

LIMITS = {"zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
WORDINGS = (
    "How many comments of the author of the newest {kind} in {forum} have a score below {limit}?",
    "Count the comments with a score below {limit} by the author of the latest {kind} in {forum}.",
    "Whose {kind} is the newest in {forum}? How many of that user's comments score below {limit}?",
    "Who wrote the last {kind} in {forum}? Say how many comments of theirs score below {limit}.",
)
COMMENTS = "SELECT * FROM comments WHERE author = ? ORDER BY at DESC, id"


def draw(d: Draw) -> Right:
    """Draw a forum whose newest post is by a user with some low comments."""
    (forum, kind), word = forum_and_kind(d), d.some([*LIMITS])
    newest, second, *_ = newest_first(d, forum, kind)
    comments, limit = d.all(COMMENTS, newest.author), LIMITS[word]
    low = [each for each in comments if each.score < limit]
    d.need(low and 5 <= len(comments) <= 60)
    others = [each for each in d.all(COMMENTS, second.author) if each.score < limit]
    pages = d.list(
        "user_comments",
        lambda rows: ", ".join(str(row.cid) for row in rows if row.score < limit),
        user=newest.author,
    )
    first = pages_with(d, "forum", [newest], forum=forum, sort="new")
    first[-1] = See(first[-1].place, newest.author)
    right = str(len(low))
    answers = {
        "of the second newest's author": str(len(others)),
        "the limit counted too": str(sum(each.score <= limit for each in comments)),
        "all comments": str(len(comments)),
        "one too few": str(len(low) - 1),
    }
    return Right(
        {"forum": forum, "kind": kind, "limit": word},
        read=[*first, *pages],
        answer=right,
        instead={name: text for name, text in answers.items() if text != right},
    )


NUMBER = AnswerSchema("number")
FAMILY = Family(__file__, draw, WORDINGS, NUMBER, templates=("webarena:33",), size="medium")
