"""Is the last of one's issues about something closed?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "Of the issues that I created with “{word}” in the title, is the one {done} last closed?",
    (
        "Take the issue that was {done} last among those created by me whose title contains"
        " “{word}”. Has it been closed?"
    ),
    "Look for “{word}” in the titles of my own issues. Is the one {done} most recently closed?",
    (
        "I created several issues with “{word}” in the title. Sort them by the time when they were"
        " {done}, and tell me whether the newest is closed."
    ),
)
ORDERS = {"new": ("created", "at"), "updated": ("updated", "updated")}
ANSWERS = {"closed": "yes", "open": "no"}
MINE = "SELECT * FROM issues WHERE author = ?"


def draw(d: Draw) -> Right:
    """Draw a word for which the last issue in the other order has the other state."""
    mine, order, state = d.all(MINE, d.me), d.some([*ORDERS]), d.some([*ANSWERS])
    [other] = {*ORDERS} - {order}
    words = sorted({word for each in mine for word in each.title.split() if word.isalpha()})
    ends = []
    for word in (each for each in words if len(each) > 3):
        found = [each for each in mine if word.casefold() in each.title.casefold()]
        last, wrong = (max(found, key=lambda row: row[ORDERS[by][1]]) for by in (order, other))
        ends += [(word, last)] if last.state == state != wrong.state else []
    d.need(ends)
    word, right = d.some(ends)
    return Right(
        {"word": word, "done": ORDERS[order][0]},
        read=d.until("my_created", lambda row: row.issue == right.id, q=word, sort=order),
        answer=ANSWERS[state],
        instead={"of the last in the other order": ANSWERS[({*ANSWERS} - {state}).pop()]},
    )


TEMPLATES = "webarena:310", "webarena:500"
YES_NO = AnswerSchema("yes_no")
FAMILY = Family(__file__, draw, WORDINGS, YES_NO, templates=TEMPLATES, size="medium")
