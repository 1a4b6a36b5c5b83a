"""Leave a search in one's own merge requests open: those to work on, or those to review."""

from scenarios.codehost._projects import some_words
from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "Show me the open merge requests {mine} with “{words}” in the title, {order}.",
    "Leave the list of open merge requests {mine} open, searched for “{words}” and {order}.",
    "I want to see the open merge requests {mine}, {order}, if their title contains “{words}”.",
    "Search for “{words}” in the titles of open merge requests {mine}, sorted {order}.",
    "Which open merge requests {mine} have “{words}” in the title? List them {order}.",
    "Put the open merge requests {mine} on the screen {order}, only those about “{words}”.",
    "Of the open merge requests {mine}, list {order} those that say “{words}” in the title.",
    "Search my list of open merge requests {mine} for “{words}”, {order}, and leave it open.",
)
MINE = {"that are assigned to me": "my_requests", "that I am to review": "my_reviews"}
ORDERS = {"with the newest first": "new", "with the one that was updated last first": "updated"}
TITLES = "SELECT title FROM merge_requests WHERE state = 'open' AND {} = ?"
COLUMNS = {"my_requests": "assignee", "my_reviews": "reviewer"}


def draw(d: Draw) -> Right:
    """Draw one of the two lists, words of a title in it and an order."""
    mine, order = d.some([*MINE]), d.some([*ORDERS])
    found = d.all(TITLES.format(COLUMNS[MINE[mine]]), d.me)
    words = some_words(d, [each.title for each in found])
    end = d.page(MINE[mine], q=words, sort=ORDERS[order])
    return Right({"mine": mine, "words": words, "order": order}, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:290", "webarena:291"))
