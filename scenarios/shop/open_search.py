"""Leave a search of the shop open, in all categories or in one."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import CATEGORY, NAMED
from sites.shop.texts import BRANDS, MANNERS

WORDINGS = (
    "Search the shop for “{words}” in {where}, and leave the results open in their usual order.",
    "Which products does a search for “{words}” in {where} find? Show me its first page.",
    "Leave the search results for “{words}” open. Look in {where}, and sort nothing.",
    "Bring up what a search for “{words}” finds in {where}, as the shop orders it.",
)


def draw(d: Draw) -> Right:
    """Draw a word that products of several categories have; mostly, one category is searched."""
    words, category = d.some([*BRANDS, *MANNERS]), d.pick(CATEGORY)
    found = d.all(NAMED, words)
    inside = [each for each in found if each.category == category.name]
    d.need(1 < len(inside) < len(found))
    if d.rng.random() < 0.3:
        end = d.page("search", q=words)
        return Right({"words": words, "where": "all categories"}, end=end)
    end = d.page("search", q=words, category=category.name)
    return Right({"words": words, "where": f"the category {category.heading} alone"}, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:212",), size="medium")
