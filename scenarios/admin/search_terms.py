"""Which search terms have the most or the fewest uses, and which brand do they name most often?"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from scenarios.kit import AnswerSchema, Draw, Family, Right
from sites.shop.texts import BRANDS

WORDINGS = (
    "Look through the search terms of our customers and name {asked}.",
    "Our shop counts how often customers use each search term. Tell me {asked}.",
    "I am planning the next advertisement: give me {asked}.",
    "Open the list of search terms and find {asked}.",
)
TERMS = "the {n} search terms with the {most} uses"
BRAND = (
    "the brand whose name is in more of the {n} search terms with the {most} uses than the name of"
    " any other brand"
)
BY_USES = "SELECT * FROM search_terms ORDER BY uses DESC"
BY_RESULTS = "SELECT * FROM search_terms ORDER BY results DESC, term"


def draw(d: Draw) -> Right:
    """Draw one end of the search terms in the order of their uses, or the brand in most of it."""
    every, by_results, most = d.all(BY_USES), d.all(BY_RESULTS), d.some(("most", "fewest"))
    ordered, n = every if most == "most" else every[::-1], d.rng.randint(3, 8)
    (brand, ahead), (second, behind), *_ = brands(ordered[:n])
    asked = BRAND if ahead > max(1, behind) and d.rng.random() < 0.6 else TERMS
    first, last = ([each.term for each in part] for part in (ordered[:n], ordered[-n:]))
    answer, wrong = first, {
        "from the other end": last,
        "one too few": first[:-1],
        "by results": [each.term for each in by_results[:n]],
    }  # fmt: skip
    if asked == BRAND:
        [(overall, _), *_] = brands(every)
        answer, wrong = (
            [brand],
            {"the next": [second], "of all": [overall], "both": [brand, second]},
        )
    return Right(
        {"asked": asked.format(n=n, most=most)},
        read=d.until(
            "terms",
            lambda row: row.term in first,
            lambda rows: ", ".join(
                [str(rows[0].uses), *(row.term for row in rows if row.term in first)]
            ),
            sort="uses",
        ),
        answer=", ".join(answer),
        instead={name: ", ".join(each) for name, each in wrong.items()},
    )


def brands(listed: Sequence[Any]) -> list[tuple[str, int]]:
    """Return the brands with the number of search terms that contain them, the most first."""
    words = Counter(word for each in listed for word in each.term.split())
    return sorted(
        ((brand, words[brand.lower()]) for brand in BRANDS), key=lambda each: (-each[1], each[0])
    )


LIST = AnswerSchema("list", "search terms, or a brand")
TEMPLATES = "webarena:285", "webarena:1001"
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=TEMPLATES, size="medium")
