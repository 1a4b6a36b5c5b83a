"""Leave a list open as it was asked for."""

from scenarios.kit import Draw, Family, Right

ORDERS = {"new": "the newest first", "top": "the highest score first"}
WORDINGS = (
    "Show the posts of {forum} whose title contains “{word}” in the list of all posts, {order}.",
    "On the page with all forums' posts, list those of {forum} with “{word}” in the title, {order}.",
)
WORDS = "SELECT title FROM submissions WHERE forum = ?"


def draw(d: Draw) -> Right:
    forum = d.pick("SELECT name FROM forums").name
    word = d.some(d.pick(WORDS, forum).title.split())
    d.need(word.isalpha() and len(word) > 3)
    order = d.some([*ORDERS])
    return Right({"forum": forum, "word": word, "order": ORDERS[order]},
                 end=d.page("home", forum=forum, q=word, sort=order))  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS)
