"""Leave a search open in the order that was asked for."""

from scenarios.kit import Draw, Family, Right

ORDERS = {
    "new": "the newest first",
    "top": "the highest score first",
    "active": "by the time of the last comment",
}
WORDINGS = (
    (
        "Search for the posts of the forum {forum} whose title contains “{word}”, and show them"
        " {order}."
    ),
    "Leave a search open that lists the posts of {forum} with “{word}” in the title, {order}.",
    "In the search, list only posts of {forum} that have “{word}” in the title, {order}.",
    "Show me the search results for “{word}” in the forum {forum}, {order}.",
)
TITLES = "SELECT title FROM submissions WHERE forum = ?"


def draw(d: Draw) -> Right:
    """Draw a forum, a word of one of its titles and an order."""
    forum = d.pick("SELECT name FROM forums").name
    word, order = d.some(d.pick(TITLES, forum).title.split()).strip("():,?"), d.some([*ORDERS])
    d.need(word.isalpha() and len(word) > 3)
    end = d.page("search", forum=forum, q=word, sort=order)
    return Right({"forum": forum, "word": word, "order": ORDERS[order]}, end=end)


FAMILY = Family(__file__, draw, WORDINGS)
