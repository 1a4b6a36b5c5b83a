"""List the full names of a brand's products of a category, and their lowest and highest price."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._goods import CATEGORY, OFFERED, amount, pages_with, shown

WORDINGS = (
    (
        "Which products by {brand} are in the category {category}? List their full names, then "
        "the lowest and the highest of their listed prices, such as 4.50."
    ),
    (
        "Give me the full names of everything in {category} that {brand} makes. Behind the names, "
        "add the lowest and the highest price that a list shows for them, such as 4.50."
    ),
    (
        "I collect what {brand} makes in the category {category}. Name every product in full, and "
        "end with two amounts such as 4.50: what the cheapest and the dearest cost in the list."
    ),
    (
        "List the products of {brand} in the category {category} by their full names. After them "
        "write the least and the greatest of their listed prices, such as 4.50."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a category with two to five products of a brand."""
    category = d.pick(CATEGORY)
    every = d.all(OFFERED, category.name)
    brand = d.rng.choice(every).brand
    own = [each for each in every if each.brand == brand]
    others = [each for each in every if each.brand != brand]
    d.need(others and 2 <= len(own) <= 5)
    facts = {each.sku: f"{each.name}, {shown(each.price)}" for each in own}
    names, prices = [each.name for each in own], [own[0].price, own[-1].price]
    ends = [*map(amount, prices)]
    return Right(
        {"category": category.heading, "brand": brand},
        read=pages_with(
            d,
            "category",
            [*facts],
            category=category.name,
            sort="price",
            note=lambda rows: (
                ", ".join(facts[row.sku] for row in rows if row.sku in facts) or rows[0].name
            ),
        ),
        answer=", ".join((*names, *ends)),
        instead={
            "one too few": ", ".join((*names[1:], *ends)),
            "one of another brand": ", ".join((*names, others[0].name, *ends)),
            "without prices": ", ".join(names),
            "the lowest price alone": ", ".join((*names, ends[0])),
        },
    )


LIST = AnswerSchema("list", "full names, then two amounts such as 4.50")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:204",), size="medium")
