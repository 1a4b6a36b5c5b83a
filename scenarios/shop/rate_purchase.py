"""Write a review of the product that was bought last in a category."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._orders import CANCELED, LINES, opened, prefer_far, upto
from sites.shop.operations import review
from sites.shop.texts import CATEGORIES, TITLES

WORDINGS = (
    (
        "Review my last purchase from the category {category} that was not canceled: {stars} "
        "stars, nickname {nickname}, title “{title}”, review “{text}”."
    ),
    (
        "Which product of {category} did I order last, canceled orders aside? Rate it with "
        "{stars} stars as {nickname}. The title is “{title}” and the review is “{text}”."
    ),
    (
        "As {nickname}, write a review of my latest purchase in {category} that was not canceled: "
        "{stars} stars, title “{title}”, text “{text}”."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a category from which the customer bought several products."""
    lines = d.all(LINES, d.me)
    category = d.rng.choice(lines).category
    bought = [each for each in lines if each.category == category and each.state != CANCELED]
    products = [*dict.fromkeys(each.product for each in bought)]
    d.need(len(products) > 1 and all(each.status == "enabled" for each in bought))
    d.need([each.product for each in bought if each.order_no == bought[0].order_no] == products[:1])
    prefer_far(d, bought[0].order_no)
    stars = d.rng.randint(1, 5)
    nickname, title = d.me.split()[0] + str(d.rng.randint(2, 99)), d.some(TITLES[stars])
    text = f"I have had it for {d.rng.randint(2, 90)} days, and that is my opinion."
    texts = nickname, title, text
    slots = {"stars": stars, "nickname": nickname, "title": title, "text": text}
    return Right(
        {"category": CATEGORIES[category].heading, **slots},
        via=[*upto(d, [bought[0].order_no]), opened(d, bought[0].order_no)],
        do=[review(products[0], stars, *texts)],
        instead={
            "other stars": [review(products[0], stars % 5 + 1, *texts)],
            "title and text exchanged": [review(products[0], stars, nickname, text, title)],
            "an older purchase": [review(products[1], stars, *texts)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:194",), size="medium")
