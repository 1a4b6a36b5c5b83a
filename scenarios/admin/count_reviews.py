"""How many reviews of some months have a status, a number of stars, or a word?"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from scenarios.admin._figures import month_words
from scenarios.kit import AnswerSchema, Draw, Family, Right, See

WORDINGS = (
    "How many reviews dated {period} {have}?",
    "Count the reviews dated {period} that {have}.",
    "I need a number: of the reviews dated {period}, how many {have}?",
    "Look at all reviews dated {period}, and tell me how many {have}.",
)
HAVE = {
    "state": "have the status “{}”",
    "stars": "have exactly {} of 5 stars",
    "q": "contain the word “{}” in their summary or text (the product's name does not count)",
}
REVIEWS = """SELECT r.*, r.status AS state, lower(r.title || ' ' || r.body) AS words,
  lower(p.name) AS name, strftime('%Y-%m', r.at, 'unixepoch') AS month
  FROM reviews r JOIN products p ON p.sku = r.product ORDER BY r.at DESC, r.id"""
MOST = 40
"""The most hits of a search, each of which must be read."""


def draw(d: Draw) -> Right:
    """Draw one to three months, and a status, a number of stars or a word.

    The site's search also finds the word in the names of products.
    """
    reviews, kind = d.all(REVIEWS), d.some([*HAVE])
    months = sorted({each.month for each in reviews})
    start = d.rng.randrange(1, len(months) - 3)
    inside = months[start : start + d.rng.randint(1, 3)]
    here = [each for each in reviews if each.month in inside]
    value = word(d, here) if kind == "q" else d.some(sorted({e[kind] for e in here}))
    found = [e for e in reviews if (value in e.words if kind == "q" else e[kind] == value)]
    counts = Counter(each.month for each in found)
    d.need(all(counts[month] for month in inside))
    right = sum(counts[month] for month in inside)
    hits = sum(value in each.name or each in found for each in here) if kind == "q" else len(here)
    wrong = {
        "without the last month": right - counts[inside[-1]],
        "with the month before": right + counts[months[start - 1]],
        "all that a search finds": hits,
    }
    first, last = (month_words(inside[at]) for at in (0, -1))
    return Right(
        {
            "period": f"from {first} to {last} (both included)" if first != last else f"in {first}",
            "have": HAVE[kind].format(value),
        },
        read=[see for month in inside for see in pages(d, month, kind, value, found)],
        answer=str(right),
        instead={name: str(number) for name, number in wrong.items()},
    )


def word(d: Draw, reviews: Sequence[Any]) -> str:
    """Draw a word of some reviews that names of reviewed products contain, too."""
    known: Counter[str] = Counter(
        each for row in reviews for each in {*re.findall(r"[a-z]{4,}", row.words)}
    )

    def suits(text: str) -> bool:
        hits = [row for row in reviews if text in row.words or text in row.name]
        inside = sum(text in row.words for row in hits)
        return known[text] == inside < len(hits) <= MOST

    names = " ".join(row.name for row in reviews)
    found = [each for each in sorted(known) if each in names and suits(each)]
    d.need(found)
    return d.some(found)


def pages(d: Draw, month: str, kind: str, value: Any, found: Sequence[Any]) -> list[See]:
    """Return the pages of a month's reviews that a filter or a search finds.

    A filter counts what it finds, and so its first page is enough.
    """
    ids = {each.id for each in found if each.month == month}
    options = {kind: value, "month": month}
    if kind != "q":
        return [See(d.page("reviews", **options).place, f"{month}, {len(ids)}", ("reviews",))]
    return d.list(
        "reviews",
        lambda rows: ", ".join(
            str(row.review) for row in rows if row.review in {*ids, rows[0].review}
        ),
        wanted=lambda row: row.review in ids,
        **options,
    )


NUMBER = AnswerSchema("number")
TEMPLATES = "webarena:248", "webarena:277", "webarena:288"
FAMILY = Family(__file__, draw, WORDINGS, NUMBER, templates=TEMPLATES, size="medium")
