"""Subscribe to the newsletter of the department that sells a category."""

from scenarios.kit import Draw, Family, Right
from sites.shop.operations import subscribe_to

WORDINGS = (
    "Subscribe me to the newsletter of the department that sells {category}.",
    "I want news about {category}: subscribe to the newsletter of its department.",
    "Find the department of {category} and subscribe to its newsletter, to no other one.",
    "Sign me up for the newsletter of the department with the category {category}.",
)
FREE = """SELECT * FROM categories WHERE parent != ''
  AND parent NOT IN (SELECT topic FROM subscriptions WHERE customer = ?)"""


def draw(d: Draw) -> Right:
    """Draw a category of a department without a subscription."""
    category = d.pick(FREE, d.me)
    other = d.pick(FREE + " AND parent != ?", d.me, category.parent)
    return Right(
        {"category": category.heading},
        do=[subscribe_to(category.parent)],
        via=[d.page("department", department=category.parent)],
        instead={
            "another newsletter": [subscribe_to(other.parent)],
            "two newsletters": [subscribe_to(category.parent), subscribe_to(other.parent)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:199",))
