"""Who wrote the posts of a forum that come first in an order?"""

from typing import Any

from scenarios.forum._posts import BEST, KINDS, NEWEST, is_deep, pages_with
from scenarios.kit import AnswerSchema, Draw, Family, Right

ORDERS = {"with the highest score": (BEST, "top"), "that were submitted last": (NEWEST, "new")}
WORDINGS = (
    "Which users wrote the {n} {kinds} {order} in the forum {forum}?",
    "Name the authors of the {n} {kinds} {order} in {forum}.",
    "Look at the {n} {kinds} {order} in the forum {forum}: who submitted them?",
    "List the users behind the {n} {kinds} {order} in {forum}.",
)


def draw(d: Draw) -> Right:
    """Draw a forum and a number of posts by several users, ahead of a post by another user."""
    forum = d.pick("SELECT forum AS name FROM submissions").name
    kind, order = d.some([*KINDS]), d.some([*ORDERS])
    sql, sort = ORDERS[order]
    found = d.all(sql, forum, KINDS[kind])
    d.need(len(found) > 2)
    n = d.rng.randint(2, min(12, len(found) - 1))
    best, names = found[:n], list(dict.fromkeys(post.author for post in found[:n]))
    d.need(sort == "new" or found[n - 1].score > found[n].score)
    others = {post.author for post in d.all(BEST + " LIMIT ?", forum, "%", n)}
    d.need(len(names) > 1 and found[n].author not in names and others != {*names})
    d.need(is_deep(d, d.all(sql, forum, "%"), best, 15, 0.2))
    ids = {post.id for post in best}

    def authors(rows: Any) -> str:
        return ", ".join(row.author for row in rows if row.id in ids)

    return Right(
        {"forum": forum, "kinds": f"{kind}s", "n": n, "order": order},
        read=pages_with(d, "forum", best, authors, forum=forum, sort=sort),
        answer=", ".join(names),
        instead={
            "one too many": ", ".join([*names, found[n].author]),
            "one too few": ", ".join(names[:-1]),
            "of the best posts of any kind": ", ".join(sorted(others)),
        },
    )


LIST = AnswerSchema("list", "user names")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:17",), size="medium")
