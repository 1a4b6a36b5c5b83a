"""Leave a search in one's own to-do list open."""

from scenarios.codehost._projects import some_words
from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "Show me the entries of my to-do list whose title contains “{words}”.",
    "Open my to-do list and search it for “{words}”.",
    "In the list of what I have to do, leave only the entries with “{words}” in the title.",
    "What is there for me to do about “{words}”? Leave the search in my to-do list open.",
    "Search the titles in my to-do list for “{words}” and leave the result on the screen.",
    "I want to look at what my to-do list has on “{words}”. Search for it there.",
)
TITLES = "SELECT title FROM todos WHERE user = ? AND state = 'open'"


def draw(d: Draw) -> Right:
    """Draw words of the title of an entry."""
    titles = [each.title for each in d.all(TITLES, d.me)]
    words = some_words(d, titles)
    d.need(not all(words in each for each in titles))
    return Right({"words": words}, end=d.page("todos", q=words))


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:303",))
