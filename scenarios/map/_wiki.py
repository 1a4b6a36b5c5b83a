"""Facts of the encyclopedia, as the families on both sites draw them."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.kit import Draw, Found, Reading, path_step
from sites.kit import Place
from sites.wiki.generator import slug
from sites.wiki.known import Facts, facts_of

SITES = ("map", "wiki")
PARKS = "National parks"
"""The topic of the national parks."""
PLACE = "SELECT p.* FROM places p WHERE p.id = ?"


def facts(d: Draw) -> Facts:
    """Return the facts of the country that the map shows."""
    return facts_of(d.world)


def place(d: Draw, number: int) -> Found:
    """Return a place of the map by its number."""
    return d.pick(PLACE, number)


def article(title: str, values: Sequence[str]) -> Reading:
    """Return the reading of an article, which any list may also show with its first lines.

    Args:
        title: The title.
        values: The facts that are taken from it.
    """
    opened = Place.of("article", {"slug": slug(title)})
    return Reading("wiki", [path_step(opened)], [[{"shows": f"article {slug(title)}"}]], values)


def table_row(title: str, position: int, values: Sequence[str], or_article: str = "") -> Reading:
    """Return the reading of a row of an article's table.

    Args:
        title: The title.
        position: The number of the row.
        values: The facts that are taken from it.
        or_article: The title of another article that tells the same; "" for none.
    """
    opened = Place.of("article", {"slug": slug(title)})
    shown = [f"article row {slug(title)} {position}"]
    shown += [f"article {slug(or_article)}"] if or_article else []
    return Reading("wiki", [path_step(opened)], [[{"shows": each} for each in shown]], values)


def leads(topic: str, titles: Sequence[str], values: Sequence[str]) -> Reading:
    """Return the reading of the first lines of several articles, which stand in one list.

    Args:
        topic: The topic of the articles.
        titles: Their titles.
        values: The facts that are taken from them.
    """
    page = Place.of("topic", {"topic": topic})
    shown = [[{"shows": f"article {slug(title)}"}] for title in titles]
    return Reading("wiki", [path_step(page)], shown, values)
