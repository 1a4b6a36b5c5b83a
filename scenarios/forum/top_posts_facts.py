"""Who wrote the posts of a forum that have the highest scores?"""

from typing import Any

from scenarios.forum._posts import BEST, KINDS, NEWEST, forum_and_kind, pages_with
from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "Which users wrote the {n} {kind}s with the highest score in the forum {forum}?",
    "Name the authors of the top {n} {kind}s of {forum}, by score.",
    "Sort the forum {forum} by score: who submitted the first {n} {kind}s?",
    "List the users behind the {n} {kind}s that have the most points in {forum}.",
)


def draw(d: Draw) -> Right:
    """Draw a forum and a number of posts by several users, ahead of a post by another user."""
    forum, kind = forum_and_kind(d)
    found, n = d.all(BEST, forum, KINDS[kind]), d.rng.randint(2, 9)
    d.need(len(found) > n and found[n - 1].score > found[n].score)
    best = found[:n]
    names = [*dict.fromkeys(post.author for post in best)]
    newest = {post.author for post in d.all(NEWEST, forum, KINDS[kind])[:n]}
    d.need(len(names) > 1 and found[n].author not in names and newest != {*names})
    ids = {post.id for post in best}

    def authors(rows: Any) -> str:
        return ", ".join(row.author for row in rows if row.id in ids)

    read = pages_with(d, "forum", best, authors, forum=forum, sort="top")
    d.need(len(read) > 1 or d.rng.random() < 0.28)
    return Right(
        {"forum": forum, "kind": kind, "n": n},
        read=read,
        answer=", ".join(names),
        instead={
            "one too many": ", ".join([*names, found[n].author]),
            "one too few": ", ".join(names[:-1]),
            "of the newest": ", ".join(sorted(newest)),
        },
    )


FAMILY = Family(
    __file__, draw, WORDINGS, AnswerSchema("list", "user names"), templates=("webarena:17",)
)
